import type { DeviceDetail, WithDates } from '@chargehand/contract';
import type { DeviceStatus, ExecutionState, Level, ModelProtocol, Scope } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { withinScope } from '../../platform/database/scope.ts';
import { searchWordsOf } from '../../platform/search/search-words.ts';
import { chargingNow } from '../../telemetry/index.ts';
import { TOTAL_RUNTIME, UNMAINTAINED_SINCE } from '../device-care/maintenances.store.ts';
import {
  ACTIVE_ALARMS,
  FAULTY_MESSAGES,
  JOIN_ACTIVE_ALARMS,
  type ListedDevice,
  MAINTENANCE_DUE,
} from './device-list.store.ts';

/** A device with all its fields. */
export interface DeviceRecord extends ListedDevice {
  deviceModelIcon: string | null;
  deviceModelImage: string | null;
  deviceModelProtocol: ModelProtocol | null;
  deviceModelConnectors: number | null;
  createdAt: Date;
  installDate: string | null;
  arrivalDate: string | null;
  maintenanceCycleDays: number | null;
  maintainedAt: Date | null;
  unmaintainedSince: Date;
  maintenance: boolean;
  totalRuntimeSeconds: number;
  hasGatewayPassword: boolean;
  passwordChange:
    | (Omit<NonNullable<WithDates<DeviceDetail['passwordChange']>>, 'state'> & {
        state: ExecutionState;
        result: number;
      })
    | null;
  protocol: string | null;
  remoteAddress: string | null;
  connectedAt: Date | null;
  disconnectedAt: Date | null;
  disconnectReason: string | null;
  disconnectDetail: string | null;
  bootedAt: Date | null;
  boot: Record<string, unknown> | null;
  clockSkewMs: number | null;
  firmwareStatus: string | null;
  diagnosticsStatus: string | null;
  messageFaults: DeviceDetail['messageFaults'];
  parameterReadLevel: Level;
  parameterWriteLevel: Level;
  controlLevel: Level;
}

/** The newest password change that the device has not yet confirmed by using the password. */
const PASSWORD_CHANGE = sql`(
  select json_build_object('state', e.state, 'result', e.result, 'reason', e.reason, 'executionId', e.id,
           'requestedBy', c.requested_by_name, 'requestedAt', e.queued_at)
    from password_changes p
    join executions e on e.id = p.execution_id
    join commands c on c.id = e.command_id
   where p.device_id = d.id
   order by p.created_at desc limit 1) as "passwordChange"`;

/** Messages of the device that violated its protocol, the latest first. Their times are ISO 8601. */
const MESSAGE_FAULTS = sql`(
  select coalesce(json_agg(json_build_object('outcome', f.outcome, 'action', f.action, 'reason', f.reason, 'count', f.count,
           'firstAt', to_json(f.first_at), 'lastAt', to_json(f.last_at)) order by f.last_at desc), '[]')
    from (select * from device_message_faults where device_id = d.id and last_at > now() - interval '30 days'
           order by last_at desc limit 50) f) as "messageFaults"`;

/** One device in scope; null when there is none. */
export async function findDevice(scope: Scope, db: Kysely<Database>, id: number): Promise<DeviceRecord | null> {
  const { rows } = await sql<DeviceRecord>`
    select d.id, d.sn, d.name, d.status, d.status_since as "statusSince", d.enabled, d.maintenance,
           coalesce(state.connected, false) as connected, state.last_seen_at as "lastSeenAt",
           d.site_id as "siteId", site.name as "siteName", d.customer_id as "customerId", customer.name as "customerName",
           d.device_model_id as "deviceModelId", model.name as "deviceModelName", model.type,
           model.icon_key as "deviceModelIcon", model.image_key as "deviceModelImage",
           model.protocol as "deviceModelProtocol", model.connector_count as "deviceModelConnectors",
           model.parameter_read_level as "parameterReadLevel", model.parameter_write_level as "parameterWriteLevel",
           model.control_level as "controlLevel",
           d.soft_version as "softVersion", d.created_at as "createdAt", d.install_date as "installDate",
           d.arrival_date as "arrivalDate", d.maintenance_cycle_days as "maintenanceCycleDays",
           d.maintained_at as "maintainedAt", ${UNMAINTAINED_SINCE} as "unmaintainedSince", ${MAINTENANCE_DUE}, ${FAULTY_MESSAGES},
           ${TOTAL_RUNTIME} as "totalRuntimeSeconds",
           d.gateway_password_hash is not null as "hasGatewayPassword", ${PASSWORD_CHANGE}, state.protocol,
           state.remote_address as "remoteAddress", state.connected_at as "connectedAt",
           state.disconnected_at as "disconnectedAt", state.disconnect_reason as "disconnectReason",
           state.disconnect_detail as "disconnectDetail", state.booted_at as "bootedAt", state.boot,
           state.clock_skew_ms as "clockSkewMs", state.firmware_status as "firmwareStatus",
           state.diagnostics_status as "diagnosticsStatus", ${MESSAGE_FAULTS}, ${ACTIVE_ALARMS}
      from devices d
      join sites site on site.id = d.site_id
      join customers customer on customer.id = d.customer_id
      join device_models model on model.id = d.device_model_id
      left join device_states state on state.device_id = d.id
      ${JOIN_ACTIVE_ALARMS}
     where d.id = ${id} and ${withinScope(scope, 'd.customer_id', 'd.site_id')}`.execute(db);
  return rows[0] ?? null;
}

