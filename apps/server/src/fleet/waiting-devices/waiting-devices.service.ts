import type { fleetEndpoints, QueryOf, ResultOf } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import { logAction } from '../../audit/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound } from '../../platform/http/problem.ts';
import { listOrder, pageOf, searchOf } from '../../platform/http/serve/list-queries.ts';
import { listAttempts } from './connection-attempts.store.ts';
import { deleteWaitingDevice, listWaitingDevices } from './waiting-devices.store.ts';

type List = typeof fleetEndpoints.listWaitingDevices;

/**
 * Unregistered devices that tried to connect, latest attempt first. They belong to no customer, so only users of the
 * vendor see them.
 */
export async function readWaitingDevices(db: Kysely<Database>, query: QueryOf<List>): Promise<ResultOf<List>> {
  const order = listOrder(query.sort, '-lastAttemptAt');
  return await listWaitingDevices(db, searchOf(query.search), order, pageOf(query));
}

type Attempts = typeof fleetEndpoints.listConnectionAttempts;

/** Rejected connection attempts, the latest first. They belong to no customer, so only users of the vendor see them. */
export async function readAttempts(db: Kysely<Database>, query: QueryOf<Attempts>): Promise<ResultOf<Attempts>> {
  return await listAttempts(db, searchOf(query.search), listOrder(query.sort, '-lastAt').descending, pageOf(query));
}

/** Removes an entry from the list. The device is added again with its next attempt. */
export async function forgetUnknownDevice(db: Kysely<Database>, caller: Caller, id: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const entry = await deleteWaitingDevice(trx, id);
    if (entry === null) throw notFound('blacklistEntry');
    await logAction(trx, caller, {
      operation: 'delete',
      objectType: 'blacklistEntry',
      objectId: String(id),
      objectName: entry.sn,
      customerId: null,
      siteId: null,
      before: entry,
    });
  });
}
