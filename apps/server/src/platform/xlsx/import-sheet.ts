import type { Locale } from '@chargehand/contract';
import {
  decodeCsv,
  formatSize,
  type MergedCells,
  type ReadSheet,
  readCsv,
  type SheetCell,
  type SheetLimits,
  type SheetRow,
} from '@chargehand/domain';
import { Problem } from '../http/problem.ts';
import { inLocale, type Words } from './list-export.ts';
import { type FirstSheet, readFirstSheet, UnreadableSheet } from './xlsx-reader.ts';

const FIELD = { field: 'content' };

/** The columns of an imported sheet. */
export interface ImportColumns<Field extends string> {
  /** the headings; the name of a field is accepted, too */
  fields: Readonly<Record<Field, Words>>;
  required: readonly Field[];
  /** headings, in lower case, of columns that an export has and an import ignores */
  ignored: ReadonlySet<string>;
  /** further columns are left out and listed; without it they are refused */
  others?: 'leftOut';
  /** the fields of other headings, in lower case, as a user chose them */
  chosen?: ReadonlyMap<string, Field>;
}

/** Required columns are missing among the headings of a sheet: its user may say which column is which. */
export class HeadingsUnknown extends Problem {
  /** the field of each heading, null for those that are unknown */
  readonly headings: { heading: string; field: string | null }[];

  constructor(column: string, headings: { heading: string; field: string | null }[]) {
    super('importColumnMissing', { ...FIELD, values: { column } });
    this.headings = headings;
  }
}

/** A cell as it is shown. `shown` is null when a number has lost digits or is shown as something else, as a date is. */
export type ImportCell = { text: string } | { number: number; shown: string | null };

/** The rows of an imported sheet by field. Empty cells are missing. */
interface ImportSheet<Field extends string> {
  rows: { row: number; cells: ReadonlyMap<Field, ImportCell> }[];
  /** the headings of the columns that are left out; at most `LEFT_OUT` */
  leftOut: string[];
  /** dates count from 1904 instead of 1900 */
  from1904: boolean;
}

/** Rows in which the headings are looked for: lists have a title and notes above them. */
const HEADING_ROWS = 20;
const LEFT_OUT = 50;

/**
 * The sheet of an .xlsx file with the required headings, in either language, in one of its first rows. Each of merged
 * cells has their content. `limits.rows` counts the rows below the headings.
 * @throws Problem `importNotXlsx`, `importInflates`, `importTooManyRows`, `importColumnUnknown`, `importColumnTwice`,
 * `importColumnMissing`
 */
export async function readImportSheet<Field extends string>(
  content: Buffer,
  locale: Locale,
  columns: ImportColumns<Field>,
  limits: SheetLimits & { inflatedBytes: number },
): Promise<ImportSheet<Field>> {
  const sheet = await sheetOf(content, columns, limits);
  return importSheet(sheet, locale, columns, limits);
}

/**
 * Like `readImportSheet`, for files with very many rows, which are not kept: calls a function with each. Returns their
 * number.
 */
export async function eachImportRow<Field extends string>(
  content: Buffer,
  locale: Locale,
  columns: ImportColumns<Field>,
  limits: SheetLimits & { inflatedBytes: number },
  onRow: (row: number, cells: ReadonlyMap<Field, ImportCell>, from1904: boolean) => void,
): Promise<number> {
  const sheet = await sheetOf(content, columns, limits, HEADING_ROWS);
  const { index } = headingsOf(sheet, columns);
  const headings = sheet.rows[index];
  if (!headings) return 0;
  const total = sheet.total - index - 1;
  refuseTooManyRows(total, limits.rows);
  const { places } = placesOf(headings.cells, locale, columns);
  const filled = withMerged(sheet.merges, limits);
  const shown = shownIn(sheet);
  await unreadable(limits, () =>
    sheet.each((read) => {
      if (read.row <= headings.row) return;
      const { row, cells } = filled(read);
      onRow(row, byField(cells, places, shown), sheet.from1904);
    }),
  );
  return total;
}

