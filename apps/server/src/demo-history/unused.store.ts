import { type Kysely, sql } from 'kysely';
import type { Database } from '../platform/database/schema.ts';

/**
 * True for a database that only the first start has written to: one user, no customers and devices except these, and
 * nothing that anybody did or any device reported.
 */
export async function isUnused(
  db: Kysely<Database>,
  expected: { customerCodes: readonly string[]; sns: readonly string[] },
): Promise<boolean> {
  const { rows } = await sql<{ unused: boolean }>`
    select (select count(*) from users) = 1
       and not exists (select from customers where not platform_vendor and code <> all(${[...expected.customerCodes]}::text[]))
       and not exists (select from devices where sn <> all(${[...expected.sns]}::text[]))
       and not exists (select from server_beats)
       and not exists (select from sessions)
       and not exists (select from login_logs)
       and not exists (select from action_logs)
       and not exists (select from device_states where connected_at is not null)
       and not exists (select from blacklist_entries)
       and not exists (select from transactions)
       and not exists (select from readings)
       and not exists (select from reading_batches)
       and not exists (select from alarms)
       and not exists (select from issues)
       and not exists (select from device_events)
       and not exists (select from commands)
       and not exists (select from firmware_files)
       and not exists (select from protocol_frames)
       and not exists (select from frame_batches)
       and not exists (select from traffic_hours) as unused`.execute(db);
  return rows[0]?.unused ?? false;
}

/** Key of the advisory lock of this file: any number that no other module uses. */
const LOCK = 4_213_772_232;

/** Makes servers that start at the same time look at the database one after the other, until the end of the transaction. */
export async function takeTurn(trx: Kysely<Database>): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK})`.execute(trx);
}
