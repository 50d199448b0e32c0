import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locale } from '@chargehand/contract';

const FOLDER = join(import.meta.dirname, '../../apps/console/src/locales');

/** Texts of the console in a language: `room:key.of.the.text`, with its `{{name}}` placeholders replaced, in the form for `count`. */
export type Words = (key: string, values?: Record<string, string | number>) => string;

/** The texts of a language. @throws when the text does not exist, so that no test searches for an empty text */
export function wordsOf(locale: Locale): Words {
  const rooms = new Map<string, unknown>(
    readdirSync(join(FOLDER, locale)).map((file) => [
      file.replace(/\.json$/, ''),
      JSON.parse(readFileSync(join(FOLDER, locale, file), 'utf8')),
    ]),
  );
  return (key, values = {}) => {
    const [room = '', path = ''] = key.split(':');
    const find = (place: string) =>
      place
        .split('.')
        .reduce<unknown>((node, part) => (node as Record<string, unknown> | undefined)?.[part], rooms.get(room));
    const form = new Intl.PluralRules(locale).select(Number(values.count));
    const text = find(path) ?? (values.count === undefined ? undefined : find(`${path}_${form}`));
    if (typeof text !== 'string') throw new Error(`There is no text ${key} in ${locale}`);
    return text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => (name in values ? String(values[name]) : whole));
  };
}
