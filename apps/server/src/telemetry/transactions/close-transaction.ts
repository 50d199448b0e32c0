import { NOT_REPORTED, type SessionEndCause } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import { findDevicePlace, logAction } from '../../audit/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import type { VisibleDevice } from '../../ports/devices/visible-device.ts';
import type { Events } from '../../ports/events.ts';
import { closeOpenTransaction, findTransaction } from './transactions.store.ts';

/**
 * Closes a charging session whose end the device does not report. It requires the permission to control the device,
 * because it removes the protection of a charging vehicle.
 * @throws Problem notFound, fieldRequired, transactionEnded
 */
export async function closeTransaction(
  parts: { db: Kysely<Database>; events: Events },
  caller: Caller,
  device: VisibleDevice,
  { transactionId, comment }: { transactionId: number; comment: string },
): Promise<void> {
  const text = comment.trim();
  if (text === '') throw new Problem('fieldRequired', { field: 'comment' });
  await parts.db.transaction().execute(async (trx) => {
    const found = await findTransaction(caller.scope, trx, device.id, transactionId);
    if (!found) throw notFound('transaction');
    const closed = await closeOpenTransaction(trx, transactionId, {
      stop_reason: NOT_REPORTED,
      stop_cause: 'closedByUser' satisfies SessionEndCause,
      closed_by_name: caller.userName,
      close_comment: text,
    });
    if (!closed) throw new Problem('transactionEnded');
    const { name, customerId, siteId } = await findDevicePlace(trx, device.id);
    await logAction(trx, caller, {
      operation: 'edit',
      objectType: 'device',
      objectId: String(device.id),
      objectName: name,
      customerId,
      siteId,
      after: { transactionId, connector: found.connector, comment: text },
    });
  });
  parts.events.publish('device.state', { id: device.id });
}
