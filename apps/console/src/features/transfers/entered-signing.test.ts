import type { FirmwareRow } from '@chargehand/contract';
import { expect, test } from 'vitest';
import { isWhole, signingBody, signingOf } from './entered-signing.ts';

const unsigned = { signedBy: null } as FirmwareRow;
const signed = { signedBy: 'CN=Maker' } as FirmwareRow;
const NONE = { signingCertificate: '', signature: '' };

test.each([
  ['a new file', signingOf(null), true, NONE],
  ['a file without', signingOf(unsigned), true, NONE],
  ['a new file that is to be signed', { ...signingOf(null), signed: true }, false, NONE],
  ['a certificate alone', { ...signingOf(null), signed: true, certificate: 'c' }, false, null],
  ['a signature of blanks', { ...signingOf(null), signed: true, certificate: 'c', signature: ' ' }, false, null],
  [
    'both',
    { ...signingOf(unsigned), signed: true, certificate: 'c', signature: 's' },
    ...([true, { signingCertificate: 'c', signature: 's' }] as const),
  ],
  ['a signed file as it is', signingOf(signed), true, {}],
  ['a signed file that is to be so no more', { ...signingOf(signed), signed: false }, true, NONE],
  ['a signed file that is signed anew', { ...signingOf(signed), anew: true }, false, NONE],
])('%s', (_, entered, whole, body) => {
  expect(isWhole(entered)).toBe(whole);
  if (body) expect(signingBody(entered)).toEqual(body);
});
