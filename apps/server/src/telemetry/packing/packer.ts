import type { Kysely } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Log } from '../../platform/log.ts';
import { inOwnOrder, paced } from '../../platform/packing/paced.ts';
import type { ScheduledJob } from '../../platform/work/scheduled-job.ts';
import { type DueDevice, HOUR_MS, listDue, listParts, oldestReading, packedBefore, packHour } from './packing.store.ts';

const INTERVAL_MS = 300_000;
/** After this time a run ends, and the next one begins with the newest days again: a backlog may take longer. */
const LONGEST_MS = 3_600_000;

/**
 * Packs readings into compressed batches of a device and an hour. Its share of the time follows what is due, from a
 * twentieth to half. Several processes share the devices. Readings of one device that cannot be packed do not prevent
 * those of others.
 */
export function readingPacker(parts: {
  db: Kysely<Database>;
  clock: Clock;
  log: Log;
  /** different in each process: they begin with different devices */
  salt?: number;
  /** true while new messages wait to be stored */
  isLate?: () => boolean;
}): ScheduledJob {
  const { db, clock, log, salt = 0, isLate = () => false } = parts;
  const pack = async (signal: AbortSignal) => {
    const now = clock.now();
    const before = packedBefore(now);
    const start = performance.now();
    let failure: unknown;
    for (const part of await listParts(db)) {
      if (performance.now() - start > LONGEST_MS) break;
      const due = inOwnOrder(await listDue(db, part, before), ({ deviceId }) => deviceId, salt);
      const pace = paced(clock, signal, { everyMs: INTERVAL_MS, pieces: due.length, isLate });
      for (const { deviceId, oldest } of due) {
        try {
          // Of a partition only its day, so that no other partitions are searched.
          const end = part.endsWith(DEFAULT) ? before : new Date(Math.min(before.getTime(), dayAfter(oldest)));
          await packUntil(end, { deviceId, oldest }, now, signal, pace.rested);
        } catch (error) {
          failure ??= error;
        }
        pace.done();
        if (signal.aborted) return;
      }
    }
    if (failure !== undefined) throw failure;
  };

  /** Packs the hours of a device from its oldest reading on. */
  async function packUntil(
    end: Date,
    { deviceId, oldest }: DueDevice,
    now: Date,
    signal: AbortSignal,
    rested: <T>(work: () => Promise<T>) => Promise<T>,
  ): Promise<void> {
    let hour = hourOf(oldest);
    while (hour < end && !signal.aborted) {
      const start = hour;
      const packed = await rested(() => packHour(db, deviceId, start, now));
      // An hour with more readings than fit into a batch needs several turns.
      const next = packed > 0 ? start : new Date(start.getTime() + HOUR_MS);
      const at = next < end ? await oldestReading(db, deviceId, next, end) : null;
      if (at === null) return;
      hour = hourOf(at);
    }
  }

  return clock.repeat(pack, {
    job: 'readingPacking',
    everyMs: INTERVAL_MS,
    log,
    failed: 'packing readings waits for the next try',
  });
}

/** The end of the name of the partition for all days without one. */
const DEFAULT = '_default';
const DAY_MS = 86_400_000;

function hourOf(at: Date): Date {
  return new Date(Math.floor(at.getTime() / HOUR_MS) * HOUR_MS);
}

/** The start of the next day (UTC), in epoch milliseconds. */
function dayAfter(at: Date): number {
  return (Math.floor(at.getTime() / DAY_MS) + 1) * DAY_MS;
}
