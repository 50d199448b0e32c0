import type { Locale } from '../constants.ts';

/** A code of the envelope with its message in both languages. */
export interface CodeEntry {
  code: number;
  en: string;
  zh: string;
}

/** The message of a code in a language, with its `{name}` placeholders replaced. */
export function textOf(entry: CodeEntry, locale: Locale, values: Record<string, string | number>): string {
  const text = locale === 'zh-CN' ? entry.zh : entry.en;
  return text.replace(/\{(\w+)\}/g, (whole, key: string) => (key in values ? String(values[key]) : whole));
}
