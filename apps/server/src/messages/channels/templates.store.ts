import type { Locale } from '@chargehand/contract';
import type { MessageChannel, MessageType } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { type Templates, templateKey } from './channel-texts.ts';

interface TemplateKey {
  type: MessageType;
  channel: MessageChannel;
  locale: Locale;
}

/** The templates that administrators changed. */
export async function readTemplates(db: Kysely<Database>): Promise<Templates> {
  const rows = await db
    .selectFrom('message_templates')
    .select(['type', 'channel', 'locale', 'subject', 'body'])
    .execute();
  return new Map(
    rows.map(({ type, channel, locale, subject, body }) => [
      templateKey(type as MessageType, channel as 'email', locale),
      { subject, body },
    ]),
  );
}

export async function storeTemplate(
  trx: Kysely<Database>,
  { type, channel, locale, subject, body }: TemplateKey & { subject: string; body: string },
): Promise<void> {
  await sql`
    insert into message_templates (type, channel, locale, subject, body)
    values (${type}, ${channel}, ${locale}, ${subject}, ${body})
    on conflict (type, channel, locale) do update set
      subject = excluded.subject, body = excluded.body, updated_at = now()`.execute(trx);
}

/** The text of the product is used again. */
export async function deleteTemplate(trx: Kysely<Database>, { type, channel, locale }: TemplateKey): Promise<void> {
  await trx
    .deleteFrom('message_templates')
    .where('type', '=', type)
    .where('channel', '=', channel)
    .where('locale', '=', locale)
    .execute();
}

/** The ID of the latest incident that a message of a type is about; null: there is none. */
export async function latestIncidentOf(db: Kysely<Database>, type: MessageType): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    select id from incidents
     where ${type === 'recovery' ? sql`recovered_at is not null` : sql`type = ${type}`}
     order by last_at desc limit 1`.execute(db);
  return rows[0]?.id ?? null;
}
