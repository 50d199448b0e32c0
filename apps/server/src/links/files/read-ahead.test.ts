import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { readAhead } from './read-ahead.ts';

const HANDLE = Buffer.from('handle');

/** A device whose answers arrive in the reverse order of the requests, and with the given lengths. */
function device(file: Buffer, lengthOf: (asked: number, position: number) => number) {
  const asked: (() => void)[] = [];
  let most = 0;
  return {
    most: () => most,
    read: (_path: string, _handle: Buffer, into: Buffer, position: number) =>
      new Promise<Buffer>((resolve) => {
        asked.push(() => {
          const length = Math.max(0, Math.min(lengthOf(into.length, position), file.length - position));
          file.subarray(position, position + length).copy(into);
          resolve(into.subarray(0, length));
        });
        most = Math.max(most, asked.length);
        setImmediate(() => asked.pop()?.());
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
  ['complete answers', (asked: number) => asked],
  ['short answers', (asked: number, position: number) => (position % 64_000 === 0 ? Math.ceil(asked / 3) : asked)],
])('a file is read in order, 2 MB ahead: %s', async (_name, lengthOf) => {
  const sftp = device(FILE, lengthOf);
  const range = { from: 1_000, to: FILE.length };
  expect((await contentOf(readAhead(sftp, '/file', HANDLE, range))).equals(FILE.subarray(1_000))).toBe(true);
  expect(sftp.most()).toBe(64);
});

test('a file that becomes shorter is an error', async () => {
  const sftp = device(FILE.subarray(0, 100_000), (asked) => asked);
  await expect(contentOf(readAhead(sftp, '/file', HANDLE, { from: 0, to: 200_000 }))).rejects.toMatchObject({
    code: 'deviceFileFailed',
  });
});
