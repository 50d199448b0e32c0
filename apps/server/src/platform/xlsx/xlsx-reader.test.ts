import { expect, test } from 'vitest';
import { zipOf } from '../../testing/files/zip.ts';
import { type FirstSheet, readFirstSheet } from './xlsx-reader.ts';

const LIMITS = { inflatedBytes: 1024 * 1024, rows: 5, columns: 8, characters: 100 };
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = `<Relationships><Relationship Id="r1" Type="a/worksheet" Target="worksheets/one.xml"/>
  <Relationship Id="r2" Type="a/sharedStrings" Target="/xl/texts.xml"/></Relationships>`;

/** A workbook with this content in its first sheet. */
const book = (data: string, more: Record<string, string> = {}) => ({
  'xl/workbook.xml': `<workbook xmlns:r="r"><workbookPr/><sheets><sheet name="One" r:id="r1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': RELATIONS,
  'xl/worksheets/one.xml': `<worksheet xmlns="${MAIN}"><sheetData>${data}</sheetData></worksheet>`,
  ...more,
});
const cellsOf = ({ rows }: FirstSheet) => rows.map(({ row, cells }) => [row, Object.fromEntries(cells)]);

test('cells are read in every supported notation', async () => {
  const texts = `<sst><si><t>Shared</t></si><si><r><t>Ri</t></r><r><t>ch &amp; 充</t></r><rPh><t>spoken</t></rPh></si></sst>`;
  const data = `
    <row r="2"><c r="A2" t="s"><v>0</v></c><c r="C2" t="s"><v>1</v></c><c t="inlineStr"><is><t>in _x0041_ line</t></is></c></row>
    <row><c><v>1.5E2</v></c><c t="str"><f>A1</f><v>given</v></c><c t="b"><v>1</v></c><c/><c><v></v></c></row>
    <row r="9"><c r="B9" t="s"><v>77</v></c></row>`;
  const sheet = await readFirstSheet(zipOf(book(data, { 'xl/texts.xml': texts })), LIMITS);
  expect(cellsOf(sheet)).toEqual([
    [2, { 0: { text: 'Shared' }, 2: { text: 'Rich & 充' }, 3: { text: 'in A line' } }],
    [3, { 0: { number: 150 }, 1: { text: 'given' }, 2: { text: 'TRUE' } }],
  ]);
  expect(sheet).toMatchObject({ total: 2, from1904: false });
});

test('elements may have a prefix, and dates may count from 1904', async () => {
  const parts = {
    ...book(''),
    'xl/workbook.xml': `<x:workbook><x:workbookPr date1904="1"/><x:sheets><x:sheet q:id="r1"/></x:sheets></x:workbook>`,
    'xl/worksheets/one.xml': `<x:worksheet><x:sheetData><x:row r="1"><x:c r="B1"><x:v>7</x:v></x:c></x:row></x:sheetData></x:worksheet>`,
  };
  const sheet = await readFirstSheet(zipOf(parts), LIMITS);
  expect([cellsOf(sheet), sheet.from1904]).toEqual([[[1, { 1: { number: 7 } }]], true]);
});

test('a cell at the last position of a sheet takes the memory of one cell', async () => {
  const sheet = await readFirstSheet(
    zipOf(book('<row r="1048576"><c r="XFD1048576"><v>1</v></c><c r="A1048576"><v>2</v></c></row>')),
    LIMITS,
  );
  expect(cellsOf(sheet)).toEqual([[1_048_576, { 0: { number: 2 } }]]);
});

test('rows beyond the limit are counted, not kept', async () => {
  const data = Array.from({ length: 20 }, (_, index) => `<row><c><v>${index}</v></c></row>`).join('');
  const sheet = await readFirstSheet(zipOf(book(data)), LIMITS);
  expect([sheet.rows.length, sheet.total]).toEqual([5, 20]);
});

test.each([
  ['without a prefix', ''],
  ['with a prefix', 'x:'],
])('a sheet that is read in many pieces, %s, keeps all rows and what follows them', async (_, x) => {
  const rows = Array.from(
    { length: 20_000 },
    (_, n) => `<${x}row r="${n + 1}"><${x}c t="str"><${x}v>row&gt;${n}</${x}v></${x}c></${x}row>`,
  );
  const after = `<${x}mergeCells><${x}mergeCell ref="A1:A2"/></${x}mergeCells>`;
  const parts = (content: string) => ({
    ...book(''),
    'xl/worksheets/one.xml': `<${x}worksheet xmlns="m"><${x}sheetData>${content}</${x}sheetData>${after}</${x}worksheet>`,
  });
  const limits = { ...LIMITS, inflatedBytes: 1.9 * 1024 * 1024 };
  const sheet = await readFirstSheet(zipOf(parts(rows.join(''))), limits);
  expect([sheet.rows.length, sheet.total, sheet.merges.length]).toEqual([5, 20_000, 1]);
  // Reading it again does not count against the limit again.
  const texts: unknown[] = [];
  await sheet.each(({ cells }) => texts.push(cells.get(0)));
  expect(texts).toHaveLength(20_000);
  expect([texts[0], texts[12_345], texts.at(-1)]).toEqual([0, 12_345, 19_999].map((n) => ({ text: `row>${n}` })));
  rows[15_000] = `<${x}row><${x}row>`;
  await expect(readFirstSheet(zipOf(parts(rows.join(''))), limits)).rejects.toMatchObject({ name: 'UnreadableSheet' });
});

test('parts that decompress beyond the limit are refused, whatever their declared size', async () => {
  const parts = book(' '.repeat(2 * LIMITS.inflatedBytes));
  await expect(readFirstSheet(zipOf(parts), LIMITS)).rejects.toMatchObject({ inflates: true });
  await expect(readFirstSheet(zipOf(parts, 10), LIMITS)).rejects.toMatchObject({ name: 'UnreadableSheet' });
  await expect(readFirstSheet(zipOf(parts, 4_000_000_000), LIMITS)).rejects.toMatchObject({ name: 'UnreadableSheet' });
});

test.each([
  ['no archive', Buffer.from('a,b,c')],
  ['an incomplete archive', zipOf(book('')).subarray(0, 300)],
  ['an archive of something else', zipOf({ 'word/document.xml': '<a/>' })],
  ['no sheet', zipOf({ ...book(''), 'xl/workbook.xml': '<workbook/>' })],
  ['no XML', zipOf({ ...book(''), 'xl/worksheets/one.xml': '<worksheet><row' })],
])('%s is not readable', async (_, file) => {
  await expect(readFirstSheet(file, LIMITS)).rejects.toMatchObject({ name: 'UnreadableSheet', inflates: false });
});

test('only the entities of XML itself are expanded, none of the file', async () => {
  const data = '<row><c t="str"><v>&lol;</v></c></row>';
  const parts = book(data);
  const bomb = {
    ...parts,
    'xl/worksheets/one.xml': `<!DOCTYPE x [<!ENTITY lol "ha">]>${parts['xl/worksheets/one.xml']}`,
  };
  const sheet = await readFirstSheet(zipOf(bomb), LIMITS).catch(() => null);
  expect(JSON.stringify(sheet && cellsOf(sheet))).not.toContain('ha');
});

test('a text that many cells share is cut at the limit', async () => {
  const texts = `<sst><si><t>${'x'.repeat(50_000)}</t></si></sst>`;
  const data = `<row r="1"><c t="s"><v>0</v></c><c t="inlineStr"><is><t>${'y'.repeat(50_000)}</t></is></c></row>`;
  const { rows } = await readFirstSheet(zipOf(book(data, { 'xl/texts.xml': texts })), LIMITS);
  expect([...rows[0]!.cells.values()]).toEqual([{ text: 'x'.repeat(101) }, { text: 'y'.repeat(101) }]);
});
