import type { AttemptReason } from '@chargehand/contract';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { anywhere } from '../../platform/database/patterns.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { ConnectionAttempt } from '../../ports/devices/connection-attempts.ts';

/** Attempts of one address for one target with the same reason. */
export interface AttemptRecord {
  id: number;
  gateway: ConnectionAttempt['gateway'];
  remoteAddress: string;
  target: string;
  reason: AttemptReason;
  protocols: string | null;
  deviceId: number | null;
  firstAt: Date;
  lastAt: Date;
  attempts: number;
}

const COLUMNS = sql`
  id, gateway, remote_address as "remoteAddress", target, reason, protocols, device_id as "deviceId",
  first_at as "firstAt", last_at as "lastAt", attempts`;

/** One page of the attempts, the latest first, and the total number. The caller has checked the permission. */
export async function listAttempts(
  db: Kysely<Database>,
  search: string | undefined,
  latestFirst: boolean,
  page: { limit: number; offset: number },
): Promise<{ items: AttemptRecord[]; total: number }> {
  const direction = latestFirst ? sql`desc` : sql`asc`;
  const [items, totals] = await Promise.all([
    sql<AttemptRecord>`
      select ${COLUMNS} from connection_attempts where ${found(search)}
       order by last_at ${direction}, id ${direction} limit ${page.limit} offset ${page.offset}`.execute(db),
    sql<{ total: number }>`select count(*) as total from connection_attempts where ${found(search)}`.execute(db),
  ]);
  return { items: items.rows, total: totals.rows[0]?.total ?? 0 };
}

function found(search: string | undefined): RawBuilder<SqlBool> {
  if (search === undefined) return sql<SqlBool>`true`;
  return sql<SqlBool>`(remote_address || ' ' || target) ilike ${anywhere(search)}`;
}

/** The latest refused attempt that named a device; null when there was none. */
export async function findLastAttemptOf(db: Kysely<Database>, deviceId: number): Promise<AttemptRecord | null> {
  const { rows } = await sql<AttemptRecord>`
    select ${COLUMNS} from connection_attempts where device_id = ${deviceId}
     order by last_at desc limit 1`.execute(db);
  return rows[0] ?? null;
}

/** Adds attempts to the stored counts. A device that was removed meanwhile is left out of its row. */
export async function addAttempts(
  db: Kysely<Database>,
  attempts: readonly (ConnectionAttempt & { attempts: number })[],
): Promise<void> {
  await sql`
    insert into connection_attempts as known (gateway, remote_address, target, reason, protocols, device_id, attempts)
    select gateway, "remoteAddress", target, reason, protocols,
           (select d.id from devices d where d.id = attempt."deviceId"), attempts
      from jsonb_to_recordset(${JSON.stringify(attempts)}::jsonb) as attempt
           (gateway text, "remoteAddress" text, target text, reason text, protocols text, "deviceId" int, attempts int)
     order by gateway, "remoteAddress", target, reason
        on conflict (gateway, remote_address, target, reason) do update
       set last_at = now(), protocols = coalesce(excluded.protocols, known.protocols), device_id = excluded.device_id,
           attempts = least(known.attempts::bigint + excluded.attempts, 2147483647)`.execute(db);
}

/** Removes the oldest rows until at most `keep` are left, and at most `limitOfAddress` for one address. */
export async function trimAttempts(db: Kysely<Database>, keep: number, limitOfAddress: number): Promise<void> {
  await sql`
    delete from connection_attempts where id in (
      select id from (
        select id, row_number() over (order by last_at desc, id desc) as place,
               row_number() over (partition by remote_address order by last_at desc, id desc) as place_of_address
          from connection_attempts) ranked
       where place > ${keep} or place_of_address > ${limitOfAddress})`.execute(db);
}
