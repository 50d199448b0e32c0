import { SITE, type ValuesOf } from '@chargehand/contract';
import type { AlarmLevel, DeviceStatus, RegionCodes, Scope, SiteState } from '@chargehand/domain';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { beyond } from '../../platform/database/order/keyset.ts';
import { naturally } from '../../platform/database/order/natural-order.ts';
import type { Database } from '../../platform/database/schema.ts';
import { withinScope } from '../../platform/database/scope.ts';
import type { ListOrder, ListPosition } from '../../platform/http/serve/list-queries.ts';
import { byColumn, selected } from '../../platform/resource/columns.ts';
import { containsWords, searchText } from '../../platform/search/search-text.ts';
import { searchWordsOf } from '../../platform/search/search-words.ts';
import { inRegion } from '../regions/region.store.ts';
import { inSiteState, siteStates } from './site-states.store.ts';

/** A site as lists and forms show it. */
export interface SiteRecord extends SiteValues {
  id: number;
  customerId: number;
  customerName: string;
  customerEnabled: boolean;
  enabled: boolean;
  createdAt: Date;
  deviceCount: number;
  activeAlarms: number;
  /** of its devices: those that are not disabled, and those with a problem */
  served: number;
  faulted: number;
  offline: number;
  /** devices with an open critical alarm that is counted */
  critical: number;
}

export interface SiteFilters {
  id?: number | undefined;
  search?: string | undefined;
  customerId?: number | undefined;
  enabled?: boolean | undefined;
  region?: RegionCodes | undefined;
  state?: SiteState | undefined;
}

type SiteSort = (typeof SITE.sorts)[number];
export type SiteOrder = ListOrder<SiteSort>;

const SORT_COLUMNS: Record<SiteSort, string> = { name: 'name', code: 'code', createdAt: 'created_at' };
const SORT_TYPES: Record<SiteSort, RawBuilder<unknown>> = {
  name: sql`text`,
  code: sql`text`,
  createdAt: sql`timestamptz`,
};

/** What searches compare. */
export const SITE_TEXT = searchText('sites.code', 'sites.name', 'sites.search_words');

/** One page of the matching sites in scope, and the total number of matches. */
export async function listSites(
  scope: Scope,
  db: Kysely<Database>,
  filters: SiteFilters,
  order: SiteOrder,
  page: { limit: number; offset: number },
): Promise<{ items: SiteRecord[]; total: number }> {
  const which = matching(scope, filters);
  const [items, totals] = await Promise.all([
    sql<SiteRecord>`
      ${listed(sql`select * from sites where ${which} order by ${orderBy(order, 'sites')}
                    limit ${page.limit} offset ${page.offset}`)}
       order by ${orderBy(order, 's')}`.execute(db),
    sql<{ total: number }>`select count(*) as total from sites where ${which}`.execute(db),
  ]);
  return { items: items.rows, total: totals.rows[0]?.total ?? 0 };
}

/** The ids and names of matching sites in scope, at most `limit`. */
export async function selectSites(
  scope: Scope,
  db: Kysely<Database>,
  filters: SiteFilters,
  limit: number,
): Promise<{ id: number; name: string }[]> {
  const { rows } = await sql<{ id: number; name: string }>`
    select sites.id, sites.name || ' · ' || c.name as name from sites join customers c on c.id = sites.customer_id
     where ${matching(scope, filters)} order by sites.id limit ${limit}`.execute(db);
  return rows;
}

/** The next batch of matching sites in scope after a given one in the same order; from the start when null. */
export async function listSitesAfter(
  scope: Scope,
  db: Kysely<Database>,
  filters: SiteFilters,
  order: SiteOrder,
  after: ListPosition | null,
  limit: number,
): Promise<(SiteRecord & ListPosition)[]> {
  const keyset = {
    value: sortedBy(order, 'sites'),
    id: sql.ref('sites.id'),
    type: SORT_TYPES[order.by],
    descending: order.descending,
  };
  const { rows } = await sql<SiteRecord & ListPosition>`
    ${listed(
      sql`select * from sites where ${matching(scope, filters)} and ${beyond(keyset, after)}
           order by ${orderBy(order, 'sites')} limit ${limit}`,
      sql`, ${sortedBy(order, 's')}::text as position`,
    )}
     order by ${orderBy(order, 's')}`.execute(db);
  return rows;
}

