import { IMPERSONATION_MINUTES } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import type { Pool } from 'pg';
import { logAction } from '../../audit/index.ts';
import type { Bus } from '../../platform/bus/bus.ts';
import type { Database } from '../../platform/database/schema.ts';
import { explained } from '../../platform/database/violations.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import { identityChanged } from '../../ports/sessions.ts';
import { findAccountState } from '../callers.store.ts';
import { mayBeViewed } from '../guard.ts';
import { EXPLANATIONS } from '../tables.ts';
import {
  deleteImpersonation,
  endExpiredImpersonations,
  type ImpersonationRecord,
  insertImpersonation,
} from './impersonation.store.ts';

export type ImpersonationService = ReturnType<typeof impersonationService>;

/**
 * A root account views the console as another user. The guard then uses the rights of that user and allows no changes.
 * The action log has each start and end under the name of the root account. Sessions and privacy acceptance of the
 * viewed user do not change.
 */
export function impersonationService(parts: { db: Kysely<Database>; pool: Pool; bus: Bus }) {
  const { db, pool, bus } = parts;
  return {
    /** @throws {Problem} notFound, ownAccount, impersonationOfRoot, impersonationOfDisabled, impersonationOver */
    async start(caller: Caller, userId: number): Promise<{ until: Date }> {
      const viewed = await findAccountState(pool, userId, '');
      if (!viewed) throw notFound('user');
      if (userId === caller.userId) throw new Problem('ownAccount');
      if (viewed.root) throw new Problem('impersonationOfRoot');
      if (!mayBeViewed(viewed)) throw new Problem('impersonationOfDisabled');
      const { user_name: userName, customer_id: customerId } = viewed;
      const until = await db.transaction().execute(async (trx) => {
        const person = { id: userId, userName, customerId };
        const start = insertImpersonation(trx, caller.sessionId, person, IMPERSONATION_MINUTES);
        const end = await explained(start, EXPLANATIONS);
        await logAction(trx, caller, {
          operation: 'enable',
          ...objectOf({ viewedId: userId, viewedName: userName, customerId }),
          after: { until: end.toISOString() },
        });
        return end;
      });
      bus.publish(identityChanged(caller.sessionId), null);
      return { until };
    },

    /** Ends the impersonation, or acknowledges its end. Does nothing if there is none. */
    async stop(caller: Pick<Caller, 'sessionId'>): Promise<void> {
      const stopped = await db.transaction().execute(async (trx) => {
        const impersonation = await deleteImpersonation(trx, caller.sessionId);
        if (impersonation && !impersonation.endedAt) await logEnd(trx, impersonation);
        return impersonation;
      });
      if (stopped) bus.publish(identityChanged(caller.sessionId), null);
    },

    /**
     * Ends impersonations after their time or without a session, and logs each, once.
     */
    async sweep(): Promise<void> {
      const expired = await db.transaction().execute(async (trx) => {
        const ended = await endExpiredImpersonations(trx);
        for (const impersonation of ended) await logEnd(trx, impersonation);
        return ended;
      });
      for (const { sessionId } of expired) bus.publish(identityChanged(sessionId), null);
    },
  };
}

async function logEnd(trx: Kysely<Database>, impersonation: ImpersonationRecord): Promise<void> {
  const viewer = { userId: impersonation.viewerId, userName: impersonation.viewerName, address: impersonation.address };
  await logAction(trx, viewer, {
    operation: 'disable',
    ...objectOf(impersonation),
    before: { since: impersonation.since.toISOString() },
  });
}

/** A user who sees the whole customer also sees who viewed the console as this user. */
function objectOf({
  viewedId,
  viewedName,
  customerId,
}: Pick<ImpersonationRecord, 'viewedId' | 'viewedName' | 'customerId'>) {
  return {
    objectType: 'viewing' as const,
    objectId: String(viewedId ?? ''),
    objectName: viewedName,
    customerId,
    siteId: null,
  };
}
