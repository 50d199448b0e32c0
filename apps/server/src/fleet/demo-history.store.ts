import { type Kysely, sql } from 'kysely';
import type { Database } from '../platform/database/schema.ts';

/** A device as the demo's history needs it. */
export interface DemoDevice {
  id: number;
  sn: string;
  name: string;
  siteId: number;
  siteCode: string;
  siteName: string;
  customerId: number;
  customerCode: string;
  modelId: number;
}

/** The devices with these SNs. */
export async function findDemoDevices(db: Kysely<Database>, sns: readonly string[]): Promise<DemoDevice[]> {
  const { rows } = await sql<DemoDevice>`
    select d.id, d.sn, d.name, s.id as "siteId", s.code as "siteCode", s.name as "siteName",
           c.id as "customerId", c.code as "customerCode", d.device_model_id as "modelId"
      from devices d join sites s on s.id = d.site_id join customers c on c.id = d.customer_id
     where d.sn = any(${[...sns]}::text[]) order by d.id`.execute(db);
  return rows;
}

/** The versions that devices reported last, by their SNs. */
export async function findSoftVersions(db: Kysely<Database>, sns: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ sn: string; version: string }>`
    select sn, soft_version as version from devices where sn = any(${[...sns]}::text[]) and soft_version <> ''`.execute(
    db,
  );
  return new Map(rows.map(({ sn, version }) => [sn, version]));
}

/** What a device was at the end of its history. */
export interface PastDevice {
  deviceId: number;
  protocol: string;
  remoteAddress: string;
  softVersion: string;
  boot: object;
  bootedAt: Date;
  connectedAt: Date;
  disconnectedAt: Date;
  disconnectReason: string;
  disconnectDetail: string;
  runtimeSeconds: number;
  maintainedAt: Date | null;
}

/** Gives devices the state in which their history ends, and the age that fits it. */
export async function loadPastDevices(
  db: Kysely<Database>,
  devices: readonly PastDevice[],
  since: Date,
): Promise<void> {
  await sql`
    with r as (
      select * from jsonb_to_recordset(${JSON.stringify(devices)}::jsonb) as r (
        "deviceId" int, protocol text, "remoteAddress" text, "softVersion" text, boot jsonb, "bootedAt" timestamptz,
        "connectedAt" timestamptz, "disconnectedAt" timestamptz, "disconnectReason" text, "disconnectDetail" text,
        "runtimeSeconds" bigint, "maintainedAt" timestamptz)
    ), aged as (
      update devices d set soft_version = r."softVersion", maintained_at = r."maintainedAt", created_at = ${since},
             status_since = r."disconnectedAt"
        from r where d.id = r."deviceId"
    )
    update device_states s set protocol = r.protocol, remote_address = r."remoteAddress", boot = r.boot,
           booted_at = r."bootedAt", connected_at = r."connectedAt", disconnected_at = r."disconnectedAt",
           last_seen_at = r."disconnectedAt", disconnect_reason = r."disconnectReason",
           disconnect_detail = r."disconnectDetail", total_runtime_seconds = r."runtimeSeconds"
      from r where s.device_id = r."deviceId"`.execute(db);
  await sql`update sites set created_at = ${since}, build_date = ${since}
             where id in (select site_id from devices where id = any(${devices.map(({ deviceId }) => deviceId)}::int[]))`.execute(
    db,
  );
  await sql`update customers set created_at = ${since}
             where id in (select customer_id from devices where id = any(${devices.map(({ deviceId }) => deviceId)}::int[]))`.execute(
    db,
  );
}

/** A maintenance that has ended. */
export interface PastMaintenance {
  deviceId: number;
  beganAt: Date;
  endedAt: Date;
  userId: number;
  userName: string;
  note: string;
  maintained: boolean;
  unmaintainedDays: number;
  runtimeSeconds: number;
}

export async function loadPastMaintenances(db: Kysely<Database>, works: readonly PastMaintenance[]): Promise<void> {
  await sql`
    insert into device_maintenances (device_id, began_at, began_by, began_by_name, ended_at, ended_by_name, note,
                                     maintained, unmaintained_days, runtime_seconds)
    select "deviceId", "beganAt", "userId", "userName", "endedAt", "userName", note, maintained, "unmaintainedDays",
           "runtimeSeconds"
      from jsonb_to_recordset(${JSON.stringify(works)}::jsonb) as r (
        "deviceId" int, "beganAt" timestamptz, "endedAt" timestamptz, "userId" int, "userName" text, note text,
        maintained boolean, "unmaintainedDays" int, "runtimeSeconds" bigint)
     order by "beganAt"`.execute(db);
}
