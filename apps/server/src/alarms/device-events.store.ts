import type { Scope } from '@chargehand/domain';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import { withinScope } from '../platform/database/scope.ts';
import { NAME_OF_CODE, nameOfDevice } from './alarms.store.ts';
import { type Position, TIME_OF_MICROS } from './positions.ts';

/** An event of a device, and when it ended. */
export interface DeviceEventRecord {
  id: number;
  deviceId: number;
  deviceName: string;
  deviceModelId: number;
  siteId: number;
  siteName: string;
  type: number;
  /** the latest protocol of the device, null when it never connected; it decides how connectors are named */
  protocol: string | null;
  connector: number;
  at: Date;
  code: string;
  nameEn: string | null;
  nameZh: string | null;
  detail: string | null;
  endedAt: Date | null;
  micros: string;
}

/** The filters of events. Missing fields do not filter. Times as ISO 8601. */
export interface EventFilters {
  customerId?: number | undefined;
  siteId?: number | undefined;
  deviceId?: number | undefined;
  type?: number | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** The fields of an event `e` of a device `d`. */
const FIELDS = (deviceName: RawBuilder<string>) => sql`
  e.id, e.device_id as "deviceId", ${deviceName} as "deviceName", d.device_model_id as "deviceModelId",
  e.site_id as "siteId", site.name as "siteName", e.type, e.connector, state.protocol, e.at, e.code,
  coalesce(e.rule_name ->> 'en', named.name_en) as "nameEn", coalesce(e.rule_name ->> 'zh', named.name_zh) as "nameZh",
  e.detail, e.ended_at as "endedAt", (extract(epoch from e.at) * 1000000)::bigint::text as micros`;

/** What `FIELDS` reads, for an event `e` of a device `d`. */
const OTHERS = sql`
  left join device_states state on state.device_id = d.id
  join sites site on site.id = e.site_id
  ${NAME_OF_CODE(sql`e.code`, sql`d.device_model_id`)}`;

/** The newest events of each device at the site where it is now, newest first. */
export async function listNewestEvents(
  db: Kysely<Database>,
  deviceIds: readonly number[],
  most: number,
): Promise<DeviceEventRecord[]> {
  const { rows } = await sql<DeviceEventRecord>`
    select ${FIELDS(sql`d.name`)}
      from devices d
      cross join lateral (
        select * from device_events e where e.device_id = d.id order by e.at desc, e.id desc limit ${most}
      ) e
      ${OTHERS}
     where d.id = any (${deviceIds}) and e.site_id = d.site_id and e.customer_id = d.customer_id
     order by e.at desc, e.id desc`.execute(db);
  return rows;
}

/** The next batch of matching events in scope, newest first, after a given one; from the newest when null. */
export async function listDeviceEventsAfter(
  scope: Scope,
  db: Kysely<Database>,
  { customerId, siteId, deviceId, type, from, to }: EventFilters,
  after: Position | null,
  limit: number,
): Promise<DeviceEventRecord[]> {
  const conditions = [withinScope(scope, 'e.customer_id', 'e.site_id')];
  if (customerId !== undefined) conditions.push(sql<SqlBool>`e.customer_id = ${customerId}`);
  if (siteId !== undefined) conditions.push(sql<SqlBool>`e.site_id = ${siteId}`);
  if (deviceId !== undefined) conditions.push(sql<SqlBool>`e.device_id = ${deviceId}`);
  if (type !== undefined) conditions.push(sql<SqlBool>`e.type = ${type}`);
  if (from !== undefined) conditions.push(sql<SqlBool>`e.at >= ${from}`);
  if (to !== undefined) conditions.push(sql<SqlBool>`e.at < ${to}`);
  if (after) conditions.push(sql<SqlBool>`(e.at, e.id) < (${TIME_OF_MICROS(after.micros)}, ${after.id}::bigint)`);
  const { rows } = await sql<DeviceEventRecord>`
    select ${FIELDS(nameOfDevice(scope))}
      from (select * from device_events e where ${sql.join(conditions, sql` and `)}
             order by e.at desc, e.id desc limit ${limit}) e
      join devices d on d.id = e.device_id
      ${OTHERS}
     order by e.at desc, e.id desc`.execute(db);
  return rows;
}
