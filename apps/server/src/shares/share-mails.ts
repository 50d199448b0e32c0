import type { Kysely } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import type { Mailer } from '../platform/mail/mailer.ts';
import { mailAddressOf, type ShareRecord } from './shares.store.ts';

const WORDS = {
  uploaded: {
    subject: { en: 'You received files on {product}', zh: '您在 {product} 收到了新文件' },
    text: {
      en: 'Someone uploaded "{file}" into the folder "{object}" with your upload link. This mail is sent once an hour at most; there may be more files.',
      zh: '有人通过您的上传链接向目录“{object}”上传了“{file}”。此类通知每小时最多发送一次，目录中可能还有其他新文件。',
    },
    link: { en: 'Open your shares', zh: '查看我的分享' },
    note: {
      en: 'Files of strangers can be harmful. Open only what you expected.',
      zh: '来自外部的文件可能存在风险，请仅打开您预期收到的文件。',
    },
  },
  greeting: { en: 'Hello {userName},', zh: '{userName}，您好：' },
  signature: {
    en: 'Chargehand. This is an automated message. Replies are not read.',
    zh: 'Chargehand（系统自动发送，请勿回复）',
  },
} as const;

export type ShareMails = ReturnType<typeof shareMails>;

/** The mails to creators of shares, in their language. Users without an address see the same in the console. */
export function shareMails(mailer: Mailer) {
  const send = async (
    trx: Kysely<Database>,
    kind: 'uploaded',
    share: ShareRecord,
    more: Record<string, string | number>,
  ): Promise<void> => {
    const to = await mailAddressOf(trx, share.createdBy);
    if (!to) return;
    const { receiver, locale, userName } = to;
    const values: Record<string, string | number> = {
      ...{ ...more, userName, object: share.objectName },
      product: mailer.productName(locale),
    };
    const say = (text: { en: string; zh: string }) =>
      (locale === 'zh-CN' ? text.zh : text.en).replace(/\{(\w+)\}/g, (_, name: string) =>
        // File names may contain anything. They are shown on one line.
        String(values[name]).replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' '),
      );
    const words = WORDS[kind];
    await mailer.queue(trx, {
      receiver,
      locale,
      subject: say(words.subject),
      paragraphs: [say(WORDS.greeting), say(words.text)],
      link: { label: say(words.link), url: mailer.urlOf(`/manage/attach/shares?share=${share.id}`) },
      notes: [say(words.note)],
      signature: say(WORDS.signature),
    });
  };
  return {
    /** A file arrived through an upload request. */
    uploaded: (trx: Kysely<Database>, share: ShareRecord, file: string) => send(trx, 'uploaded', share, { file }),
  };
}
