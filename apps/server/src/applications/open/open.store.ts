import type { Scope } from '@chargehand/domain';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { withinScope } from '../../platform/database/scope.ts';

/** Which rows of a list: those after an ID, at most `limit`. */
interface Part {
  after: number;
  limit: number;
}

interface Place {
  customerId?: number | undefined;
  siteId?: number | undefined;
  deviceId?: number | undefined;
}

const all = (conditions: (RawBuilder<SqlBool> | null)[]) =>
  sql.join(
    conditions.filter((one) => one !== null),
    sql` and `,
  );
const is = (column: string, value: number | string | undefined) =>
  value === undefined ? null : sql<SqlBool>`${sql.ref(column)} = ${value}`;

export interface OpenCustomerRecord {
  id: number;
  code: string;
  name: string;
  enabled: boolean;
}

/** Customers that a caller sees, also those of which they see only some sites. */
export async function openCustomers(
  scope: Scope,
  db: Kysely<Database>,
  { after, limit }: Part,
): Promise<OpenCustomerRecord[]> {
  const bySite =
    scope.sites === 'all'
      ? null
      : sql<SqlBool>`exists (select from sites s where s.customer_id = c.id and ${withinScope(scope, 's.customer_id', 's.id')})`;
  const { rows } = await sql<OpenCustomerRecord>`
    select c.id, c.code, c.name, c.enabled from customers c
     where ${all([withinScope(scope, 'c.id', null), bySite])} and c.id > ${after}
     order by c.id limit ${limit}`.execute(db);
  return rows;
}

export interface OpenSiteRecord {
  id: number;
  name: string;
  customerId: number;
  enabled: boolean;
  address: string;
  latitude: number | null;
  longitude: number | null;
}

export async function openSites(
  scope: Scope,
  db: Kysely<Database>,
  place: Place,
  { after, limit }: Part,
): Promise<OpenSiteRecord[]> {
  const { rows } = await sql<OpenSiteRecord>`
    select s.id, s.name, s.customer_id as "customerId", s.enabled, s.address, s.latitude, s.longitude from sites s
     where ${all([withinScope(scope, 's.customer_id', 's.id'), is('s.customer_id', place.customerId)])}
       and s.id > ${after} order by s.id limit ${limit}`.execute(db);
  return rows;
}

export interface OpenDeviceRecord {
  id: number;
  sn: string;
  name: string;
  customerId: number;
  siteId: number;
  enabled: boolean;
  model: string;
  softwareVersion: string;
  connected: boolean;
  status: string;
  statusSince: Date;
  lastSeenAt: Date | null;
}

/** Devices that a caller sees; `id` for a single one. */
export async function openDevices(
  scope: Scope,
  db: Kysely<Database>,
  filter: Place & { id?: number; sn?: string | undefined },
  { after, limit }: Part,
): Promise<OpenDeviceRecord[]> {
  const conditions = [
    withinScope(scope, 'd.customer_id', 'd.site_id'),
    is('d.customer_id', filter.customerId),
    is('d.site_id', filter.siteId),
    is('d.id', filter.id),
    is('d.sn', filter.sn),
  ];
  const { rows } = await sql<OpenDeviceRecord>`
    select d.id, d.sn, d.name, d.customer_id as "customerId", d.site_id as "siteId", d.enabled, m.name as model,
           d.soft_version as "softwareVersion", coalesce(st.connected, false) as connected, d.status,
           d.status_since as "statusSince", st.last_seen_at as "lastSeenAt"
      from devices d join device_models m on m.id = d.device_model_id
      left join device_states st on st.device_id = d.id
     where ${all(conditions)} and d.id > ${after} order by d.id limit ${limit}`.execute(db);
  return rows;
}

export interface OpenIssueRecord {
  id: number;
  key: string;
  number: number;
  title: string;
  status: string;
  type: number;
  priority: number;
  customerId: number;
  siteId: number | null;
  deviceId: number | null;
  createdAt: Date;
  updatedAt: Date;
}

/** Issues that a caller sees; `id` for a single one. */
export async function openIssues(
  scope: Scope,
  db: Kysely<Database>,
  filter: Place & { id?: number },
  { after, limit }: Part,
): Promise<OpenIssueRecord[]> {
  const conditions = [
    withinScope(scope, 'i.customer_id', 'i.site_id'),
    is('i.customer_id', filter.customerId),
    is('i.site_id', filter.siteId),
    is('i.device_id', filter.deviceId),
    is('i.id', filter.id),
  ];
  const { rows } = await sql<OpenIssueRecord>`
    select i.id, issue_key(i.customer_id, i.number) as key, i.number, i.title, i.status, i.type, i.priority, i.customer_id as "customerId",
           i.site_id as "siteId", i.device_id as "deviceId", i.created_at as "createdAt", i.updated_at as "updatedAt"
      from issues i where ${all(conditions)} and i.id > ${after} order by i.id limit ${limit}`.execute(db);
  return rows;
}
