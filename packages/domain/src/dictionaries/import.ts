import { forbiddenInLine } from '../text/text.ts';
import {
  DICTIONARY_MAX_ENTRIES,
  DICTIONARY_MAX_POSITION,
  type Dictionary,
  type DictionaryEntry,
  type DictionaryValue,
  dictionaryLengths,
  hasOrder,
  isChosenFrom,
  isDictionaryCode,
  needsChoice,
  nextPosition,
  sameDictionaryValue,
} from './dictionaries.ts';

/** Rows of a file of entries: more than a dictionary has. */
export const DICTIONARY_IMPORT_ROWS = 5_000;
/** The size of a file of entries. Bytes. */
export const DICTIONARY_IMPORT_BYTES = 2 * 1024 * 1024;

/** The fields of an entry that a file can have. */
export const DICTIONARY_IMPORT_FIELDS = ['code', 'nameEn', 'nameZh', 'enabled', 'position'] as const;
export type DictionaryImportField = (typeof DICTIONARY_IMPORT_FIELDS)[number];

/** The fields of an entry that a file must have. */
export const DICTIONARY_IMPORT_REQUIRED = ['code', 'nameEn', 'nameZh'] as const satisfies DictionaryImportField[];

/** The fields that a file of a dictionary can have: alarm names have no order, and cannot be turned off. */
export function dictionaryImportFields(dictionary: Dictionary): readonly DictionaryImportField[] {
  return hasOrder(dictionary) ? DICTIONARY_IMPORT_FIELDS : DICTIONARY_IMPORT_REQUIRED;
}

/** A row of a file: its number in the spreadsheet, and its cells that are not empty. */
export interface DictionaryImportRow {
  row: number;
  cells: Partial<Record<DictionaryImportField, string | number>>;
}

/**
 * What is wrong with a row. `row` is another row of the file that has the same code or name, `code` the entry that has
 * the name.
 */
export type DictionaryImportFault =
  | { fault: 'missing' | 'codeForm' | 'enabledForm' | 'positionRange' | 'lastEnabled'; field: DictionaryImportField }
  | { fault: 'tooLong'; field: DictionaryImportField; limit: number }
  | { fault: 'character'; field: DictionaryImportField; character: string }
  | { fault: 'codeTwice' | 'nameTwice'; field: DictionaryImportField; row: number }
  | { fault: 'nameTaken'; field: DictionaryImportField; code: string }
  | { fault: 'full'; field: 'code' };

/** The expected result of a row. */
export interface DictionaryImportResult {
  row: number;
  code: string;
  /** the entry as it is; null: the row adds it */
  before: DictionaryValue | null;
  /** the entry after the import; null: the row has faults in itself */
  after: DictionaryValue | null;
  result: 'add' | 'change' | 'same' | 'fault';
  faults: DictionaryImportFault[];
}

const YES = new Set(['yes', 'true', '1', '是']);
const NO = new Set(['no', 'false', '0', '否']);
const NAMES = ['nameEn', 'nameZh'] as const;

/**
 * What an import of these rows does. Entries that the file does not have stay as they are, and an empty order or state
 * keeps that of the entry. Names are compared as they are after the whole import, so that entries can exchange theirs.
 */
export function planDictionaryImport(
  dictionary: Dictionary,
  entries: readonly DictionaryEntry[],
  rows: readonly DictionaryImportRow[],
): DictionaryImportResult[] {
  const current = new Map(entries.map((entry) => [entry.code, entry]));
  const results = readRows(dictionary, current, rows);
  const valid = results.filter(({ after }) => after !== null);
  if (isChosenFrom(dictionary)) {
    findTakenNames(entries, valid);
  }
  if (needsChoice(dictionary)) findLastEnabled(entries, valid);
  findFull(current, valid);
  for (const result of results) if (result.faults.length > 0) result.result = 'fault';
  return results;
}

function readRows(
  dictionary: Dictionary,
  current: ReadonlyMap<string, DictionaryEntry>,
  rows: readonly DictionaryImportRow[],
): DictionaryImportResult[] {
  const chosen = isChosenFrom(dictionary);
  const lengths = dictionaryLengths(dictionary);
  const rowOfCode = new Map<string, number>();
  let next = nextPosition([...current.values()].map(({ position }) => position));
  return rows.map(({ row, cells }) => {
    const faults: DictionaryImportFault[] = [];
    const code = textOf(cells, 'code', lengths.code, faults);
    const entry = current.get(code);
    if (code !== '') {
      const twice = rowOfCode.get(code);
      if (twice !== undefined) faults.push({ fault: 'codeTwice', field: 'code', row: twice });
      else rowOfCode.set(code, row);
      if (!entry && !isDictionaryCode(code)) faults.push({ fault: 'codeForm', field: 'code' });
    }
    const nameEn = textOf(cells, 'nameEn', lengths.name, faults);
    const nameZh = textOf(cells, 'nameZh', lengths.name, faults);
    const enabled = (chosen ? enabledOf(cells.enabled, faults) : null) ?? entry?.enabled ?? true;
    const entered = chosen ? positionOf(cells.position, faults) : null;
    const before = entry ? entryValue(entry) : null;
    if (faults.length > 0) return { row, code, before, after: null, result: 'fault', faults };
    const position = entered ?? entry?.position ?? (chosen ? next : 0);
    const after = { ...before, nameEn, nameZh, enabled, position };
    // Several new entries without an order follow each other as in the file.
    if (!entry && entered === null) next = nextPosition([position]);
    const result = before === null ? 'add' : sameDictionaryValue(before, after) ? 'same' : 'change';
    return { row, code, before, after, result, faults };
  });
}

