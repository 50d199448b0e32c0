import type { Locale } from '@chargehand/contract';
import { type Dictionary, type DictionaryEntry, dictionaryImportFields } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import type { Workbook } from '../platform/http/serve/serve-workbook.ts';
import { type ExportColumn, inLocale, type Words, yesNo } from '../platform/xlsx/list-export.ts';
import { type Cell, xlsxOf } from '../platform/xlsx/xlsx.ts';
import { DEFAULT_WORDS, ENTRY_WORDS } from './dictionary-columns.ts';
import { readDictionary } from './names.ts';

const SHEETS: Readonly<Record<Dictionary, Words>> = {
  alarmNames: { en: 'Alarm names', zh: '告警名称' },
  causes: { en: 'Causes', zh: '原因' },
  remedies: { en: 'Remedies', zh: '处理措施' },
  labels: { en: 'Labels', zh: '标签' },
  regions: { en: 'Regions', zh: '地区' },
};

/** Rows that are written at once. */
const BATCH = 500;

/** All entries of a dictionary as a workbook that can be imported again. */
export function dictionaryWorkbook(db: Kysely<Database>, dictionary: Dictionary, locale: Locale): Workbook {
  const columns = columnsOf(dictionary);
  const rows = async function* (): AsyncGenerator<Cell[][]> {
    const entries = [...(await readDictionary(db, dictionary)).values()];
    for (let start = 0; start < entries.length; start += BATCH) {
      yield entries.slice(start, start + BATCH).map((entry) => columns.map(({ cell }) => cell(entry, locale)));
    }
  };
  const name = inLocale(SHEETS[dictionary], locale);
  const headings = columns.map((column) => ({ heading: inLocale(column, locale), width: column.width }));
  return { name, content: xlsxOf({ name, columns: headings, rows: rows() }) };
}

function columnsOf(dictionary: Dictionary): ExportColumn<DictionaryEntry>[] {
  const columns: Readonly<Record<keyof typeof ENTRY_WORDS, ExportColumn<DictionaryEntry>>> = {
    code: { ...ENTRY_WORDS.code, width: 32, cell: ({ code }) => code },
    nameEn: { ...ENTRY_WORDS.nameEn, width: 40, cell: ({ nameEn }) => nameEn },
    nameZh: { ...ENTRY_WORDS.nameZh, width: 32, cell: ({ nameZh }) => nameZh },
    enabled: { ...ENTRY_WORDS.enabled, width: 16, cell: ({ enabled }, locale) => yesNo(enabled, locale) },
    position: { ...ENTRY_WORDS.position, width: 10, cell: ({ position }) => position },
  };
  return [
    ...dictionaryImportFields(dictionary).map((field) => columns[field]),
    { ...DEFAULT_WORDS.nameEn, width: 40, cell: ({ byDefault }) => byDefault?.nameEn ?? null },
    { ...DEFAULT_WORDS.nameZh, width: 32, cell: ({ byDefault }) => byDefault?.nameZh ?? null },
  ];
}
