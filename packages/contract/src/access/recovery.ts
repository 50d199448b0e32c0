import { type Static, Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Exact, NullableText, Time } from '../schemas.ts';
import { Encrypted } from './access.ts';

const Email = Type.String({ format: 'email', maxLength: 254 });
/** What a mail's link carries after `#`: 32 random bytes, base64url. */
const LinkToken = Type.String({ minLength: 1, maxLength: 100 });
const captchaFields = {
  captchaId: Type.String({ minLength: 1, maxLength: 200 }),
  /** the solved ALTCHA payload, base64; absent when the captcha is off */
  captcha: Type.Optional(Type.String({ maxLength: 4_096 })),
};

/** Whose password a link may set, and why. */
export const PasswordLink = Exact({
  purpose: Type.Unsafe<'resetPassword' | 'invitation'>({ type: 'string', enum: ['resetPassword', 'invitation'] }),
  userName: Type.String(),
  expiresAt: Time,
});
export type PasswordLink = Static<typeof PasswordLink>;

/** The email address of the caller's own account, and the one that waits to be confirmed. */
export const OwnEmail = Exact({
  email: NullableText,
  pending: Type.Union([Exact({ email: Type.String(), expiresAt: Time }), Type.Null()]),
});
export type OwnEmail = Static<typeof OwnEmail>;

export const recoveryEndpoints = {
  sendPasswordLink: endpoint({
    id: 'password.email',
    method: 'POST',
    path: '/api/unauth/password/email',
    policy: { route: 'public' },
    effect: 'session',
    summary:
      'Forgotten password: a link by mail, valid 2 hours and once; the answer is the same whoever has the address',
    body: Exact({ email: Email, ...captchaFields }),
    answer: Type.Null(),
  }),
  checkPasswordLink: endpoint({
    id: 'password.valid',
    method: 'POST',
    path: '/api/unauth/password/valid',
    policy: { route: 'public' },
    effect: 'session',
    summary: 'Whether a link to choose a password still holds, and for whom; it is not used up',
    body: Exact({ token: LinkToken }),
    answer: PasswordLink,
  }),
  usePasswordLink: endpoint({
    id: 'password.reset',
    method: 'POST',
    path: '/api/unauth/password/reset',
    policy: { route: 'public' },
    effect: 'session',
    summary: 'Choose a password by a link, which is used up; every session of the account ends',
    body: Exact({ token: LinkToken, password: Encrypted }),
    answer: Type.Null(),
  }),
  confirmEmail: endpoint({
    id: 'email.confirm',
    method: 'POST',
    path: '/api/unauth/email/confirm',
    policy: { route: 'public' },
    effect: 'session',
    summary: 'Confirm the new email address of an account by the link sent there, which is used up',
    body: Exact({ token: LinkToken }),
    answer: Exact({ email: Type.String() }),
  }),
  chooseFirstPassword: endpoint({
    id: 'session.chooseFirstPassword',
    method: 'POST',
    path: '/api/auth/sys/user/owner/first-password',
    policy: { route: 'common', row: 'own' },
    effect: 'session',
    summary: 'Replace a password that somebody else set: until then a session may do nothing else',
    body: Exact({ password: Encrypted }),
    answer: Type.Null(),
  }),
  readOwnEmail: endpoint({
    id: 'ownEmail.read',
    method: 'GET',
    path: '/api/auth/sys/user/owner/email',
    policy: { route: 'common', row: 'own' },
    effect: 'read',
    summary: 'The email address of the own account, and the one that waits to be confirmed',
    answer: OwnEmail,
  }),
  changeOwnEmail: endpoint({
    id: 'ownEmail.change',
    method: 'POST',
    path: '/api/auth/sys/user/owner/email',
    policy: { route: 'common', row: 'own' },
    effect: 'session',
    summary:
      'Ask for another address: a link goes there, valid 2 hours and once, a notice to the present one, which stays until then',
    body: Exact({
      email: Email,
      /** encrypted */
      currentPassword: Encrypted,
    }),
    answer: Type.Null(),
  }),
  keepOwnEmail: endpoint({
    id: 'ownEmail.keep',
    method: 'DELETE',
    path: '/api/auth/sys/user/owner/email',
    policy: { route: 'common', row: 'own' },
    effect: 'session',
    summary: 'Take back the wish for another address; harmless without one',
    answer: Type.Null(),
  }),
};
