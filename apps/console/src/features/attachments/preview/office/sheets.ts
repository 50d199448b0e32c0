import { columnLetters, numberText, openWorkbook, type SheetCell, type Workbook } from '@chargehand/domain';
import { Parser } from 'saxen';
import { asProblem, OfficeProblem, unpacked } from './unpack.ts';

/** What is shown of a workbook: a page with more cells would be slow. */
const MOST_SHEETS = 20;
const LIMITS = { rows: 500, columns: 50, characters: 500 };

/** A sheet as it is shown. */
export interface ShownSheet {
  name: string;
  /** the letters of its columns */
  columns: string[];
  rows: { row: number; cells: { text: string; number: boolean }[] }[];
  /** rows with content, and columns up to the last one with content */
  total: { rows: number; columns: number };
}

/** The sheets of a workbook. */
export interface ShownWorkbook {
  sheets: ShownSheet[];
  /** how many sheets it has */
  total: number;
}

/** The first rows of the sheets of an .xlsx file. @throws OfficeProblem */
export async function sheetsOf(file: ArrayBuffer): Promise<ShownWorkbook> {
  const parts = unpacked(file, (path) => (path.startsWith('xl/') && path.endsWith('.xml')) || path.endsWith('.rels'));
  const has = (path: string) => Object.hasOwn(parts, path);
  async function read(path: string): Promise<string> {
    if (!has(path)) throw new OfficeProblem('unreadable');
    return new TextDecoder().decode(parts[path]);
  }
  try {
    const book = await openWorkbook({ has, read }, () => new Parser(), LIMITS);
    if (book.sheets.length === 0) throw new OfficeProblem('unreadable');
    const sheets: ShownSheet[] = [];
    for (const { name, read: rowsOf } of book.sheets.slice(0, MOST_SHEETS)) {
      const { rows, total, columns } = await rowsOf();
      const letters = Array.from({ length: Math.min(columns, LIMITS.columns) }, (_, column) => columnLetters(column));
      sheets.push({
        name,
        columns: letters,
        rows: rows.map(({ row, cells }) => ({
          row,
          cells: letters.map((_, column) => shownCell(cells.get(column), book)),
        })),
        total: { rows: total, columns },
      });
    }
    return { sheets, total: book.sheets.length };
  } catch (error) {
    throw asProblem(error);
  }
}

function shownCell(cell: SheetCell | undefined, { kindOf, from1904 }: Workbook): { text: string; number: boolean } {
  if (!cell) return { text: '', number: false };
  if ('number' in cell) return { text: numberText(cell.number, kindOf(cell), from1904), number: true };
  const { text } = cell;
  return { text: text.length > LIMITS.characters ? `${text.slice(0, LIMITS.characters)}…` : text, number: false };
}
