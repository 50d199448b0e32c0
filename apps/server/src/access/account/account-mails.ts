import { INVITATION_HOURS, type Locale, RESET_LINK_HOURS } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { Mailer } from '../../platform/mail/mailer.ts';
import { MAIL_WORDS } from './mail-words.ts';

/** The recipient of a mail about an account. */
export interface Addressee {
  userName: string;
  locale: Locale;
}

export type AccountMails = ReturnType<typeof accountMails>;

/**
 * The mails about accounts. Each is written in the transaction of its cause, in the language of its reader. The token
 * of a link is in the fragment (`#`), which browsers do not send, so that no server log contains it. The page opens in
 * the language of the mail.
 */
export function accountMails(mailer: Mailer) {
  const send = async (
    trx: Kysely<Database>,
    kind: MailKind,
    to: Addressee & { receiver: string },
    values: Record<string, string | number> = {},
    link?: { path: string; token: string; until: Date },
  ): Promise<void> => {
    const { receiver, locale, userName } = to;
    const words: MailTexts = MAIL_WORDS[kind];
    const say = (text: { en: string; zh: string }) =>
      // A nickname may contain any text. A user name contains letters and digits only.
      filled(text, locale, { ...values, userName, name: userName, product: mailer.productName(locale) });
    await mailer.queue(trx, {
      receiver,
      locale,
      subject: say(words.subject),
      paragraphs: [say(MAIL_WORDS.greeting), say(words.text)],
      notes: [...(words.validity ? [say(words.validity)] : []), say(words.otherwise)],
      signature: say(MAIL_WORDS.signature),
      ...(link && words.link
        ? {
            link: { label: say(words.link), url: `${mailer.urlOf(link.path)}?lang=${locale}#${link.token}` },
            secretUntil: link.until,
          }
        : {}),
    });
  };

  return {
    resetLink: (trx: Kysely<Database>, to: Addressee & { receiver: string }, token: string, until: Date) =>
      send(trx, 'resetPassword', to, { hours: RESET_LINK_HOURS }, { path: '/find-password/reset', token, until }),

    invitation: (trx: Kysely<Database>, to: Addressee & { receiver: string }, token: string, until: Date) =>
      send(trx, 'invitation', to, { hours: INVITATION_HOURS }, { path: '/find-password/reset', token, until }),

    emailLink: (trx: Kysely<Database>, to: Addressee & { receiver: string }, token: string, until: Date) =>
      send(trx, 'changeEmail', to, { hours: RESET_LINK_HOURS }, { path: '/find-password/email', token, until }),

    /** To the old address; `address` is the new one. */
    emailNotice: (trx: Kysely<Database>, to: Addressee & { receiver: string }, address: string) =>
      send(trx, 'emailNotice', to, { address }),
  };
}

type MailKind = 'resetPassword' | 'invitation' | 'changeEmail' | 'emailNotice';
type Text = { en: string; zh: string };
interface MailTexts {
  subject: Text;
  text: Text;
  link?: Text;
  validity?: Text;
  otherwise: Text;
}

/** Values are user input. They are shown on one line. */
function filled(text: Text, locale: Locale, values: Record<string, string | number>): string {
  const template = locale === 'zh-CN' ? text.zh : text.en;
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`A mail speaks of ${name}, which it is not given.`);
    return String(value).replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
  });
}
