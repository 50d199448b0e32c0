import type { DeviceStatus, Scope } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { withinScope } from '../../platform/database/scope.ts';
import { findMatches } from '../../platform/search/find-matches.ts';
import { CUSTOMER_TEXT, visibleCustomers } from '../customers/customers.store.ts';
import { DEVICE_TEXT } from '../devices/device-list.store.ts';
import { SITE_TEXT } from '../sites/sites.store.ts';

/** A device, site or customer that a search found. */
export interface FoundPlace {
  id: number;
  name: string;
  code: string;
  enabled: boolean;
  /** null for a site and a customer */
  status: DeviceStatus | null;
  siteName: string | null;
  customerName: string | null;
}

/** The devices in scope that match a search, the best first. */
export async function findDevices(
  scope: Scope,
  db: Kysely<Database>,
  search: string,
  limit: number,
): Promise<FoundPlace[]> {
  const visible = withinScope(scope, 'devices.customer_id', 'devices.site_id');
  const table = { from: sql`devices`, id: 'devices.id', code: 'devices.sn', name: 'devices.name' };
  const shown = sql`
    select d.id, d.name, d.sn as code, d.enabled, d.status, site.name as "siteName", customer.name as "customerName"
      from found join devices d on d.id = found.id
      join sites site on site.id = d.site_id join customers customer on customer.id = d.customer_id`;
  return await findMatches(db, { ...table, text: DEVICE_TEXT, visible }, { search, limit, shown });
}

/** The sites in scope that match a search, the best first. */
export async function findSites(
  scope: Scope,
  db: Kysely<Database>,
  search: string,
  limit: number,
): Promise<FoundPlace[]> {
  const visible = withinScope(scope, 'sites.customer_id', 'sites.id');
  const table = { from: sql`sites`, id: 'sites.id', code: 'sites.code', name: 'sites.name' };
  const shown = sql`
    select s.id, s.name, s.code, s.enabled, null as status, null as "siteName", customer.name as "customerName"
      from found join sites s on s.id = found.id join customers customer on customer.id = s.customer_id`;
  return await findMatches(db, { ...table, text: SITE_TEXT, visible }, { search, limit, shown });
}

/** The customers in scope that match a search, the best first. */
export async function findCustomers(
  scope: Scope,
  db: Kysely<Database>,
  search: string,
  limit: number,
): Promise<FoundPlace[]> {
  const visible = visibleCustomers(scope);
  const table = { from: sql`customers`, id: 'customers.id', code: 'customers.code', name: 'customers.name' };
  const shown = sql`
    select c.id, c.name, c.code, c.enabled, null as status, null as "siteName", null as "customerName"
      from found join customers c on c.id = found.id`;
  return await findMatches(db, { ...table, text: CUSTOMER_TEXT, visible }, { search, limit, shown });
}
