import type { BodyOf, publicShareEndpoints } from '@chargehand/contract';
import { lineOf } from '@chargehand/domain';
import type { FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { Problem } from '../../platform/http/problem.ts';
import type { GuestTerminals } from '../../ports/devices/terminal-guests.ts';
import type { ShareChanges } from '../share-changes.ts';
import { countUse } from '../visitors/uses.store.ts';
import type { VisitorPasses } from '../visitors/visitor-pass.ts';
import type { Visit } from '../visitors/visitors.service.ts';

export type TerminalVisitsService = ReturnType<typeof terminalVisitsService>;

/** Guests in terminals. */
export function terminalVisitsService(parts: {
  db: Kysely<Database>;
  passes: Pick<VisitorPasses, 'cookie'>;
  terminals: Pick<GuestTerminals, 'join'>;
  changes: ShareChanges;
}) {
  const { db, passes, terminals, changes } = parts;
  return {
    /** @throws {Problem} fieldRequired, terminalOver, guestTaken */
    async join(
      { share, visitor }: Visit,
      request: FastifyRequest,
      entered: BodyOf<(typeof publicShareEndpoints)['joinTerminal']>,
    ): Promise<{ key: string }> {
      if (share.terminalId === null) throw new Problem('shareFileGone');
      const cookie = passes.cookie(share, request);
      if (cookie.value === '') throw new Problem('shareCodeNeeded');
      const name = lineOf(entered.visitorName).trim();
      if (name === '') throw new Problem('fieldRequired', { field: 'visitorName' });
      const { id: shareId, terminalId, interactive, expiresAt: until } = share;
      const guest = { shareId, terminalId, name, address: visitor.address, interactive, until };
      const key = await terminals.join({ ...guest, visitor: visitor.key, cookie });
      await countUse(db, shareId);
      changes.used(share);
      return { key };
    },
  };
}
