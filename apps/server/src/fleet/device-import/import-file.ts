import { type Locale, IMPORT_ROWS as MOST_ROWS } from '@chargehand/contract';
import { endingOf, FILE_RULES, formatSize, type JsonLimits, type SheetCell, sheetTime } from '@chargehand/domain';
import { tooMuchJson } from '../../platform/http/body/json-limits.ts';
import { Problem } from '../../platform/http/problem.ts';
import { jsonFaultPlace, placeOf } from '../../platform/json-fault.ts';
import { inLocale } from '../../platform/xlsx/list-export.ts';
import { type FirstSheet, readFirstSheet, UnreadableSheet } from '../../platform/xlsx/xlsx-reader.ts';
import { EXPORT_ONLY } from '../devices/device-export.ts';
import { DATE_FIELDS, fieldOfHeading, IMPORT_FIELDS, type ImportField, REQUIRED_FIELDS } from './import-columns.ts';

/** A row as it is in its file, with any fields. */
export interface FileRow {
  row: number;
  /** null when the row is not an object */
  values: Readonly<Record<string, unknown>> | null;
}

/** The maximum decompressed size of a sheet: several times what 10,000 rows with every column take. Bytes. */
const INFLATED_BYTES = 32 * 1024 * 1024;
/** The maximum number of columns that are read: more than an export has. */
const MOST_COLUMNS = 64;
/** The maximum number of characters that are read from a cell: more than any column may hold. */
const MOST_CHARACTERS = 256;
/** Every row may have all columns that an export has. */
const JSON_FILE: JsonLimits = { depth: 8, values: MOST_ROWS * 32, members: 100 };
const FIELD = { field: 'content' };

/**
 * The rows of an import file, from its bytes.
 * @throws Problem `importUnsupported`, `importTooLarge`, `importMustBeJson`, `importMustBeList`, `importNotXlsx`,
 * `importInflates`, `importEmpty`, `importTooManyRows`, and those of a sheet's columns
 */
export async function readImportFile(fileName: string, content: Buffer, locale: Locale): Promise<FileRow[]> {
  const ending = endingOf(fileName);
  if (ending !== 'json' && ending !== 'xlsx') throw new Problem('importUnsupported', { field: 'fileName' });
  const { limit } = FILE_RULES.json;
  if (content.length > limit) throw new Problem('importTooLarge', { ...FIELD, values: { limit: formatSize(limit) } });
  const rows = ending === 'json' ? jsonRows(content) : await sheetRows(content, locale);
  if (rows.length === 0) throw new Problem('importEmpty', FIELD);
  return rows;
}

function jsonRows(content: Buffer): FileRow[] {
  // TextDecoder removes a byte-order mark.
  const text = decoded(content);
  if (text.trim() === '') throw new Problem('importEmpty', FIELD);
  const list = listOf(parsed(text));
  refuseTooMany(list.length);
  return list.map((entry, index) => ({ row: index + 1, values: isObject(entry) ? entry : null }));
}

function decoded(content: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    // Reading fails at the first invalid UTF-8 byte.
    const readable = new TextDecoder().decode(content);
    const values = placeOf(readable, Math.max(0, readable.indexOf('\ufffd')));
    throw new Problem('importMustBeJson', { ...FIELD, values });
  }
}

function parsed(text: string): unknown {
  const exceeded = tooMuchJson(text, JSON_FILE, FIELD.field);
  if (exceeded) throw exceeded;
  try {
    return JSON.parse(text);
  } catch (error) {
    const values = jsonFaultPlace(text, error instanceof Error ? error.message : '');
    throw new Problem('importMustBeJson', { ...FIELD, values });
  }
}

/** A list, or an object with one under `devices`. */
function listOf(content: unknown): unknown[] {
  const list = isObject(content) ? content.devices : content;
  if (!Array.isArray(list)) throw new Problem('importMustBeList', FIELD);
  return list;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

async function sheetRows(content: Buffer, locale: Locale): Promise<FileRow[]> {
  const limits = {
    inflatedBytes: INFLATED_BYTES,
    rows: MOST_ROWS + 1,
    columns: MOST_COLUMNS,
    characters: MOST_CHARACTERS,
  };
  const sheet = await readFirstSheet(content, limits).catch((error: unknown) => {
    if (!(error instanceof UnreadableSheet)) throw error;
    if (!error.inflates) throw new Problem('importNotXlsx', FIELD);
    throw new Problem('importInflates', { ...FIELD, values: { limit: formatSize(INFLATED_BYTES) } });
  });
  const [headings, ...rows] = sheet.rows;
  if (!headings) return [];
  refuseTooMany(sheet.total - 1);
  const columns = columnsOf(headings.cells, locale);
  return rows.map(({ row, cells }) => ({ row, values: valuesOf(cells, columns, sheet) }));
}

function refuseTooMany(count: number): void {
  if (count > MOST_ROWS) throw new Problem('importTooManyRows', { ...FIELD, values: { count, limit: MOST_ROWS } });
}

/**
 * The position of each column. Columns that only an export has are ignored. Unknown columns are refused, because one
 * may be misspelt.
 */
function columnsOf(headings: ReadonlyMap<number, SheetCell>, locale: Locale): Map<number, ImportField> {
  const columns = new Map<number, ImportField>();
  for (const [column, cell] of headings) {
    const heading = ('text' in cell ? cell.text : String(cell.number)).trim();
    const field = fieldOfHeading(heading);
    if (field === null) {
      if (EXPORT_ONLY.has(heading.toLowerCase())) continue;
      const known = Object.values(IMPORT_FIELDS).map((words) => inLocale(words, locale));
      const values = { column: heading.slice(0, 64), columns: known.join(', ') };
      throw new Problem('importColumnUnknown', { ...FIELD, values });
    }
    const name = { column: inLocale(IMPORT_FIELDS[field], locale) };
    if ([...columns.values()].includes(field)) throw new Problem('importColumnTwice', { ...FIELD, values: name });
    columns.set(column, field);
  }
  for (const field of REQUIRED_FIELDS) {
    if ([...columns.values()].includes(field)) continue;
    const values = { column: inLocale(IMPORT_FIELDS[field], locale) };
    throw new Problem('importColumnMissing', { ...FIELD, values });
  }
  return columns;
}

/** The cells of a row by field: days as `yyyy/MM/dd HH:mm:ss` (spec §5), numbers as numbers. */
function valuesOf(
  cells: ReadonlyMap<number, SheetCell>,
  columns: ReadonlyMap<number, ImportField>,
  { from1904 }: FirstSheet,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [column, field] of columns) {
    const cell = cells.get(column);
    if (!cell) continue;
    if ('text' in cell) values[field] = cell.text;
    else values[field] = DATE_FIELDS.has(field) ? (sheetTime(cell.number, from1904) ?? cell.number) : cell.number;
  }
  return values;
}
