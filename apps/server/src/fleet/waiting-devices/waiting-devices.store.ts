import type { BUILT_IN_MODELS } from '@chargehand/domain';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { beyond } from '../../platform/database/order/keyset.ts';
import { naturally } from '../../platform/database/order/natural-order.ts';
import { anywhere } from '../../platform/database/patterns.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { ListOrder, ListPosition } from '../../platform/http/serve/list-queries.ts';
import type { UnknownDevice } from '../../ports/devices/device-directory.ts';

/** An unregistered device that tried to connect. */
export interface WaitingDeviceRecord {
  id: number;
  sn: string;
  mac: string | null;
  protocolVersion: string;
  remoteAddress: string;
  vendor: string | null;
  model: string | null;
  serialNumber: string | null;
  firmwareVersion: string | null;
  /** its connection is open */
  waiting: boolean;
  registeredAt: Date;
  lastAttemptAt: Date;
  attempts: number;
  /** the model of the reported vendor and model, when an alias defines one */
  deviceModel: { id: number; name: string } | null;
  proposedModel: { id: number; name: string } | null;
  proposedSite: { id: number; name: string; devices: number } | null;
}

/** A waiting device proves its presence with each BootNotification. After this time without one it counts as absent. */
const WAITING_SECONDS = 60;

export type WaitingDeviceOrder = ListOrder<'lastAttemptAt' | 'sn'>;

const SORTS = {
  sn: { value: naturally(sql.ref('sn')), type: sql`text` },
  lastAttemptAt: { value: sql.ref('last_attempt_at'), type: sql`timestamptz` },
};

/** The general models by the beginning of the protocol. They may have been renamed or deleted. */
const GENERAL_MODELS = {
  'ocpp1.6': 'Generic OCPP 1.6 pile',
  ocpp2: 'Generic OCPP 2.0.1 pile',
} as const satisfies Record<string, keyof typeof BUILT_IN_MODELS>;
/** Devices of one address that are compared. */
const COMPARED = 200;

const MAPPED_MODEL = sql`
  (select json_build_object('id', m.id, 'name', m.name)
     from device_model_aliases a join device_models m on m.id = a.device_model_id
    where lower(a.vendor) = lower(blacklist_entries.vendor) and lower(a.model) = lower(blacklist_entries.model))`;
const GENERAL_MODEL = sql`
  (select json_build_object('id', m.id, 'name', m.name) from device_models m
    where m.name = case ${sql.join(
      Object.entries(GENERAL_MODELS).map(
        ([start, name]) => sql`when protocol_version like ${sql.lit(`${start}%`)} then ${sql.lit(name)}`,
      ),
      sql` `,
    )} end
    order by m.id limit 1)`;
const SITE_OF_ADDRESS = sql`
  (select json_build_object('id', min(s.id), 'name', min(s.name), 'devices', count(*))
     from (select t.device_id from device_states t
            where t.remote_address = blacklist_entries.remote_address limit ${sql.lit(COMPARED)}) near
     join devices d on d.id = near.device_id join sites s on s.id = d.site_id
   having count(distinct s.id) = 1)`;

const COLUMNS = sql`
  id, sn, mac, protocol_version as "protocolVersion", remote_address as "remoteAddress", vendor, model,
  serial_number as "serialNumber", firmware_version as "firmwareVersion",
  coalesce(waiting_until > now(), false) as waiting, registered_at as "registeredAt", last_attempt_at as "lastAttemptAt", greatest(attempts, 1) as attempts,
  ${MAPPED_MODEL} as "deviceModel", coalesce(${MAPPED_MODEL}, ${GENERAL_MODEL}) as "proposedModel",
  ${SITE_OF_ADDRESS} as "proposedSite"`;

/** One page of the waiting devices, and the total number of matches. The caller has checked the permission. */
export async function listWaitingDevices(
  db: Kysely<Database>,
  search: string | undefined,
  order: WaitingDeviceOrder,
  page: { limit: number; offset: number },
): Promise<{ items: WaitingDeviceRecord[]; total: number }> {
  const [items, totals] = await Promise.all([
    sql<WaitingDeviceRecord>`
      select ${COLUMNS} from blacklist_entries where ${found(search)}
       order by ${inOrder(order)} limit ${page.limit} offset ${page.offset}`.execute(db),
    sql<{ total: number }>`select count(*) as total from blacklist_entries where ${found(search)}`.execute(db),
  ]);
  return { items: items.rows, total: totals.rows[0]?.total ?? 0 };
}

