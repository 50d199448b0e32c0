import { isAnnounced, SYSTEM_PROBLEMS, type SystemProblem, type SystemProblemKind } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import { announce } from '../ports/notices.ts';

export const NOTICES_EVERY_MS = 5 * 60_000;

/**
 * Announces when problems of the installation begin and end, one message per kind, also those that ended while no process
 * was running.
 * @param problems what is wrong now, the worst first
 */
export function systemNotices(
  db: Kysely<Database>,
  problems: () => Promise<readonly SystemProblem[]>,
): { check(): Promise<void> } {
  const known = new Map<SystemProblemKind, boolean>();
  return {
    async check() {
      const now = (await problems()).filter(isAnnounced);
      const of = (kind: SystemProblemKind) => now.find((problem) => problem.kind === kind);
      const changed = SYSTEM_PROBLEMS.filter((kind) => known.get(kind) !== (of(kind) !== undefined));
      await db.transaction().execute((trx) =>
        announce(
          trx,
          changed.map((kind) => ({
            ...{ type: 'system', key: kind, ended: of(kind) === undefined, subject: { kind: 'system', id: kind } },
            ...{ customerId: null, siteId: null, deviceId: null, data: { ...of(kind)?.values, event: kind } },
          })),
        ),
      );
      for (const kind of changed) known.set(kind, of(kind) !== undefined);
    },
  };
}
