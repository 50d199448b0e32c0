import { type Static, Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Exact, NullableText, Time } from '../schemas.ts';
import { Encrypted } from './access.ts';

const Email = Type.String({ format: 'email', maxLength: 254 });
/** The fragment of a link in a mail: 32 random bytes, base64url. */
const LinkToken = Type.String({ minLength: 1, maxLength: 100 });
const captchaFields = {
  captchaId: Type.String({ minLength: 1, maxLength: 200 }),
  /** the solved ALTCHA payload, base64; omitted when the captcha is off */
  captcha: Type.Optional(Type.String({ maxLength: 4_096 })),
};

/** The user whose password a link can set, and the purpose of the link. */
export const PasswordLink = Exact({
  purpose: Type.Unsafe<'resetPassword' | 'invitation'>({ type: 'string', enum: ['resetPassword', 'invitation'] }),
  userName: Type.String(),
  expiresAt: Time,
});
export type PasswordLink = Static<typeof PasswordLink>;

/** The email address of the caller's own account, and the address that is not confirmed yet. */
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
      'Send a password reset link by mail, valid once for 2 hours. The response does not reveal whether the account exists',
    nameZh: '发送找回密码邮件',
    body: Exact({ email: Email, ...captchaFields }),
    answer: Type.Null(),
  }),
  checkPasswordLink: endpoint({
    id: 'password.valid',
    method: 'POST',
    path: '/api/unauth/password/valid',
    policy: { route: 'public' },
    effect: 'session',
    summary: 'Check whether a password link is valid, and for which account. Does not use it up',
    nameZh: '校验密码链接',
    body: Exact({ token: LinkToken }),
    answer: PasswordLink,
  }),
  usePasswordLink: endpoint({
    id: 'password.reset',
    method: 'POST',
    path: '/api/unauth/password/reset',
    policy: { route: 'public' },
    effect: 'session',
    summary: 'Set a password with a link. The link is used up and all sessions of the account end',
    nameZh: '通过链接设置密码',
    body: Exact({ token: LinkToken, password: Encrypted }),
    answer: Type.Null(),
  }),
  confirmEmail: endpoint({
    id: 'email.confirm',
    method: 'POST',
    path: '/api/unauth/email/confirm',
    policy: { route: 'public' },
    effect: 'session',
    summary: 'Confirm a new email address with the link sent to it',
    nameZh: '确认新邮箱',
    body: Exact({ token: LinkToken }),
    answer: Exact({ email: Type.String() }),
  }),
  chooseFirstPassword: endpoint({
    id: 'session.chooseFirstPassword',
    method: 'POST',
    path: '/api/auth/sys/user/owner/first-password',
    policy: { route: 'common', row: 'own' },
    effect: 'session',
    summary: 'Replace a password set by someone else. Until then the session can do nothing else',
    nameZh: '设置自己的密码',
    body: Exact({ password: Encrypted }),
    answer: Type.Null(),
  }),
  readOwnEmail: endpoint({
    id: 'ownEmail.read',
    method: 'GET',
    path: '/api/auth/sys/user/owner/email',
    policy: { route: 'common', row: 'own' },
    effect: 'read',
    summary: 'Get your own email address and the unconfirmed new one',
    nameZh: '查看我的邮箱',
    answer: OwnEmail,
  }),
  changeOwnEmail: endpoint({
    id: 'ownEmail.change',
    method: 'POST',
    path: '/api/auth/sys/user/owner/email',
    policy: { route: 'common', row: 'own' },
    effect: 'session',
    summary: 'Request a new email address. A link valid once for 2 hours is sent to it, a notice to the current one',
    nameZh: '更换我的邮箱',
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
    summary: 'Cancel your request for a new email address',
    nameZh: '取消更换邮箱',
    answer: Type.Null(),
  }),
};