function entryValue({ code: _, byDefault: __, changed: ___, ...value }: DictionaryEntry): DictionaryValue {
  return value;
}

/** The text of a cell. Spreadsheets turn digits into numbers. */
function textOf(
  cells: DictionaryImportRow['cells'],
  field: DictionaryImportField,
  limit: number,
  faults: DictionaryImportFault[],
): string {
  const text = String(cells[field] ?? '').trim();
  const character = forbiddenInLine(text);
  if (text === '') faults.push({ fault: 'missing', field });
  else if (text.length > limit) faults.push({ fault: 'tooLong', field, limit });
  else if (character !== null) faults.push({ fault: 'character', field, character });
  else return text.normalize('NFC');
  // A text that is refused is not shown either.
  return '';
}

function enabledOf(cell: string | number | undefined, faults: DictionaryImportFault[]): boolean | null {
  const text = String(cell ?? '')
    .trim()
    .toLowerCase();
  if (text === '') return null;
  if (!YES.has(text) && !NO.has(text)) faults.push({ fault: 'enabledForm', field: 'enabled' });
  return YES.has(text);
}

function positionOf(cell: string | number | undefined, faults: DictionaryImportFault[]): number | null {
  const text = String(cell ?? '').trim();
  if (text === '') return null;
  const position = /^\d{1,9}$/.test(text) ? Number(text) : -1;
  if (position >= 0 && position <= DICTIONARY_MAX_POSITION) return position;
  faults.push({ fault: 'positionRange', field: 'position' });
  return null;
}

/** Two entries cannot have the same name after the import. The one that has it already, or first in the file, keeps it. */
function findTakenNames(entries: readonly DictionaryEntry[], results: readonly DictionaryImportResult[]): void {
  const inFile = new Set(results.map(({ code }) => code));
  const kept = [...entries.filter(({ code }) => !inFile.has(code)), ...results.filter(isSame).map(afterOf)];
  for (const field of NAMES) {
    const owners = new Map<string, { code: string } | { row: number }>();
    for (const entry of kept) owners.set(entry[field].toLowerCase(), { code: entry.code });
    for (const result of results) {
      if (isSame(result)) continue;
      const name = result.after![field].toLowerCase();
      const owner = owners.get(name);
      if (owner === undefined) owners.set(name, { row: result.row });
      else if ('code' in owner) result.faults.push({ fault: 'nameTaken', field, code: owner.code });
      else result.faults.push({ fault: 'nameTwice', field, row: owner.row });
    }
  }
}

function isSame({ result }: DictionaryImportResult): boolean {
  return result === 'same';
}

function afterOf({ code, after }: DictionaryImportResult): DictionaryValue & { code: string } {
  return { ...after!, code };
}

/** One entry must remain that can be chosen. */
function findLastEnabled(entries: readonly DictionaryEntry[], results: readonly DictionaryImportResult[]): void {
  const after = new Map(results.map((result) => [result.code, result.after!.enabled]));
  const left =
    entries.some(({ code, enabled }) => after.get(code) ?? enabled) || results.some((one) => one.after!.enabled);
  if (left) return;
  const last = results.findLast(({ before }) => before?.enabled);
  last?.faults.push({ fault: 'lastEnabled', field: 'enabled' });
}

/** The number of entries of the installation is limited. */
function findFull(current: ReadonlyMap<string, DictionaryEntry>, results: readonly DictionaryImportResult[]): void {
  let stored = [...current.values()].filter(({ changed }) => changed).length;
  for (const { code, result, after, faults } of results) {
    const entry = current.get(code);
    if (result === 'change' && entry?.byDefault) {
      stored += Number(!sameDictionaryValue(after, entry.byDefault)) - Number(entry.changed);
    }
    if (result !== 'add') continue;
    if (stored >= DICTIONARY_MAX_ENTRIES) faults.push({ fault: 'full', field: 'code' });
    else stored += 1;
  }
}
