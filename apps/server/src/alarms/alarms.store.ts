import type { AlarmKind, AlarmLevel, Scope } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import { deviceInScope } from '../platform/database/device-scope.ts';
import type { Database } from '../platform/database/schema.ts';

/** One episode of a fault. */
export interface AlarmRecord {
  id: number;
  connector: number;
  code: string;
  kind: AlarmKind;
  level: AlarmLevel;
  info: string | null;
  raisedAt: Date;
  lastAt: Date;
  repeats: number;
  clearedAt: Date | null;
}

/** One page of a device's alarm episodes, active ones first, and how many there are in all; `active` true or false narrows to those. */
export async function listAlarms(
  scope: Scope,
  db: Kysely<Database>,
  deviceId: number,
  active: boolean | undefined,
  descending: boolean,
  page: { limit: number; offset: number },
): Promise<{ items: AlarmRecord[]; total: number }> {
  const state = active === undefined ? sql`true` : active ? sql`cleared_at is null` : sql`cleared_at is not null`;
  const which = sql`device_id = ${deviceInScope(scope, deviceId)} and ${state}`;
  const direction = descending ? sql`desc` : sql`asc`;
  const [items, totals] = await Promise.all([
    sql<AlarmRecord>`
      select id, connector, code, kind, level, info, raised_at as "raisedAt", last_at as "lastAt", repeats,
             cleared_at as "clearedAt"
        from alarms where ${which}
       order by cleared_at is null desc, raised_at ${direction}, id ${direction}
       limit ${page.limit} offset ${page.offset}`.execute(db),
    sql<{ total: number }>`select count(*) as total from alarms where ${which}`.execute(db),
  ]);
  return { items: items.rows, total: totals.rows[0]?.total ?? 0 };
}
