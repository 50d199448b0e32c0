import { type DEVICE_SORTS, MESSAGE_FAULTS } from '@chargehand/contract';
import type { AlarmLevel, DeviceStatus, Scope } from '@chargehand/domain';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { beyond } from '../../platform/database/order/keyset.ts';
import { naturally } from '../../platform/database/order/natural-order.ts';
import type { Database } from '../../platform/database/schema.ts';
import { withinScope } from '../../platform/database/scope.ts';
import type { ListOrder, ListPosition } from '../../platform/http/serve/list-queries.ts';
import { containsWords, searchText } from '../../platform/search/search-text.ts';

/** The filters of a device list, its counters and its export. Missing fields do not filter. */
export interface DeviceFilters {
  search?: string | undefined;
  statuses?: readonly DeviceStatus[] | undefined;
  siteId?: number | undefined;
  customerId?: number | undefined;
  deviceModelId?: number | undefined;
  type?: number | undefined;
  activeAlarm?: boolean | undefined;
  /** their maintenance cycle has expired */
  maintenanceDue?: boolean | undefined;
}

type DeviceSort = (typeof DEVICE_SORTS)[number];

export type DeviceOrder = ListOrder<DeviceSort>;

type ActiveAlarms = Pick<ListedDevice, 'activeAlarms' | 'activeAlarmLevels'>;

/** A device as lists show it. */
export interface ListedDevice {
  id: number;
  sn: string;
  name: string;
  status: DeviceStatus;
  statusSince: Date;
  connected: boolean;
  lastSeenAt: Date | null;
  enabled: boolean;
  siteId: number;
  siteName: string;
  customerId: number;
  customerName: string;
  deviceModelId: number;
  deviceModelName: string;
  type: number;
  softVersion: string;
  activeAlarms: number;
  activeAlarmLevels: AlarmLevel[];
  maintenanceDueAt: Date | null;
  faultyMessages: (typeof MESSAGE_FAULTS)[number] | null;
  arrivalDate: string | null;
  installDate: string | null;
  maintenanceCycleDays: number | null;
}

const SORT_COLUMNS: Record<DeviceSort, string> = {
  name: 'name',
  sn: 'sn',
  statusSince: 'status_since',
  maintenanceDue: 'maintenance_due_at',
};
const SORT_TYPES: Record<DeviceSort, RawBuilder<unknown>> = {
  name: sql`text`,
  sn: sql`text`,
  statusSince: sql`timestamptz`,
  maintenanceDue: sql`timestamptz`,
};

/** What searches compare. */
export const DEVICE_TEXT = searchText('devices.sn', 'devices.name', 'devices.search_words');

/** One page of the matching devices in scope, in order. Equal ones are ordered by id. */
export async function listDevices(
  scope: Scope,
  db: Kysely<Database>,
  filters: DeviceFilters,
  order: DeviceOrder,
  page: { limit: number; offset: number },
): Promise<ListedDevice[]> {
  const { rows } = await sql<ListedDevice>`
    ${listed(sql`
      select devices.* from ${inOrder(scope, filters, order)}
       order by ${orderBy(order, 'devices')} limit ${page.limit} offset ${page.offset}`)}
     order by ${orderBy(order, 'd')}`.execute(db);
  return rows;
}

/** The next batch of matching devices in scope after a given one in the same order; from the start when null. */
export async function listDevicesAfter(
  scope: Scope,
  db: Kysely<Database>,
  filters: DeviceFilters,
  order: DeviceOrder,
  after: ListPosition | null,
  limit: number,
): Promise<(ListedDevice & ListPosition)[]> {
  const keyset = {
    value: sortedBy(order, 'devices'),
    // As in the index of the order.
    id: sql.ref(order.by === 'statusSince' ? 'device_status.device_id' : 'devices.id'),
    type: SORT_TYPES[order.by],
    descending: order.descending,
  };
  const { rows } = await sql<ListedDevice & ListPosition>`
    ${listed(
      sql`select devices.* from ${inOrder(scope, filters, order)} and ${beyond(keyset, after)}
           order by ${orderBy(order, 'devices')} limit ${limit}`,
      sql`, ${sortedBy(order, 'd')}::text as position`,
    )}
     order by ${orderBy(order, 'd')}`.execute(db);
  return rows;
}

