import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { announce } from '../../ports/notices.ts';
import { takeEnded } from './announcements.store.ts';

/** Operations announced in one transaction. */
const ROWS = 100;
const ROLLOUTS: ReadonlySet<string> = new Set(['upgradeSoftware', 'updatePlcFirmware']);

/** Announces operations that have ended to their senders, one message each; not to a sender who has seen the end. */
export async function announceEnded(db: Kysely<Database>): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const ended = await takeEnded(transaction, ROWS);
    await announce(
      transaction,
      ended.map(({ id, kind, parameter, requestedBy, customerId, siteId, ...counts }) => ({
        type: ROLLOUTS.has(kind) ? ('firmwareRollout' as const) : ('commandFinished' as const),
        ...{ key: `batch ${id}`, subject: { kind: 'commandBatch' as const, id } },
        // Its first site: the sender could see it when the operation began.
        ...{ customerId, siteId, deviceId: null, userIds: [requestedBy], data: { kind, parameter, ...counts } },
      })),
    );
  });
}
