import type { Scope } from '@chargehand/domain';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../../../platform/database/schema.ts';
import { withinScope } from '../../../platform/database/scope.ts';
import { batchTimes, type FrameFilters, frameConditions, keysWanted } from '../frames.store.ts';
import type { FleetFilters } from './fleet-frames.store.ts';

export interface LoggedDevice {
  id: number;
  sn: string;
  deviceModelId: number;
  protocol: string | null;
}

const AT_ONCE = 500;

/**
 * The devices of a scope that may have matching frames, by their IDs, with the protocol that they use. Most devices of a
 * large fleet have none, and must not cost a query each.
 */
export async function* listLoggedDevices(
  scope: Scope,
  db: Kysely<Database>,
  filters: FleetFilters,
): AsyncGenerator<LoggedDevice> {
  const { deviceId, siteId } = filters;
  const wanted = [
    withinScope(scope, 'd.customer_id', 'd.site_id'),
    mayHaveFrames(filters),
    ...(deviceId === undefined ? [] : [sql`d.id = ${deviceId}`]),
    ...(siteId === undefined
      ? []
      : [sql`d.id in (select stay.device_id from device_stays stay where stay.site_id = ${siteId})`]),
  ];
  for (let after = 0; ; ) {
    const { rows } = await sql<LoggedDevice>`
      select d.id, d.sn, d.device_model_id as "deviceModelId", s.protocol
        from devices d left join device_states s on s.device_id = d.id
       where d.id > ${after} and ${sql.join(wanted, sql` and `)} order by d.id limit ${AT_ONCE}`.execute(db);
    yield* rows;
    if (rows.length < AT_ONCE) return;
    after = rows.at(-1)!.id;
  }
}

/** True for devices `d` with batches or frames that may match. Texts are not compared here: that needs all frames. */
function mayHaveFrames({ search: _, ...filters }: FrameFilters): RawBuilder<SqlBool> {
  const keys = keysWanted(filters).map((key) => sql<SqlBool>`${key} = any(keys)`);
  const batches = sql.join([sql`device_id = d.id`, ...keys, ...batchTimes(filters)], sql` and `);
  const frames = sql.join([sql`device_id = d.id`, ...frameConditions(filters)], sql` and `);
  return sql<SqlBool>`(exists (select from frame_batches where ${batches})
                       or exists (select from protocol_frames where ${frames}))`;
}
