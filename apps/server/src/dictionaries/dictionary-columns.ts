import {
  DICTIONARY_IMPORT_REQUIRED,
  type Dictionary,
  type DictionaryImportField,
  dictionaryImportFields,
} from '@chargehand/domain';
import type { ImportColumns } from '../platform/xlsx/import-sheet.ts';
import type { Words } from '../platform/xlsx/list-export.ts';

/** The headings of the fields of an entry, as on the page. */
export const ENTRY_WORDS: Readonly<Record<DictionaryImportField, Words>> = {
  code: { en: 'Code', zh: '代码' },
  nameEn: { en: 'English name', zh: '英文名称' },
  nameZh: { en: 'Chinese name', zh: '中文名称' },
  enabled: { en: 'Can be chosen', zh: '可选' },
  position: { en: 'Order', zh: '排序' },
};

/** The headings of columns that an export has for comparison, and an import ignores. */
export const DEFAULT_WORDS = {
  nameEn: { en: 'Default English name', zh: '默认英文名称' },
  nameZh: { en: 'Default Chinese name', zh: '默认中文名称' },
} as const satisfies Record<string, Words>;

const IGNORED: ReadonlySet<string> = new Set(
  Object.values(DEFAULT_WORDS).flatMap(({ en, zh }) => [en.toLowerCase(), zh]),
);

/** The columns of a file of entries. */
export function importColumns(dictionary: Dictionary): ImportColumns<DictionaryImportField> {
  const fields = Object.fromEntries(dictionaryImportFields(dictionary).map((field) => [field, ENTRY_WORDS[field]]));
  return {
    fields: fields as ImportColumns<DictionaryImportField>['fields'],
    required: DICTIONARY_IMPORT_REQUIRED,
    ignored: IGNORED,
  };
}
