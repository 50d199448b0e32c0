import type { Kysely } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { GuestShares } from '../../ports/devices/terminal-guests.ts';
import type { ShareChanges } from '../share-changes.ts';
import { checkShares, type ShareChecks } from '../share-checks.ts';
import type { SharesService } from '../shares.service.ts';
import { findShare, findShares } from '../shares.store.ts';

/** The invitations of guests into terminals: shares with a code, which end with their terminal. */
export function terminalShares(parts: {
  db: Kysely<Database>;
  clock: Clock;
  checks: ShareChecks;
  shares: Pick<SharesService, 'create' | 'setInteractive' | 'destroy'>;
  changes: ShareChanges;
}): GuestShares {
  const { db, clock, checks, shares, changes } = parts;
  return {
    async invite(caller, { terminalId, customerId, interactive, until, recipient }) {
      const entered = { days: null, code: true, recipient, interactive, until };
      return await shares.create(caller, 'terminal', { terminalId }, customerId, entered);
    },

    async find(shareId) {
      const share = await findShare(db, shareId);
      if (!share || share.terminalId === null) return null;
      const [checked] = await checkShares(checks, [share], clock.now());
      const { id, terminalId, createdBy, interactive, expiresAt } = share;
      return { id, terminalId, createdBy, interactive, expiresAt, open: checked?.end === null };
    },

    setInteractive: shares.setInteractive,
    destroy: shares.destroy,

    async endOf(terminalId) {
      const ended = await db
        .updateTable('shares')
        .set({ destroyed_at: clock.now() })
        .where('terminal_id', '=', terminalId)
        .where('destroyed_at', 'is', null)
        .returning('id')
        .execute();
      for (const share of await findShares(
        db,
        ended.map(({ id }) => id),
      )) {
        changes.changed(share);
      }
    },

    async countOpen(terminalId) {
      const { count } = await db
        .selectFrom('shares')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('terminal_id', '=', terminalId)
        .where('destroyed_at', 'is', null)
        .where('expires_at', '>', clock.now())
        .executeTakeFirstOrThrow();
      return Number(count);
    },
  };
}