async function sheetOf<Field extends string>(
  content: Buffer,
  columns: ImportColumns<Field>,
  limits: SheetLimits & { inflatedBytes: number },
  kept?: number,
): Promise<FirstSheet> {
  const fits = (sheet: ReadSheet) => headingsOf(sheet, columns).missing === 0;
  return await unreadable(limits, () => readFirstSheet(content, withHeadings(limits), fits, kept));
}

/** @throws Problem `importNotXlsx`, `importInflates` */
async function unreadable<T>({ inflatedBytes }: { inflatedBytes: number }, work: () => Promise<T>): Promise<T> {
  return await work().catch((error: unknown) => {
    if (!(error instanceof UnreadableSheet)) throw error;
    if (!error.inflates) throw new Problem('importNotXlsx', FIELD);
    throw new Problem('importInflates', { ...FIELD, values: { limit: formatSize(inflatedBytes) } });
  });
}

/** The rows of a CSV file, like those of a sheet. @throws Problem `importNotCsv`, and those of `readImportSheet` */
export function readImportCsv<Field extends string>(
  content: Uint8Array,
  locale: Locale,
  columns: ImportColumns<Field>,
  limits: SheetLimits,
): ImportSheet<Field> {
  const text = decodeCsv(content);
  if (text === null) throw new Problem('importNotCsv', FIELD);
  const sheet = { ...readCsv(text, withHeadings(limits)), from1904: false, shownOf: () => null };
  return importSheet(sheet, locale, columns, limits);
}

function withHeadings<L extends SheetLimits>(limits: L): L {
  return { ...limits, rows: limits.rows + HEADING_ROWS };
}

function importSheet<Field extends string>(
  sheet: Omit<FirstSheet, 'each'>,
  locale: Locale,
  columns: ImportColumns<Field>,
  limits: SheetLimits,
): ImportSheet<Field> {
  const { from1904 } = sheet;
  const { index } = headingsOf(sheet, columns);
  const headings = sheet.rows[index];
  if (!headings) return { rows: [], leftOut: [], from1904 };
  refuseTooManyRows(sheet.total - index - 1, limits.rows);
  const { places, leftOut } = placesOf(headings.cells, locale, columns);
  const rows = sheet.rows.slice(index + 1).map(withMerged(sheet.merges, limits));
  const shown = shownIn(sheet);
  return { rows: rows.map(({ row, cells }) => ({ row, cells: byField(cells, places, shown) })), leftOut, from1904 };
}

function shownIn({ shownOf }: Pick<FirstSheet, 'shownOf'>) {
  return (cell: SheetCell): ImportCell => ('text' in cell ? cell : { number: cell.number, shown: shownOf(cell) });
}

/**
 * The row with the most required headings among the first rows, and how many of them it lacks. Without any, the first
 * row with the most texts: the headings of a list have other words.
 */
function headingsOf<Field extends string>(
  { rows }: ReadSheet,
  columns: ImportColumns<Field>,
): { index: number; missing: number } {
  const { required } = columns;
  const first = rows.slice(0, HEADING_ROWS);
  const texts = first.map(
    ({ cells }) => [...cells.values()].filter((cell) => 'text' in cell && cell.text.trim()).length,
  );
  let best = { index: Math.max(0, texts.indexOf(Math.max(...texts))), missing: required.length };
  for (const [index, { cells }] of first.entries()) {
    const found = new Set([...cells.values()].map((cell) => fieldIn(headingOf(cell), columns)));
    const missing = required.filter((field) => !found.has(field)).length;
    if (missing < best.missing) best = { index, missing };
  }
  return best;
}

/**
 * Gives each of merged cells their content; for the rows from the top. Overlapping ones cannot take more work than a full
 * sheet.
 */
function withMerged(merges: readonly MergedCells[], limits: SheetLimits): (row: SheetRow) => SheetRow {
  const starting = Map.groupBy(merges, ({ rows }) => rows[0]);
  let open: { merged: MergedCells; content: SheetCell }[] = [];
  let left = limits.rows * limits.columns;
  return ({ row, cells }) => {
    open = open.filter(({ merged }) => merged.rows[1] >= row);
    const filled = new Map(cells);
    for (const merged of starting.get(row) ?? []) {
      const content = cells.get(merged.columns[0]);
      if (content) open.push({ merged, content });
    }
    for (const { merged, content } of open) {
      left -= 1;
      for (let column = merged.columns[0]; column <= Math.min(merged.columns[1], limits.columns - 1); column += 1) {
        left -= 1;
        if (!filled.has(column)) filled.set(column, content);
      }
    }
    if (left < 0) open = [];
    return { row, cells: filled };
  };
}

