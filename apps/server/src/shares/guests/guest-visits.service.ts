import type { BodyOf, publicShareEndpoints } from '@chargehand/contract';
import { lineOf } from '@chargehand/domain';
import type { FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { Problem } from '../../platform/http/problem.ts';
import type { GuestPages, GuestTerminals } from '../../ports/devices/link-guests.ts';
import type { ShareChanges } from '../share-changes.ts';
import type { ShareRecord } from '../shares.store.ts';
import { countUse } from '../visitors/uses.store.ts';
import type { VisitorPasses } from '../visitors/visitor-pass.ts';
import type { Visit } from '../visitors/visitors.service.ts';

type Entered = BodyOf<(typeof publicShareEndpoints)['joinTerminal' | 'joinPage']>;
export type GuestVisitsService = ReturnType<typeof guestVisitsService>;

/** Guests in terminals and web pages. */
export function guestVisitsService(parts: {
  db: Kysely<Database>;
  passes: Pick<VisitorPasses, 'cookie'>;
  terminals: Pick<GuestTerminals, 'join'>;
  pages: Pick<GuestPages, 'join'>;
  changes: ShareChanges;
}) {
  const { db, passes, terminals, pages, changes } = parts;

  /** What any guest has. @throws {Problem} shareCodeNeeded, fieldRequired */
  function guestOf({ share, visitor }: Visit, request: FastifyRequest, entered: Entered) {
    const cookie = passes.cookie(share, request);
    if (cookie.value === '') throw new Problem('shareCodeNeeded');
    const name = lineOf(entered.visitorName).trim();
    if (name === '') throw new Problem('fieldRequired', { field: 'visitorName' });
    const { id: shareId, interactive, expiresAt: until } = share;
    const guest = { shareId, name, address: visitor.address, interactive, until, visitor: visitor.key };
    return { guest, cookie };
  }

  async function joined(share: ShareRecord): Promise<void> {
    await countUse(db, share.id);
    changes.used(share);
  }

  return {
    /** @throws {Problem} fieldRequired, terminalOver, guestTaken */
    async joinTerminal(visit: Visit, request: FastifyRequest, entered: Entered): Promise<{ key: string }> {
      const { terminalId } = visit.share;
      if (terminalId === null) throw new Problem('shareFileGone');
      const { guest, cookie } = guestOf(visit, request, entered);
      const key = await terminals.join({ ...guest, terminalId, cookie });
      await joined(visit.share);
      return { key };
    },

    /** @throws {Problem} fieldRequired, linkNotOpen, guestTaken, pagesOff */
    async joinPage(visit: Visit, request: FastifyRequest, entered: Entered): Promise<{ url: string }> {
      const { pagesOf, hostSession } = visit.share;
      if (pagesOf === null) throw new Problem('shareFileGone');
      const { guest } = guestOf(visit, request, entered);
      const origin = new URL(`${request.protocol}://${request.host}`);
      const url = await pages.join({ ...guest, linkId: pagesOf, hostSession, locale: request.locale, origin });
      await joined(visit.share);
      return { url };
    },
  };
}
