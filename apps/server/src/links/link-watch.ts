import { deviceLevels, executionResultOf, inScope, linkEnd, meets, permitsLink } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Bus } from '../platform/bus/bus.ts';
import type { Cancel, Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/schema.ts';
import type { Log } from '../platform/log.ts';
import { scheduledJob } from '../platform/work/scheduled-job.ts';
import { RIGHTS_CHANGED } from '../ports/sessions.ts';
import type { LinkChanges } from './link-changes.ts';
import type { LinkRights } from './links.service.ts';
import { type ActiveLink, listActiveLinks, writeTraffic } from './links.store.ts';

/** All links are checked this often, in case an event was lost. */
const EVERYTHING_MS = 30_000;
/** The shortest time between two checks after events. A link ends within a second after its reason. */
const PAUSE_MS = 500;

export interface LinkWatch {
  /** Something was changed that may have taken a permission from a user. */
  permissionsChanged(): void;
  start(): void;
  stop(): Promise<void>;
}

/**
 * Ends links when their time is over, control 7 has failed, the device was disabled, or the user who requested them has
 * lost the permission. It waits for the next end, and for events of links, devices and rights.
 */
export function linkWatch(parts: {
  db: Kysely<Database>;
  bus: Bus;
  clock: Clock;
  log: Log;
  changes: LinkChanges;
  rightsOf: LinkRights;
  traffic(linkId: number): { bytesIn: number; bytesOut: number } | null;
  /** the users who watch the terminals of a link */
  watchers(linkId: number): { userId: number; leave(): void }[];
  /** Closes what uses a link that has ended. */
  close(linkId: number): void;
}): LinkWatch {
  const { db, bus, clock, log, changes, rightsOf, traffic, watchers, close } = parts;
  /** the links that have not ended, as of their last check */
  const known = new Map<number, { deviceId: number | null; next: number }>();
  /** what events have named since the last check */
  let named: Set<number> | 'all' = new Set();
  let checkedAt = 0;
  let last = Promise.resolve();
  let cancelCheck: Cancel | null = null;
  let cancelEnd: Cancel = () => undefined;
  let stopped = false;

  /** One check at a time. */
  function check(ids: readonly number[] | 'all'): Promise<void> {
    const checked = last.then(() => checkNow(ids));
    last = checked.catch(() => undefined);
    return checked;
  }

  async function checkNow(ids: readonly number[] | 'all'): Promise<void> {
    checkedAt = clock.now().getTime();
    const active = await listActiveLinks(db, ids);
    const before = ids === 'all' ? known.keys().toArray() : [];
    if (ids === 'all') known.clear();
    else for (const id of ids) known.delete(id);
    // Another process may have ended them.
    const ended = ids === 'all' ? before : ids;
    for (const id of ended) if (traffic(id) !== null && !active.some((link) => link.id === id)) close(id);
    for (const link of active) known.set(link.id, { deviceId: link.deviceId, next: nextEnd(link) });
    waitForEnd();
    const rights = new Map<number, ReturnType<LinkRights>>();
    const rightsNow = (userId: number) => {
      const found = rights.get(userId) ?? rightsOf(userId);
      rights.set(userId, found);
      return found;
    };
    for (const link of active) {
      const { result, executionReason: reason } = link;
      const execution = result === null ? null : { result: executionResultOf(result), reason };
      const end = linkEnd({ ...link, permitted: await isPermitted(link, rightsNow), execution }, clock.now());
      if (end) {
        const detail = end === 'vpnError' ? (link.detail ?? reason) : null;
        await changes.apply(link.id, { type: 'ended', reason: end }, { detail });
      } else if (
        link.state === 'requested' &&
        (link.executionState === 'accepted' || execution?.result === 'success')
      ) {
        await changes.apply(link.id, { type: reason === 'badAnswer' ? 'unreadable' : 'accepted' });
      }
      for (const { userId, leave } of watchers(link.id)) {
        if (!(await isPermitted({ ...link, requestedBy: userId }, rightsNow))) leave();
      }
    }
    if (ids !== 'all') return;
    const bytes = active.flatMap(({ id }) => {
      const moved = traffic(id);
      return moved ? [{ id, ...moved }] : [];
    });
    if (bytes.length > 0) await writeTraffic(db, bytes);
  }

  async function checkNamed(): Promise<void> {
    const ids = named === 'all' ? named : [...named];
    named = new Set();
    try {
      if (ids === 'all' || ids.length > 0) await check(ids);
    } catch (error) {
      named = 'all';
      throw error;
    } finally {
      // What events have named meanwhile.
      if (named === 'all' || named.size > 0) plan();
    }
  }

  const messages = {
    ...{ job: 'linkCheck' as const, log, failed: 'links to devices could not be checked; trying again at once' },
    again: 'links to devices are checked again',
  };
  const always = clock.repeat(() => check('all'), { everyMs: EVERYTHING_MS, ...messages });
  // Runs after events are no scheduled work, and would fill its history.
  const afterEvents = scheduledJob(checkNamed, { everyMs: null, ...messages });

  function soon(ids: readonly number[] | 'all'): void {
    if (ids === 'all') named = 'all';
    else if (named !== 'all') for (const id of ids) named.add(id);
    if (ids.length > 0) plan();
  }

  function plan(): void {
    if (cancelCheck || stopped) return;
    const pause = checkedAt + PAUSE_MS - clock.now().getTime();
    cancelCheck = clock.after(Math.max(0, Math.min(pause, PAUSE_MS)), () => {
      cancelCheck = null;
      afterEvents.wake();
    });
  }

  function waitForEnd(): void {
    cancelEnd();
    if (stopped || known.size === 0) return;
    const first = [...known.values()].reduce((least, { next }) => Math.min(least, next), Number.POSITIVE_INFINITY);
    cancelEnd = clock.after(Math.max(0, first - clock.now().getTime()), () => {
      soon([...known].filter(([, { next }]) => next <= first).map(([id]) => id));
    });
  }

  const permissionsChanged = () => soon('all');
  const unsubscribe = [
    bus.subscribe(RIGHTS_CHANGED, permissionsChanged),
    bus.onGap(permissionsChanged),
    bus.subscribe('events', ({ events: batch }) => {
      soon((batch['link.changed'] ?? []).map(([id]) => id));
      // Control 7 has a result, or the device was disabled, moved or removed.
      const changed = [...(batch['device.executions'] ?? []), ...(batch['device.details'] ?? [])];
      if (changed.length === 0 || known.size === 0) return;
      const devices = new Set(changed.map(([id]) => id));
      soon([...known].filter(([, { deviceId }]) => devices.has(deviceId ?? 0)).map(([id]) => id));
    }),
  ];

  return {
    permissionsChanged,
    start: always.startLater,
    async stop() {
      stopped = true;
      for (const leave of unsubscribe) leave();
      cancelCheck?.();
      cancelEnd();
      await afterEvents.stop();
      await always.stop();
    },
  };
}

/** The next time at which a link may end without an event. */
function nextEnd({ state, until, ticketUntil, approvalUntil }: ActiveLink): number {
  const ends = state === 'open' ? [until] : [until, ticketUntil ?? until, approvalUntil ?? until];
  return Math.min(...ends.map((end) => end.getTime()));
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
