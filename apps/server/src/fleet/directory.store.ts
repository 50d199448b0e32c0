import { type Kysely, sql } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import type { KnownDevice, MissingReports } from '../ports/devices/device-directory.ts';

/** The data that a gateway needs of the devices with some SNs (ASCII, in any case), by SN in lower case. */
export async function findKnownDevices(
  db: Kysely<Database>,
  sns: readonly string[],
): Promise<Map<string, KnownDevice>> {
  const { rows } = await sql<KnownDevice>`
    select d.id as "deviceId", d.sn, d.site_id as "siteId", d.enabled and site.enabled and customer.enabled as enabled,
           d.gateway_password_hash as "passwordHash", model.tolerant, model.silence_seconds as "silenceSeconds", state.remote_address as "lastAddress",
           (select p.value::int from device_parameters p
             where p.device_id = d.id and lower(p.key) in ('heartbeatinterval', 'ocppcommctrlr.heartbeatinterval')
               and p.value ~ '^[0-9]{1,9}$' limit 1) as "heartbeatSeconds",
           model.connector_count as "connectorCount",
           exists (select from alarms a where a.device_id = d.id and a.code = 'StatusRejected' and a.cleared_at is null) as "statusRejected",
           array(select c.connector from connectors c where c.device_id = d.id and c.connector > 0
                 union select l.connector from latest_readings l where l.device_id = d.id and l.connector > 0) as connectors,
           (select coalesce(json_agg(json_build_object('connector', c.connector,
                     'status', case when c.outdated then null else c.status end,
                     'transaction', (select t.external_id from transactions t
                                      where t.device_id = d.id and t.connector = c.connector and t.stopped_at is null
                                      order by t.started_at desc limit 1))), '[]')
              from connectors c where c.device_id = d.id and c.connector > 0) as "connectorStates",
           array(select p.password_hash from password_changes p join executions e on e.id = p.execution_id
                  where p.device_id = d.id and not (e.state = 'ended' and e.result in (3, 5))) as "newPasswordHashes"
      from devices d
      join sites site on site.id = d.site_id
      join customers customer on customer.id = d.customer_id
      join device_models model on model.id = d.device_model_id
      left join device_states state on state.device_id = d.id
     where lower(d.sn) = any(${sns.map((sn) => sn.toLowerCase())}::text[])`.execute(db);
  return new Map(rows.map((device) => [device.sn.toLowerCase(), device]));
}

/**
 * Makes the new password that a device used its current one, and ends the previous one and earlier changes. Returns
 * false when another connection was first.
 */
export async function confirmNewPassword(db: Kysely<Database>, deviceId: number, hash: string): Promise<boolean> {
  const { rows } = await sql<{ id: number }>`
    with used as (
      select created_at from password_changes where device_id = ${deviceId} and password_hash = ${hash}
    ), over as (
      delete from password_changes p using used where p.device_id = ${deviceId} and p.created_at <= used.created_at
    )
    update devices set gateway_password_hash = ${hash} where id = ${deviceId} and exists (select from used)
    returning id`.execute(db);
  return rows.length > 0;
}

/** What is unknown about reconnected devices. */
export async function findMissingReports(
  db: Kysely<Database>,
  deviceIds: readonly number[],
): Promise<Map<number, MissingReports>> {
  const { rows } = await sql<MissingReports & { deviceId: number }>`
    select d.id as "deviceId",
           (select coalesce(array_agg(c.connector order by c.connector), '{}') from connectors c
             where c.device_id = d.id and c.connector > 0) as connectors,
           exists (select from transfers t where t.device_id = d.id and t.kind <> 'log' and t.ended_at is null) as updating,
           (select t.log_type from transfers t where t.device_id = d.id and t.kind = 'log' and t.ended_at is null) as uploading
      from unnest(${[...deviceIds]}::int[]) as d (id)`.execute(db);
  return new Map(rows.map(({ deviceId, ...missing }) => [deviceId, missing]));
}
