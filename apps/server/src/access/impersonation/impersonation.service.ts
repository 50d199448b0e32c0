import { VIEWING_MINUTES } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import type { Pool } from 'pg';
import { logAction } from '../../audit/index.ts';
import type { Bus } from '../../platform/bus/bus.ts';
import type { Database } from '../../platform/database/schema.ts';
import { uniqueViolation } from '../../platform/database/violations.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import type { Caller } from '../../ports/caller.ts';
import { identityChanged } from '../../ports/sessions.ts';
import { findStanding } from '../callers.store.ts';
import { mayBeViewed } from '../guard.ts';
import { deleteViewing, endLapsedViewings, insertViewing, type ViewingRecord } from './impersonation.store.ts';

export type ViewingService = ReturnType<typeof viewingService>;

/**
 * A root account sees the console as somebody else: what the guard answers is then that person's, and nothing can be
 * changed. Each beginning and end stands in the action log under the name of who looked; the sessions and the privacy
 * acceptance of who is looked at are left alone.
 */
export function viewingService(parts: { db: Kysely<Database>; pool: Pool; bus: Bus }) {
  const { db, pool, bus } = parts;
  return {
    /** @throws {Problem} notFound, ownAccount, viewingRoot, viewingDisabled, viewingOver */
    async start(caller: Caller, userId: number): Promise<{ until: string }> {
      const viewed = await findStanding(pool, userId, '');
      if (!viewed) throw notFound('user');
      if (userId === caller.userId) throw new Problem('ownAccount');
      if (viewed.root) throw new Problem('viewingRoot');
      if (!mayBeViewed(viewed)) throw new Problem('viewingDisabled');
      const { user_name: userName, customer_id: customerId } = viewed;
      const until = await db.transaction().execute(async (trx) => {
        const person = { id: userId, userName, customerId };
        const end = await insertViewing(trx, caller.sessionId, person, VIEWING_MINUTES).catch((error: unknown) => {
          // Another tab of the same session began meanwhile.
          if (uniqueViolation(error) === 'viewings_pkey') throw new Problem('viewingOver');
          throw error;
        });
        await logAction(trx, caller, {
          operation: 'enable',
          ...objectOf({ viewedId: userId, viewedName: userName, customerId }),
          after: { until: end.toISOString() },
        });
        return end;
      });
      bus.publish(identityChanged(caller.sessionId), null);
      return { until: until.toISOString() };
    },

    /** Ends it, or takes note that it is over; harmless when there was nothing. */
    async stop(caller: Pick<Caller, 'sessionId'>): Promise<void> {
      const stopped = await db.transaction().execute(async (trx) => {
        const viewing = await deleteViewing(trx, caller.sessionId);
        if (viewing && !viewing.endedAt) await logEnd(trx, viewing);
        return viewing;
      });
      if (stopped) bus.publish(identityChanged(caller.sessionId), null);
    },

    /** Ends what has run its time or lost its session, and logs each; any number of nodes may do it at once. */
    async sweep(): Promise<void> {
      const lapsed = await db.transaction().execute(async (trx) => {
        const ended = await endLapsedViewings(trx);
        for (const viewing of ended) await logEnd(trx, viewing);
        return ended;
      });
      for (const { sessionId } of lapsed) bus.publish(identityChanged(sessionId), null);
    },
  };
}

async function logEnd(trx: Kysely<Database>, viewing: ViewingRecord): Promise<void> {
  const viewer = { userId: viewing.viewerId, userName: viewing.viewerName, address: viewing.address };
  await logAction(trx, viewer, {
    operation: 'disable',
    ...objectOf(viewing),
    before: { since: viewing.since.toISOString() },
  });
}

/** Whoever sees a person's customer whole is told who looked through that person's eyes. */
function objectOf({ viewedId, viewedName, customerId }: Pick<ViewingRecord, 'viewedId' | 'viewedName' | 'customerId'>) {
  return {
    objectType: 'viewing',
    objectId: String(viewedId ?? ''),
    objectName: viewedName,
    customerId,
    siteId: null,
  };
}
