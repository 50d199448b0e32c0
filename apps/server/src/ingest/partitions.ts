import type { Pool } from 'pg';
import type { Log } from '../platform/log.ts';
import {
  createPartition,
  dropPartition,
  forgetBatches,
  listPartitions,
  type PartitionedTable,
} from './partitions.store.ts';

export interface Partitions {
  /** Ends the hourly care; waits for one under way. */
  stop(): Promise<void>;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** Traffic by the hour is kept for a quarter: the console shows two months of it. */
const TRAFFIC_DAYS = 92;
/** So many days are prepared ahead: a server that cannot do its care for a day or two still finds its partitions. */
const DAYS_AHEAD = 3;

/**
 * Keeps the daily partitions (UTC) of protocol frames, readings and traffic: creates those of today and the next days now and
 * every hour, and drops those beyond their retention. What comes for a day without a partition goes to the default one.
 * Rejects when the first care fails; later failures are logged and tried again within the hour.
 */
export async function partitions(parts: {
  pool: Pool;
  log: Log;
  protocolLogDays: number;
  readingDays: number;
  now?: () => Date;
}): Promise<Partitions> {
  const { pool, log, now = () => new Date() } = parts;
  const retention: Record<PartitionedTable, number> = {
    protocol_frames: parts.protocolLogDays,
    readings: parts.readingDays,
    traffic_hours: TRAFFIC_DAYS,
  };
  const care = async () => {
    const today = Math.floor(now().getTime() / DAY_MS) * DAY_MS;
    for (const [table, days] of Object.entries(retention) as [PartitionedTable, number][]) {
      const existing = new Set(await listPartitions(pool, table));
      for (let ahead = 0; ahead <= DAYS_AHEAD; ahead += 1) {
        const day = dayName(today + ahead * DAY_MS);
        if (!existing.has(day)) await createPartition(pool, table, day, dayName(today + (ahead + 1) * DAY_MS));
      }
      const oldest = dayName(today - days * DAY_MS);
      for (const day of existing) if (day < oldest) await dropPartition(pool, table, day);
    }
    await forgetBatches(pool);
  };
  await care();
  let running: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    running = care().catch((error) => log.warn({ err: error }, 'the care of partitions failed; it is tried again'));
  }, HOUR_MS);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}

/** A day as `yyyy-MM-dd`. */
function dayName(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
