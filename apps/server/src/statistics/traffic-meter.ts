import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { type Clock, systemClock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { workBegins } from '../platform/work/stall-watch.ts';
import type { TrafficMeter } from '../ports/traffic.ts';
import { isStored, type StoredTraffic, storeTraffic } from './traffic.store.ts';

/** The maximum time of counted traffic that a kill loses. */
const FLUSH_MS = 60_000;
/** After a connection ended, others may end too: they are stored together. */
const ENDED_MS = 1_000;
const HOUR_MS = 3_600_000;
const NOT_STORED = 'counted traffic was not stored; trying again';

/** A traffic meter that stores what it counts. */
export interface StoredTrafficMeter extends TrafficMeter {
  /** Starts to store regularly. Without, bytes are stored after connections ended and at the stop. */
  start(): void;
  /** Stores now what was counted. */
  flush(): Promise<void>;
  stop(): Promise<void>;
}

interface Batch {
  id: string;
  rows: StoredTraffic[];
}

/**
 * Counts the bytes of devices in memory and adds them to the hour of their transmission, in one statement per minute,
 * soon after a connection ended, and at the stop. A batch with an unknown result is retried with its id, and counts
 * once.
 */
export function trafficMeter(parts: { pool: Pool; log: Log; clock?: Clock; now?: () => number }): StoredTrafficMeter {
  const { pool, log, clock = systemClock, now = Date.now } = parts;
  let hour = hourOf(now());
  let counts = new Map<number, StoredTraffic>();
  let full: StoredTraffic[] = [];
  let unconfirmed: Batch | null = null;
  let running: Promise<void> = Promise.resolve();
  let soon: NodeJS.Timeout | null = null;

  const close = () => {
    if (counts.size === 0) return;
    full.push(...counts.values());
    counts = new Map();
  };
  const countOf = (deviceId: number): StoredTraffic => {
    const current = hourOf(now());
    if (current !== hour) {
      close();
      hour = current;
    }
    let count = counts.get(deviceId);
    if (!count) {
      count = { deviceId, hour, received: 0, sent: 0 };
      counts.set(deviceId, count);
    }
    return count;
  };
  const store = async () => {
    for (;;) {
      if (!unconfirmed) {
        close();
        if (full.length === 0) return;
        unconfirmed = { id: randomUUID(), rows: summed(full) };
        full = [];
      }
      try {
        await storeTraffic(pool, unconfirmed.id, unconfirmed.rows);
      } catch (error) {
        if (!isStored(error)) throw error;
      }
      unconfirmed = null;
    }
  };
  const storeNext = () => {
    const next = running.then(store);
    running = next.catch(() => undefined);
    return next;
  };
  const flush = () => storeNext().catch((error: unknown) => log.warn({ err: error }, NOT_STORED));
  const regularly = clock.repeat(storeNext, { job: 'traffic', everyMs: FLUSH_MS, log, failed: NOT_STORED });
  return {
    start: regularly.startLater,
    received(deviceId, bytes) {
      workBegins('message', `a message of device ${deviceId}`);
      countOf(deviceId).received += bytes;
    },
    sent(deviceId, bytes) {
      countOf(deviceId).sent += bytes;
    },
    ended() {
      soon ??= setTimeout(() => {
        soon = null;
        void flush();
      }, ENDED_MS).unref();
    },
    flush,
    async stop() {
      await regularly.stop();
      if (soon) clearTimeout(soon);
      await flush();
    },
  };
}

function hourOf(at: number): number {
  return Math.floor(at / HOUR_MS) * HOUR_MS;
}

/** One row for each device and hour, because a statement may change a row only once. */
function summed(rows: readonly StoredTraffic[]): StoredTraffic[] {
  const sums = new Map<string, StoredTraffic>();
  for (const row of rows) {
    const key = `${row.deviceId} ${row.hour}`;
    const sum = sums.get(key);
    if (sum) {
      sum.received += row.received;
      sum.sent += row.sent;
    } else sums.set(key, { ...row });
  }
  return [...sums.values()];
}
