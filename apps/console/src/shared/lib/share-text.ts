import { i18n } from '../i18n/i18n.ts';

/** The link of a share, for its visitors. */
export function shareLink(token: string): string {
  return `${location.origin}/share/file?s=${token}`;
}

/** What its creator sends to a visitor: the link, and the code if the share has one. Needs the words of `shares`. */
export function shareText(token: string, code: string | null): string {
  const link = shareLink(token);
  return code === null ? link : i18n.t('shares:copyText', { link, code });
}
