import type { FirmwareRow } from '@chargehand/contract';
import { expect, test } from 'vitest';
import { isWhole, signingBody, signingOf } from './entered-signing.ts';

const unsigned = { signedBy: null } as FirmwareRow;
const signed = { signedBy: 'CN=Maker' } as FirmwareRow;
const NONE = { signingCertificate: '', signature: '' };

test.each([
  ['a new file', signingOf(null), true, NONE],
  ['an unsigned file', signingOf(unsigned), true, NONE],
  ['a new signed file', { ...signingOf(null), signed: true }, false, NONE],
  ['a certificate without a signature', { ...signingOf(null), signed: true, certificate: 'c' }, false, null],
  ['a signature of blanks', { ...signingOf(null), signed: true, certificate: 'c', signature: ' ' }, false, null],
  [
    'both',
    { ...signingOf(unsigned), signed: true, certificate: 'c', signature: 's' },
    ...([true, { signingCertificate: 'c', signature: 's' }] as const),
  ],
  ['an unchanged signed file', signingOf(signed), true, {}],
  ['a signed file whose signature is removed', { ...signingOf(signed), signed: false }, true, NONE],
  ['a signed file with a new signature', { ...signingOf(signed), replacing: true }, false, NONE],
])('%s', (_, entered, whole, body) => {
  expect(isWhole(entered)).toBe(whole);
  if (body) expect(signingBody(entered)).toEqual(body);
});
