import { type Scope, storedModelName } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { withinScope } from '../../platform/database/scope.ts';
import { searchWords } from '../../platform/search/search-words.ts';
import { mapInSlices } from '../../platform/work/slices.ts';
import type { DeviceValues } from '../devices/devices.store.ts';

/** A site that a text may refer to, by code or name. */
export interface SiteMatch {
  /** the matching requested text */
  index: number;
  siteId: number;
  customerId: number;
  byCode: boolean;
}

/**
 * The sites in scope that pairs of a site's and a customer's text refer to. An empty customer matches any. Queried for
 * all pairs of a file at once.
 */
export async function findSiteMatches(
  scope: Scope,
  db: Kysely<Database>,
  pairs: readonly { site: string; customer: string }[],
): Promise<SiteMatch[]> {
  const { rows } = await sql<SiteMatch>`
    with asked as (
      select * from unnest(${pairs.map(({ site }) => site)}::text[], ${pairs.map(({ customer }) => customer)}::text[])
        with ordinality as a (site, customer, number)
    ), named as (
      select a.number, a.customer, s.id, s.customer_id, true as by_code
        from asked a join sites s on lower(s.code) = lower(a.site)
       where ${withinScope(scope, 's.customer_id', 's.id')}
      union all
      select a.number, a.customer, s.id, s.customer_id, false
        from asked a join sites s on lower(s.name) = lower(a.site)
       where ${withinScope(scope, 's.customer_id', 's.id')}
    )
    select (n.number - 1)::int as index, n.id as "siteId", n.customer_id as "customerId", n.by_code as "byCode"
      from named n join customers c on c.id = n.customer_id
     where n.customer = '' or lower(c.name) = lower(n.customer) or lower(c.code) = lower(n.customer)
     order by n.number, n.id`.execute(db);
  return rows;
}

/**
 * The models with some names, in either language, ignoring case. For an unknown name, the most similar model name (of the first 200 names).
 */
export async function findModelsNamed(
  db: Kysely<Database>,
  names: readonly string[],
): Promise<{ id: number | null; near: string | null }[]> {
  const { rows } = await sql<{ id: number | null; near: string | null }>`
    select m.id, case when m.id is null then near.name end as near
      from unnest(${names.map(storedModelName)}::text[]) with ordinality as a (name, number)
      left join device_models m on lower(m.name) = lower(a.name)
      left join lateral (
        select name from device_models
         where m.id is null and a.number <= 200 and similarity(lower(device_models.name), lower(a.name)) > 0.3
         order by similarity(lower(device_models.name), lower(a.name)) desc, device_models.name limit 1
      ) near on true
     order by a.number`.execute(db);
  return rows;
}

/** How the SN and the name of a row compare, as the database compares them. */
export interface NamesInUse {
  snKey: string;
  nameKey: string;
  snTaken: boolean;
  /** by a device in the scope */
  snInScope: boolean;
  nameTaken: boolean;
}

/** The SNs and names in use, the names by customer. A customer of 0 matches none. */
export async function findNamesInUse(
  scope: Scope,
  db: Kysely<Database>,
  rows: readonly { sn: string; name: string; customerId: number }[],
): Promise<NamesInUse[]> {
  const found = await sql<NamesInUse>`
    select lower(a.sn) as "snKey", lower(a.name) as "nameKey",
           exists (select from devices d where lower(d.sn) = lower(a.sn)) as "snTaken",
           exists (select from devices d where lower(d.sn) = lower(a.sn)
                     and ${withinScope(scope, 'd.customer_id', 'd.site_id')}) as "snInScope",
           exists (select from devices d where d.customer_id = a.customer and lower(d.name) = lower(a.name)) as "nameTaken"
      from unnest(${rows.map(({ sn }) => sn)}::text[], ${rows.map(({ name }) => name)}::text[],
                  ${rows.map(({ customerId }) => customerId)}::int[]) with ordinality as a (sn, name, customer, number)
     order by a.number`.execute(db);
  return found.rows;
}

/** Imports run one after the other: two imports that lock each other's SNs and names would deadlock. */
export async function lockImports(trx: Kysely<Database>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('devices.import'))`.execute(trx);
}

export type NewDeviceValues = DeviceValues & { sn: string };

/** Adds devices with their empty states, and removes their SNs from the waiting devices. Returns their IDs in the given order. */
export async function insertDevices(trx: Kysely<Database>, devices: readonly NewDeviceValues[]): Promise<number[]> {
  const of = <K extends keyof NewDeviceValues>(key: K) => devices.map((device) => device[key]);
  const words = await mapInSlices(devices, ({ name }) => searchWords(name));
  const { rows } = await sql<{ id: number }>`
    insert into devices (sn, name, site_id, customer_id, device_model_id, install_date, arrival_date,
                         maintenance_cycle_days, gateway_password_hash, search_words)
    select sn, name, site, customer, model, installed, arrived, cycle, password, words
      from unnest(${of('sn')}::text[], ${of('name')}::text[], ${of('site_id')}::int[], ${of('customer_id')}::int[],
                  ${of('device_model_id')}::int[], ${of('install_date')}::date[], ${of('arrival_date')}::date[],
                  ${of('maintenance_cycle_days')}::int[], ${of('gateway_password_hash')}::text[], ${words}::text[])
        with ordinality as a (sn, name, site, customer, model, installed, arrived, cycle, password, words, number)
     order by number
    returning id`.execute(trx);
  const ids = rows.map(({ id }) => id);
  await sql`insert into device_states (device_id) select unnest(${ids}::int[])`.execute(trx);
  await sql`
    delete from blacklist_entries using unnest(${of('sn')}::text[]) as a (sn)
     where lower(blacklist_entries.sn) = lower(a.sn)`.execute(trx);
  return ids;
}
