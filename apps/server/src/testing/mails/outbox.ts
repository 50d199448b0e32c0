import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';

/** The mails in the outbox for an address, the newest first. */
export async function mailsTo(db: Kysely<Database>, receiver: string) {
  return await db
    .selectFrom('outgoing_mails')
    .selectAll()
    .where('receiver', '=', receiver)
    .orderBy('id', 'desc')
    .execute();
}
