import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { type ZipPart, zipStream } from '../platform/zip/zip-stream.ts';

const directory = mkdtempSync(join(tmpdir(), 'zip-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** What Python reads from an archive: its names with the size of each file, after it has checked their content. */
const READ = `
import json, sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
assert archive.testzip() is None
print(json.dumps({entry.filename: entry.file_size for entry in archive.infolist()}))
`;

test('Python reads names in every script, texts, and files that are compressed already', async () => {
  const picture = randomBytes(3_000_000);
  const parts: ZipPart[] = [
    { path: '说明 (1).zh-CN.md', content: ['你好', '，世界'] },
    { path: 'images/หนังสือ دليل.png', content: [picture.subarray(0, 1_000), picture.subarray(1_000)], packed: true },
    { path: 'empty.txt', content: [] },
  ];
  const file = join(directory, 'scripts.zip');
  writeFileSync(file, await buffer(zipStream(parts)));
  const found = execFileSync('python3', ['-c', READ, file], { encoding: 'utf8' });
  expect(JSON.parse(found)).toEqual({ '说明 (1).zh-CN.md': 15, 'images/หนังสือ دليل.png': 3_000_000, 'empty.txt': 0 });
});