/** The next waiting devices after a given one in the same order; from the start if null. */
export async function listWaitingDevicesAfter(
  db: Kysely<Database>,
  search: string | undefined,
  order: WaitingDeviceOrder,
  after: ListPosition | null,
  limit: number,
): Promise<(WaitingDeviceRecord & ListPosition)[]> {
  const keyset = { ...SORTS[order.by], id: sql.ref('id'), descending: order.descending };
  const { rows } = await sql<WaitingDeviceRecord & ListPosition>`
    select ${COLUMNS}, ${keyset.value}::text as position from blacklist_entries
     where ${found(search)} and ${beyond(keyset, after)}
     order by ${inOrder(order)} limit ${limit}`.execute(db);
  return rows;
}

function found(search: string | undefined): RawBuilder<SqlBool> {
  if (search === undefined) return sql<SqlBool>`true`;
  return sql<SqlBool>`
    (sn || ' ' || coalesce(mac, '') || ' ' || coalesce(vendor, '') || ' ' || coalesce(model, '')) ilike ${anywhere(search)}`;
}

function inOrder(order: WaitingDeviceOrder): RawBuilder<unknown> {
  const direction = order.descending ? sql`desc` : sql`asc`;
  return sql`${SORTS[order.by].value} ${direction}, id ${direction}`;
}

/** Removes an entry and returns it; null when there was none. */
export async function deleteWaitingDevice(db: Kysely<Database>, id: number): Promise<WaitingDeviceRecord | null> {
  const { rows } = await sql<WaitingDeviceRecord>`
    delete from blacklist_entries where id = ${id} returning ${COLUMNS}`.execute(db);
  return rows[0] ?? null;
}

/** Removes the entry of an SN, if there is one. */
export async function deleteWaitingDeviceOf(db: Kysely<Database>, sn: string): Promise<void> {
  await sql`delete from blacklist_entries where lower(sn) = lower(${sn})`.execute(db);
}

/** Adds unknown devices or increases their attempts, except for devices that were registered meanwhile. */
export async function recordAttempts(
  db: Kysely<Database>,
  devices: readonly (UnknownDevice & { attempts: number })[],
): Promise<void> {
  await sql`
    insert into blacklist_entries as entry
           (sn, mac, protocol_version, remote_address, vendor, model, serial_number, firmware_version, waiting_until, attempts)
    select sn, mac, "protocolVersion", "remoteAddress", vendor, model, "serialNumber", "firmwareVersion",
           case when waiting then now() + make_interval(secs => ${WAITING_SECONDS}) end, attempts
      from jsonb_to_recordset(${JSON.stringify(devices)}::jsonb) as attempt
           (sn text, mac text, "protocolVersion" text, "remoteAddress" text, vendor text, model text,
            "serialNumber" text, "firmwareVersion" text, waiting boolean, attempts int)
     where not exists (select from devices where lower(devices.sn) = lower(attempt.sn))
     order by lower(sn)
        on conflict (lower(sn)) do update
       set mac = coalesce(excluded.mac, entry.mac), protocol_version = excluded.protocol_version,
           remote_address = excluded.remote_address, vendor = coalesce(excluded.vendor, entry.vendor),
           model = coalesce(excluded.model, entry.model), last_attempt_at = now(),
           serial_number = coalesce(excluded.serial_number, entry.serial_number),
           firmware_version = coalesce(excluded.firmware_version, entry.firmware_version),
           waiting_until = excluded.waiting_until,
           attempts = least(entry.attempts::bigint + excluded.attempts, 2147483647)`.execute(db);
}

/** Removes the entries that have not tried to connect for longest, until at most `keep` are left. */
export async function trimWaitingDevices(db: Kysely<Database>, keep: number): Promise<void> {
  await sql`
    delete from blacklist_entries
     where id in (select id from blacklist_entries order by last_attempt_at desc, id desc offset ${keep})`.execute(db);
}
