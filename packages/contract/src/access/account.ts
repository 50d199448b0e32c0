import { type Static, Type } from 'typebox';
import { LOCALES, THEMES } from '../constants.ts';
import { endpoint } from '../endpoint.ts';
import { Exact, Id, IdParams, NullableText, Time, Words } from '../schemas.ts';
import { Encrypted } from './access.ts';

/** The caller's own account, as the account page shows it. */
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
  /** recent sign-in attempts with this user name, newest first */
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
  /** the session of the caller */
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
    summary: 'Get your own account with its recent sign-ins',
    nameZh: '查看我的账号',
    answer: Account,
  }),
  updateAccount: endpoint({
    id: 'account.update',
    method: 'PATCH',
    path,
    policy: { route: { keys: ['auth_my'] }, row: 'own' },
    effect: 'update',
    summary: 'Update your own account. The user name cannot be changed; the email address is changed by mail',
    nameZh: '编辑我的账号',
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
    summary: 'Change your own password. Both passwords are encrypted; all your other sessions end',
    nameZh: '修改密码',
    body: Exact({ currentPassword: Encrypted, password: Encrypted }),
    answer: Exact({ ended: Type.Integer() }),
  }),
  setPreferences: endpoint({
    id: 'account.setPreferences',
    method: 'PATCH',
    path: `${path}/preferences`,
    policy: { route: 'common', row: 'own' },
    effect: 'session',
    summary: 'Save language and theme to your own account',
    nameZh: '设置语言与主题',
    body: Exact({ locale: Type.Optional(Words(LOCALES)), theme: Type.Optional(Words(THEMES)) }),
    answer: Type.Null(),
  }),
  listOwnSessions: endpoint({
    id: 'account.sessions',
    method: 'GET',
    path: `${path}/sessions`,
    policy: { route: { keys: ['auth_my'] }, row: 'own' },
    effect: 'list',
    summary: 'List your own sessions, the current one first',
    nameZh: '查询我的登录会话',
    answer: Exact({ items: Type.Array(OwnSession) }),
  }),
  endOwnSession: endpoint({
    id: 'account.endSession',
    method: 'POST',
    path: `${path}/sessions/:id/sign-out`,
    policy: { route: { keys: ['auth_my'] }, row: 'own' },
    effect: 'session',
    summary: 'End one of your other sessions',
    nameZh: '结束我的某个登录会话',
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
    summary: 'End all your other sessions',
    nameZh: '结束我的其他登录会话',
    body: Exact({}),
    answer: Exact({ ended: Type.Integer() }),
  }),
};