/** A site on a map. */
export interface SitePosition {
  id: number;
  name: string;
  latitude: number;
  longitude: number;
  state: SiteState;
}

/** The positions and states of matching sites in scope, and the number of those without one. */
export async function listSitePositions(
  scope: Scope,
  db: Kysely<Database>,
  filters: SiteFilters,
  limit: number,
): Promise<{ items: SitePosition[]; unplaced: number }> {
  const which = matching(scope, filters);
  const [items, unplaced] = await Promise.all([
    sql<SitePosition>`
      select sites.id, sites.name, sites.latitude, sites.longitude, s.state
        from sites join (${siteStates(scope)}) s on s.id = sites.id
       where ${which} and sites.latitude is not null order by sites.id limit ${limit}`.execute(db),
    sql<{ total: number }>`select count(*) as total from sites where ${which} and latitude is null`.execute(db),
  ]);
  return { items: items.rows, unplaced: unplaced.rows[0]?.total ?? 0 };
}

/** One site in scope with all its fields; null when there is none. */
export async function readSite(scope: Scope, db: Kysely<Database>, id: number): Promise<SiteRecord | null> {
  const { rows } = await sql<SiteRecord>`
    ${listed(sql`select * from sites where sites.id = ${id} and ${matching(scope, {})}`)}`.execute(db);
  return rows[0] ?? null;
}

/** The number of devices of a site in scope for each status that occurs. */
export async function countSiteDevices(
  scope: Scope,
  db: Kysely<Database>,
  siteId: number,
): Promise<{ status: DeviceStatus; total: number }[]> {
  const { rows } = await sql<{ status: DeviceStatus; total: number }>`
    select status, count(*) as total from device_status d
     where site_id = ${siteId} and ${withinScope(scope, 'd.customer_id', 'd.site_id')}
     group by status`.execute(db);
  return rows;
}

/** The number of open alarms on devices of a site in scope for each level that occurs. */
export async function countSiteAlarms(
  scope: Scope,
  db: Kysely<Database>,
  siteId: number,
): Promise<{ level: AlarmLevel; total: number }[]> {
  const { rows } = await sql<{ level: AlarmLevel; total: number }>`
    select a.level, count(*) as total from alarms a join devices on devices.id = a.device_id
     where devices.site_id = ${siteId} and a.cleared_at is null and not a.suppressed
       and ${withinScope(scope, 'devices.customer_id', 'devices.site_id')}
     group by a.level`.execute(db);
  return rows;
}

/** One site in scope as a target for devices; null when there is none. `enabled` when the customer is enabled too. */
export async function findSite(
  scope: Scope,
  db: Kysely<Database>,
  id: number,
): Promise<{ id: number; customerId: number; enabled: boolean } | null> {
  const { rows } = await sql<{ id: number; customerId: number; enabled: boolean }>`
    select sites.id, customer_id as "customerId", sites.enabled and customers.enabled as enabled
      from sites join customers on customers.id = customer_id
     where sites.id = ${id} and ${withinScope(scope, 'sites.customer_id', 'sites.id')}`.execute(db);
  return rows[0] ?? null;
}

/** The names of sites. */
export async function findSiteNames(db: Kysely<Database>, ids: readonly number[]): Promise<Map<number, string>> {
  const sites = await db.selectFrom('sites').select(['id', 'name']).where('id', 'in', ids).execute();
  return new Map(sites.map(({ id, name }) => [id, name]));
}

/** What users enter about a site. */
export interface SiteValues extends ValuesOf<typeof SITE.fields>, RegionCodes {}

/** The fields of a site that decide whether and how it may be changed. */
export interface LockedSite extends SiteValues {
  id: number;
  customerId: number;
  enabled: boolean;
}

/** A site in scope, locked until the end of the transaction; null when there is none. */
export async function lockSite(scope: Scope, db: Kysely<Database>, id: number): Promise<LockedSite | null> {
  const { rows } = await sql<LockedSite>`
    select id, customer_id as "customerId", ${selected(SITE.fields, 'sites')}, country, province, city, enabled from sites
     where id = ${id} and ${withinScope(scope, 'sites.customer_id', 'sites.id')} for update`.execute(db);
  return rows[0] ?? null;
}

