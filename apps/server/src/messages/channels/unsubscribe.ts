import { createHmac, timingSafeEqual } from 'node:crypto';
import { fillText, type Locale } from '@chargehand/contract';
import { isFaultType, MESSAGE_TYPES, type MessageType, messageSettingOf } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { LinkPage } from '../../platform/mail/link-pages.ts';
import { findCandidates } from '../incidents/receivers.store.ts';

export type Unsubscribing = ReturnType<typeof unsubscribing>;

const WORDS = {
  'en-US': {
    title: 'Unsubscribe',
    text: 'End these emails? You still find the messages in {product}, and you can turn the emails on again in the message settings.',
    button: 'End these emails',
    done: 'You will not receive these emails any more. You can turn them on again in the message settings of {product}.',
    onDuty: 'While you are on call, you still receive emails about faults and recoveries.',
    invalid: 'This link is not valid. Sign in to {product} and change the message settings.',
  },
  'zh-CN': {
    title: '退订邮件',
    text: '确定不再接收此类邮件吗？您仍可在 {product} 中查看消息，也可在“消息设置”中重新开启邮件。',
    button: '不再接收此类邮件',
    done: '您将不再收到此类邮件，可在 {product} 的“消息设置”中重新开启。',
    onDuty: '值班期间，您仍会收到故障和恢复消息的邮件。',
    invalid: '链接无效。请登录 {product}，在“消息设置”中修改。',
  },
} as const;

/**
 * One-click unsubscribing (RFC 8058): a link in the headers of a mail turns off the mails of its types for its receiver,
 * without sign-in. It does nothing else and never expires.
 */
export function unsubscribing(parts: {
  db: Kysely<Database>;
  key: string;
  clock: Clock;
  urlOf: (path: string) => string;
  /** the name of the product in a language */
  productName: (locale: Locale) => string;
}) {
  const { db, key, clock, urlOf, productName } = parts;
  const wordsIn = (locale: Locale, name: 'text' | 'done' | 'invalid') =>
    fillText(WORDS[locale][name], { product: productName(locale) });
  const sign = (text: string) => createHmac('sha256', key).update(`unsubscribe ${text}`).digest('base64url');

  function read(token: string): { userId: number; types: MessageType[] } | null {
    const [userId = '', types = '', signature = ''] = token.split('.');
    const expected = Buffer.from(sign(`${userId}.${types}`));
    const given = Buffer.from(signature);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
    return { userId: Number(userId), types: MESSAGE_TYPES.filter((type) => types.split('-').includes(type)) };
  }

  const page = (locale: Locale, text: 'text' | 'done', types: readonly MessageType[]) => {
    const words = WORDS[locale];
    // Being on duty comes before the settings of a user (`messageSettingOf`).
    const goesOn = types.some((type) => isFaultType(type) || type === 'recovery') ? [words.onDuty] : [];
    return { status: 200 as const, title: words.title, paragraphs: [wordsIn(locale, text), ...goesOn] };
  };
  const invalid = (locale: Locale): LinkPage => ({
    ...{ status: 404, title: WORDS[locale].title },
    paragraphs: [wordsIn(locale, 'invalid')],
  });

  return {
    /** The link for a mail; undefined when all of it is about the security of the account. */
    urlFor(userId: number, types: readonly MessageType[]): string | undefined {
      const kept = [...new Set(types)].filter((type) => type !== 'accountSecurity').sort();
      if (kept.length === 0) return undefined;
      const text = `${userId}.${kept.join('-')}`;
      return urlOf(`/api/unauth/unsubscribe?token=${text}.${sign(text)}`);
    },

    page(token: string, locale: Locale): LinkPage {
      const request = read(token);
      if (!request) return invalid(locale);
      return { ...page(locale, 'text', request.types), button: WORDS[locale].button };
    },

    /** Turns the mails off. Repeating it changes nothing. */
    async confirm(token: string, locale: Locale): Promise<LinkPage> {
      const request = read(token);
      if (!request) return invalid(locale);
      const { userId, types } = request;
      await db.transaction().execute(async (trx) => {
        const [user] = await findCandidates(trx, { userIds: [userId] }, clock.now());
        if (!user) return;
        const { emailAlarm } = user;
        const settings = types.map((type) => {
          const facts = { own: user.own[type] ?? null, role: user.role[type] ?? null, emailAlarm };
          const { setting } = messageSettingOf(type, { ...facts, siteReceiver: false, onCall: false });
          return { type, ...setting };
        });
        await sql`
          insert into message_settings (user_id, type, in_app, email, push, delayed)
          select ${userId}, s.type, s."inApp", false, s.push, s.delayed
            from jsonb_to_recordset(${JSON.stringify(settings)}::jsonb) as s (
              type text, "inApp" boolean, push boolean, delayed boolean)
          on conflict (user_id, type) do update set email = false`.execute(trx);
      });
      return page(locale, 'done', types);
    },
  };
}
