import { columnLetters, DEFAULT_ZONE, formatTime } from '@chargehand/domain';
import { type ZipPart, zipStream } from '../zip/zip-stream.ts';

/** One cell: a text, a number, a time (shown as `yyyy-MM-dd HH:mm:ss`), or empty. */
export type Cell = string | number | Date | null;

export interface Sheet {
  name: string;
  columns: readonly { heading: string; width: number }[];
  /** batches of rows, requested one after the other while the file is read */
  rows: AsyncIterable<readonly (readonly Cell[])[]>;
  /** the time zone for times; by default that of spec §9 */
  zone?: string;
}

/**
 * A workbook of one sheet (ECMA-376, transitional) as a stream: rows are written, compressed and output in batches, so
 * that a list of any length uses the memory of one batch. Texts are inline and never formulas.
 */
export function xlsxOf(sheet: Sheet): AsyncGenerator<Buffer> {
  const fixed = Object.entries(fixedParts(sheet.name)).map(([path, text]): ZipPart => ({ path, content: [text] }));
  return zipStream([...fixed, { path: 'xl/worksheets/sheet1.xml', content: sheetXml(sheet) }]);
}

export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Cell styles by their index in `cellXfs`. */
const STYLE = { time: 1, heading: 2 };

function fixedParts(sheetName: string): Record<string, string> {
  return {
    '[Content_Types].xml': `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPES}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPES}.styles+xml"/></Types>`,
    '_rels/.rels': `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="${escaped(sheetName)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': `${HEAD}<styleSheet xmlns="${MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf/><xf numFmtId="164" applyNumberFormat="1"/><xf fontId="1" applyFont="1"/></cellXfs></styleSheet>`,
  };
}

async function* sheetXml({ columns, rows, zone = DEFAULT_ZONE }: Sheet): AsyncGenerator<string> {
  const widths = columns.map(
    ({ width }, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`,
  );
  yield `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" state="frozen"/></sheetView></sheetViews><cols>${widths.join('')}</cols><sheetData>`;
  yield `<row r="1">${columns.map(({ heading }, index) => textCell(`${columnLetters(index)}1`, heading, STYLE.heading)).join('')}</row>`;
  let number = 1;
  for await (const batch of rows) {
    let xml = '';
    for (const cells of batch) {
      number += 1;
      xml += `<row r="${number}">`;
      cells.forEach((cell, index) => {
        xml += cellXml(`${columnLetters(index)}${number}`, cell, zone);
      });
      xml += '</row>';
    }
    yield xml;
  }
  yield '</sheetData></worksheet>';
}

function cellXml(at: string, cell: Cell, zone: string): string {
  if (cell === null || cell === '') return '';
  if (typeof cell === 'number') return `<c r="${at}"><v>${cell}</v></c>`;
  if (cell instanceof Date) return `<c r="${at}" s="${STYLE.time}"><v>${serialTime(cell, zone)}</v></c>`;
  return textCell(at, cell, 0);
}

function textCell(at: string, text: string, style: number): string {
  return `<c r="${at}" t="inlineStr"${style === 0 ? '' : ` s="${style}"`}><is><t xml:space="preserve">${escaped(text)}</t></is></c>`;
}

/** Days since 1899-12-30 in a time zone, as spreadsheets count them. */
function serialTime(at: Date, zone: string): number {
  const onTheClock = Date.parse(`${formatTime(at, zone).replace(' ', 'T')}Z`);
  return onTheClock / 86_400_000 + 25_569;
}

/** Text for XML 1.0: markup escaped, and unsupported characters removed. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<>"]/g, (mark) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[mark] ?? mark);
}
