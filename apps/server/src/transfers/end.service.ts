import type { Kysely } from 'kysely';
import { logAction } from '../audit/index.ts';
import type { Database } from '../platform/database/schema.ts';
import type { Caller } from '../platform/http/caller.ts';
import { notFound, Problem } from '../platform/http/problem.ts';
import type { Events } from '../ports/events.ts';
import { moveOn } from './progress.service.ts';
import { queryOf } from './query.ts';
import { deviceOfTransfer, runningTransferOf } from './transfers.store.ts';

/**
 * Ends the transfer of a command for a user, so that another one can start. The device is not informed: OCPP has no
 * message for it.
 * @throws {Problem} `transferOver` when it has ended, or the command transfers nothing
 */
export async function endTransfer(
  { db, events }: { db: Kysely<Database>; events: Events },
  caller: Caller,
  executionId: string,
): Promise<void> {
  const deviceId = await db.transaction().execute(async (trx) => {
    const id = await runningTransferOf(trx, executionId);
    const ended = id === null ? null : await moveOn(queryOf(trx), id, { type: 'ended', reason: 'endedByUser' });
    if (!ended) throw new Problem('transferOver');
    const device = await deviceOfTransfer(trx, ended.deviceId);
    if (!device) throw notFound('device');
    await logAction(trx, caller, {
      ...{ operation: 'control', objectType: 'device', objectId: String(device.id), objectName: device.name },
      ...{ customerId: device.customerId, siteId: device.siteId },
      after: { transfer: ended.kind, ended: true, executionId },
    });
    return device.id;
  });
  events.publish('device.transfers', { id: deviceId });
}
