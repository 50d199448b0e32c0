import type { placesEndpoints, QueryOf, ResultOf } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import { logAction } from '../../audit/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import { listOrder, pageOf, searchOf } from '../../platform/http/serve/list-queries.ts';
import { deleteReceiver, insertReceiver, listReceiversOfSite } from './place-users.store.ts';
import { requireEditableSite } from './sites.service.ts';
import { findSite, type LockedSite } from './sites.store.ts';

type Endpoints = typeof placesEndpoints;

export type ReceiversService = ReturnType<typeof receiversService>;

/**
 * The notification recipients of a site. Only users who see the site count: a user who loses access leaves the list
 * automatically, and returns with the access.
 */
export function receiversService(db: Kysely<Database>) {
  const page = async (
    caller: Caller,
    which: 'receivers' | 'candidates',
    id: number,
    query: QueryOf<Endpoints['listReceiverCandidates']>,
  ): Promise<ResultOf<Endpoints['listReceivers']>> => {
    const site = await findSite(caller.scope, db, id);
    if (!site) throw notFound('site');
    const { descending } = listOrder(query.sort, 'userName');
    const search = searchOf(query.search);
    return await listReceiversOfSite(caller.scope, db, which, site, search, descending, pageOf(query));
  };
  return {
    list: (caller: Caller, id: number, query: QueryOf<Endpoints['listReceivers']>) =>
      page(caller, 'receivers', id, query),

    candidates: (caller: Caller, id: number, query: QueryOf<Endpoints['listReceiverCandidates']>) =>
      page(caller, 'candidates', id, query),

    /** @throws {Problem} receiverUnknown for a user out of scope, or who does not see the site */
    async add(caller: Caller, id: number, userId: number): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const site = await requireEditableSite(trx, caller, id);
        const user = await insertReceiver(caller.scope, trx, site, userId);
        if (!user) throw new Problem('receiverUnknown', { field: 'userId' });
        if (user.added) await logAction(trx, caller, { ...entryOf(site), after: { receiver: user.userName } });
      });
    },

    async remove(caller: Caller, id: number, userId: number): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const site = await requireEditableSite(trx, caller, id);
        const userName = await deleteReceiver(caller.scope, trx, id, userId);
        if (userName === null) throw new Problem('receiverUnknown', { field: 'userId' });
        await logAction(trx, caller, { ...entryOf(site), before: { receiver: userName } });
      });
    },
  };
}

function entryOf(site: LockedSite) {
  return {
    operation: 'edit',
    objectType: 'site',
    objectId: String(site.id),
    objectName: site.name,
    customerId: site.customerId,
    siteId: site.id,
  } as const;
}
