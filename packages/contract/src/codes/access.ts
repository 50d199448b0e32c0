import type { CodeEntry } from '../operations/message.ts';

export const ACCESS_CODES = {
  notSignedIn: { code: 20001, en: 'You are not signed in. Sign in first.', zh: '您尚未登录，请先登录。' },
  sessionExpired: {
    code: 20002,
    en: 'Your session has expired. Please sign in again.',
    zh: '登录已过期，请重新登录。',
  },
  signedOutElsewhere: {
    code: 20003,
    en: 'You were signed out because this account signed in elsewhere or an administrator ended the session.',
    zh: '该账号已在其他地方登录或被管理员强制下线，请重新登录。',
  },
  /** 20003 with the reason: the text of `sessionEndText` */
  sessionEndedFor: { code: 20003, en: '{why}', zh: '{why}' },
  accountDisabled: {
    code: 20004,
    en: 'This account or its customer was disabled or deleted. Contact your administrator.',
    zh: '该账号或其所属客户已被停用或删除，请联系管理员。',
  },
  noPermission: {
    code: 20013,
    en: 'You do not have permission to do this. Contact your administrator.',
    zh: '您没有此操作的权限，请联系管理员。',
  },

  captchaWrong: {
    code: 10101,
    en: 'The captcha is wrong or has expired. Solve it again.',
    zh: '验证码错误或已过期，请重新验证。',
  },
  credentialsWrong: {
    code: 10102,
    en: 'User name or password is wrong. Attempts left before the account is locked: {left}.',
    zh: '用户名或密码错误，再错 {left} 次账号将被锁定。',
  },
  accountLocked: {
    code: 10103,
    en: 'Too many failed sign-ins for this account. Try again in {minutes} min.',
    zh: '该账号登录失败次数过多，请 {minutes} 分钟后再试。',
  },
  addressLocked: {
    code: 10104,
    en: 'Too many failed sign-ins from your network address. Try again in {minutes} min.',
    zh: '您的网络地址登录失败次数过多，请 {minutes} 分钟后再试。',
  },
  decryptionFailed: {
    code: 10105,
    en: '{field} could not be decrypted. Reload the page and try again.',
    zh: '{field}解密失败，请刷新页面后重试。',
  },
  privacyVersionWrong: {
    code: 10106,
    en: 'This is not the current privacy policy. Reload the page to read the newest version.',
    zh: '隐私政策版本不是最新，请刷新页面阅读最新版本。',
  },
  privacyNotAccepted: {
    code: 10107,
    en: 'Accept the privacy policy first.',
    zh: '请先同意隐私政策。',
  },
  secondFactorNeeded: {
    code: 10910,
    en: 'Enter the code from your authenticator app, or a recovery code.',
    zh: '请输入身份验证器应用中的验证码，或一个恢复码。',
  },
  secondFactorWrong: {
    code: 10911,
    en: 'The code is wrong or was already used. Attempts left before the account is locked: {left}.',
    zh: '验证码错误或已被使用，再错 {left} 次账号将被锁定。',
  },
  secondFactorDue: {
    code: 10912,
    en: 'Your role requires two-factor authentication. Set it up first.',
    zh: '您的角色要求启用两步验证，请先完成设置。',
  },
  secondFactorOn: {
    code: 10913,
    en: 'Two-factor authentication is already on. To set up another device, turn it off first.',
    zh: '两步验证已启用。如需更换设备，请先将其关闭。',
  },
  secondFactorOff: {
    code: 10914,
    en: 'Two-factor authentication is not on.',
    zh: '未启用两步验证。',
  },
  secondFactorNotBegun: {
    code: 10915,
    en: 'Start the setup first. There is no secret to confirm, or it is older than 15 minutes.',
    zh: '请先开始设置：没有待确认的密钥，或密钥已超过 15 分钟。',
  },
  secondFactorRequired: {
    code: 10916,
    en: 'Your role requires two-factor authentication. You cannot turn it off.',
    zh: '您的角色要求启用两步验证，不能关闭。',
  },
} as const satisfies Record<string, CodeEntry>;
