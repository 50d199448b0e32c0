import { type DeletionKind, detachedPartition } from '@chargehand/domain';
import type { Pool } from 'pg';
import { deleteMessageFaults } from '../../fleet/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ReadingDays } from '../../platform/config/config.ts';
import type { Log } from '../../platform/log.ts';
import type { Room } from '../../platform/room.ts';
import {
  attachPartition,
  clearDefault,
  createPartition,
  detachPartition,
  dropDetached,
  forgetBatches,
  listDetached,
  listPartitions,
  type PartitionedTable,
  releaseEmpty,
} from './partitions.store.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** Hourly traffic is stored for a quarter. The console shows two months. */
const TRAFFIC_DAYS = 92;
/** The number of days that are created ahead, so that partitions exist even if this job fails for a day or two. */
const DAYS_AHEAD = 3;

/** The length of a partition. Few partitions keep the planning time of a query over two years short. */
const SPANS = {
  protocol_frames: 'day',
  frame_batches: 'day',
  readings: 'day',
  reading_batches: 'day',
  traffic_hours: 'day',
  readings_5m: 'month',
  readings_1h: 'month',
  readings_1d: 'year',
} as const satisfies Record<PartitionedTable, string>;

/** The tables whose rows are moved into batches. */
const PACKED = ['protocol_frames', 'readings'] as const satisfies PartitionedTable[];

const KINDS: Record<PartitionedTable, DeletionKind> = {
  protocol_frames: 'frames',
  frame_batches: 'frameBatches',
  readings: 'readings',
  reading_batches: 'readingBatches',
  traffic_hours: 'traffic',
  readings_5m: 'readings5m',
  readings_1h: 'readings1h',
  readings_1d: 'readings1d',
};

/**
 * Manages the partitions (UTC) of protocol frames, readings, rollups and traffic. Every hour it creates those of today
 * and the next days, detaches those past their retention, and drops them a day later. A detached one that is within the
 * retention again, as after a wrong clock, is attached again. Rows without a partition go to the default partition and
 * are deleted after their retention. If the first run fails, the start fails. Later failures are logged and retried
 * within the hour.
 */
export function partitions(parts: {
  pool: Pool;
  clock: Clock;
  log: Log;
  /** read at each run, as the others, because they change at runtime */
  protocolLogDays: number;
  readingDays: ReadingDays;
}): Required<Omit<Room, 'routes' | 'role'>> {
  const { pool, clock, log, readingDays } = parts;
  const retention = (): Record<PartitionedTable, number> => ({
    protocol_frames: parts.protocolLogDays,
    frame_batches: parts.protocolLogDays,
    readings: readingDays.raw,
    reading_batches: readingDays.raw,
    traffic_hours: TRAFFIC_DAYS,
    readings_5m: readingDays.rollups.fiveMinutes,
    readings_1h: readingDays.rollups.hour,
    readings_1d: readingDays.rollups.day,
  });
  /** @returns the number of deleted rows */
  const removeOld = async (table: PartitionedTable, now: Date, days: number): Promise<number> => {
    const oldest = Math.floor(now.getTime() / DAY_MS) * DAY_MS - days * DAY_MS;
    let deleted = 0;
    for (const { name, day, detachedAt } of await listDetached(pool, table)) {
      const until = nextSpan(Date.parse(day), SPANS[table]);
      const next = detachedPartition({ until: new Date(until), detachedAt }, { at: now, keptSince: new Date(oldest) });
      if (next === 'drop') deleted += await dropDetached(pool, table, day);
      if (next === 'attach') {
        try {
          await attachPartition(pool, table, day, dayName(until));
          log.info({ partition: name }, 'a partition is within its retention again, and was attached again');
        } catch (error) {
          // Nothing is lost: it stays detached.
          log.error({ err: error, partition: name }, 'a detached partition could not be attached again');
        }
      }
    }
    for (const day of await listPartitions(pool, table)) {
      if (nextSpan(Date.parse(day), SPANS[table]) > oldest) continue;
      await detachPartition(pool, table, day, now);
      log.info({ table, day }, 'a partition is past its retention, was detached and will be dropped in a day');
    }
    if (table === 'protocol_frames' || table === 'traffic_hours') return deleted;
    return deleted + (await clearDefault(pool, table, dayName(oldest)));
  };
  const maintainPartitions = async () => {
    const today = Math.floor(clock.now().getTime() / DAY_MS) * DAY_MS;
    for (const [table, days] of Object.entries(retention()) as [PartitionedTable, number][]) {
      const existing = new Set(await listPartitions(pool, table));
      const last = today + DAYS_AHEAD * DAY_MS;
      for (let first = spanStart(today, SPANS[table]); first <= last; first = nextSpan(first, SPANS[table])) {
        const day = dayName(first);
        if (!existing.has(day)) await createPartition(pool, table, day, dayName(nextSpan(first, SPANS[table])));
      }
      await clock.deleteOld(KINDS[table], (now) => removeOld(table, now, days));
    }
    for (const table of PACKED) await releaseEmpty(pool, table, dayName(today));
    await clock.deleteOld('messageFaults', (now) =>
      deleteMessageFaults(pool, new Date(now.getTime() - parts.protocolLogDays * DAY_MS)),
    );
    await forgetBatches(pool);
  };
  const turns = clock.repeat(maintainPartitions, {
    job: 'partitions',
    everyMs: HOUR_MS,
    log,
    failed: 'managing partitions failed; trying again',
  });
  return {
    name: 'partitions',
    async start() {
      await maintainPartitions();
      turns.startLater();
    },
    stop: turns.stop,
  };
}

/**
 * Creates the partitions for rows from the past. Without them the rows would go to the default partition, where queries
 * find them but not by their day.
 */
export async function createPastPartitions(pool: Pool, from: Date, to: Date): Promise<void> {
  for (const table of Object.keys(SPANS) as PartitionedTable[]) {
    const existing = new Set(await listPartitions(pool, table));
    const start = Math.floor(from.getTime() / DAY_MS) * DAY_MS;
    for (let first = spanStart(start, SPANS[table]); first <= to.getTime(); first = nextSpan(first, SPANS[table])) {
      const day = dayName(first);
      if (!existing.has(day)) await createPartition(pool, table, day, dayName(nextSpan(first, SPANS[table])));
    }
  }
}

type Span = (typeof SPANS)[PartitionedTable];

/** The first day of the day, month or year of a day. */
function spanStart(at: number, span: Span): number {
  const day = new Date(at);
  if (span === 'day') return at;
  return Date.UTC(day.getUTCFullYear(), span === 'year' ? 0 : day.getUTCMonth(), 1);
}

/** The first day of the next one. */
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
