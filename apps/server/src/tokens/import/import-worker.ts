import type { Locale } from '@chargehand/contract';
import {
  DEFAULT_ZONE,
  endingOf,
  formatSize,
  formatTime,
  isTokenValue,
  sheetTime,
  TOKEN_HOLDER_LENGTH,
  TOKEN_IMPORT_BYTES,
  TOKEN_IMPORT_ROWS,
  TOKEN_LENGTH,
  TOKEN_NOTE_LENGTH,
  TOKEN_SITES,
  TOKEN_SITES_SEPARATOR,
  TOKEN_TYPES,
  type TokenType,
  tokenTypeOf,
} from '@chargehand/domain';
import { Problem } from '../../platform/http/problem.ts';
import { bytesOf, eachImportRow, type ImportCell } from '../../platform/xlsx/import-sheet.ts';
import { inLocale } from '../../platform/xlsx/list-export.ts';
import { IMPORT_COLUMNS, TOKEN_COLUMNS, type TokenColumn } from '../list/token-columns.ts';

export interface ImportTask {
  fileName: string;
  /** the file in base64 */
  content: string;
  locale: Locale;
}

/** A row of a file. A field that is missing keeps its value, or has its default in a new token. */
export interface ReadToken {
  row: number;
  value: string;
  type?: TokenType;
  group?: string;
  holder?: string;
  note?: string;
  /** ISO-8601 */
  validFrom?: string;
  validUntil?: string;
  blocked?: boolean;
  concurrent?: boolean;
  /** codes or names */
  sites?: string[];
  problems: ConstructorParameters<typeof Problem>[];
}

/**
 * Rows as JSON in UTF-8, in several parts of shared memory, so that they are not copied, and the reader can process them
 * in slices; or why there are none.
 */
export type ImportRead = { parts: Uint8Array[]; total: number } | { problem: ConstructorParameters<typeof Problem> };

const LIMITS = {
  /** several times what the largest file with every column takes */
  inflatedBytes: 256 * 1024 * 1024,
  rows: TOKEN_IMPORT_ROWS,
  /** more than an export has */
  columns: 32,
  /** more than any column may hold */
  characters: 8_192,
};
/** Rows per part, which are stored in one transaction. */
const IMPORT_PART = 500;

/** Reads a file of tokens in a worker thread: a hundred thousand rows take seconds. */
export default async function readImport(task: ImportTask): Promise<ImportRead> {
  try {
    if (endingOf(task.fileName) !== 'xlsx') throw new Problem('tokenImportUnsupported', { field: 'fileName' });
    const bytes = bytesOf(task.content);
    if (bytes.length > TOKEN_IMPORT_BYTES)
      throw new Problem('importTooLarge', { field: 'content', values: { limit: formatSize(TOKEN_IMPORT_BYTES) } });
    const parts: Uint8Array[] = [];
    let tokens: ReadToken[] = [];
    const total = await eachImportRow(bytes, task.locale, IMPORT_COLUMNS, LIMITS, (row, cells, from1904) => {
      tokens.push(tokenOf(row, cells, from1904, task.locale));
      if (tokens.length < IMPORT_PART) return;
      parts.push(shared(JSON.stringify(tokens)));
      tokens = [];
    });
    if (total === 0) throw new Problem('importEmpty', { field: 'content' });
    if (tokens.length > 0) parts.push(shared(JSON.stringify(tokens)));
    return { parts, total };
  } catch (error) {
    if (error instanceof Problem) return { problem: error.parts };
    throw error;
  }
}

function shared(text: string): Uint8Array {
  const bytes = Buffer.from(text);
  const memory = new Uint8Array(new SharedArrayBuffer(bytes.length));
  memory.set(bytes);
  return memory;
}

type Cells = ReadonlyMap<TokenColumn, ImportCell>;