/** The ids and names of matching devices in scope, at most `limit`. */
export async function selectDevices(
  scope: Scope,
  db: Kysely<Database>,
  filters: DeviceFilters,
  limit: number,
): Promise<{ id: number; name: string }[]> {
  const { rows } = await sql<{ id: number; name: string }>`
    select id, name || ' · ' || sn as name from devices where ${matching(scope, filters)}
     order by id limit ${limit}`.execute(db);
  return rows;
}

/** The number of matching devices in scope. */
export async function countDevices(scope: Scope, db: Kysely<Database>, filters: DeviceFilters): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from ${counted(scope, filters)}`.execute(db);
  return rows[0]?.total ?? 0;
}

/** The number of matching devices in scope, for each status that occurs. */
export async function countDevicesByStatus(
  scope: Scope,
  db: Kysely<Database>,
  filters: DeviceFilters,
): Promise<{ status: DeviceStatus; total: number }[]> {
  const { rows } = await sql<{ status: DeviceStatus; total: number }>`
    select status, count(*) as total from ${counted(scope, filters)} group by status`.execute(db);
  return rows;
}

/** The frequently changing fields of some devices, independent of who sees them. Removed devices are missing. */
export async function findDeviceSummaries(
  db: Kysely<Database>,
  deviceIds: readonly number[],
): Promise<(Pick<ListedDevice, 'id' | 'status' | 'statusSince' | 'connected' | 'lastSeenAt'> & ActiveAlarms)[]> {
  const { rows } = await sql<
    Pick<ListedDevice, 'id' | 'status' | 'statusSince' | 'connected' | 'lastSeenAt'> & ActiveAlarms
  >`
    select d.id, d.status, d.status_since as "statusSince", coalesce(state.connected, false) as connected,
           state.last_seen_at as "lastSeenAt", ${ACTIVE_ALARMS}
      from devices d
      left join device_states state on state.device_id = d.id
      ${JOIN_ACTIVE_ALARMS}
     where d.id = any(${[...deviceIds]}::int[])`.execute(db);
  return rows;
}

/** The columns of a list, joined only to the few devices that it shows. */
function listed(devices: RawBuilder<unknown>, more: RawBuilder<unknown> = sql``): RawBuilder<ListedDevice> {
  return sql`
    select d.id, d.sn, d.name, d.status, d.status_since as "statusSince",
           coalesce(state.connected, false) as connected, state.last_seen_at as "lastSeenAt", d.enabled,
           d.site_id as "siteId", site.name as "siteName", d.customer_id as "customerId", customer.name as "customerName",
           d.device_model_id as "deviceModelId", model.name as "deviceModelName", model.type,
           d.soft_version as "softVersion", ${MAINTENANCE_DUE}, ${FAULTY_MESSAGES}, d.arrival_date as "arrivalDate",
           d.install_date as "installDate", d.maintenance_cycle_days as "maintenanceCycleDays", ${ACTIVE_ALARMS} ${more}
      from (${devices}) d
      join sites site on site.id = d.site_id
      join customers customer on customer.id = d.customer_id
      join device_models model on model.id = d.device_model_id
      left join device_states state on state.device_id = d.id
      ${JOIN_ACTIVE_ALARMS}`;
}

/** The active alarms of each shown device `d`: one look-up in the index of active alarms per row. */
export const JOIN_ACTIVE_ALARMS = sql`
  cross join lateral (
    select count(*)::int as total, coalesce(array_agg(distinct level), '{}') as levels
      from alarms where alarms.device_id = d.id and cleared_at is null and not suppressed
  ) active`;
/**
 * When the maintenance cycle of a device `d` expires; null when it has none; at most the last date that can be
 * represented.
 */
export const MAINTENANCE_DUE = sql`case when d.maintenance_due_at < 'infinity'
  then least(d.maintenance_due_at, timestamptz '9999-12-31 00:00:00Z') end as "maintenanceDueAt"`;
/** The worst outcome of the messages of a device `d` in the last day that violate the protocol. */
export const FAULTY_MESSAGES = sql`(
  select f.outcome from device_message_faults f where f.device_id = d.id and f.last_at > now() - interval '1 day'
   order by array_position(${sql.lit(`{${MESSAGE_FAULTS.join(',')}}`)}::text[], f.outcome) limit 1) as "faultyMessages"`;
export const ACTIVE_ALARMS = sql`active.total as "activeAlarms", active.levels as "activeAlarmLevels"`;

function orderBy(order: DeviceOrder, table: string): RawBuilder<unknown> {
  const direction = order.descending ? sql`desc` : sql`asc`;
  return sql`${sortedBy(order, table)} ${direction}, ${sql.ref(`${table}.id`)} ${direction}`;
}

function sortedBy({ by }: DeviceOrder, table: string): RawBuilder<unknown> {
  // The narrow table has the index.
  if (by === 'statusSince' && table === 'devices') return sql.ref('device_status.since');
  const column = sql.ref(`${table}.${SORT_COLUMNS[by]}`);
  return by === 'name' || by === 'sn' ? naturally(column) : column;
}

/** The matching devices, from the tables to read in an order. */
function inOrder(scope: Scope, filters: DeviceFilters, { by }: DeviceOrder): RawBuilder<unknown> {
  if (by !== 'statusSince') return sql`devices where ${matching(scope, filters)}`;
  const { statuses: _s, siteId: _p, customerId: _c, ...others } = filters;
  return sql`devices join device_status on device_status.device_id = devices.id
    where ${sql.join(withStatus(scope, filters, 'device_status'), sql` and `)} and ${matching({ customers: 'all', sites: 'all' }, others)}`;
}

/** The matching devices to count: from the narrow table with the statuses, if it has all columns of the filters. */
function counted(scope: Scope, filters: DeviceFilters): RawBuilder<unknown> {
  const { statuses: _s, siteId: _p, customerId: _c, ...others } = filters;
  if (Object.values(others).some((filter) => filter !== undefined && filter !== false))
    return sql`devices where ${matching(scope, filters)}`;
  return sql`device_status where ${sql.join(withStatus(scope, filters, 'device_status'), sql` and `)}`;
}

/** Conditions for what both tables have. The status has an index only in the narrow one. */
function withStatus(
  scope: Scope,
  { statuses, siteId, customerId }: DeviceFilters,
  table: 'devices' | 'device_status',
): RawBuilder<SqlBool>[] {
  const conditions = [withinScope(scope, `${table}.customer_id`, `${table}.site_id`)];
  if (siteId !== undefined) conditions.push(sql`${sql.ref(`${table}.site_id`)} = ${siteId}`);
  if (customerId !== undefined) conditions.push(sql`${sql.ref(`${table}.customer_id`)} = ${customerId}`);
  if (statuses !== undefined) {
    const wanted = sql`device_status.status = any(${[...statuses]}::text[])`;
    conditions.push(
      table === 'devices'
        ? sql`devices.id in (select device_id from device_status where ${wanted})`
        : sql<SqlBool>`${wanted}`,
    );
  }
  return conditions;
}

function matching(scope: Scope, filters: DeviceFilters): RawBuilder<SqlBool> {
  const conditions = withStatus(scope, filters, 'devices');
  if (filters.search !== undefined) {
    conditions.push(containsWords(DEVICE_TEXT, filters.search));
  }
  if (filters.deviceModelId !== undefined) conditions.push(sql`devices.device_model_id = ${filters.deviceModelId}`);
  if (filters.type !== undefined) {
    conditions.push(sql`devices.device_model_id in (select id from device_models where type = ${filters.type})`);
  }
  if (filters.activeAlarm) {
    conditions.push(sql`devices.id in (select device_id from alarms where cleared_at is null and not suppressed)`);
  }
  if (filters.maintenanceDue) conditions.push(sql`devices.maintenance_due_at <= now()`);
  return sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}
