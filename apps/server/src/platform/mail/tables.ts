import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

export interface MailsTables {
  outgoing_mails: OutgoingMailsTable;
}

interface OutgoingMailsTable {
  id: GeneratedAlways<number>;
  message_id: Generated<string>;
  receiver: string;
  locale: 'en-US' | 'zh-CN';
  subject: string;
  body_text: string | null;
  body_html: string | null;
  created_at: Generated<Date>;
  secret_until: Date | null;
  attempts: Generated<number>;
  next_attempt_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  sent_at: Date | null;
  last_error: string | null;
  answer: string | null;
  unsubscribe_url: string | null;
  reply_to: string | null;
  state: ColumnType<'sent' | 'waiting' | 'failed' | 'expired', never, never>;
}