/** A token as its row shows it, with what is wrong. */
export function tokenOf(row: number, cells: Cells, from1904: boolean, locale: Locale): ReadToken {
  const problems: ReadToken['problems'] = [];
  const field = (column: TokenColumn) => inLocale(TOKEN_COLUMNS[column], locale);
  const refuse = (name: ConstructorParameters<typeof Problem>[0], column: TokenColumn, values = {}) =>
    problems.push([name, { values: { field: field(column), ...values } }]);
  const textOf = (column: TokenColumn, limit: number): string | undefined => {
    const cell = cells.get(column);
    if (!cell) return undefined;
    const text = ('text' in cell ? cell.text : cell.shown)?.trim();
    // What the cell shows is not what it contains: digits would be lost.
    if (text === undefined) refuse('tokenImportDigits', column);
    else if (text.length > limit) refuse('fieldTooLong', column, { limit });
    else return text;
    return undefined;
  };
  const flagOf = (column: TokenColumn): boolean | undefined => {
    const text = textOf(column, 20)?.toLowerCase();
    if (text === undefined) return undefined;
    if (YES.has(text)) return true;
    if (!NO.has(text)) refuse('tokenImportYesNo', column);
    return false;
  };
  const timeOf = (column: TokenColumn, endOfDay: boolean): string | undefined => {
    const cell = cells.get(column);
    if (!cell) return undefined;
    const text = 'text' in cell ? cell.text.trim() : sheetTime(cell.number, from1904);
    const at = text === null ? null : timeIn(text, endOfDay);
    if (at === null) refuse('tokenImportTime', column);
    return at?.toISOString();
  };

  const value = textOf('value', TOKEN_LENGTH) ?? '';
  if (value === '' ? problems.length === 0 : !isTokenValue(value))
    refuse('tokenForm', 'value', { limit: TOKEN_LENGTH });
  const typeText = textOf('type', 40);
  const type = typeText === undefined ? undefined : (tokenTypeOf(typeText) ?? null);
  if (type === null) refuse('tokenImportType', 'type', { value: typeText, expected: TOKEN_TYPES.join(', ') });
  const group = textOf('group', TOKEN_LENGTH);
  if (group !== undefined && !isTokenValue(group)) refuse('tokenForm', 'group', { limit: TOKEN_LENGTH });
  const validFrom = timeOf('validFrom', false);
  const validUntil = timeOf('validUntil', true);
  if (validFrom !== undefined && validUntil !== undefined && validUntil <= validFrom)
    refuse('tokenPeriod', 'validUntil');
  const sites = textOf('sites', LIMITS.characters)
    ?.split(TOKEN_SITES_SEPARATOR)
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (sites && sites.length > TOKEN_SITES) refuse('fieldTooLong', 'sites', { limit: TOKEN_SITES });
  const read = {
    ...{ type: type ?? undefined, group, holder: textOf('holder', TOKEN_HOLDER_LENGTH) },
    ...{ note: textOf('note', TOKEN_NOTE_LENGTH), validFrom, validUntil, blocked: flagOf('blocked') },
    ...{ concurrent: flagOf('concurrent'), sites },
  };
  const given = Object.fromEntries(Object.entries(read).filter(([, one]) => one !== undefined));
  return { row, value, ...given, problems } as ReadToken;
}

const YES: ReadonlySet<string> = new Set(['yes', '是', 'true', '1', 'y']);
const NO: ReadonlySet<string> = new Set(['no', '否', 'false', '0', 'n']);

const TIME = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[ T](\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;

/** A time on the clock of the fleet; a day alone is its start, or its end. Null when it is none. */
function timeIn(text: string, endOfDay: boolean): Date | null {
  const found = text.length > 30 ? null : TIME.exec(text);
  if (!found) return null;
  const [year, month, day, hour, minute, second] = found
    .slice(1)
    .map((part) => (part === undefined ? null : Number(part)));
  const isDay = hour === null || (hour === 0 && minute === 0 && !second);
  const shown = Date.UTC(year!, month! - 1, day!, hour ?? 0, minute ?? 0, second ?? 0);
  const back = new Date(shown);
  if (back.getUTCMonth() !== month! - 1 || back.getUTCDate() !== day || (hour ?? 0) > 23 || (minute ?? 0) > 59)
    return null;
  const onTheClock = Date.parse(`${formatTime(back, DEFAULT_ZONE).replace(' ', 'T')}Z`);
  const at = new Date(shown - (onTheClock - shown));
  return endOfDay && isDay && hour === null ? new Date(at.getTime() + 86_400_000) : at;
}
