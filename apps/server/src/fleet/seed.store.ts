import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../platform/database/schema.ts';

/** A customer of the demo with its sites. */
export interface DemoCustomer extends DemoPlace {
  sites: readonly DemoSitePlace[];
}

interface DemoSitePlace extends DemoPlace {
  phone: string;
  latitude: number;
  longitude: number;
  /** when vehicles come */
  placeType: 'office' | 'retail' | 'highway' | 'depot' | 'homes';
}

interface DemoPlace {
  code: string;
  name: string;
  contact: string;
  address: string;
  /** codes of the region data */
  country: string;
  province?: string;
  city?: string;
}

/** Key of the advisory lock of this file: any number that no other module uses. */
export const SEED_LOCK = 4_213_772_011;

/**
 * Makes processes that start at the same time seed one after the other, until the end of the transaction. Without it an
 * insert skips the row that another process has not committed yet, and the following query does not see that row.
 */
export async function lockSeeds(trx: Transaction<Database>): Promise<void> {
  await sql`select pg_advisory_xact_lock(${SEED_LOCK})`.execute(trx);
}

/** Adds a device model if it is missing, and returns its id. */
export async function insertModel(
  db: Kysely<Database>,
  model: { name: string; type: number; vendor: string; tolerant: boolean },
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    with added as (
      insert into device_models (name, type, vendor, tolerant)
      values (${model.name}, ${model.type}, ${model.vendor}, ${model.tolerant})
      on conflict (lower(name)) do nothing returning id
    )
    select id from added union all select id from device_models where lower(name) = lower(${model.name})`.execute(db);
  return rows[0]!.id;
}

/** Gives the platform vendor a site if there is no site at all. */
export async function insertFirstSite(db: Kysely<Database>, site: { code: string; name: string }): Promise<void> {
  await sql`
    insert into sites (customer_id, code, name)
    select id, ${site.code}, ${site.name} from customers where platform_vendor and not exists (select from sites)
    on conflict do nothing`.execute(db);
}

export interface DemoSite {
  id: number;
  code: string;
  customerId: number;
}

/** Adds missing demo customers and their sites. Returns the sites in the given order. */
export async function insertDemoPlaces(db: Kysely<Database>, customers: readonly DemoCustomer[]): Promise<DemoSite[]> {
  const sites: DemoSite[] = [];
  for (const { sites: places, ...customer } of customers) {
    await sql`
      insert into customers (code, name, contact, address, country, province, city)
      values (${customer.code}, ${customer.name}, ${customer.contact}, ${customer.address}, ${customer.country},
              ${customer.province ?? null}, ${customer.city ?? null})
      on conflict do nothing`.execute(db);
    for (const place of places) {
      const { rows } = await sql<DemoSite>`
        with owner as (select id from customers where lower(code) = lower(${customer.code})),
        added as (
          insert into sites (customer_id, code, name, contact, phone, address, country, province, city, latitude, longitude)
          select id, ${place.code}, ${place.name}, ${place.contact}, ${place.phone}, ${place.address}, ${place.country},
                 ${place.province ?? null}, ${place.city ?? null}, ${place.latitude}::float8, ${place.longitude}::float8
            from owner
          on conflict do nothing returning id, code, customer_id
        )
        select id, code, customer_id as "customerId" from added
        union all
        select sites.id, sites.code, customer_id from sites join owner on owner.id = customer_id
         where lower(sites.code) = lower(${place.code})`.execute(db);
      if (rows[0]) sites.push(rows[0]);
    }
  }
  return sites;
}

/**
 * Registers the devices whose SN and name are free, and gives each its empty state. Models of new devices get support
 * of SSH and web pages, which simulated devices have.
 */
export async function insertDemoDevices(
  db: Kysely<Database>,
  devices: readonly { sn: string; name: string; site: DemoSite; modelId: number }[],
): Promise<void> {
  await sql`
    with wanted as (
      select * from unnest(${devices.map(({ sn }) => sn)}::text[], ${devices.map(({ name }) => name)}::text[],
                           ${devices.map(({ site }) => site.id)}::int[], ${devices.map(({ site }) => site.customerId)}::int[],
                           ${devices.map(({ modelId }) => modelId)}::int[])
               with ordinality as row (sn, name, site_id, customer_id, model_id, number)
    ),
    added as (
      insert into devices (sn, name, site_id, customer_id, device_model_id, arrival_date, install_date, maintenance_cycle_days)
      select sn, name, site_id, customer_id, model_id, current_date - 210, current_date - 200, 180
        from wanted order by number
      on conflict do nothing returning id, device_model_id
    ),
    supported as (
      update device_models set ssh_support = true, web_support = true
       where id in (select device_model_id from added) and not (ssh_support and web_support)
    )
    insert into device_states (device_id) select id from added`.execute(db);
}

/** Gives devices a gateway password. */
export async function setPasswords(db: Kysely<Database>, sns: readonly string[], hash: string): Promise<void> {
  await sql`update devices set gateway_password_hash = ${hash} where lower(sn) = any (${sns.map((sn) => sn.toLowerCase())}::text[])`.execute(
    db,
  );
}
