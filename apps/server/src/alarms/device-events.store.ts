import type { Scope } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import { deviceInScope } from '../platform/database/device-scope.ts';
import type { Database } from '../platform/database/schema.ts';

/** Something that happened to a device, and when it was over. */
export interface DeviceEventRecord {
  id: number;
  type: number;
  connector: number;
  at: Date;
  code: string;
  detail: string | null;
  endedAt: Date | null;
}

/** One page of a device's events in the order of time, and how many there are in all. */
export async function listDeviceEvents(
  scope: Scope,
  db: Kysely<Database>,
  deviceId: number,
  type: number | undefined,
  descending: boolean,
  page: { limit: number; offset: number },
): Promise<{ items: DeviceEventRecord[]; total: number }> {
  const which = sql`device_id = ${deviceInScope(scope, deviceId)} and ${type === undefined ? sql`true` : sql`type = ${type}`}`;
  const direction = descending ? sql`desc` : sql`asc`;
  const [items, totals] = await Promise.all([
    sql<DeviceEventRecord>`
      select id, type, connector, at, code, detail, ended_at as "endedAt" from device_events where ${which}
       order by at ${direction}, id ${direction} limit ${page.limit} offset ${page.offset}`.execute(db),
    sql<{ total: number }>`select count(*) as total from device_events where ${which}`.execute(db),
  ]);
  return { items: items.rows, total: totals.rows[0]?.total ?? 0 };
}
