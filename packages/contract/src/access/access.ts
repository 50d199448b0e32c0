import { DATUMS, LEVEL_AREAS, LEVEL_VERBS, MAP_KINDS } from '@chargehand/domain';
import { type Static, Type } from 'typebox';
import { LOCALES, THEMES } from '../constants.ts';
import { endpoint } from '../endpoint.ts';
import { PictureKey } from '../fleet/files.ts';
import { ListViews } from '../lists.ts';
import { Exact, Id, NullableText, Time, Words } from '../schemas.ts';
import { Impersonation } from './impersonation.ts';

const Level = Type.Integer({ minimum: 0, maximum: 5 });
/** The levels of a role: five areas, each with read, write and download (spec §3). */
export const LevelsSchema = Exact(
  Object.fromEntries(
    LEVEL_AREAS.map((area) => [area, Exact(Object.fromEntries(LEVEL_VERBS.map((verb) => [verb, Level])))]),
  ),
);

/**
 * Features that this installation turns on in the console. The sign-in page reads them with the captcha, before
 * sign-in.
 */
const Settings = Exact({
  captcha: Type.Boolean(),
  languageSwitch: Type.Boolean(),
  version: Type.String(),
});

/** What the console knows about the signed-in user (spec §3, user info response). */
export const UserInfo = Exact({
  user: Exact({
    id: Id,
    userName: Type.String(),
    nickName: Type.String(),
    avatar: PictureKey,
    customerId: Id,
    customerName: Type.String(),
    root: Type.Boolean(),
    platformVendor: Type.Boolean(),
    readOnly: Type.Boolean(),
    locale: Words(LOCALES),
    /** somebody else set the password: the user can only choose a new one or sign out */
    passwordGiven: Type.Boolean(),
    /** the role requires two-factor authentication and it is not set up: the user can only set it up or sign out */
    secondFactorDue: Type.Boolean(),
  }),
  /** the user's choice for every browser; null: not chosen, the browser decides */
  preferences: Exact({
    locale: Type.Union([Words(LOCALES), Type.Null()]),
    theme: Type.Union([Words(THEMES), Type.Null()]),
  }),
  role: Exact({
    /** permission keys of the user; root has all of them */
    auth: Type.Array(Type.String()),
    /** menus of the user, with their position in the tree */
    menu: Type.Array(Exact({ key: Type.String(), parentKey: NullableText, sort: Type.Integer() })),
    levels: LevelsSchema,
    /** false: the user sees only assigned sites, and changes only what belongs to them */
    allSites: Type.Boolean(),
  }),
  csrfToken: Type.String(),
  /** identifies this session in logs and lists; grants no access */
  tokenId: Type.String(),
  privacy: Exact({
    needConfirm: Type.Boolean(),
    content: Type.String(),
    newPrivacyPolicyVersion: Type.Union([Type.Integer(), Type.Null()]),
  }),
  /** set during impersonation: `user` and `role` are then those of the impersonated user */
  viewing: Type.Union([Impersonation, Type.Null()]),
  settings: Exact({
    ...Settings.properties,
    /** false: there is no mail server; mails are stored for root to read */
    mailsDelivered: Type.Boolean(),
    /** null: maps show coastlines only */
    mapTiles: Type.Union([
      Exact({ kind: Words(MAP_KINDS), url: Type.String(), attribution: Type.String(), datum: Words(DATUMS) }),
      Type.Null(),
    ]),
  }),
  /** where a live stream of a page that is loaded now continues: `since` of the stream */
  livePosition: Type.String(),
  /** the user's list settings, so that lists are laid out correctly on the first render */
  lists: ListViews,
});
export type UserInfo = Static<typeof UserInfo>;

/** `<base64 RSA-OAEP-SHA256 wrapped AES key>.<base64 iv>.<base64 AES-256-GCM ciphertext and tag>` (design §4). */
export const Encrypted = Type.String({ minLength: 1, maxLength: 8_192 });

export const accessEndpoints = {
  publicKey: endpoint({
    id: 'session.publicKey',
    method: 'GET',
    path: '/api/unauth/public-key',
    policy: { route: 'public' },
    effect: 'session',
    summary: 'Get the RSA public key (SPKI, base64) for encrypting sensitive fields',
    nameZh: '获取登录加密公钥',
    answer: Exact({ keyId: Type.String(), publicKey: Type.String() }),
  }),
  captcha: endpoint({
    id: 'session.captcha',
    method: 'GET',
    path: '/api/unauth/captcha',
    policy: { route: 'public' },
    effect: 'session',
    summary: 'Get a captcha challenge; its one-time id goes into the encrypted password',
    nameZh: '获取验证码',
    answer: Exact({
      captchaId: Type.String(),
      /** when the captcha expires */
      expiresAt: Time,
      required: Type.Boolean(),
      /** the ALTCHA challenge (v2), null when the captcha is off */
      challenge: Type.Unknown(),
      settings: Settings,
    }),
  }),
  info: endpoint({
    id: 'session.info',
    method: 'POST',
    path: '/api/unauth/info',
    policy: { route: 'public' },
    effect: 'session',
    summary:
      'Get the signed-in user and their permissions; includes whether they must accept the privacy policy; 20001 to 20004 without a session',
    nameZh: '获取当前用户信息',
    body: Exact({}),
    answer: UserInfo,
  }),
  login: endpoint({
    id: 'session.login',
    method: 'POST',
    path: '/api/unauth/login',
    policy: { route: 'public' },
    effect: 'session',
    summary: 'Sign in. The password is hashed (SHA-256, hex), then encrypted as `<hash>:<captchaId>`',
    nameZh: '登录',
    body: Exact({
      userName: Encrypted,
      password: Encrypted,
      /**
       * the second factor, encrypted: a code of the authenticator app or a recovery code; sent when the server requires
       * it
       */
      code: Type.Optional(Encrypted),
      captchaId: Type.String({ minLength: 1, maxLength: 200 }),
      /** the solved ALTCHA payload, base64; omitted when the captcha is off */
      captcha: Type.Optional(Type.String({ maxLength: 4_096 })),
    }),
    answer: UserInfo,
  }),
  logout: endpoint({
    id: 'session.logout',
    method: 'POST',
    path: '/api/unauth/logout',
    policy: { route: 'public' },
    effect: 'session',
    summary: 'Sign out. Does nothing without a session',
    nameZh: '退出登录',
    body: Exact({}),
    answer: Type.Null(),
  }),
  acceptPrivacy: endpoint({
    id: 'session.acceptPrivacy',
    method: 'POST',
    path: '/api/auth/sys/user/owner/privacy',
    policy: { route: 'common', row: 'own' },
    effect: 'session',
    summary: 'Accept the current privacy policy',
    nameZh: '同意隐私政策',
    body: Exact({ version: Type.Integer({ minimum: 1, maximum: 1_000_000 }) }),
    answer: Type.Null(),
  }),
};
