import type { Pool } from 'pg';
import type { Clock } from '../../platform/clock.ts';
import type { ReadingDays } from '../../platform/config/config.ts';
import type { Log } from '../../platform/log.ts';
import type { Room } from '../../platform/room.ts';
import {
  clearDefault,
  createPartition,
  dropPartition,
  forgetBatches,
  listPartitions,
  type PartitionedTable,
} from './partitions.store.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** Traffic by the hour is kept for a quarter: the console shows two months of it. */
const TRAFFIC_DAYS = 92;
/** So many days are prepared ahead: a server that cannot do its care for a day or two still finds its partitions. */
const DAYS_AHEAD = 3;

/** How much of the past one partition holds: few enough of them that a query over two years is planned at once. */
const SPANS = {
  protocol_frames: 'day',
  readings: 'day',
  traffic_hours: 'day',
  readings_5m: 'month',
  readings_1h: 'month',
  readings_1d: 'year',
} as const satisfies Record<PartitionedTable, string>;

/**
 * Keeps the partitions (UTC) of protocol frames, readings, their rollups and traffic: creates those of today and the
 * next days now and every hour, and drops those that lie beyond their retention as a whole. What comes for a time
 * without a partition goes to the default one, and away from there when it is past its retention.
 * The start fails when the first care fails; later failures are logged and tried again within the hour.
 */
export function partitions(parts: {
  pool: Pool;
  clock: Clock;
  log: Log;
  protocolLogDays: number;
  readingDays: ReadingDays;
}): Required<Omit<Room, 'routes' | 'role'>> {
  const { pool, clock, log, readingDays } = parts;
  const retention: Record<PartitionedTable, number> = {
    protocol_frames: parts.protocolLogDays,
    readings: readingDays.raw,
    traffic_hours: TRAFFIC_DAYS,
    readings_5m: readingDays.rollups.fiveMinutes,
    readings_1h: readingDays.rollups.hour,
    readings_1d: readingDays.rollups.day,
  };
  const care = async () => {
    const today = Math.floor(clock.now().getTime() / DAY_MS) * DAY_MS;
    for (const [table, days] of Object.entries(retention) as [PartitionedTable, number][]) {
      const existing = new Set(await listPartitions(pool, table));
      const last = today + DAYS_AHEAD * DAY_MS;
      for (let first = spanStart(today, SPANS[table]); first <= last; first = nextSpan(first, SPANS[table])) {
        const day = dayName(first);
        if (!existing.has(day)) await createPartition(pool, table, day, dayName(nextSpan(first, SPANS[table])));
      }
      const oldest = today - days * DAY_MS;
      for (const day of existing) {
        if (nextSpan(Date.parse(day), SPANS[table]) <= oldest) await dropPartition(pool, table, day);
      }
      if (table.startsWith('readings')) await clearDefault(pool, table, dayName(oldest));
    }
    await forgetBatches(pool);
  };
  const turns = clock.repeat(care, {
    everyMs: HOUR_MS,
    log,
    failed: 'the care of partitions failed; it is tried again',
  });
  return {
    name: 'partitions',
    async start() {
      await care();
      turns.startLater();
    },
    stop: turns.stop,
  };
}

type Span = (typeof SPANS)[PartitionedTable];

/** When the day, month or year begins in which a day lies. */
function spanStart(at: number, span: Span): number {
  const day = new Date(at);
  if (span === 'day') return at;
  return Date.UTC(day.getUTCFullYear(), span === 'year' ? 0 : day.getUTCMonth(), 1);
}

/** When the one after it begins. */
function nextSpan(first: number, span: Span): number {
  const day = new Date(first);
  if (span === 'day') return first + DAY_MS;
  if (span === 'year') return Date.UTC(day.getUTCFullYear() + 1, 0, 1);
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 1);
}

/** A day as `yyyy-MM-dd`. */
function dayName(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
