import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { namesOfZip } from '../../testing/files/zip-names.ts';
import { storedZip, type ZipFile } from './stored-zip.ts';

const at = new Date('2026-03-01T12:34:56Z');
const file = (path: string, content: string): ZipFile => ({
  ...{ path, size: Buffer.byteLength(content), at },
  open: async () =>
    (async function* () {
      yield Buffer.from(content);
    })(),
});

test('an archive has the announced length, and another program reads its files and names', async () => {
  const zip = storedZip([file('目录/说明.txt', '你好'), file('empty.txt', ''), file('a.txt', 'a'.repeat(100_000))]);
  const bytes = await buffer(zip.bytes());
  expect(bytes.length).toBe(zip.length);
  expect(await namesOfZip(bytes)).toEqual({ 'a.txt': 'a'.repeat(100_000), 'empty.txt': '', '目录/说明.txt': '你好' });
});

test('a file that is shorter than announced breaks the archive off', async () => {
  const zip = storedZip([{ ...file('a.txt', 'abc'), size: 4 }]);
  await expect(buffer(zip.bytes())).rejects.toThrow('3 bytes instead of 4');
});

test('an archive of more than 4 GB has 64-bit offsets', async () => {
  const size = 3 * 1024 ** 3;
  const empty = (path: string): ZipFile => ({ path, size, at, open: () => Promise.reject(new Error('not read')) });
  const zip = storedZip([empty('a'), empty('b'), empty('c')]);
  // Three files with headers of 31 bytes, 16 after each; 47 for each in the directory, 12 more for the third; 98 at the end.
  expect(zip.length).toBe(3 * (size + 31 + 16) + 3 * 47 + 12 + 98);
});
