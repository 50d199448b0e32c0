import type { Locale } from '@chargehand/contract';
import { formatSize, type SheetCell, type SheetLimits } from '@chargehand/domain';
import { Problem } from '../http/problem.ts';
import { inLocale, type Words } from './list-export.ts';
import { readFirstSheet, UnreadableSheet } from './xlsx-reader.ts';

/** The columns of an imported sheet. */
export interface ImportColumns<Field extends string> {
  /** the headings; the name of a field is accepted, too */
  fields: Readonly<Record<Field, Words>>;
  required: readonly Field[];
  /** headings, in lower case, of columns that an export has and an import ignores */
  ignored: ReadonlySet<string>;
}

/** The rows of an imported sheet by field. Empty cells are missing. */
interface ImportSheet<Field extends string> {
  rows: { row: number; cells: ReadonlyMap<Field, SheetCell> }[];
  /** dates count from 1904 instead of 1900 */
  from1904: boolean;
}

const FIELD = { field: 'content' };

/**
 * The first sheet of an .xlsx file whose first row has the headings, in either language. `limits.rows` counts the rows
 * below the headings.
 * @throws Problem `importNotXlsx`, `importInflates`, `importTooManyRows`, `importColumnUnknown`, `importColumnTwice`,
 * `importColumnMissing`
 */
export async function readImportSheet<Field extends string>(
  content: Buffer,
  locale: Locale,
  columns: ImportColumns<Field>,
  limits: SheetLimits & { inflatedBytes: number },
): Promise<ImportSheet<Field>> {
  const withHeadings = { ...limits, rows: limits.rows + 1 };
  const sheet = await readFirstSheet(content, withHeadings).catch((error: unknown) => {
    if (!(error instanceof UnreadableSheet)) throw error;
    if (!error.inflates) throw new Problem('importNotXlsx', FIELD);
    throw new Problem('importInflates', { ...FIELD, values: { limit: formatSize(limits.inflatedBytes) } });
  });
  const [headings, ...rows] = sheet.rows;
  const { from1904 } = sheet;
  if (!headings) return { rows: [], from1904 };
  refuseTooManyRows(sheet.total - 1, limits.rows);
  const places = placesOf(headings.cells, locale, columns);
  return { rows: rows.map(({ row, cells }) => ({ row, cells: byField(cells, places) })), from1904 };
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

/**
 * The position of each column. Columns that only an export has are ignored. Unknown columns are refused, because one
 * may be misspelt.
 */
function placesOf<Field extends string>(
  headings: ReadonlyMap<number, SheetCell>,
  locale: Locale,
  { fields, required, ignored }: ImportColumns<Field>,
): Map<number, Field> {
  const places = new Map<number, Field>();
  const found = new Set<Field>();
  for (const [place, cell] of headings) {
    const heading = ('text' in cell ? cell.text : String(cell.number)).trim();
    const field = fieldOfHeading(heading, fields);
    if (field === null) {
      if (ignored.has(heading.toLowerCase())) continue;
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
    const values = { column: inLocale(fields[field], locale) };
    if (!found.has(field)) throw new Problem('importColumnMissing', { ...FIELD, values });
  }
  return places;
}

function byField<Field>(cells: ReadonlyMap<number, SheetCell>, places: ReadonlyMap<number, Field>) {
  const found = new Map<Field, SheetCell>();
  for (const [place, field] of places) {
    const cell = cells.get(place);
    if (cell) found.set(field, cell);
  }
  return found;
}
