import { describe, expect, test } from 'vitest';
import { applicationState, mayCall, type SignatureParams, signatureFault } from './applications.ts';

const NOW = new Date('2026-11-26T12:00:00Z');
const AT = NOW.getTime() / 1_000;

describe('the state of an application', () => {
  test.each([
    ['is enabled', { enabled: true, expiresAt: null, userId: 7 }, 'enabled'],
    ['is disabled', { enabled: false, expiresAt: null, userId: 7 }, 'disabled'],
    ['is disabled, also when it has expired', { enabled: false, expiresAt: NOW, userId: 7 }, 'disabled'],
    ['has expired at its time', { enabled: true, expiresAt: NOW, userId: 7 }, 'expired'],
    ['has not expired before', { enabled: true, expiresAt: new Date(NOW.getTime() + 1), userId: 7 }, 'enabled'],
    ['has no user', { enabled: true, expiresAt: null, userId: null }, 'userMissing'],
    ['has expired, also without a user', { enabled: true, expiresAt: NOW, userId: null }, 'expired'],
  ] as const)('%s', (_title, facts, state) => {
    expect(applicationState(facts, NOW)).toBe(state);
  });
});

const GOOD: SignatureParams = {
  components: ['@method', '@path', '@query'],
  created: AT,
  nonce: 'a1b2c3d4e5f6a7b8',
  alg: 'hmac-sha256',
};
const WITH_BODY = { components: [...GOOD.components, 'content-digest'] };

test.each<[string, Partial<SignatureParams>, boolean, ReturnType<typeof signatureFault>]>([
  ['complete', {}, false, null],
  ['without alg', { alg: null }, false, null],
  ['of another algorithm', { alg: 'ed25519' }, false, 'signatureIncomplete'],
  ['without the method', { components: ['@path', '@query'] }, false, 'signatureIncomplete'],
  ['without the path', { components: ['@method', '@query'] }, false, 'signatureIncomplete'],
  ['without the query', { components: ['@method', '@path'] }, false, 'signatureIncomplete'],
  ['of nothing', { components: [] }, false, 'signatureIncomplete'],
  ['of a body without its digest', {}, true, 'signatureIncomplete'],
  ['of a body with its digest', WITH_BODY, true, null],
  ['with a digest of no body', WITH_BODY, false, null],
  ['of more than needed', { components: [...GOOD.components, 'content-type', '@authority'] }, false, null],
  ['without a time', { created: null }, false, 'signatureIncomplete'],
  ['at the end of the window', { created: AT - 300 }, false, null],
  ['after the window', { created: AT - 301 }, false, 'signatureTime'],
  ['of a fast clock, within the window', { created: AT + 300 }, false, null],
  ['of a fast clock, outside the window', { created: AT + 301 }, false, 'signatureTime'],
  ['of no number', { created: Number.NaN }, false, 'signatureTime'],
  ['without a nonce', { nonce: null }, false, 'signatureNonce'],
  ['with a short nonce', { nonce: 'a'.repeat(15) }, false, 'signatureNonce'],
  ['with the shortest nonce', { nonce: 'a'.repeat(16) }, false, null],
  ['with the longest nonce', { nonce: 'a'.repeat(64) }, false, null],
  ['with a long nonce', { nonce: 'a'.repeat(65) }, false, 'signatureNonce'],
  ['with a nonce of other characters', { nonce: `${'a'.repeat(16)}\n` }, false, 'signatureNonce'],
])('a signature %s', (_title, change, hasBody, fault) => {
  expect(signatureFault({ ...GOOD, ...change }, hasBody, NOW)).toBe(fault);
});

test.each([
  ['open.listDevices', ['open.listDevices'], true, true],
  ['open.listDevices', ['open.listDevices'], false, false],
  ['open.listDevices', ['open.listSites'], true, false],
  ['open.listDevices', [], true, false],
])('an application that calls %s, allowed %j, and its user reaches it: %s', (id, allowed, reaches, result) => {
  expect(mayCall(id, allowed, reaches)).toBe(result);
});
