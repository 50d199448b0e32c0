import { Parser } from 'saxen';
import { openArchive, UnreadableSheet } from './xlsx-archive.ts';

export { UnreadableSheet } from './xlsx-archive.ts';

/** A cell: its text, or a number in the notation of the file. */
export type SheetCell = { text: string } | { number: number };

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
  /** dates count from 1904 instead of 1900 */
  from1904: boolean;
}

export interface SheetLimits {
  /** the maximum decompressed size of all parts of the file together */
  inflatedBytes: number;
  /** rows that are kept; further ones are counted */
  rows: number;
  /** columns that are read */
  columns: number;
  /** characters of a cell that are kept; a longer text gets one more character, so that it can be recognized */
  characters: number;
}

/**
 * The first sheet of an .xlsx file (ECMA-376) within limits that the file cannot change: decompressed bytes are
 * counted, and only cells with content use memory, whatever their position. Formulas are read as their last result.
 * @throws UnreadableSheet
 */
export async function readFirstSheet(file: Buffer, limits: SheetLimits): Promise<ReadSheet> {
  const archive = await openArchive(file, limits.inflatedBytes);
  const book = bookOf(await archive.read('xl/workbook.xml'));
  const paths = pathsOf(await archive.read('xl/_rels/workbook.xml.rels'));
  const sheet = book.firstSheet === undefined ? undefined : paths.get(book.firstSheet);
  if (sheet === undefined) throw new UnreadableSheet('the workbook has no sheet');
  const texts = paths.get('sharedStrings');
  const shared = texts !== undefined && archive.has(texts) ? sharedTexts(await archive.read(texts), limits) : [];
  return { ...rowsOf(await archive.read(sheet), shared, limits), from1904: book.from1904 };
}

interface Handlers {
  open?(name: string, attributes: () => Record<string, string>): void;
  close?(name: string): void;
  text?(text: string): void;
}

/** Walks through an XML text. Names are passed without their prefix. */
function walk(xml: string, handlers: Handlers): void {
  const local = (name: string) => name.slice(name.indexOf(':') + 1);
  const parser = new Parser();
  parser.on('openTag', (name, attributes, decode, selfClosing) => {
    const read = () =>
      Object.fromEntries(Object.entries(attributes()).map(([key, value]) => [local(key), decode(value)]));
    handlers.open?.(local(name), read);
    if (selfClosing) handlers.close?.(local(name));
  });
  parser.on('closeTag', (name) => handlers.close?.(local(name)));
  parser.on('text', (text, decode) => handlers.text?.(decode(text)));
  parser.on('cdata', (text) => handlers.text?.(text));
  const fail = (error: Error) => {
    throw new UnreadableSheet(error.message);
  };
  parser.on('error', fail);
  const fault = parser.parse(xml);
  if (fault) fail(fault);
}

function bookOf(xml: string): { firstSheet: string | undefined; from1904: boolean } {
  let firstSheet: string | undefined;
  let from1904 = false;
  walk(xml, {
    open(name, attributes) {
      if (name === 'workbookPr') from1904 = /^(1|true)$/.test(attributes().date1904 ?? '');
      if (name === 'sheet') firstSheet ??= attributes().id;
    },
  });
  return { firstSheet, from1904 };
}

/** The paths of a workbook's parts, by the id of their relationship, and of the shared texts under their own name. */
function pathsOf(xml: string): Map<string, string> {
  const paths = new Map<string, string>();
  walk(xml, {
    open(name, attributes) {
      if (name !== 'Relationship') return;
      const { Id = '', Type = '', Target = '' } = attributes();
      const path = Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`;
      paths.set(Id, path);
      if (Type.endsWith('/sharedStrings')) paths.set('sharedStrings', path);
    },
  });
  return paths;
}

/** The texts that cells share, without their phonetic parts (`rPh`). */
function sharedTexts(xml: string, limits: SheetLimits): string[] {
  const most = limits.rows * limits.columns;
  const texts: string[] = [];
  let within = false;
  let spoken = false;
  let text = '';
  walk(xml, {
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
  });
  return texts;
}

function rowsOf(xml: string, shared: readonly string[], limits: SheetLimits): { rows: SheetRow[]; total: number } {
  const rows: SheetRow[] = [];
  let total = 0;
  let row = 0;
  let column = -1;
  let type = 'n';
  let within = false;
  let text = '';
  let cells = new Map<number, SheetCell>();
  walk(xml, {
    open(name, attributes) {
      if (name === 'row') {
        row = Number(attributes().r ?? row + 1);
        column = -1;
        cells = new Map();
      } else if (name === 'c') {
        const { r, t } = attributes();
        column = r === undefined ? column + 1 : columnOf(r);
        type = t ?? 'n';
        text = '';
      } else if (name === 'v' || name === 't') within = true;
    },
    text(part) {
      if (within) text = shortened(text + part, limits);
    },
    close(name) {
      if (name === 'v' || name === 't') within = false;
      if (name === 'c') {
        const cell = cellOf(type, text, shared);
        if (cell && column >= 0 && column < limits.columns) cells.set(column, cell);
      }
      if (name === 'row' && cells.size > 0) {
        total += 1;
        if (rows.length < limits.rows) rows.push({ row, cells });
        cells = new Map();
      }
    },
  });
  return { rows, total };
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

function cellOf(type: string, text: string, shared: readonly string[]): SheetCell | null {
  if (type === 'n') return text.trim() === '' ? null : { number: Number(text) };
  const read = type === 's' ? (shared[Number(text)] ?? '') : unescaped(text);
  return read.trim() === '' ? null : { text: read };
}

/** Characters that XML cannot represent are written as `_x000A_` (ECMA-376 part 1, §22.9.2.19). */
function unescaped(text: string): string {
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
