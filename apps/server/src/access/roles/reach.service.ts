import { ENDPOINTS, type Endpoint, PERMISSIONS } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import {
  declaredAccess,
  deleteInterfaces,
  linkMenus,
  setCommon,
  syncMenus,
  unlinkMenus,
  upsertInterfaces,
} from './reach.store.ts';

/**
 * Writes the contract's endpoints and permission keys into the tables that the guard uses (design §5). Changes by users
 * to menus, links and common flags are kept while the contract declares the same access as before. When it declares
 * another access, exactly the difference is applied.
 */
export async function syncReach(
  trx: Kysely<Database>,
  endpoints: readonly Endpoint[] = Object.values(ENDPOINTS),
): Promise<void> {
  await syncMenus(
    trx,
    Object.entries(PERMISSIONS).map(([key, { parent, en, zh, ...more }], sort) => ({
      ...{ key, parentKey: parent, nameEn: en, nameZh: zh, sort, url: 'url' in more ? more.url : '' },
    })),
  );
  const before = await declaredAccess(trx);
  await upsertInterfaces(
    trx,
    endpoints.map((endpoint) => {
      const { id, method, path: url, summary, nameZh } = endpoint;
      const declared = declarationOf(endpoint);
      const common = keysOf(declared).length === 0;
      return { id, nameEn: shortly(summary), nameZh, method, url, declaredAccess: declared, common };
    }),
  );
  for (const endpoint of endpoints) {
    const { id } = endpoint;
    const declared = declarationOf(endpoint);
    const former = before.get(id);
    before.delete(id);
    if (former === declared) continue;
    const wanted = keysOf(declared);
    const had = keysOf(former ?? '');
    await linkMenus(
      trx,
      id,
      wanted.filter((key) => !had.includes(key)),
    );
    await unlinkMenus(
      trx,
      id,
      had.filter((key) => !wanted.includes(key)),
    );
    if ((wanted.length === 0) !== (had.length === 0)) await setCommon(trx, id, wanted.length === 0);
  }
  await deleteInterfaces(trx, [...before.keys()]);
}

/** The first part of a summary, without details: the name of an interface in lists. */
function shortly(summary: string): string {
  return summary.split(/[;:]|\. /)[0] ?? summary;
}

/** The stored access of an endpoint: `public`, `common`, or its keys joined by commas. */
function declarationOf(endpoint: Endpoint): string {
  const { route } = endpoint.policy;
  return typeof route === 'string' ? route : [...route.keys].sort().join(',');
}

/** The menus of a declared access; none for public and common endpoints. */
export function keysOf(declared: string): string[] {
  return declared === 'public' || declared === 'common' ? [] : declared.split(',').filter(Boolean);
}
