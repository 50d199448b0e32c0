import { deviceLevels, executionResultOf, inScope, linkEnd, meets, permitsLink } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/schema.ts';
import type { Log } from '../platform/log.ts';
import type { ScheduledJob } from '../platform/work/scheduled-job.ts';
import type { LinkChanges } from './link-changes.ts';
import type { LinkRights } from './links.service.ts';
import { type ActiveLink, listActiveLinks, writeTraffic } from './links.store.ts';

/** A link ends within a second after its reason. */
const WATCH_MS = 500;

/**
 * Ends links when their time is over, control 7 has failed, the device was disabled, or the user who requested them has
 * lost the permission.
 */
export function linkWatch(parts: {
  db: Kysely<Database>;
  clock: Clock;
  log: Log;
  changes: LinkChanges;
  rightsOf: LinkRights;
  traffic(linkId: number): { bytesIn: number; bytesOut: number } | null;
  /** the users who watch the terminals of a link */
  watchers(linkId: number): { userId: number; leave(): void }[];
}): ScheduledJob {
  const { db, clock, log, changes, rightsOf, traffic, watchers } = parts;

  async function watch(): Promise<void> {
    const active = await listActiveLinks(db);
    const rights = new Map<number, ReturnType<LinkRights>>();
    const rightsNow = (userId: number) => {
      const known = rights.get(userId) ?? rightsOf(userId);
      rights.set(userId, known);
      return known;
    };
    for (const link of active) {
      const { result, executionReason: reason } = link;
      const execution = result === null ? null : { result: executionResultOf(result), reason };
      const end = linkEnd({ ...link, permitted: await isPermitted(link, rightsNow), execution }, clock.now());
      if (end) {
        const detail = end === 'vpnError' ? (link.detail ?? reason) : null;
        await changes.apply(link.id, { type: 'ended', end }, { detail });
      } else if (link.state === 'requested' && execution?.result === 'success') {
        await changes.apply(link.id, { type: 'accepted' });
      }
      for (const { userId, leave } of watchers(link.id)) {
        if (!(await isPermitted({ ...link, requestedBy: userId }, rightsNow))) leave();
      }
    }
    const bytes = active.flatMap(({ id }) => {
      const moved = traffic(id);
      return moved ? [{ id, ...moved }] : [];
    });
    if (bytes.length > 0) await writeTraffic(db, bytes);
  }

  return clock.repeat(watch, {
    job: 'linkCheck',
    everyMs: WATCH_MS,
    log,
    failed: 'links to devices could not be checked; trying again at once',
    again: 'links to devices are checked again',
  });
}

/** Links do not depend on the levels of parameters. */
const LEAST_PARAMETERS = { parameterRead: 5, parameterWrite: 5 } as const;

async function isPermitted(link: ActiveLink, rightsOf: LinkRights): Promise<boolean> {
  const { requestedBy, customerId, siteId, controlLevel, kind } = link;
  if (requestedBy === null || customerId === null || controlLevel === null) return false;
  const rights = await rightsOf(requestedBy);
  return (
    rights !== null &&
    !rights.readOnly &&
    permitsLink(rights, kind) &&
    inScope(rights.scope, { customerId, siteId }) &&
    meets(rights.levels, deviceLevels({ ...LEAST_PARAMETERS, control: controlLevel }).control)
  );
}
