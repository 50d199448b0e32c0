import type { Locale, LogFile } from '@chargehand/contract';
import { csvHead, csvLine, jsonLine } from '../csv.ts';
import type { ListPosition } from '../http/serve/list-queries.ts';
import type { Workbook } from '../http/serve/serve-workbook.ts';
import { type Cell, xlsxOf } from './xlsx.ts';

/** Rows that are fetched and written at once. This limits the memory of an export, however long the list. */
const BATCH = 1_000;

export interface Words {
  en: string;
  zh: string;
}

/** A column of an exported list: its heading in both languages and its value in a row. */
export interface ExportColumn<Row> extends Words {
  width: number;
  cell(row: Row, locale: Locale): Cell;
}

/**
 * A whole list as a workbook, written while it is fetched. `fetch` returns the next batch after a position, null at
 * first.
 */
export function listWorkbook<Row extends ListPosition>(
  sheet: Words,
  locale: Locale,
  columns: readonly ExportColumn<Row>[],
  fetch: (after: ListPosition | null, limit: number) => Promise<Row[]>,
): Workbook {
  const name = inLocale(sheet, locale);
  const content = xlsxOf({
    name,
    columns: columns.map((column) => ({ heading: inLocale(column, locale), width: column.width })),
    rows: exportedRows(fetch, (row) => columns.map(({ cell }) => cell(row, locale))),
  });
  return { name, content };
}

/**
 * A whole list as a workbook, as CSV with the same columns, or as JSON Lines with the rows of the API (`rowOf`), written
 * while it is fetched.
 */
export function listFile<Row extends ListPosition>(
  list: {
    format: LogFile;
    sheet: Words;
    locale: Locale;
    columns: readonly ExportColumn<Row>[];
    rowOf(row: Row): object;
  },
  fetch: (after: ListPosition | null, limit: number) => Promise<Row[]>,
): Workbook {
  const { format, sheet, locale, columns, rowOf } = list;
  if (format === 'xlsx') return listWorkbook(sheet, locale, columns, fetch);
  const lines = async function* (): AsyncGenerator<string> {
    if (format === 'csv') yield csvHead(columns.map((column) => inLocale(column, locale)));
    const lineOf = (row: Row) =>
      format === 'csv' ? csvLine(columns.map(({ cell }) => cell(row, locale))) : jsonLine(rowOf(row));
    for await (const rows of exportedRows(fetch, lineOf)) if (rows.length > 0) yield rows.join('');
  };
  return { name: inLocale(sheet, locale), content: lines(), kind: format };
}

/** The rows of a list, in batches. A row that changes its place in the order meanwhile is returned once. */
async function* exportedRows<Row extends ListPosition, Out>(
  fetch: (after: ListPosition | null, limit: number) => Promise<Row[]>,
  write: (row: Row) => Out,
): AsyncGenerator<Out[]> {
  const written = new Set<number>();
  let after: ListPosition | null = null;
  for (;;) {
    const rows: Row[] = await fetch(after, BATCH);
    const fresh = rows.filter(({ id }) => !written.has(id));
    for (const { id } of fresh) written.add(id);
    yield fresh.map(write);
    if (rows.length < BATCH) return;
    after = rows.at(-1) ?? null;
  }
}

export function inLocale(words: Words, locale: Locale): string {
  return locale === 'zh-CN' ? words.zh : words.en;
}

/** Whether an object is enabled, as text. */
export function stateWord(enabled: boolean, locale: Locale): string {
  return inLocale(enabled ? { en: 'Enabled', zh: '启用' } : { en: 'Disabled', zh: '停用' }, locale);
}

export function yesNo(flag: boolean, locale: Locale): string {
  return inLocale(flag ? { en: 'Yes', zh: '是' } : { en: 'No', zh: '否' }, locale);
}