/** The fields of a device that decide whether and how it may be changed. */
export interface LockedDevice {
  id: number;
  sn: string;
  name: string;
  siteId: number;
  customerId: number;
  deviceModelId: number;
  status: DeviceStatus;
  enabled: boolean;
  maintenance: boolean;
  installDate: string | null;
  arrivalDate: string | null;
  maintenanceCycleDays: number | null;
  hasGatewayPassword: boolean;
  /** null when it never connected */
  protocol: string | null;
}

/** A device in scope, locked until the end of the transaction; null when there is none. */
export async function lockDevice(scope: Scope, db: Kysely<Database>, id: number): Promise<LockedDevice | null> {
  const { rows } = await sql<LockedDevice>`
    select d.id, d.sn, d.name, d.site_id as "siteId", d.customer_id as "customerId",
           d.device_model_id as "deviceModelId", d.status, d.enabled, d.maintenance, d.install_date as "installDate",
           d.arrival_date as "arrivalDate", d.maintenance_cycle_days as "maintenanceCycleDays",
           d.gateway_password_hash is not null as "hasGatewayPassword",
           (select protocol from device_states where device_id = d.id) as protocol
      from devices d
     where d.id = ${id} and ${withinScope(scope, 'd.customer_id', 'd.site_id')}
       for update`.execute(db);
  return rows[0] ?? null;
}

/**
 * Locks the state of a device. Call this before you lock a device that you remove: reports of devices lock the state
 * first and then refer to the device, and the opposite order could deadlock.
 */
export async function lockDeviceState(db: Kysely<Database>, id: number): Promise<void> {
  await sql`select from device_states where device_id = ${id} for update`.execute(db);
}

/** The columns of `devices` that users can edit. */
export interface DeviceValues {
  name: string;
  site_id: number;
  customer_id: number;
  device_model_id: number;
  install_date: string | null;
  arrival_date: string | null;
  maintenance_cycle_days: number | null;
  gateway_password_hash: string | null;
}

/** Setting a password immediately ends all pending changes. */
export async function dropPasswordChanges(db: Kysely<Database>, id: number): Promise<void> {
  await db.deleteFrom('password_changes').where('device_id', '=', id).execute();
}

/**
 * Adds a device and its empty state, and returns its id. A name or SN in use violates the indices `devices_name`,
 * `devices_sn`.
 */
export async function insertDevice(db: Kysely<Database>, values: DeviceValues & { sn: string }): Promise<number> {
  const { id } = await db
    .insertInto('devices')
    .values({ ...values, ...searchWordsOf(values.name) })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.insertInto('device_states').values({ device_id: id }).execute();
  return id;
}

/** Changes columns of a device that the transaction has locked. */
export async function updateDevice(db: Kysely<Database>, id: number, values: Partial<DeviceValues>): Promise<void> {
  await db
    .updateTable('devices')
    .set({ ...values, ...searchWordsOf(values.name) })
    .where('id', '=', id)
    .execute();
}

/** Enables or disables a device that the transaction has locked. Its status is derived afterwards. */
export async function setDeviceEnabled(db: Kysely<Database>, id: number, enabled: boolean): Promise<void> {
  await db.updateTable('devices').set({ enabled }).where('id', '=', id).execute();
}

/** True while a vehicle is charging at the device. */
export async function isCharging(db: Kysely<Database>, id: number): Promise<boolean> {
  const { rows } = await sql<{ charging: boolean }>`
    select ${chargingNow(sql`d.id`, sql`0`)} as charging from devices d where d.id = ${id}`.execute(db);
  return rows[0]?.charging ?? false;
}

/**
 * Removes a device and the rows that belong to it. The sweeper removes its history from the partitioned tables later.
 */
export async function removeDevice(db: Kysely<Database>, id: number): Promise<void> {
  await sql`insert into removed_devices (device_id) values (${id})`.execute(db);
  await db.deleteFrom('devices').where('id', '=', id).execute();
}

/** True when a device in the scope has the SN, in any case. */
export async function isSnInScope(scope: Scope, db: Kysely<Database>, sn: string): Promise<boolean> {
  const { rows } = await sql`
    select from devices where lower(sn) = lower(${sn}) and ${withinScope(scope, 'customer_id', 'site_id')}`.execute(db);
  return rows.length > 0;
}