/** @throws Problem `importTooManyRows` */
export function refuseTooManyRows(count: number, limit: number): void {
  if (count > limit) throw new Problem('importTooManyRows', { ...FIELD, values: { count, limit } });
}

/** The field whose heading, in either language, is in a cell; null when there is none. */
export function fieldOfHeading<Field extends string>(
  heading: string,
  fields: Readonly<Record<Field, Words>>,
): Field | null {
  const wanted = heading.trim().toLowerCase();
  for (const [field, { en, zh }] of Object.entries<Words>(fields))
    if (wanted === en.toLowerCase() || wanted === zh || wanted === field.toLowerCase()) return field as Field;
  return null;
}

/** The field that a user chose for a heading, or whose heading it is. */
function fieldIn<Field extends string>(heading: string, { fields, chosen }: ImportColumns<Field>): Field | null {
  const own = fieldOfHeading(heading, fields);
  const wanted = chosen?.get(heading.trim().toLowerCase());
  if (wanted !== undefined) return wanted;
  // Another column was chosen for the field.
  return own !== null && chosen && [...chosen.values()].includes(own) ? null : own;
}

/** The bytes of a base64 text. @throws Problem `fieldFormat` */
export function bytesOf(content: string): Buffer {
  const bytes = Buffer.from(content, 'base64');
  let end = content.length;
  while (end > 0 && content[end - 1] === '=') end -= 1;
  // The decoder skips invalid base64 characters, so the length is compared.
  if (bytes.length !== Math.floor((end * 3) / 4))
    throw new Problem('fieldFormat', { ...FIELD, values: { expected: 'base64' } });
  return bytes;
}

function headingOf(cell: SheetCell): string {
  return ('text' in cell ? cell.text : String(cell.number)).trim();
}

/**
 * The position of each column. Columns that only an export has are ignored. Unknown columns are refused or listed,
 * because one may be misspelt.
 */
function placesOf<Field extends string>(
  headings: ReadonlyMap<number, SheetCell>,
  locale: Locale,
  columns: ImportColumns<Field>,
): { places: Map<number, Field>; leftOut: string[] } {
  const { fields, required, ignored, others } = columns;
  const places = new Map<number, Field>();
  const found = new Set<Field>();
  const leftOut: string[] = [];
  for (const [place, cell] of headings) {
    const heading = headingOf(cell);
    const field = fieldIn(heading, columns);
    if (field === null) {
      if (ignored.has(heading.toLowerCase())) continue;
      if (others === 'leftOut') {
        if (leftOut.length < LEFT_OUT) leftOut.push(heading.slice(0, 64));
        continue;
      }
      const known = Object.values<Words>(fields).map((words) => inLocale(words, locale));
      const values = { column: heading.slice(0, 64), columns: known.join(', ') };
      throw new Problem('importColumnUnknown', { ...FIELD, values });
    }
    const values = { column: inLocale(fields[field], locale) };
    if (found.has(field)) throw new Problem('importColumnTwice', { ...FIELD, values });
    found.add(field);
    places.set(place, field);
  }
  for (const field of required) {
    if (found.has(field)) continue;
    const column = inLocale(fields[field], locale);
    if (others !== 'leftOut') throw new Problem('importColumnMissing', { ...FIELD, values: { column } });
    const known = [...headings.values()].map(headingOf).filter((heading) => heading !== '');
    throw new HeadingsUnknown(
      column,
      known.map((heading) => ({ heading: heading.slice(0, 256), field: fieldIn(heading, columns) })),
    );
  }
  return { places, leftOut };
}

function byField<Field>(
  cells: ReadonlyMap<number, SheetCell>,
  places: ReadonlyMap<number, Field>,
  shown: (cell: SheetCell) => ImportCell,
) {
  const found = new Map<Field, ImportCell>();
  for (const [place, field] of places) {
    const cell = cells.get(place);
    if (cell) found.set(field, shown(cell));
  }
  return found;
}
