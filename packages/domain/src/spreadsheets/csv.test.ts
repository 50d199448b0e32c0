import { expect, test } from 'vitest';
import { decodeCsv, readCsv } from './csv.ts';

const LIMITS = { rows: 3, columns: 4, characters: 10 };
const read = (text: string) =>
  readCsv(text, LIMITS).rows.map(({ row, cells }) => [
    row,
    ...[...cells].map(([column, cell]) => `${column}:${'text' in cell ? cell.text : ''}`),
  ]);

test.each([
  [
    'SN,Name\r\n007,"a ""b"", c"\r\n',
    [
      [1, '0:SN', '1:Name'],
      [2, '0:007', '1:a "b", c'],
    ],
  ],
  [
    'SN;Name\n1,5;x',
    [
      [1, '0:SN', '1:Name'],
      [2, '0:1,5', '1:x'],
    ],
  ],
  [
    'SN\tName\r1\tx',
    [
      [1, '0:SN', '1:Name'],
      [2, '0:1', '1:x'],
    ],
  ],
  [
    'A,"two\nlines"\n\n,b',
    [
      [1, '0:A', '1:two\nlines'],
      [3, '1:b'],
    ],
  ],
  ['"open,a\nb', [[1, '0:open,a\nb']]],
  [
    'Title of the list\nSN;Name',
    [
      [1, '0:Title of t' + 'h'],
      [2, '0:SN', '1:Name'],
    ],
  ],
  ['', []],
])('%j has these rows', (text, rows) => expect(read(text)).toEqual(rows));

test('rows, columns and characters beyond the limits are counted, not kept', () => {
  const sheet = readCsv(`a,b,c,d,e\n${'x'.repeat(50)}\n1\n2\n3\n`, LIMITS);
  expect(sheet).toMatchObject({ total: 5, columns: 5 });
  expect(sheet.rows).toHaveLength(3);
  expect(sheet.rows[1]?.cells.get(0)).toEqual({ text: 'x'.repeat(11) });
});

test('UTF-8, GBK and UTF-16 are distinguished', () => {
  const gbk = Uint8Array.of(0xc3, 0xfb, 0xb3, 0xc6, 0x2c, 0x31);
  expect(decodeCsv(gbk)).toBe('名称,1');
  expect(decodeCsv(new TextEncoder().encode('\uFEFF名称'))).toBe('名称');
  expect(decodeCsv(Uint8Array.of(0xff, 0xfe, 0x0d, 0x54, 0xf0, 0x79))).toBe('名称');
  expect(decodeCsv(Uint8Array.of(0x41, 0xff, 0xff))).toBe(null);
});
