import { type Locale, IMPORT_ROWS as MOST_ROWS } from '@chargehand/contract';
import { endingOf, FILE_RULES, formatSize, type JsonLimits, sheetTime } from '@chargehand/domain';
import { tooMuchJson } from '../../platform/http/body/json-limits.ts';
import { Problem } from '../../platform/http/problem.ts';
import { jsonFaultPlace, placeOf } from '../../platform/json-fault.ts';
import {
  type ImportCell,
  readImportCsv,
  readImportSheet,
  refuseTooManyRows,
} from '../../platform/xlsx/import-sheet.ts';
import { EXPORT_ONLY } from '../devices/device-export.ts';
import { DATE_FIELDS, IMPORT_FIELDS, type ImportField, REQUIRED_FIELDS } from './import-columns.ts';

/** A row as it is in its file, with any fields. */
export interface FileRow {
  row: number;
  /** null when the row is not an object */
  values: Readonly<Record<string, unknown>> | null;
}

/** A number that is not what its cell shows, or has lost digits. */
export const LOST_DIGITS = Symbol('lost digits');
/** JSON and spreadsheets keep 15 digits of a number. */
const KEPT = 1e15;

/** The heading of the column of a field in a sheet, where a user chose it. */
export type ChosenColumns = Partial<Record<ImportField, string>>;

/** The rows of a file, and the headings of the columns that are left out. */
export interface ImportFile {
  rows: FileRow[];
  leftOut: string[];
}

const COLUMNS = {
  ...{ fields: IMPORT_FIELDS, required: REQUIRED_FIELDS, ignored: EXPORT_ONLY },
  others: 'leftOut',
} as const;
const LIMITS = {
  /** several times what 10,000 rows with every column take */
  inflatedBytes: 32 * 1024 * 1024,
  rows: MOST_ROWS,
  /** more than an export has */
  columns: 64,
  /** more than any column may hold */
  characters: 256,
};
/** Every row may have all columns that an export has. */
const JSON_FILE: JsonLimits = { depth: 8, values: MOST_ROWS * 32, members: 100 };
const FIELD = { field: 'content' };

/**
 * The rows of an import file, from its bytes.
 * @throws Problem `importUnsupported`, `importTooLarge`, `importMustBeJson`, `importMustBeList`, `importNotXlsx`, `importNotCsv`,
 * `importInflates`, `importEmpty`, `importTooManyRows`, and those of a sheet's columns
 */
export async function readImportFile(
  fileName: string,
  content: Buffer,
  locale: Locale,
  chosen: ChosenColumns = {},
): Promise<ImportFile> {
  const ending = endingOf(fileName);
  if (ending !== 'json' && ending !== 'xlsx' && ending !== 'csv')
    throw new Problem('importUnsupported', { field: 'fileName' });
  const { limit } = FILE_RULES.json;
  if (content.length > limit) throw new Problem('importTooLarge', { ...FIELD, values: { limit: formatSize(limit) } });
  const read =
    ending === 'json'
      ? { rows: jsonRows(content), leftOut: [] }
      : await sheetRows(content, ending === 'csv', locale, chosen);
  if (read.rows.length === 0) throw new Problem('importEmpty', FIELD);
  return read;
}

function jsonRows(content: Buffer): FileRow[] {
  // TextDecoder removes a byte-order mark.
  const text = decoded(content);
  if (text.trim() === '') throw new Problem('importEmpty', FIELD);
  const list = listOf(parsed(text));
  refuseTooManyRows(list.length, MOST_ROWS);
  return list.map((entry, index) => ({ row: index + 1, values: isObject(entry) ? withoutLost(entry) : null }));
}

/** An object in which numbers that JSON cannot keep are marked. */
function withoutLost(entry: Record<string, unknown>): Record<string, unknown> {
  const lost = (value: unknown) => typeof value === 'number' && Math.abs(value) >= KEPT;
  return Object.values(entry).some(lost)
    ? Object.fromEntries(Object.entries(entry).map(([key, value]) => [key, lost(value) ? LOST_DIGITS : value]))
    : entry;
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

async function sheetRows(content: Buffer, isCsv: boolean, locale: Locale, chosen: ChosenColumns): Promise<ImportFile> {
  const named = Object.entries(chosen).map(
    ([field, heading]) => [heading.trim().toLowerCase(), field as ImportField] as const,
  );
  const columns = { ...COLUMNS, chosen: new Map(named) };
  const sheet = isCsv
    ? readImportCsv(content, locale, columns, LIMITS)
    : await readImportSheet(content, locale, columns, LIMITS);
  const rows = sheet.rows.map(({ row, cells }) => ({ row, values: valuesOf(cells, sheet.from1904) }));
  return { rows, leftOut: sheet.leftOut };
}

/** The cells of a row by field: days as `yyyy/MM/dd HH:mm:ss` (spec §5), other numbers as they are shown. */
function valuesOf(cells: ReadonlyMap<ImportField, ImportCell>, from1904: boolean): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [field, cell] of cells) {
    if ('text' in cell) values[field] = cell.text;
    else if (DATE_FIELDS.has(field)) values[field] = sheetTime(cell.number, from1904) ?? cell.number;
    else values[field] = field === 'maintenanceCycleDays' ? cell.number : (cell.shown ?? LOST_DIGITS);
  }
  return values;
}
