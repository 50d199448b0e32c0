import { Parser } from 'saxen';
import { expect, test } from 'vitest';
import { walkPieces } from './xml.ts';

async function* cut(text: string, size: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}

/** The texts of the rows, and what follows them. */
async function read(text: string, size: number) {
  const rows: string[] = [];
  const others: string[] = [];
  await walkPieces(
    () => new Parser(),
    cut(text, size),
    { element: 'row', within: ['sheetData'] },
    {
      open(name) {
        if (name === 'after') others.push(name);
      },
      text: (part) => void rows.push(part),
    },
  );
  return { rows, others };
}

const sheet = (count: number, prefix = '') => {
  const tag = (name: string) => `${prefix}${name}`;
  const rows = Array.from({ length: count }, (_, n) => `<${tag('row')} r="${n}">row&gt;${n}</${tag('row')}>`).join('');
  return `<?xml version="1.0"?><${tag('worksheet')} xmlns="m"><${tag('sheetData')}>${rows}</${tag('sheetData')}><${tag('after')}/></${tag('worksheet')}>`;
};

test.each([
  ['one piece', 1e9, ''],
  ['large pieces', 300_001, ''],
  ['small pieces', 4_099, ''],
  ['names with a prefix', 65_536, 'x:'],
])('a long sheet is read as a whole from %s', async (_, size, prefix) => {
  const { rows, others } = await read(sheet(40_000, prefix), size);
  expect(rows).toHaveLength(40_000);
  expect([rows[0], rows[20_001], rows.at(-1)]).toEqual(['row>0', 'row>20001', 'row>39999']);
  expect(others).toEqual(['after']);
});

test('a sheet that is not well-formed, or is cut, is refused', async () => {
  await expect(read(sheet(40_000).slice(0, -30), 65_536)).rejects.toThrow();
  await expect(read(sheet(40_000).replace('<row r="30000">', '<row>'.repeat(2)), 65_536)).rejects.toThrow();
});
