import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/schema.ts';

declare module '../database/schema.ts' {
  interface Database {
    outgoing_holds: { held: boolean; since: Date };
  }
}

/** The file in the data folder that a restore leaves for the next start. */
export const RESTORED = 'restore.done';

/** True while mails, webhooks and push messages may be sent. In the statement that claims them, so that none escapes. */
export const MAY_LEAVE = sql<boolean>`not exists (select from outgoing_holds)`;

/** Holds what would be sent, if the data folder was restored since the last start. @returns whether it is held now */
export async function holdAfterRestore(db: Kysely<Database>, dataFolder: string): Promise<boolean> {
  const marker = join(dataFolder, RESTORED);
  if (existsSync(marker)) {
    await sql`insert into outgoing_holds default values on conflict do nothing`.execute(db);
    await rm(marker);
  }
  return (await db.selectFrom('outgoing_holds').select('since').executeTakeFirst()) !== undefined;
}

/** Ends the hold, and wakes what sends. @returns its start; null: nothing was held */
export async function releaseOutgoing(trx: Kysely<Database>): Promise<Date | null> {
  const { rows } = await sql<{ since: Date }>`delete from outgoing_holds returning since`.execute(trx);
  await sql`
    select pg_notify(channel, '') from unnest(array['outgoing_mails', 'message_sends', 'webhook_deliveries']) channel`.execute(
    trx,
  );
  return rows[0]?.since ?? null;
}
