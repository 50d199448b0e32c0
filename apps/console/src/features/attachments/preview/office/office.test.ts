import { strToU8, unzipSync, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { sheetsOf } from './sheets.ts';
import { repacked } from './word.ts';

const LARGE = new Uint8Array(70 * 1024 * 1024);

type Parts = Record<string, string | Uint8Array>;

function zipped(parts: Parts): ArrayBuffer {
  const bytes = Object.entries(parts).map(([path, part]) => [path, typeof part === 'string' ? strToU8(part) : part]);
  return zipSync(Object.fromEntries(bytes), { level: 1 }).buffer as ArrayBuffer;
}

/** Changes the declared size of each part, in both places that hold it. */
function claiming(size: number, file: ArrayBuffer): ArrayBuffer {
  const view = new DataView(file);
  for (let at = 0; at < view.byteLength - 30; at += 1) {
    if (view.getUint32(at) === 0x504b0304) view.setUint32(at + 22, size, true);
    if (view.getUint32(at) === 0x504b0102) view.setUint32(at + 24, size, true);
  }
  return file;
}

const book = (sheets: Record<string, string>, more: Parts = {}) =>
  zipped({
    'xl/workbook.xml': `<workbook xmlns:r="r"><sheets>${Object.keys(sheets)
      .map((name) => `<sheet name="${name}" r:id="${name}" ${name === 'Secret' ? 'state="hidden"' : ''}/>`)
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="s" Type="a/styles" Target="styles.xml"/>${Object.keys(
      sheets,
    )
      .map((name) => `<Relationship Id="${name}" Type="a/worksheet" Target="worksheets/${name}.xml"/>`)
      .join('')}</Relationships>`,
    'xl/styles.xml': '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>',
    ...Object.fromEntries(
      Object.entries(sheets).map(([name, data]) => [
        `xl/worksheets/${name}.xml`,
        `<worksheet><sheetData>${data}</sheetData></worksheet>`,
      ]),
    ),
    ...more,
  });

const document = (more: Parts) => zipped({ 'word/document.xml': '<w/>', ...more });

describe('a workbook', () => {
  test('is shown by sheet, with dates as dates and without hidden sheets', async () => {
    const first =
      '<row r="2"><c r="B2" t="inlineStr"><is><t>Charger 充电桩</t></is></c><c r="C2" s="1"><v>46000</v></c></row>';
    const shown = await sheetsOf(book({ One: first, Secret: '<row><c><v>1</v></c></row>', Empty: '' }));
    expect(shown.sheets.map(({ name }) => name)).toEqual(['One', 'Empty']);
    expect(shown.sheets[0]).toMatchObject({ columns: ['A', 'B', 'C'], total: { rows: 1, columns: 3 } });
    expect(shown.sheets[0]?.rows).toEqual([
      {
        row: 2,
        cells: [
          { text: '', number: false },
          { text: 'Charger 充电桩', number: false },
          { text: '2025-12-09', number: true },
        ],
      },
    ]);
  });

  test('is cut at a number of rows, columns and sheets, and says how many it has', async () => {
    const rows = Array.from({ length: 700 }, (_, row) => `<row r="${row + 1}"><c><v>${row}</v></c></row>`).join('');
    const wide = '<row r="1"><c r="A1"><v>1</v></c><c r="XFD1"><v>2</v></c></row>';
    const many = Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`S${index}`, index === 0 ? rows : wide]));
    const { sheets, total } = await sheetsOf(book(many));
    expect([sheets.length, total]).toEqual([20, 25]);
    expect([sheets[0]?.rows.length, sheets[0]?.total.rows]).toEqual([500, 700]);
    expect([sheets[1]?.columns.length, sheets[1]?.total.columns]).toEqual([50, 16_384]);
  });
});

test('a document is passed on with the same parts', () => {
  const file = document({ 'word/media/image1.png': new Uint8Array([1, 2, 3]) });
  const parts = unzipSync(new Uint8Array(repacked(file)));
  expect(Object.keys(parts)).toEqual(['word/document.xml', 'word/media/image1.png']);
  expect(parts['word/media/image1.png']).toEqual(new Uint8Array([1, 2, 3]));
});

test('a part gets no more memory than its declared size', () => {
  const bomb = claiming(10, document({ 'word/media/bomb.png': LARGE }));
  expect(repacked(bomb).byteLength).toBeLessThan(1_000);
});

test('an archive of something else is no workbook', async () => {
  await expect(sheetsOf(zipped({ 'a.txt': 'a' }))).rejects.toMatchObject({ fault: 'unreadable' });
});

describe.each([
  ['workbook', sheetsOf, (more: Parts) => book({ One: '' }, more)],
  ['document', async (file: ArrayBuffer) => repacked(file), document],
] as const)('a hostile %s', (_, read, fileWith) => {
  test('that unpacks to more than the limit is refused', async () => {
    await expect(read(fileWith({ 'xl/bomb.xml': LARGE }))).rejects.toMatchObject({ fault: 'inflates' });
  });

  test('with a false large size is refused', async () => {
    const bomb = fileWith({ 'xl/bomb.xml': LARGE });
    await expect(read(claiming(4_000_000_000, bomb))).rejects.toMatchObject({ fault: 'inflates' });
  });

  test('with too many parts is refused', async () => {
    const parts = Object.fromEntries(Array.from({ length: 2_100 }, (__, index) => [`xl/${index}.xml`, 'x']));
    await expect(read(fileWith(parts))).rejects.toMatchObject({ fault: 'inflates' });
  });

  test.each([
    ['no archive', () => strToU8('not a zip file, only some text').buffer as ArrayBuffer],
    ['an empty file', () => new ArrayBuffer(0)],
    ['a part of a file', () => fileWith({}).slice(0, 60)],
  ])('that is %s is unreadable', async (__, file) => {
    await expect(read(file())).rejects.toMatchObject({ fault: 'unreadable' });
  });
});
