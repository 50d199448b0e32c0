import { expect, test } from 'vitest';
import { decideToken, type PresentedToken, policyFor, statusIn16, type TokenFacts } from './decide-token.ts';
import { isTokenValue, maskedToken, tokenKey, tokenTypeOf } from './token.ts';

const NOW = new Date('2026-05-01T12:00:00Z');
const EARLIER = new Date('2026-05-01T10:00:00Z');
const LATER = new Date('2026-05-01T14:00:00Z');
const token = {
  ...{ type: 'ISO14443', group: 'FLEET', validFrom: null, validUntil: null, blockedAt: null },
  ...{ concurrent: false, atSite: true },
};
const KNOWN = { policy: 'known', level: 'site' } as const;
const FACTS: TokenFacts = { applied: KNOWN, token, remoteStart: false, openElsewhere: false };
const PRESENTED: PresentedToken = { value: '04A2', type: null, purpose: 'start', at: NOW };

test.each<[string, Partial<TokenFacts>, Partial<PresentedToken>, string, string, string]>([
  ['a known token', {}, {}, 'Accepted', 'known', 'Accepted'],
  [
    'every token where everyone may charge',
    { applied: policyFor(null, null, null), token: null },
    {},
    'Accepted',
    'everyone',
    'Accepted',
  ],
  [
    'a blocked one where everyone may charge',
    { applied: policyFor('everyone', null, null), token: { ...token, blockedAt: EARLIER } },
    {},
    'Accepted',
    'everyone',
    'Accepted',
  ],
  ['an unknown one', { token: null }, {}, 'Unknown', 'unknown', 'Invalid'],
  ['one that a remote start named', { token: null, remoteStart: true }, {}, 'Accepted', 'remoteStart', 'Accepted'],
  [
    'a start without an identifier',
    { token: null },
    { type: 'NoAuthorization' },
    'Accepted',
    'noAuthorization',
    'Accepted',
  ],
  ['the type in other letters', {}, { type: 'iso14443' }, 'Accepted', 'known', 'Accepted'],
  ['another type', {}, { type: 'eMAID' }, 'Invalid', 'otherType', 'Invalid'],
  ['a blocked one', { token: { ...token, blockedAt: EARLIER } }, {}, 'Blocked', 'blocked', 'Blocked'],
  [
    'one that was blocked after an offline start',
    { token: { ...token, blockedAt: NOW } },
    { at: EARLIER },
    'Blocked',
    'blockedSince',
    'Blocked',
  ],
  [
    'a blocked one of a remote start',
    { token: { ...token, blockedAt: EARLIER }, remoteStart: true },
    {},
    'Blocked',
    'blocked',
    'Blocked',
  ],
  ['one whose end is now', { token: { ...token, validUntil: NOW } }, {}, 'Expired', 'expired', 'Expired'],
  [
    'one that expired after an offline start',
    { token: { ...token, validUntil: NOW } },
    { at: EARLIER },
    'Accepted',
    'known',
    'Accepted',
  ],
  ['one that is not valid yet', { token: { ...token, validFrom: LATER } }, {}, 'NotAtThisTime', 'notYet', 'Invalid'],
  ['one whose start is now', { token: { ...token, validFrom: NOW } }, {}, 'Accepted', 'known', 'Accepted'],
  ['one of other sites', { token: { ...token, atSite: false } }, {}, 'NotAtThisLocation', 'otherSite', 'Invalid'],
  ['one in another session', { openElsewhere: true }, {}, 'ConcurrentTx', 'concurrent', 'ConcurrentTx'],
  [
    'one in another session that only asks',
    { openElsewhere: true },
    { purpose: 'authorize' },
    'Accepted',
    'known',
    'Accepted',
  ],
  [
    'one in another session that ends its own',
    { openElsewhere: true },
    { purpose: 'use' },
    'Accepted',
    'known',
    'Accepted',
  ],
  [
    'one for several sessions',
    { openElsewhere: true, token: { ...token, concurrent: true } },
    {},
    'Accepted',
    'known',
    'Accepted',
  ],
])('%s', (_, facts, presented, status, reason, in16) => {
  const decision = decideToken({ ...PRESENTED, ...presented }, { ...FACTS, ...facts });
  expect(decision).toMatchObject({ status, reason });
  expect(statusIn16(decision.status)).toBe(in16);
});

test('an answer has the group, and the end only while the token is accepted', () => {
  const facts = { ...FACTS, token: { ...token, validUntil: LATER } };
  expect(decideToken(PRESENTED, facts)).toMatchObject({ group: 'FLEET', until: LATER });
  const blocked = { ...FACTS, token: { ...token, validUntil: LATER, blockedAt: EARLIER } };
  expect(decideToken(PRESENTED, blocked)).toMatchObject({ group: 'FLEET', until: null });
});

test.each([
  [null, null, null, 'everyone', 'default'],
  ['known', null, null, 'known', 'customer'],
  ['known', 'everyone', null, 'everyone', 'site'],
  ['known', 'everyone', 'known', 'known', 'device'],
  [null, null, 'known', 'known', 'device'],
] as const)(
  'the closest of customer %s, site %s and device %s applies: %s of %s',
  (customer, site, device, policy, level) => {
    expect(policyFor(customer, site, device)).toEqual({ policy, level });
  },
);

test('values are compared without case, and masked except for their end', () => {
  expect(tokenKey('04aB')).toBe(tokenKey('04Ab'));
  expect(['', 'AB 12', 'ÄB', 'a'.repeat(256)].map(isTokenValue)).toEqual([false, false, false, false]);
  expect(isTokenValue('DE-8AA-CA2B3C4D5-L')).toBe(true);
  expect(tokenTypeOf('emaid')).toBe('eMAID');
  expect(tokenTypeOf('NoAuthorization')).toBeNull();
  expect(['', '1234567', '04A2B3C4'].map(maskedToken)).toEqual(['', '•••', '•••B3C4']);
});
