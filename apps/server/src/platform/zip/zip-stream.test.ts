import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { namesOfZip } from '../../testing/files/zip-names.ts';
import { type ZipPart, zipStream } from './zip-stream.ts';

test('an archive has its names in every script and its contents', async () => {
  const parts: ZipPart[] = [
    { path: '说明.md', content: ['你好', '，世界'] },
    { path: 'images/หนังสือ.png', content: [Buffer.from('packed')], packed: true },
    { path: 'empty.txt', content: [] },
  ];
  const texts = { '说明.md': '你好，世界', 'images/หนังสือ.png': 'packed', 'empty.txt': '' };
  expect(await namesOfZip(await buffer(zipStream(parts)))).toEqual(texts);
});

test('equal content gives equal archives', async () => {
  const archive = () => buffer(zipStream([{ path: 'a.md', content: ['a'] }]));
  expect((await archive()).equals(await archive())).toBe(true);
});

test('a part is requested only when the ones before it have been read', async () => {
  const requested: number[] = [];
  const parts = async function* (): AsyncGenerator<ZipPart> {
    for (let index = 0; index < 100; index += 1) {
      requested.push(index);
      yield { path: `${index}.bin`, content: [randomBytes(1_000_000)], packed: true };
    }
  };
  const archive = zipStream(parts());
  await archive.next();
  await new Promise((resolve) => setImmediate(resolve));
  expect(requested.length).toBeLessThan(4);
  await archive.return(undefined);
});

test('an error of a part ends the archive with it, and a closed archive closes its part', async () => {
  const broken = async function* () {
    yield 'a';
    throw new Error('gone');
  };
  await expect(buffer(zipStream([{ path: 'a.md', content: broken() }]))).rejects.toThrow('gone');
  let closed = false;
  const endless = async function* () {
    try {
      for (;;) yield randomBytes(65_536);
    } finally {
      closed = true;
    }
  };
  const archive = zipStream([{ path: 'a.bin', content: endless(), packed: true }]);
  await archive.next();
  await archive.return(undefined);
  await expect.poll(() => closed).toBe(true);
});