/**
 * Adds a site and returns its id. A name or code that the customer uses violates the indices `sites_name`,
 * `sites_code`.
 */
export async function insertSite(db: Kysely<Database>, values: SiteValues & { customerId: number }): Promise<number> {
  const { id } = await db
    .insertInto('sites')
    .values({ ...byColumn(values), ...searchWordsOf(values.name) })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Gives a user with assigned sites access to one more. */
export async function assignSite(db: Kysely<Database>, userId: number, siteId: number): Promise<void> {
  await db.insertInto('user_sites').values({ user_id: userId, site_id: siteId }).execute();
}

/** The site limit of a user; null for none. Users add sites one at a time: the row stays locked. */
export async function lockSiteLimit(db: Kysely<Database>, userId: number): Promise<number | null> {
  const user = await db
    .selectFrom('users')
    .select('max_sites')
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return user?.max_sites ?? null;
}

/** How many sites are in scope. */
export async function countSites(scope: Scope, db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from sites s where ${withinScope(scope, 's.customer_id', 's.id')}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Changes columns of a site that the transaction has locked. */
export async function updateSite(
  db: Kysely<Database>,
  id: number,
  values: Partial<SiteValues & { enabled: boolean }>,
): Promise<void> {
  await db
    .updateTable('sites')
    .set({ ...byColumn(values), ...searchWordsOf(values.name) })
    .where('id', '=', id)
    .execute();
}

/** Removes a site. The foreign key of its devices prevents it while there are any. */
export async function deleteSite(db: Kysely<Database>, id: number): Promise<void> {
  await db.deleteFrom('sites').where('id', '=', id).execute();
}

/** The columns of a list, joined only to the few sites that it shows, so that nothing else is counted. */
function listed(sites: RawBuilder<unknown>, more: RawBuilder<unknown> = sql``): RawBuilder<SiteRecord> {
  return sql`
    select s.id, ${selected(SITE.fields, 's')}, s.customer_id as "customerId", customers.name as "customerName",
           customers.enabled as "customerEnabled", s.country, s.province, s.city, s.enabled, s.created_at as "createdAt",
           d.total as "deviceCount", d.served, d.faulted, d.offline, a.total as "activeAlarms", a.critical ${more}
      from (${sites}) s
      join customers on customers.id = s.customer_id
     cross join lateral (
       select count(*)::int as total, count(*) filter (where status <> 'disabled')::int as served,
              count(*) filter (where status = 'faulted')::int as faulted,
              count(*) filter (where status = 'offline')::int as offline
         from device_status where device_status.site_id = s.id
     ) d
     cross join lateral (
       select count(*)::int as total, (count(distinct device_id) filter (where level = 'CA'))::int as critical
         from alarms where alarms.customer_id = s.customer_id and alarms.site_id = s.id
          and alarms.cleared_at is null and not alarms.suppressed
     ) a`;
}

function orderBy(order: SiteOrder, table: string): RawBuilder<unknown> {
  const direction = order.descending ? sql`desc` : sql`asc`;
  return sql`${sortedBy(order, table)} ${direction}, ${sql.ref(`${table}.id`)} ${direction}`;
}

function sortedBy({ by }: SiteOrder, table: string): RawBuilder<unknown> {
  const column = sql.ref(`${table}.${SORT_COLUMNS[by]}`);
  return by === 'name' || by === 'code' ? naturally(column) : column;
}

function matching(scope: Scope, filters: SiteFilters): RawBuilder<SqlBool> {
  const conditions = [withinScope(scope, 'sites.customer_id', 'sites.id')];
  if (filters.id !== undefined) conditions.push(sql`sites.id = ${filters.id}`);
  if (filters.customerId !== undefined) conditions.push(sql`sites.customer_id = ${filters.customerId}`);
  if (filters.enabled !== undefined) conditions.push(sql`sites.enabled = ${filters.enabled}`);
  if (filters.region) conditions.push(inRegion('sites', filters.region));
  if (filters.state !== undefined) conditions.push(inSiteState(scope, filters.state));
  if (filters.search !== undefined) {
    conditions.push(containsWords(SITE_TEXT, filters.search));
  }
  return sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}
