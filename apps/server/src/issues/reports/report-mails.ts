import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { Mailer } from '../../platform/mail/mailer.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { unsubscribePath } from './report-unsubscribing.ts';
import { listReporters } from './reports.store.ts';

const WORDS = {
  answered: {
    subject: { en: 'There is an answer to your report', zh: '您的报修有了新回复' },
    text: {
      en: 'Someone answered your report about {place}. Open it to read the answer and to reply.',
      zh: '您关于“{place}”的报修有了新回复，请打开链接查看和回复。',
    },
  },
  closed: {
    subject: { en: 'Your report was closed', zh: '您的报修已处理完毕' },
    text: {
      en: 'The problem that you reported about {place} is closed. Open the report to read how it ended. If the problem is still there, reply to it.',
      zh: '您报告的“{place}”的问题已处理完毕，请打开链接查看处理结果。如问题仍然存在，请直接回复。',
    },
  },
  unknownPlace: { en: 'a charging station', zh: '充电桩' },
  greeting: { en: 'Hello,', zh: '您好：' },
  link: { en: 'Open your report', zh: '查看报修' },
  note: {
    en: 'You get this mail because this address was left with a report. Mails can be turned off on the page of the report. Anyone who has the link can read the report and reply to it.',
    zh: '您收到此邮件，是因为报修时留下了该邮箱。可在报修页面关闭邮件通知。持有此链接的人均可查看和回复该报修。',
  },
  signature: {
    en: 'Chargehand. This is an automated message. Replies are not read.',
    zh: 'Chargehand（系统自动发送，请勿回复）',
  },
} as const;

export type ReportMails = ReturnType<typeof reportMails>;

/** Mails to reporters who left an address, in their language. They contain nothing of the issue, only the link. */
export function reportMails(mailer: Pick<Mailer, 'queue' | 'urlOf'>, box: SecretBox) {
  return {
    /** Announces an answer to its reporter, or that an issue was closed to all reporters. */
    async announce(
      trx: Kysely<Database>,
      issueId: number,
      occasion: 'answered' | 'closed',
      reportId?: number,
    ): Promise<void> {
      for (const { token, contact, locale, place } of await listReporters(trx, issueId, box, reportId)) {
        const say = (text: { en: string; zh: string }) => (locale === 'zh-CN' ? text.zh : text.en);
        const { subject, text } = WORDS[occasion];
        await mailer.queue(trx, {
          ...{ receiver: contact, locale, subject: say(subject) },
          paragraphs: [say(WORDS.greeting), say(text).replace('{place}', () => place || say(WORDS.unknownPlace))],
          unsubscribeUrl: mailer.urlOf(unsubscribePath(token)),
          link: { label: say(WORDS.link), url: mailer.urlOf(`/share/issue?f=${token}`) },
          notes: [say(WORDS.note)],
          signature: say(WORDS.signature),
        });
      }
    },
  };
}
