import type { SessionDecision } from '@chargehand/contract';
import type { Scope, SessionEndCause } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { deviceInScope, duringStayInScope } from '../../ports/devices/device-scope.ts';

/** One charging session. */
export interface TransactionRecord {
  id: number;
  connector: number;
  idTag: string;
  startedAt: Date;
  stoppedAt: Date | null;
  meterStart: number;
  meterStop: number | null;
  stopReason: string | null;
  stopCause: SessionEndCause | null;
  closedBy: string | null;
  closeComment: string | null;
  clockFault: boolean;
  decision: SessionDecision | null;
}

/** The time of a session: by our clock when the device's own was wrong. */
const HAPPENED_AT = sql`case when clock_fault then coalesce(recorded_at, started_at) else started_at end`;

/** One page of a device's charging sessions in the order of their start, and their total number. */
export async function listTransactions(
  scope: Scope,
  db: Kysely<Database>,
  deviceId: number,
  descending: boolean,
  page: { limit: number; offset: number },
): Promise<{ items: TransactionRecord[]; total: number }> {
  const direction = descending ? sql`desc` : sql`asc`;
  const which = sql`device_id = ${deviceInScope(scope, deviceId)} and ${duringStayInScope(scope, deviceId, HAPPENED_AT)}`;
  const [items, totals] = await Promise.all([
    sql<TransactionRecord>`
      select id, connector, id_tag as "idTag", started_at as "startedAt", stopped_at as "stoppedAt",
             meter_start as "meterStart", meter_stop as "meterStop", stop_reason as "stopReason",
             stop_cause as "stopCause", closed_by_name as "closedBy", close_comment as "closeComment",
             clock_fault as "clockFault", decision
        from transactions where ${which}
       order by started_at ${direction}, id ${direction} limit ${page.limit} offset ${page.offset}`.execute(db),
    sql<{ total: number }>`select count(*) as total from transactions where ${which}`.execute(db),
  ]);
  return { items: items.rows, total: totals.rows[0]?.total ?? 0 };
}

/** A charging session of a device in scope; null when it has none with this id. */
export async function findTransaction(
  scope: Scope,
  db: Kysely<Database>,
  deviceId: number,
  id: number,
): Promise<{ connector: number } | null> {
  const { rows } = await sql<{ connector: number }>`
    select connector from transactions
     where id = ${id} and device_id = ${deviceInScope(scope, deviceId)}
       and ${duringStayInScope(scope, deviceId, HAPPENED_AT)}`.execute(db);
  return rows[0] ?? null;
}

/** Ends a charging session now, unless it has ended. Returns whether it was open. */
export async function closeOpenTransaction(
  db: Kysely<Database>,
  id: number,
  end: { stop_reason: string; stop_cause: SessionEndCause; closed_by_name: string; close_comment: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('transactions')
    .set({ ...end, stopped_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('stopped_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
