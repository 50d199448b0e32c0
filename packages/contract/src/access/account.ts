import { type Static, Type } from 'typebox';
import { LOCALES, THEMES } from '../constants.ts';
import { endpoint } from '../endpoint.ts';
import { Exact, Id, IdParams, NullableText, Time, Words } from '../schemas.ts';
import { Encrypted } from './access.ts';

/** One's own account as its page shows it. */
export const Account = Exact({
  id: Id,
  userName: Type.String(),
  nickName: Type.String(),
  contact: Type.String(),
  email: NullableText,
  customerName: Type.String(),
  roleName: NullableText,
  root: Type.Boolean(),
  customerAccess: Type.Union([Type.Integer({ minimum: 0, maximum: 2 }), Type.Null()]),
  siteAccess: Type.Union([Type.Integer({ minimum: 0, maximum: 1 }), Type.Null()]),
  createdAt: Time,
  /** what was tried with this user name lately, newest first */
  signIns: Type.Array(
    Exact({
      id: Type.Integer(),
      at: Time,
      succeeded: Type.Boolean(),
      address: Type.String(),
      userAgent: Type.String(),
    }),
  ),
});
export type Account = Static<typeof Account>;

export const OwnSession = Exact({
  id: Id,
  address: Type.String(),
  userAgent: Type.String(),
  since: Time,
  lastSeenAt: Time,
  /** the session that asks */
  current: Type.Boolean(),
});
export type OwnSession = Static<typeof OwnSession>;

const path = '/api/auth/sys/account';

export const accountEndpoints = {
  readAccount: endpoint({
    id: 'account.read',
    method: 'GET',
    path,
    policy: { route: { keys: ['auth_my'] }, row: 'own' },
    effect: 'read',
    summary: 'The account of the caller with its latest sign-ins',
    answer: Account,
  }),
  updateAccount: endpoint({
    id: 'account.update',
    method: 'PATCH',
    path,
    policy: { route: { keys: ['auth_my'] }, row: 'own' },
    effect: 'update',
    summary: 'Change what people enter of themselves; the user name stays, the email is changed by mail',
    body: Exact({
      nickName: Type.Optional(Type.String({ maxLength: 64 })),
      contact: Type.Optional(Type.String({ maxLength: 100 })),
    }),
    answer: Type.Null(),
  }),
  changePassword: endpoint({
    id: 'account.changePassword',
    method: 'POST',
    path: `${path}/password`,
    policy: { route: { keys: ['auth_my'] }, row: 'own' },
    effect: 'session',
    summary: 'Change the password of the caller, both encrypted; every other session of theirs ends',
    body: Exact({ currentPassword: Encrypted, password: Encrypted }),
    answer: Exact({ ended: Type.Integer() }),
  }),
  setPreferences: endpoint({
    id: 'account.setPreferences',
    method: 'PATCH',
    path: `${path}/preferences`,
    policy: { route: 'common', row: 'own' },
    effect: 'session',
    summary: 'Keep language and theme on the account of the caller, so that they follow to another browser',
    body: Exact({ locale: Type.Optional(Words(LOCALES)), theme: Type.Optional(Words(THEMES)) }),
    answer: Type.Null(),
  }),
  listOwnSessions: endpoint({
    id: 'account.sessions',
    method: 'GET',
    path: `${path}/sessions`,
    policy: { route: { keys: ['auth_my'] }, row: 'own' },
    effect: 'list',
    summary: 'Where the caller is signed in, this session first',
    answer: Exact({ items: Type.Array(OwnSession) }),
  }),
  endOwnSession: endpoint({
    id: 'account.endSession',
    method: 'POST',
    path: `${path}/sessions/:id/sign-out`,
    policy: { route: { keys: ['auth_my'] }, row: 'own' },
    effect: 'session',
    summary: 'Sign the caller out of another of their sessions',
    params: IdParams,
    body: Exact({}),
    answer: Type.Null(),
  }),
  endOtherSessions: endpoint({
    id: 'account.endOtherSessions',
    method: 'POST',
    path: `${path}/sessions/sign-out`,
    policy: { route: { keys: ['auth_my'] }, row: 'own' },
    effect: 'session',
    summary: 'Sign the caller out everywhere but here',
    body: Exact({}),
    answer: Exact({ ended: Type.Integer() }),
  }),
};
