import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LOCALES, type Locale } from '@chargehand/contract';
import { type DocumentType, FLAP_WINDOW_MS, OFFLINE_GRACE_MS } from '@chargehand/domain';
import { SHIPPED_CATEGORIES } from './catalog.ts';
import type { ShippedDocument } from './shipped-document.ts';

const FOLDER = join(import.meta.dirname, '..', '..', '..', 'content');

/** Values of rules that shipped texts name as `{{offlineMinutes}}`, so that a text says what the rule does. */
const VALUES: Readonly<Record<string, number>> = {
  offlineMinutes: OFFLINE_GRACE_MS / 60_000,
  reopenMinutes: FLAP_WINDOW_MS / 60_000,
};

/** One language of a shipped document, as its file contains it. */
export interface ShippedFile {
  key: string;
  /** key of its category */
  category: string;
  name: string;
  type: DocumentType | null;
  codes: readonly string[];
  locale: Locale;
  text: string;
  hash: string;
}

/** The path of a language of a document. */
function shippedPath(category: string, key: string, locale: Locale): string {
  return join(FOLDER, category, locale, `${key}.md`);
}

/** Reads every shipped document in both languages. */
export async function readShippedFiles(): Promise<ShippedFile[]> {
  const wanted = SHIPPED_CATEGORIES.flatMap(({ key: category, documents }) =>
    documents.flatMap((document) => LOCALES.map((locale) => ({ category, document, locale }))),
  );
  return await Promise.all(wanted.map(async ({ category, document, locale }) => read(category, document, locale)));
}

async function read(category: string, document: ShippedDocument, locale: Locale): Promise<ShippedFile> {
  const { key, type = null, codes = [] } = document;
  const file = await readFile(shippedPath(category, key, locale), 'utf8');
  const text = file.replaceAll(/\{\{(\w{1,40})\}\}/g, (_, name: string) => {
    if (VALUES[name] === undefined) throw new Error(`${key}.md names {{${name}}}, which is no value of a rule`);
    return String(VALUES[name]);
  });
  const hash = createHash('sha256')
    .update(JSON.stringify([codes, text]))
    .digest('hex');
  return { key, category, name: codes[0] ?? key, type, codes, locale, text, hash };
}
