import type { Scope, StatisticWindow } from '@chargehand/domain';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Pool } from 'pg';
import type { Database } from '../platform/database/schema.ts';
import { withinScope } from '../platform/database/scope.ts';

/** Bytes of a device in an hour. The hour is identified by its start in epoch milliseconds. */
export interface StoredTraffic {
  deviceId: number;
  hour: number;
  received: number;
  sent: number;
}

/**
 * Adds traffic to the hours of the sites of the devices, all or nothing. `id` is stored with it. If it was stored
 * before, nothing is added and the error is one that `isStored` recognizes. Traffic of removed devices is left out.
 */
export async function storeTraffic(pool: Pool, id: string, rows: readonly StoredTraffic[]): Promise<void> {
  await pool.query({
    name: 'statistics_traffic',
    // In the order of the key, as everywhere when many rows are written, so that two transactions cannot deadlock.
    text: `with added as (
        insert into traffic_hours as t (site_id, at, device_id, received, sent)
        select d.site_id, to_timestamp(r.h / 1000), d.id, r.i, r.o
          from unnest($2::int[], $3::float8[], $4::bigint[], $5::bigint[]) as r (d, h, i, o) join devices d on d.id = r.d
         order by 1, 2, 3
        on conflict (site_id, at, device_id)
          do update set received = t.received + excluded.received, sent = t.sent + excluded.sent
      )
      insert into ingest_batches (id) values ($1)`,
    values: [
      id,
      rows.map(({ deviceId }) => deviceId),
      rows.map(({ hour }) => hour),
      rows.map(({ received }) => received),
      rows.map(({ sent }) => sent),
    ],
  });
}

/** True for the error of traffic that was stored before. */
export function isStored(error: unknown): boolean {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  return code === '23505' && constraint === 'ingest_batches_pkey';
}

/** Bytes in one step of a window, numbered from 0. */
export interface TrafficStep {
  step: number;
  received: number;
  sent: number;
}

/**
 * The traffic at a site, step by step; steps without any are left out. The caller has checked that the user sees the
 * site.
 */
export async function readSiteTraffic(
  db: Kysely<Database>,
  siteId: number,
  window: StatisticWindow,
): Promise<TrafficStep[]> {
  const { rows } = await sql<TrafficStep>`
    select ${stepOf(window)} as step, sum(received)::bigint as received, sum(sent)::bigint as sent from traffic_hours t
     where site_id = ${siteId} and ${within(window)}
     group by 1`.execute(db);
  return rows;
}

/** The traffic of a device while it was at sites in scope. */
export async function readDeviceTraffic(
  scope: Scope,
  db: Kysely<Database>,
  deviceId: number,
  window: StatisticWindow,
): Promise<TrafficStep[]> {
  const { rows } = await sql<TrafficStep>`
    select ${stepOf(window)} as step, sum(received)::bigint as received, sum(sent)::bigint as sent
      from traffic_hours t join sites s on s.id = t.site_id
     where device_id = ${deviceId} and ${within(window)} and ${withinScope(scope, 's.customer_id', 's.id')}
     group by 1`.execute(db);
  return rows;
}

export interface DeviceTraffic {
  id: number;
  name: string | null;
  sn: string | null;
  received: number;
  sent: number;
}

/** One page of the devices with traffic at a site, by total bytes. Devices that are out of scope now have no name. */
export async function listSiteTrafficDevices(
  scope: Scope,
  db: Kysely<Database>,
  siteId: number,
  window: StatisticWindow,
  descending: boolean,
  page: { limit: number; offset: number },
): Promise<{ items: DeviceTraffic[]; total: number }> {
  const direction = descending ? sql`desc` : sql`asc`;
  const { rows } = await sql<DeviceTraffic & { devices: number }>`
    with of_device as (
      select device_id, sum(received)::bigint as received, sum(sent)::bigint as sent, count(*) over () as devices
        from traffic_hours t where site_id = ${siteId} and ${within(window)}
       group by device_id
       order by sum(received + sent) ${direction}, device_id ${direction} limit ${page.limit} offset ${page.offset}
    )
    select o.device_id as id, d.name, d.sn, o.received, o.sent, o.devices from of_device o
      left join devices d on d.id = o.device_id and ${withinScope(scope, 'd.customer_id', 'd.site_id')}
     order by o.received + o.sent ${direction}, o.device_id ${direction}`.execute(db);
  const total =
    rows[0]?.devices ??
    (page.offset === 0
      ? 0
      : (
          await sql<{ total: number }>`
            select count(distinct device_id) as total from traffic_hours t
             where site_id = ${siteId} and ${within(window)}`.execute(db)
        ).rows[0]!.total);
  return { items: rows.map(({ devices: _, ...row }) => row), total };
}

function within({ from, to }: StatisticWindow): RawBuilder<boolean> {
  return sql<boolean>`t.at >= ${new Date(from)} and t.at < ${new Date(to)}`;
}

function stepOf({ from, stepMs }: StatisticWindow): RawBuilder<number> {
  return sql<number>`floor(extract(epoch from t.at - ${new Date(from)}::timestamptz) * 1000 / ${stepMs}::int)::int`;
}
