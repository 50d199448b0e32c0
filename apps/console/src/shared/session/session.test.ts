import type { UserInfo } from '@chargehand/contract';
import { expect, it } from 'vitest';
import { endedSession, holderOf, type Session, sessionOf } from './session.ts';

const info = { user: { userName: 'ada', root: false }, role: { auth: ['auth_home'] } } as unknown as UserInfo;
const signedIn = sessionOf(info);
const anonymous: Session = { status: 'anonymous' };
const end = { code: 20002, message: 'Your session has expired.' };

it('tells a signed-in user that the session ended, and keeps the page behind the dialog', () => {
  const ended = endedSession(signedIn, end, '/api/auth/sys/devices');
  expect(ended).toMatchObject({ status: 'ended', end });
  expect(holderOf(ended).keys.has('auth_home')).toBe(true);
});

it.each<[string, Session, string]>([
  ['the info call', signedIn, '/api/unauth/info'],
  ['a user who was not signed in', anonymous, '/api/auth/sys/devices'],
  ['a start that failed', { status: 'failed' }, '/api/auth/sys/devices'],
])('shows nothing to %s', (_title, before, path) => {
  expect(endedSession(before, end, path)).toEqual({ status: 'anonymous' });
});

it('keeps the first reason when several calls fail at once', () => {
  const first = endedSession(signedIn, end, '/a');
  expect(endedSession(first, { code: 20001, message: 'second' }, '/b')).toBe(first);
});

it('gives no permission without a user', () => {
  expect(holderOf(anonymous)).toMatchObject({ root: false });
  expect(holderOf(anonymous).keys.size).toBe(0);
});
