import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { readAhead } from './read-ahead.ts';

const HANDLE = Buffer.from('handle');

/** A device whose answers arrive in the reverse order of the requests, and with the given lengths. */
function device(file: Buffer, lengthOf: (length: number, position: number) => number) {
  const waiting: (() => void)[] = [];
  let most = 0;
  return {
    most: () => most,
    read: (_path: string, _handle: Buffer, into: Buffer, position: number) =>
      new Promise<Buffer>((resolve) => {
        waiting.push(() => {
          const length = Math.max(0, Math.min(lengthOf(into.length, position), file.length - position));
          file.subarray(position, position + length).copy(into);
          resolve(into.subarray(0, length));
        });
        most = Math.max(most, waiting.length);
        setImmediate(() => waiting.pop()?.());
      }),
  };
}

async function contentOf(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const kept: Buffer[] = [];
  // The buffers stay as they were when they were passed on.
  for await (const chunk of chunks) kept.push(chunk);
  return Buffer.concat(kept);
}

const FILE = randomBytes(7_000_003);

test.each([
  ['complete answers', (length: number) => length],
  ['short answers', (length: number, position: number) => (position % 64_000 === 0 ? Math.ceil(length / 3) : length)],
])('a file is read in order, 2 MB ahead: %s', async (_name, lengthOf) => {
  const sftp = device(FILE, lengthOf);
  const range = { from: 1_000, to: FILE.length };
  expect((await contentOf(readAhead(sftp, '/file', HANDLE, range))).equals(FILE.subarray(1_000))).toBe(true);
  expect(sftp.most()).toBe(64);
});

test('a file that becomes shorter is an error', async () => {
  const sftp = device(FILE.subarray(0, 100_000), (length) => length);
  await expect(contentOf(readAhead(sftp, '/file', HANDLE, { from: 0, to: 200_000 }))).rejects.toMatchObject({
    code: 'deviceFileFailed',
  });
});
