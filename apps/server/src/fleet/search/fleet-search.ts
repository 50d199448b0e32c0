import type { SearchHit } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { SearchSource } from '../../ports/search-source.ts';
import { type FoundPlace, findCustomers, findDevices, findSites } from './fleet-search.store.ts';

/** Devices, sites and customers in the global search. */
export function fleetSearch(db: Kysely<Database>): SearchSource[] {
  const found =
    (find: typeof findDevices): SearchSource['find'] =>
    async ({ scope }, search, limit) =>
      (await find(scope, db, search, limit)).map(toHit);
  return [
    { kind: 'device', keys: ['auth_device_list', 'auth_device_detail'], find: found(findDevices) },
    { kind: 'site', keys: ['auth_site_list', 'auth_site_detail'], find: found(findSites) },
    { kind: 'customer', keys: ['auth_customer_list', 'auth_customer_detail'], find: found(findCustomers) },
  ];
}

function toHit({ siteName, customerName, ...place }: FoundPlace): SearchHit {
  return { ...place, within: [siteName, customerName].filter((name) => name !== null) };
}
