import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { zipOf } from './zip.ts';

/** The files of an archive, read from its list at the end, with their permissions. */
function filesOf(archive: Buffer): [path: string, mode: string, text: string][] {
  const end = archive.length - 22;
  expect(archive.readUInt32LE(end)).toBe(0x06054b50);
  const files: [string, string, string][] = [];
  let at = archive.readUInt32LE(end + 16);
  for (let count = archive.readUInt16LE(end + 10); count > 0; count -= 1) {
    expect(archive.readUInt32LE(at)).toBe(0x02014b50);
    const size = archive.readUInt32LE(at + 24);
    const nameLength = archive.readUInt16LE(at + 28);
    const local = archive.readUInt32LE(at + 42);
    expect(archive.readUInt32LE(local)).toBe(0x04034b50);
    // Both have the same fields from the version to the lengths.
    expect(archive.subarray(local + 4, local + 30)).toEqual(archive.subarray(at + 6, at + 32));
    const start = local + 30 + nameLength;
    const content = archive.subarray(start, start + size);
    expect(archive.readUInt32LE(at + 16)).toBe(crc32(content));
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength);
    files.push([name, (archive.readUInt32LE(at + 38) >>> 16).toString(8), content.toString()]);
    at += 46 + nameLength;
  }
  expect(at).toBe(end);
  return files;
}

test('archives keep texts, and permissions for keys', async () => {
  const files = [
    { path: 'folder/config', text: 'Host 充电桩\n', private: false },
    { path: 'folder/key', text: 'secret\n'.repeat(100), private: true },
  ];
  expect(filesOf(Buffer.from(await zipOf(files).arrayBuffer()))).toEqual([
    ['folder/config', '100644', files[0]?.text],
    ['folder/key', '100600', files[1]?.text],
  ]);
});
