import type { Locale } from '../constants.ts';

/** A code of the envelope and what it says in both languages. */
export interface CodeEntry {
  code: number;
  en: string;
  zh: string;
}

/** What a code says in a language, its `{name}` parts filled with the values given. */
export function textOf(entry: CodeEntry, locale: Locale, values: Record<string, string | number>): string {
  const text = locale === 'zh-CN' ? entry.zh : entry.en;
  return text.replace(/\{(\w+)\}/g, (whole, key: string) => (key in values ? String(values[key]) : whole));
}
