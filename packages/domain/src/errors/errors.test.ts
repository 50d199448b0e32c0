import { expect, test } from 'vitest';
import {
  type CaughtError,
  causeOf,
  compareVersions,
  type ErrorStanding,
  generalText,
  hasReturned,
  maskText,
  mayChangeState,
  ownFrames,
  storedError,
} from '../index.ts';

const STACK = `Error: no row
    at findRow (/app/node_modules/kysely/dist/a.js:10:3)
    at async Links.read (file:///srv/apps/server/src/links/links.store.ts:41:7)
    at async file:///srv/apps/server/src/links/links.service.ts:99:1
    at node:internal/process:1:2
    at new Ground (/srv/packages/domain/src/x.ts:1:2)
    at Object.handler (/srv/apps/server/src/platform/http/serve/serve.ts:80:20)`;
const caught = (change: Partial<CaughtError> = {}): CaughtError => ({
  ...{ source: 'server', name: 'Error', message: 'no row 7 of device 12', stack: STACK },
  ...change,
});

test.each<[string, Partial<CaughtError>, same: boolean]>([
  ['other numbers', { message: 'no row 8 of device 3' }, true],
  ['other positions', { stack: STACK.replaceAll(/:\d+:\d+/g, ':1:1') }, true],
  ['another installation folder', { stack: STACK.replaceAll('/srv/', '/opt/chargehand/') }, true],
  ['other frames behind the first three', { stack: STACK.replace('Object.handler', 'Object.other') }, true],
  ['another class', { name: 'TypeError' }, false],
  ['another message', { message: 'no column 7 of device 12' }, false],
  ['another source', { source: 'job' }, false],
  ['another function', { stack: STACK.replace('Links.read', 'Links.list') }, false],
])('%s: the same cause is %s', (_, change, same) => {
  expect(causeOf(caught(change)) === causeOf(caught())).toBe(same);
});

test('only our own frames count, and in browsers only their files', () => {
  expect(ownFrames(STACK, 'server')).toEqual([
    'Links.read apps/server/src/links/links.store.ts',
    'apps/server/src/links/links.service.ts',
    'new Ground packages/domain/src/x.ts',
  ]);
  const chrome = 'at xe (https://pile.example/assets/device-list-B3_xkQ1z.js:2:99)\nat https://pile.example/x.js:1:1';
  const firefox = 'xe@https://pile.example/assets/device-list-Zz3_kQ1z.js:9:1';
  expect([ownFrames(chrome, 'browser'), ownFrames(firefox, 'browser')]).toEqual([['device-list'], ['device-list']]);
});

test.each([
  ['timeout of 300 ms at 12:30:11', 'timeout of # ms at #'],
  ['no file 3f2b8c1d-1111-4222-8333-abcdefabcdef', 'no file #'],
  ['object 9f86d081884c7d65 is missing', 'object # is missing'],
  ['invalid input syntax for type integer: "abc"', 'invalid input syntax for type integer: "#"'],
  ['relation "devices" does not exist', 'relation "devices" does not exist'],
  ['connect ECONNREFUSED 10.0.0.7:5432', 'connect ECONNREFUSED #'],
])('%s is in general: %s', (message, general) => {
  expect(generalText(message)).toBe(general);
});

