import { expect, test } from 'vitest';
import { checksumOf, versionIn } from './checksum.ts';

test.each([
  ['hs-9.8.7.bin', '9.8.7'],
  ['pile_v2.10.tar.gz', '2.10'],
  ['update.bin', ''],
  ['fw-7.hex', ''],
])('%s contains the version %j', (name, version) => {
  expect(versionIn(name)).toBe(version);
});

test('the checksum equals the one of sha256sum', async () => {
  expect(await checksumOf(new File(['abc'], 'a.bin'))).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});
