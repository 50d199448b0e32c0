import { type Kysely, sql } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import type { KnownDevice } from '../ports/device-directory.ts';

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
