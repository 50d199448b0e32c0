import type { Locale } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { LinkPage } from '../../platform/mail/link-pages.ts';
import { findFollowed, storeNotify } from './reports.store.ts';

const WORDS = {
  'en-US': {
    title: 'Unsubscribe',
    text: 'End the emails about your report? You can turn them on again on the page of the report.',
    button: 'End these emails',
    done: 'You will not receive emails about this report any more. You can turn them on again on the page of the report.',
    invalid: 'This link is not valid.',
  },
  'zh-CN': {
    title: '退订邮件',
    text: '确定不再接收此报修的邮件吗？您可在报修页面重新开启邮件通知。',
    button: '不再接收此类邮件',
    done: '您将不再收到此报修的邮件，可在报修页面重新开启邮件通知。',
    invalid: '链接无效。',
  },
} as const;

export type ReportUnsubscribing = ReturnType<typeof reportUnsubscribing>;

/** The address in the headers of a mail to a reporter that ends the mails about the report (RFC 8058). */
export function unsubscribePath(token: string): string {
  return `/api/unauth/unsubscribe/report?f=${token}`;
}

/** One-click unsubscribing of reporters: it needs the link of their report and nothing else. */
export function reportUnsubscribing(db: Kysely<Database>) {
  const invalid = (locale: Locale): LinkPage => {
    const { title, invalid: text } = WORDS[locale];
    return { status: 404, title, paragraphs: [text] };
  };
  return {
    async page(token: string, locale: Locale): Promise<LinkPage> {
      if (!(await findFollowed(db, token))) return invalid(locale);
      const { title, text, button } = WORDS[locale];
      return { status: 200, title, paragraphs: [text], button };
    },

    /** Turns the mails off. Repeating it changes nothing. */
    async confirm(token: string, locale: Locale): Promise<LinkPage> {
      const report = await findFollowed(db, token);
      if (!report) return invalid(locale);
      await storeNotify(db, report.id, false);
      const { title, done } = WORDS[locale];
      return { status: 200, title, paragraphs: [done] };
    },
  };
}