test.each([
  ['password=Secret.1 for ada', 'password=*** for ada'],
  ['{"newPassword":"Secret.1","name":"x"}', '{"newPassword":***,"name":"x"}'],
  ['query: token=abc', 'query: token=***'],
  ['Authorization: Basic YWRhOnNlY3JldA==', 'Authorization: ***'],
  ['sent Bearer abc.def-123 to it', 'sent Bearer *** to it'],
  ['Cookie: x-auth-token=abc; locale=en', 'Cookie: ***'],
  ['ticket: 8f7e6d for link 7', 'ticket: *** for link 7'],
  ['GET https://s3.example/b/k.png?X-Amz-Signature=ab failed', 'GET https://s3.example/b/k.png?*** failed'],
  ['cannot reach postgres://ada:pw@db.example/x', 'cannot reach postgres://***@db.example/x'],
  ['no mailbox ada.l@example.org', 'no mailbox ***@example.org'],
  ['/api/unauth/share/Qk3xV9bT2mZr8LpWc5Yd7HsJf1Gn4Ae', '/api/unauth/share/***'],
  ['eyJhbGciOi.eyJzdWIiOiIx.c2ln is expired', '*** is expired'],
  ['a -----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY----- b', 'a *** b'],
  ['device 7 of site 3: status=faulted', 'device 7 of site 3: status=faulted'],
  ['3f2b8c1d-1111-4222-8333-abcdefabcdef', '3f2b8c1d-1111-4222-8333-abcdefabcdef'],
  ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b', '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b'],
  [
    'at file:///srv/apps/server/src/links/links.store.ts:41:7',
    'at file:///srv/apps/server/src/links/links.store.ts:41:7',
  ],
])('%j is stored as %j', (text, masked) => {
  expect(maskText(text)).toBe(masked);
});

test('hostile texts are masked and cut in a short time', () => {
  const began = performance.now();
  for (const part of ['a=', '"', 'eyJa.', '-----BEGIN PRIVATE KEY-----', 'a@a.', 'https://a?', 'Aa1_', 'at (']) {
    const text = part.repeat(200_000);
    const { message, stack } = storedError(caught({ message: text, stack: text }));
    expect([message.length <= 1_000, stack!.length <= 8_000]).toEqual([true, true]);
    causeOf(caught({ message: text, stack: text }));
  }
  expect(performance.now() - began).toBeLessThan(1_000);
});

test.each([
  ['1.2.3', '1.2.3', 0],
  ['1.10.0', '1.9.9', 1],
  ['1.2', '1.2.1', -1],
  ['2.0.0-beta', '2.0.0', 0],
  ['', '1.0.0', 0],
])('version %s compared with %s is %i', (a, b, order) => {
  expect(compareVersions(a, b)).toBe(order);
});

const noon = new Date('2026-01-01T12:00:00Z');
const later = new Date('2026-01-01T13:00:00Z');
const standing = (change: Partial<ErrorStanding> = {}): ErrorStanding => ({
  ...{ state: 'solved', stateAt: noon, solvedVersion: '1.2.0', solvedIn: 'now' },
  ...change,
});

test.each<[string, Partial<ErrorStanding>, { at: Date; version: string }, boolean]>([
  ['later', {}, { at: later, version: '1.2.0' }, true],
  ['before it was solved', {}, { at: noon, version: '1.2.0' }, false],
  ['in an older page', {}, { at: later, version: '1.1.0' }, false],
  [
    'in the same version, solved with the next one',
    { solvedIn: 'nextVersion' },
    { at: later, version: '1.2.0' },
    false,
  ],
  ['in the next version', { solvedIn: 'nextVersion' }, { at: later, version: '1.3.0' }, true],
  ['while it is known', { state: 'known', solvedIn: null }, { at: later, version: '1.3.0' }, false],
  ['while it is new', { state: 'new', stateAt: null, solvedIn: null }, { at: later, version: '1.3.0' }, false],
])('an error that happens %s', (_, change, seen, returned) => {
  expect(hasReturned(standing(change), seen)).toBe(returned);
});

test.each([
  ['new', null, 'known', null, true],
  ['new', null, 'new', null, false],
  ['new', null, 'solved', 'now', true],
  ['new', null, 'solved', null, false],
  ['new', null, 'known', 'now', false],
  ['known', null, 'known', null, false],
  ['solved', 'now', 'solved', 'nextVersion', true],
  ['solved', 'now', 'solved', 'now', false],
  ['solved', 'now', 'new', null, true],
] as const)('from %s (%s) to %s (%s): %s', (state, solvedIn, toState, toSolvedIn, allowed) => {
  expect(mayChangeState({ state, solvedIn }, { state: toState, solvedIn: toSolvedIn })).toBe(allowed);
});
