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
  const fits = (sheet: ReadSheet) => headingsOf(sheet, columns).missing === 0;
  const sheet = await readFirstSheet(content, withHeadings(limits), fits).catch((error: unknown) => {
    if (!(error instanceof UnreadableSheet)) throw error;
    if (!error.inflates) throw new Problem('importNotXlsx', FIELD);
    throw new Problem('importInflates', { ...FIELD, values: { limit: formatSize(limits.inflatedBytes) } });
  });
  return importSheet(sheet, locale, columns, limits);
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
  sheet: FirstSheet,
  locale: Locale,
  columns: ImportColumns<Field>,
  limits: SheetLimits,
): ImportSheet<Field> {
  const { from1904, shownOf } = sheet;
  const { index } = headingsOf(sheet, columns);
  const headings = sheet.rows[index];
  if (!headings) return { rows: [], leftOut: [], from1904 };
  refuseTooManyRows(sheet.total - index - 1, limits.rows);
  const { places, leftOut } = placesOf(headings.cells, locale, columns);
  const rows = withMerged(sheet.rows.slice(index + 1), sheet.merges, limits);
  const shown = (cell: SheetCell): ImportCell =>
    'text' in cell ? cell : { number: cell.number, shown: shownOf(cell) };
  return { rows: rows.map(({ row, cells }) => ({ row, cells: byField(cells, places, shown) })), leftOut, from1904 };
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

/** Rows in which each of merged cells has their content. Overlapping ones cannot take more work than a full sheet. */
function withMerged(rows: readonly SheetRow[], merges: readonly MergedCells[], limits: SheetLimits): SheetRow[] {
  const filled = rows.map(({ row, cells }) => ({ row, cells: new Map(cells) }));
  const places = new Map(filled.map(({ row }, index) => [row, index]));
  let left = limits.rows * limits.columns;
  for (const { rows: span, columns } of merges) {
    const first = places.get(span[0]);
    const content = first === undefined ? undefined : filled[first]?.cells.get(columns[0]);
    if (first === undefined || !content) continue;
    for (let index = first; left > 0 && index < filled.length; index += 1) {
      const { row, cells } = filled[index]!;
      if (row > span[1]) break;
      for (let column = columns[0]; column <= Math.min(columns[1], limits.columns - 1); column += 1) {
        left -= 1;
        if (!cells.has(column)) cells.set(column, content);
      }
    }
  }
  return filled;
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
