import type { Kysely } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { GuestPlace, GuestShares } from '../../ports/devices/link-guests.ts';
import type { ShareChanges } from '../share-changes.ts';
import { checkShares, type ShareChecks } from '../share-checks.ts';
import type { SharesService } from '../shares.service.ts';
import { findShare, findShares } from '../shares.store.ts';

/** The invitations of guests into links: shares with a code, which end with their terminal or web pages. */
export function guestShares(parts: {
  db: Kysely<Database>;
  clock: Clock;
  checks: ShareChecks;
  shares: Pick<SharesService, 'create' | 'setInteractive' | 'destroy'>;
  changes: ShareChanges;
}): GuestShares {
  const { db, clock, checks, shares, changes } = parts;
  return {
    async invite(caller, { customerId, interactive, hostSession = false, until, recipient, ...place }) {
      const entered = { days: null, code: true, recipient, interactive, hostSession, until };
      return await shares.create(caller, 'terminalId' in place ? 'terminal' : 'page', place, customerId, entered);
    },

    async find(shareId) {
      const share = await findShare(db, shareId);
      if (!share || share.linkId === null) return null;
      const [checked] = await checkShares(checks, [share], clock.now());
      const { id, terminalId, pagesOf, createdBy, interactive, expiresAt } = share;
      return { id, terminalId, pagesOf, createdBy, interactive, expiresAt, open: checked?.end === null };
    },

    setInteractive: shares.setInteractive,
    destroy: shares.destroy,

    async endOf(place) {
      const ended = await db
        .updateTable('shares')
        .set({ destroyed_at: clock.now() })
        .where(...within(place))
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

    async countOpen(place) {
      const { count } = await db
        .selectFrom('shares')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where(...within(place))
        .where('destroyed_at', 'is', null)
        .where('expires_at', '>', clock.now())
        .executeTakeFirstOrThrow();
      return Number(count);
    },
  };
}

function within(place: GuestPlace): ['terminal_id' | 'pages_of', '=', number] {
  return 'terminalId' in place ? ['terminal_id', '=', place.terminalId] : ['pages_of', '=', place.pagesOf];
}
