import type { ReadSheet, SheetCell, SheetLimits, SheetRow } from './workbook.ts';

/** What separates the fields: programs use the list separator of their region. */
const SEPARATORS = [',', ';', '\t'] as const;

/**
 * The text of a CSV file: UTF-8 or UTF-16 with a byte-order mark, UTF-8 without one, otherwise GBK, which spreadsheet
 * programs write in Chinese. @returns null when it is none of them
 */
export function decodeCsv(bytes: Uint8Array): string | null {
  const marks = bytes[0] === 0xff && bytes[1] === 0xfe ? ['utf-16le'] : ['utf-8', 'gb18030'];
  for (const encoding of marks) {
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(bytes);
    } catch {
      // The next encoding.
    }
  }
  return null;
}

/** The rows of a CSV file (RFC 4180) as of a sheet. The separator that is most frequent in the first line applies. */
export function readCsv(text: string, limits: SheetLimits): ReadSheet {
  const separator = separatorOf(text);
  const rows: SheetRow[] = [];
  let total = 0;
  let columns = 0;
  let row = 1;
  let column = 0;
  let cells = new Map<number, SheetCell>();
  let at = 0;
  const store = (value: string) => {
    const kept = value.length > limits.characters ? value.slice(0, limits.characters + 1) : value;
    if (kept.trim() !== '') {
      columns = Math.max(columns, column + 1);
      if (column < limits.columns) cells.set(column, { text: kept });
    }
    column += 1;
  };
  const endRow = () => {
    if (cells.size > 0) {
      total += 1;
      if (rows.length < limits.rows) rows.push({ row, cells });
      cells = new Map();
    }
    row += 1;
    column = 0;
  };
  while (at < text.length) {
    let value = '';
    if (text[at] === '"') {
      // Up to the closing quotation mark; two are one in the text.
      at += 1;
      for (;;) {
        const end = text.indexOf('"', at);
        if (end === -1) {
          value += text.slice(at);
          at = text.length;
          break;
        }
        value += text.slice(at, end);
        at = end + 1;
        if (text[at] !== '"') break;
        value += '"';
        at += 1;
      }
    }
    const start = at;
    while (at < text.length && text[at] !== separator && text[at] !== '\n' && text[at] !== '\r') at += 1;
    store(value + text.slice(start, at));
    if (text[at] === separator) {
      at += 1;
      continue;
    }
    if (text[at] === '\r' && text[at + 1] === '\n') at += 1;
    at += 1;
    endRow();
  }
  endRow();
  return { rows, total, columns, merges: [] };
}

function separatorOf(text: string): string {
  const counts = new Map<string, number>(SEPARATORS.map((one) => [one, 0]));
  for (const sign of text.slice(0, 10_000)) {
    if (sign === '\n' && [...counts.values()].some((count) => count > 0)) break;
    const count = counts.get(sign);
    if (count !== undefined) counts.set(sign, count + 1);
  }
  return SEPARATORS.toSorted((a, b) => counts.get(b)! - counts.get(a)!)[0] ?? ',';
}
