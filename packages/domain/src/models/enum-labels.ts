import type { Bilingual } from './device-models.ts';

/** Separates the English and the Chinese part of a label. */
const SEPARATOR = ' / ';
const CHINESE = /\p{Script=Han}/u;

/**
 * The label of an enumeration entry in both languages. `English / 中文` has two parts: the Chinese part starts at the
 * first part with a Chinese character. Any other label is the same in both languages, for example `AC / DC`.
 */
export function labelNames(label: string): Bilingual {
  const parts = label.split(SEPARATOR);
  const chinese = parts.findIndex((part) => CHINESE.test(part));
  if (chinese < 1) return { en: label, zh: label };
  return { en: parts.slice(0, chinese).join(SEPARATOR), zh: parts.slice(chinese).join(SEPARATOR) };
}

/** The label of an enumeration entry in a language. */
export function labelIn(label: string, language: keyof Bilingual): string {
  return labelNames(label)[language];
}
