import { endsRunning } from '@chargehand/domain';
import type { Bus } from '../platform/bus/bus.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';

/** How often running uses are checked, in addition to messages: the creator or the file may have changed. Milliseconds. */
const CHECK_MS = 1_000;
/** Downloads and uploads of one share at once. */
const MOST_RUNNING = 30;

export type RunningUses = ReturnType<typeof runningUses>;

/**
 * The running downloads and uploads. They end with their share: at once when it changes, and within a second for any
 * other reason.
 */
export function runningUses(parts: {
  bus: Bus;
  clock: Clock;
  log: Log;
  /** the time of the database */
  databaseTime(): Promise<Date>;
  /** why each of these shares cannot be used any more; without an entry it does not exist */
  ends(ids: readonly number[]): Promise<Map<number, Parameters<typeof endsRunning>[0]>>;
}) {
  const { bus, clock, log, databaseTime, ends } = parts;
  let startedAt = new Date(0);
  const running = new Map<number, Set<() => void>>();

  async function check(ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    const found = await ends(ids);
    for (const id of ids) {
      const end = found.get(id);
      if (end === undefined || endsRunning(end)) for (const abort of running.get(id) ?? []) abort();
    }
  }

  const checking = clock.repeat(() => check([...running.keys()]), {
    job: 'shareDownloads',
    everyMs: CHECK_MS,
    log,
    failed: 'the running downloads of shares could not be checked',
  });
  const leave = bus.subscribe('share.changed', ({ shareId }) => {
    if (!running.has(shareId)) return;
    check([shareId]).catch((error: unknown) => {
      // Without the state, the share must not continue.
      log.warn({ err: error, share: shareId }, 'the state of a changed share is unknown; its downloads end');
      for (const abort of running.get(shareId) ?? []) abort();
    });
  });

  return {
    async start(): Promise<void> {
      startedAt = await databaseTime();
      checking.startLater();
    },
    /** When this server started: a use without progress since then was broken off when its server was killed. */
    startedAt: () => startedAt,
    /** Registers a use. Returns the function that ends its registration; null when too many are running. */
    add(shareId: number, abort: () => void): (() => void) | null {
      const uses = running.get(shareId) ?? new Set();
      if (uses.size >= MOST_RUNNING) return null;
      uses.add(abort);
      running.set(shareId, uses);
      return () => {
        uses.delete(abort);
        if (uses.size === 0) running.delete(shareId);
      };
    },
    async stop(): Promise<void> {
      leave();
      await checking.stop();
    },
  };
}
