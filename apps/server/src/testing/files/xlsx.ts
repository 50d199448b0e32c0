import { inflateRawSync } from 'node:zlib';
import { type Cell, xlsxOf } from '../../platform/xlsx/xlsx.ts';

/** An .xlsx file with one sheet of these headings and rows. */
export async function sheetOf(headings: readonly string[], rows: readonly (readonly Cell[])[]): Promise<Buffer> {
  const columns = headings.map((heading) => ({ heading, width: 10 }));
  const batches = async function* () {
    yield rows;
  };
  const parts: Buffer[] = [];
  for await (const part of xlsxOf({ name: 'Any', columns, rows: batches() })) parts.push(part);
  return Buffer.concat(parts);
}

/** Every text in the cells of an .xlsx file, read without the library that wrote it (ZIP: APPNOTE 4.3; cells: ECMA-376). */
export function textsOfXlsx(file: Buffer): string[] {
  const xml = filesOfZip(file)
    .filter(({ name }) => /sharedStrings\.xml$|worksheets\/.+\.xml$/.test(name))
    .map(({ content }) => content.toString('utf8'))
    .join('');
  return [...xml.matchAll(/<t(?:\s[^>]*)?>([^<]*)<\/t>/g)].map((match) => match[1] ?? '');
}

/** The files of a ZIP by its central directory, whose entries begin with PK\1\2. */
function filesOfZip(zip: Buffer): { name: string; content: Buffer }[] {
  const end = zip.lastIndexOf('PK\u0005\u0006');
  const count = zip.readUInt16LE(end + 10);
  let entry = zip.readUInt32LE(end + 16);
  return Array.from({ length: count }, () => {
    const method = zip.readUInt16LE(entry + 10);
    const size = zip.readUInt32LE(entry + 20);
    const nameLength = zip.readUInt16LE(entry + 28);
    const name = zip.toString('utf8', entry + 46, entry + 46 + nameLength);
    const local = zip.readUInt32LE(entry + 42);
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const packed = zip.subarray(start, start + size);
    entry += 46 + nameLength + zip.readUInt16LE(entry + 30) + zip.readUInt16LE(entry + 32);
    return { name, content: method === 0 ? packed : inflateRawSync(packed) };
  });
}
