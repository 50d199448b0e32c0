import type { Locale } from '../constants.ts';

/** Why an administrator ends a session. They select one of these and may add a note. */
export const KICK_CAUSES = ['maintenance', 'security', 'rights', 'other'] as const;
export type KickCause = (typeof KICK_CAUSES)[number];

/**
 * Why a session was ended: by an administrator (`KICK_CAUSES`), by its user from another browser, or because of a
 * changed password.
 */
export type EndCause = KickCause | 'owner' | 'password';

/** The text that the user of an ended session sees, in their language. */
const CAUSE_WORDS: Record<EndCause, { en: string; zh: string }> = {
  maintenance: {
    en: 'An administrator ended your session because of maintenance work.',
    zh: '因系统维护，管理员已结束您的登录。',
  },
  security: {
    en: 'An administrator ended your session for security reasons.',
    zh: '出于安全考虑，管理员已结束您的登录。',
  },
  rights: {
    en: 'An administrator ended your session because your account or its permissions are being changed.',
    zh: '您的账号或权限正在调整，管理员已结束您的登录。',
  },
  other: { en: 'An administrator ended your session.', zh: '管理员已结束您的登录。' },
  owner: { en: 'You ended this session from another browser.', zh: '您已在其他浏览器中结束了此处的登录。' },
  password: {
    en: 'Your password was changed, so this session was ended. Sign in with the new password.',
    zh: '您的密码已修改，此处的登录已结束，请使用新密码登录。',
  },
};

/** Why a session was ended, for its user: the cause in their language, followed by the note. */
export function sessionEndText(cause: EndCause, note: string | null, locale: Locale): string {
  const chinese = locale === 'zh-CN';
  const why = chinese ? CAUSE_WORDS[cause].zh : CAUSE_WORDS[cause].en;
  if (!note) return why;
  return chinese ? `${why}说明：${note}` : `${why} Note: ${note}`;
}
