import { sheetTime } from '../models/import-values.ts';
import { shownNumber } from './shown-number.ts';
import { walkPieces, walkXml, type XmlHandlers, type XmlParser } from './xml.ts';

/** A cell: its text, or a number in the notation of the file with the index of its style. */
export type SheetCell = { text: string } | { number: number; style?: number };

export interface SheetRow {
  /** as the spreadsheet program shows it, from 1 */
  row: number;
  /** by column, from 0; empty cells are missing */
  cells: ReadonlyMap<number, SheetCell>;
}

export interface ReadSheet {
  /** rows with content, from the top */
  rows: SheetRow[];
  /** the total number: more than are returned when the limit was reached */
  total: number;
  /** the number of columns up to the last cell with content, also of cells beyond the limits */
  columns: number;
  /** merged cells, whose content is in the first one; at most `MERGES` */
  merges: MergedCells[];
}

/** Merged cells: rows as in `SheetRow`, columns from 0, both ends included. */
export interface MergedCells {
  rows: readonly [first: number, last: number];
  columns: readonly [first: number, last: number];
}

/** Merged cells that are read of a sheet. */
const MERGES = 10_000;

export interface SheetLimits {
  /** rows that are kept; further ones are counted */
  rows: number;
  /** columns that are read */
  columns: number;
  /** characters of a cell that are kept; a longer text gets one more character, so that it can be recognized */
  characters: number;
}

/** The parts of an .xlsx file by path. */
export interface WorkbookParts {
  has(path: string): boolean;
  read(path: string): Promise<string>;
  /** The text of a part in pieces, so that a long sheet is not in memory. Without it, `read` is used. */
  pieces?(path: string): AsyncIterable<string>;
}

/** How a number is shown, as far as its style says. */
export type NumberKind = 'number' | 'date' | 'percent';

export interface Workbook {
  /** the sheets that are not hidden, in their order */
  sheets: {
    name: string;
    /** @param kept rows that are returned, instead of the limit; all are counted */
    read(kept?: number): Promise<ReadSheet>;
    /** Calls a function with each row, without keeping them. */
    each(onRow: (row: SheetRow) => void): Promise<void>;
  }[];
  /** dates count from 1904 instead of 1900 */
  from1904: boolean;
  kindOf(cell: { style?: number }): NumberKind;
  /** a number as its cell shows it; null when its digits are lost or it is shown as something else */
  shownOf(cell: { number: number; style?: number }): string | null;
}

type Walk = (xml: string, handlers: XmlHandlers) => void;

/**
 * The sheets of an .xlsx file (ECMA-376). Only cells with content use memory, whatever their position, and formulas are
 * read as their last result. `parts` limits how much is decompressed.
 * @throws Error when a part is missing or is not XML
 */
export async function openWorkbook(
  parts: WorkbookParts,
  parser: () => XmlParser,
  limits: SheetLimits,
): Promise<Workbook> {
  const walk: Walk = (xml, handlers) => walkXml(parser(), xml, handlers);
  const book = bookOf(await parts.read('xl/workbook.xml'), walk);
  const paths = pathsOf(await parts.read('xl/_rels/workbook.xml.rels'), walk);
  const pathOf = (name: string) => {
    const path = paths.get(name);
    return path !== undefined && parts.has(path) ? path : null;
  };
  const walkLong = (path: string, element: string, within: string[], handlers: XmlHandlers) =>
    walkPieces(parser, parts.pieces?.(path) ?? whole(path), { element, within }, handlers);
  async function* whole(path: string) {
    yield await parts.read(path);
  }
  let shared: Promise<string[]> | undefined;
  const sharedOnce = async () => {
    const path = pathOf(SHARED);
    if (path === null) return [];
    const { texts, handlers } = sharedTexts(limits);
    await walkLong(path, 'si', [], handlers);
    return texts;
  };
  const stylesPath = pathOf(STYLES);
  const styles = stylesPath === null ? null : await parts.read(stylesPath);
  const formats = styles === null ? [] : formatsOf(styles, walk);
  const kinds = formats.map(({ id, code }) => kindOfFormat(id, code));
  return {
    from1904: book.from1904,
    kindOf: ({ style }) => kinds[style ?? 0] ?? 'number',
    shownOf({ number, style }) {
      const { id, code } = formats[style ?? 0] ?? { id: 0, code: undefined };
      return shownNumber(number, id, code);
    },
    sheets: book.sheets.flatMap(({ name, id }) => {
      const path = paths.get(id);
      if (path === undefined) return [];
      const walkRows = async (onRow: (row: SheetRow) => void) => {
        shared ??= sharedOnce();
        const { sheet, handlers } = sheetRows(await shared, limits, onRow);
        await walkLong(path, 'row', ['sheetData'], handlers);
        return sheet;
      };
      return {
        name,
        async read(kept = limits.rows) {
          const rows: SheetRow[] = [];
          const sheet = await walkRows((row) => {
            if (rows.length < kept) rows.push(row);
          });
          return { ...sheet, rows };
        },
        async each(onRow) {
          await walkRows(onRow);
        },
      };
    }),
  };
}

