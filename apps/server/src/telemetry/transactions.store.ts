import type { Scope } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import { deviceInScope } from '../platform/database/device-scope.ts';
import type { Database } from '../platform/database/schema.ts';

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
}

/** One page of a device's charging sessions in the order of their start, and how many there are in all. */
export async function listTransactions(
  scope: Scope,
  db: Kysely<Database>,
  deviceId: number,
  descending: boolean,
  page: { limit: number; offset: number },
): Promise<{ items: TransactionRecord[]; total: number }> {
  const direction = descending ? sql`desc` : sql`asc`;
  const which = sql`device_id = ${deviceInScope(scope, deviceId)}`;
  const [items, totals] = await Promise.all([
    sql<TransactionRecord>`
      select id, connector, id_tag as "idTag", started_at as "startedAt", stopped_at as "stoppedAt",
             meter_start as "meterStart", meter_stop as "meterStop", stop_reason as "stopReason"
        from transactions where ${which}
       order by started_at ${direction}, id ${direction} limit ${page.limit} offset ${page.offset}`.execute(db),
    sql<{ total: number }>`select count(*) as total from transactions where ${which}`.execute(db),
  ]);
  return { items: items.rows, total: totals.rows[0]?.total ?? 0 };
}
