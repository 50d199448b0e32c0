import type { DeviceStatus } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import type { StoredTraffic } from './traffic.store.ts';

/** A status of a device from a time until the next one of the device. Epoch milliseconds. */
export interface PastStatus {
  deviceId: number;
  status: DeviceStatus;
  from: number;
  to: number;
}

/**
 * Adds statuses of the past. They are stored with the present site of their device. The current span of each device
 * starts where its past ends.
 */
export async function loadPastStatuses(db: Kysely<Database>, statuses: readonly PastStatus[]): Promise<void> {
  await sql`
    with r as (
      select * from unnest(${statuses.map(({ deviceId }) => deviceId)}::int[], ${statuses.map(({ status }) => status)}::text[],
                           ${statuses.map(({ from }) => from)}::float8[], ${statuses.map(({ to }) => to)}::float8[])
        as r (d, status, b, e)
    ), added as (
      insert into device_status_spans (device_id, site_id, status, began_at, ended_at)
      select d.id, d.site_id, r.status, to_timestamp(b / 1000), to_timestamp(e / 1000)
        from r join devices d on d.id = r.d order by e
    )
    update device_status_spans s set began_at = past.until
      from (select d, to_timestamp(max(e) / 1000) as until from r group by d) past
     where s.device_id = past.d and s.ended_at = 'infinity'`.execute(db);
}

/** Adds the traffic of hours of the past, stored with the present site of each device. */
export async function loadPastTraffic(db: Kysely<Database>, hours: readonly StoredTraffic[]): Promise<void> {
  await sql`
    insert into traffic_hours (site_id, at, device_id, received, sent)
    select d.site_id, to_timestamp(r.h / 1000), d.id, r.i, r.o
      from unnest(${hours.map(({ deviceId }) => deviceId)}::int[], ${hours.map(({ hour }) => hour)}::float8[],
                  ${hours.map(({ received }) => received)}::bigint[], ${hours.map(({ sent }) => sent)}::bigint[])
        as r (d, h, i, o) join devices d on d.id = r.d
     order by 1, 2, 3`.execute(db);
}
