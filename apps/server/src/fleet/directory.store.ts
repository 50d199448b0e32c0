import { type Kysely, sql } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import type { KnownDevice, OpenMatters } from '../ports/device-directory.ts';

/** What a gateway must know of the device with an SN (any case); null when it is not registered. */
export async function findKnownDevice(db: Kysely<Database>, sn: string): Promise<KnownDevice | null> {
  const { rows } = await sql<KnownDevice>`
    select d.id as "deviceId", d.sn, d.site_id as "siteId", d.enabled and site.enabled and customer.enabled as enabled,
           d.gateway_password_hash as "passwordHash", model.tolerant
      from devices d
      join sites site on site.id = d.site_id
      join customers customer on customer.id = d.customer_id
      join device_models model on model.id = d.device_model_id
     where lower(d.sn) = lower(${sn})`.execute(db);
  return rows[0] ?? null;
}

/** What devices may have to tell that came back. */
export async function findOpenMatters(
  db: Kysely<Database>,
  deviceIds: readonly number[],
): Promise<Map<number, OpenMatters>> {
  const { rows } = await sql<OpenMatters & { deviceId: number }>`
    select d.id as "deviceId",
           (select coalesce(array_agg(c.connector order by c.connector), '{}') from connectors c
             where c.device_id = d.id and c.connector > 0) as connectors,
           exists (select from transfers t where t.device_id = d.id and t.kind <> 'log' and t.ended_at is null) as updating,
           (select t.log_type from transfers t where t.device_id = d.id and t.kind = 'log' and t.ended_at is null) as uploading
      from unnest(${[...deviceIds]}::int[]) as d (id)`.execute(db);
  return new Map(rows.map(({ deviceId, ...matters }) => [deviceId, matters]));
}