const SHARED = 'sharedStrings';
const STYLES = 'styles';

function bookOf(xml: string, walk: Walk): { sheets: { name: string; id: string }[]; from1904: boolean } {
  const sheets: { name: string; id: string }[] = [];
  let from1904 = false;
  walk(xml, {
    open(name, attributes) {
      if (name === 'workbookPr') from1904 = /^(1|true)$/.test(attributes().date1904 ?? '');
      if (name !== 'sheet') return;
      const { id, name: shown = '', state = 'visible' } = attributes();
      if (id !== undefined && state === 'visible') sheets.push({ name: shown, id });
    },
  });
  return { sheets, from1904 };
}

/** The paths of a workbook's parts by the id of their relationship, and of shared texts and styles by their names. */
function pathsOf(xml: string, walk: Walk): Map<string, string> {
  const paths = new Map<string, string>();
  walk(xml, {
    open(name, attributes) {
      if (name !== 'Relationship') return;
      const { Id = '', Type = '', Target = '' } = attributes();
      const path = Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`;
      paths.set(Id, path);
      for (const known of [SHARED, STYLES]) if (Type.endsWith(`/${known}`)) paths.set(known, path);
    },
  });
  return paths;
}

/** The texts that cells share, without their phonetic parts (`rPh`). */
function sharedTexts(limits: SheetLimits): { texts: string[]; handlers: XmlHandlers } {
  const most = limits.rows * limits.columns;
  const texts: string[] = [];
  let within = false;
  let spoken = false;
  let text = '';
  const handlers: XmlHandlers = {
    open(name) {
      if (name === 'si') text = '';
      if (name === 'rPh') spoken = true;
      if (name === 't') within = !spoken;
    },
    text(part) {
      if (within) text = shortened(text + part, limits);
    },
    close(name) {
      if (name === 't') within = false;
      if (name === 'rPh') spoken = false;
      if (name === 'si' && texts.length < most) texts.push(text);
    },
  };
  return { texts, handlers };
}

/** Reads the rows of a sheet, and what it has besides them once it was read. */
function sheetRows(shared: readonly string[], limits: SheetLimits, onRow: (row: SheetRow) => void) {
  const sheet: Omit<ReadSheet, 'rows'> = { total: 0, columns: 0, merges: [] };
  const { merges } = sheet;
  let row = 0;
  let column = -1;
  let type = 'n';
  let style: string | undefined;
  let within = false;
  let text = '';
  let cells = new Map<number, SheetCell>();
  const handlers: XmlHandlers = {
    open(name, attributes) {
      if (name === 'row') {
        row = Number(attributes().r ?? row + 1);
        column = -1;
        cells = new Map();
      } else if (name === 'c') {
        const { r, t, s } = attributes();
        column = r === undefined ? column + 1 : columnOf(r);
        type = t ?? 'n';
        style = s;
        text = '';
      } else if (name === 'v' || name === 't') within = true;
      else if (name === 'mergeCell' && merges.length < MERGES) merges.push(...mergedCells(attributes().ref));
    },
    text(part) {
      if (within) text = shortened(text + part, limits);
    },
    close(name) {
      if (name === 'v' || name === 't') within = false;
      if (name === 'c' && column >= 0) {
        const cell = cellOf(type, text, style, shared);
        if (!cell) return;
        sheet.columns = Math.max(sheet.columns, column + 1);
        if (column < limits.columns) cells.set(column, cell);
      }
      if (name === 'row' && cells.size > 0) {
        sheet.total += 1;
        onRow({ row, cells });
        cells = new Map();
      }
    },
  };
  return { sheet, handlers };
}

/** The cells of a reference such as `C2:D5`. */
function mergedCells(reference = ''): MergedCells[] {
  const [from, to] = reference.split(':', 2).map((one) => /^([A-Z]{1,3})(\d{1,7})$/.exec(one));
  if (!from || !to) return [];
  return [{ rows: [Number(from[2]), Number(to[2])], columns: [columnOf(from[1] ?? ''), columnOf(to[1] ?? '')] }];
}

/** Many cells may share one long text, so the work for each cell must not depend on its length. */
function shortened(text: string, { characters }: SheetLimits): string {
  return text.length > characters ? text.slice(0, characters + 1) : text;
}

/** The column of an address: `B7` is 1. */
function columnOf(address: string): number {
  let column = 0;
  for (const letter of /^[A-Z]{1,3}/.exec(address)?.[0] ?? '') column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

function cellOf(type: string, text: string, style: string | undefined, shared: readonly string[]): SheetCell | null {
  if (type === 'n') {
    return text.trim() === '' ? null : { number: Number(text), ...(style !== undefined && { style: Number(style) }) };
  }
  if (type === 'b' && text !== '') return { text: text === '1' ? 'TRUE' : 'FALSE' };
  const read = type === 's' ? (shared[Number(text)] ?? '') : unescaped(text);
  return read.trim() === '' ? null : { text: read };
}

/** Characters that XML cannot represent are written as `_x000A_` (ECMA-376 part 1, §22.9.2.19). */
function unescaped(text: string): string {
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** The number format of each cell style (`cellXfs`). */
function formatsOf(xml: string, walk: Walk): { id: number; code: string | undefined }[] {
  const formats = new Map<number, string>();
  const styles: { id: number; code: string | undefined }[] = [];
  let within = false;
  walk(xml, {
    open(name, attributes) {
      if (name === 'numFmt') formats.set(Number(attributes().numFmtId), attributes().formatCode ?? '');
      if (name === 'cellXfs') within = true;
      if (name === 'xf' && within) {
        const id = Number(attributes().numFmtId ?? 0);
        styles.push({ id, code: formats.get(id) });
      }
    },
    close(name) {
      if (name === 'cellXfs') within = false;
    },
  });
  return styles;
}

/** Formats of dates and times that a file does not define itself (ECMA-376 part 1, §18.8.30, with those of East Asia). */
const DATES = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
] as const;

/** Longest number format that spreadsheet programs accept, in characters. */
const LONGEST_FORMAT = 255;

/** The kind of a number format, by its number or its code: `yyyy-mm-dd` is a date, `0.0%` a percentage. */
export function kindOfFormat(id: number, code: string | undefined): NumberKind {
  if (code === undefined) {
    if (DATES.some(([first, last]) => id >= first && id <= last)) return 'date';
    return id === 9 || id === 10 ? 'percent' : 'number';
  }
  if (code.length > LONGEST_FORMAT) return 'number';
  // Without quoted and escaped characters, and colours and locales in brackets.
  const plain = code.replace(/"[^"]*"|\\.|_.|\*./g, '').replace(/\[(?!h+\]|m+\]|s+\])[^[\]]*\]/gi, '');
  if (/general/i.test(plain)) return 'number';
  if (/[ymdhs]/i.test(plain)) return 'date';
  return plain.includes('%') ? 'percent' : 'number';
}

/** A number as people read it: with the 15 digits of spreadsheets, as a date or time, or as a percentage. */
export function numberText(value: number, kind: NumberKind, from1904: boolean): string {
  if (kind === 'percent') return `${rounded(value * 100)}%`;
  const isTime = value >= 0 && value < 1;
  const at = kind === 'date' ? sheetTime(isTime ? value + 1 : value, from1904) : null;
  if (at === null) return String(rounded(value));
  const [day, time] = at.split(' ') as [string, string];
  const shown = day.replaceAll('/', '-');
  if (isTime) return time;
  return Number.isInteger(value) ? shown : `${shown} ${time}`;
}

function rounded(value: number): number {
  return Number(value.toPrecision(15));
}

/** The letters of a column: 0 is `A`, 26 is `AA`. */
export function columnLetters(column: number): string {
  const letter = String.fromCharCode(65 + (column % 26));
  return column < 26 ? letter : columnLetters(Math.floor(column / 26) - 1) + letter;
}
