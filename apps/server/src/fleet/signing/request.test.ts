import { expect, test } from 'vitest';
import { ED25519, newRequest, rsa } from '../../testing/gateways/signing.ts';
import { readRequest } from './request.ts';

/** Made with OpenSSL: secp256k1, which browsers and most authorities do not support. */
const SECP256K1 = `
MIHEMGsCAQAwDDEKMAgGA1UEAwwBWDBWMBAGByqGSM49AgEGBSuBBAAKA0IABBQqoWeZ/dGcEEZ21uh6GkCrTa/W+uNm/LxnLi9qde63qVHcnMY5CloT
CBkfbPCDZ+/P7nZxhYyfRGJZojXWngGgADAKBggqhkjOPQQDAgNJADBGAiEAn5dSgYX3goHPQXEnd8w4qQMgLBHoirHwhc2teFf+KtECIQDwh3o6DJIH
rW8oOWn1ceTF2lMSyTPOWqAnbDXQAEQNPA==`;

test.each([
  ['P-256', undefined, true],
  ['Ed25519', ED25519, true],
  ['RSA of 2048 bits', rsa(2_048), true],
  ['RSA of 1024 bits', rsa(1_024), false],
])('a request with a key of %s', async (_what, algorithm, strong) => {
  const { csr, der } = await newRequest('CN=PILE-1', algorithm);
  const read = { commonName: 'PILE-1', strong };
  expect(await readRequest(csr)).toMatchObject(read);
  expect(await readRequest(csr.replaceAll('CERTIFICATE', 'NEW CERTIFICATE').replaceAll('\n', '\r\n'))).toMatchObject(
    read,
  );
  expect(await readRequest(der.toString('base64'))).toMatchObject(read);
});

test('an unsupported curve', async () => {
  expect(await readRequest(SECP256K1)).toMatchObject({ commonName: 'X', strong: false });
});

test.each([
  ['none', 'O=Operator', null],
  ['two', 'CN=PILE-1, CN=PILE-2', null],
  ['one with a comma', 'CN=PILE\\,1', 'PILE,1'],
  ['one in Chinese', 'CN=充电桩', '充电桩'],
])('common names: %s', async (_what, subject, commonName) => {
  expect(await readRequest((await newRequest(subject)).csr)).toMatchObject({ commonName });
});

test('a request that was changed is detected by its signature', async () => {
  const { der } = await newRequest('CN=PILE-1');
  const other = await newRequest('CN=PILE-1');
  const renamed = Buffer.from(der.toString('latin1').replace('PILE-1', 'PILE-2'), 'latin1');
  // The key of another request in place of its own.
  const [point, foreign] = [der, other.der].map((bytes) =>
    bytes.subarray(bytes.indexOf('034200', 0, 'hex')).subarray(0, 68),
  );
  const rekeyed = Buffer.from(
    der.toString('latin1').replace(point!.toString('latin1'), foreign!.toString('latin1')),
    'latin1',
  );
  expect(rekeyed.equals(der)).toBe(false);
  const cut = Buffer.from(der);
  cut[cut.length - 1]! ^= 1;
  for (const bytes of [renamed, rekeyed, cut]) expect(await readRequest(bytes.toString('base64'))).toBe('forged');
});

test('an invalid request is recognized', async () => {
  const { csr, der } = await newRequest('CN=PILE-1');
  const texts = [
    '',
    'request',
    '充电桩',
    'AAAA',
    csr.slice(0, 200),
    `${csr}\n${csr}`,
    csr.replaceAll('CERTIFICATE REQUEST', 'CERTIFICATE'),
    der.subarray(0, der.length - 10).toString('base64'),
    der.toString('hex'),
    'M'.repeat(5_500),
    Buffer.alloc(4_000, 0x30).toString('base64'),
  ];
  for (const text of texts) expect([text, await readRequest(text)]).toEqual([text, 'unreadable']);
});
