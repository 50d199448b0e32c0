import { randomBytes } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { CodeName } from '@chargehand/contract';
import { sql } from 'kysely';
import { Gauge, type Registry } from 'prom-client';
import type { Clock } from './clock.ts';
import type { DatabaseConnection } from './database/connect.ts';
import { missingMigrations } from './database/readiness.store.ts';
import { Problem } from './http/problem.ts';
import type { Log } from './log.ts';
import { scheduledJob } from './work/scheduled-job.ts';

/** What keeps the product from storing anything; and, last, what it should not go on with for long. */
const CAUSES = [
  ...(['folderFull', 'folderReadOnly', 'folderFailed'] as const),
  ...(['databaseFull', 'databaseReadOnly', 'databaseOutdated', 'databaseAway', 'databaseClock'] as const),
] as const satisfies CodeName[];
export type Cause = (typeof CAUSES)[number];

/** Whether everything that must be stored can be stored. */
export interface StorageHealth {
  /** Looks, unless it looked just now; resolves with everything that is wrong, what blocks first. */
  check(): Promise<readonly Problem[]>;
  /** what was wrong when it last looked */
  readonly problems: readonly Problem[];
  stop(): Promise<void>;
}

/** How often it looks by itself, and how long what it saw is taken for true. Milliseconds. */
const LOOK_EVERY_MS = 10_000;
const FRESH_MS = 1_000;
/** More than one block of any file system, and more than what is left over in one. */
const WRITTEN_BYTES = 64 * 1024;
/** A database's clock that is further off shows in what is latest, and in whose session has ended. */
const CLOCK_OFF_MS = 60_000;

/** True for what is wrong but keeps nothing from being stored. */
export function isWarning({ code }: Problem): boolean {
  return code === 'databaseClock' || code === 'certificateExpires';
}

/** Watches the data folder and the database: writes to both every few seconds, as everything else would. */
export function storageHealth(parts: {
  database: DatabaseConnection;
  dataFolder: string;
  log: Log;
  metrics: Registry;
  clock: Clock;
}): StorageHealth {
  const { database, dataFolder, log } = parts;
  let problems: readonly Problem[] = [];
  let lookedAt = 0;
  let looking: Promise<readonly Problem[]> | null = null;
  const causes = new Gauge({
    name: 'chargehand_storage_problem',
    help: '1 while this keeps the product from storing, or is about to.',
    labelNames: ['cause'] as const,
    registers: [parts.metrics],
  });
  const clock = new Gauge({
    name: 'chargehand_database_clock_offset_seconds',
    help: 'How far the clock of the database is ahead of the server.',
    registers: [parts.metrics],
  });

  async function look(): Promise<readonly Problem[]> {
    const [folder, inDatabase] = await Promise.all([
      folderProblem(dataFolder),
      databaseProblems(database, parts.clock),
    ]);
    const offset = inDatabase.clockOffsetMs;
    clock.set(offset / 1_000);
    const off = Math.abs(offset) > CLOCK_OFF_MS ? [clockProblem(offset)] : [];
    const found = [folder, inDatabase.problem, ...off].filter((problem) => problem !== null);
    tell(found);
    problems = found;
    lookedAt = Date.now();
    return found;
  }

  /** Each cause stands in the log once when it begins and once when it is over. */
  function tell(found: readonly Problem[]): void {
    const has = (list: readonly Problem[], cause: Cause) => list.some(({ code }) => code === cause);
    for (const cause of CAUSES) {
      causes.set({ cause }, has(found, cause) ? 1 : 0);
      const problem = found.find(({ code }) => code === cause);
      if (problem && !has(problems, cause)) log[isWarning(problem) ? 'warn' : 'error']({ cause }, problem.message);
      if (!problem && has(problems, cause)) log.info({ cause }, 'a problem with storage is over');
    }
  }

  const turns = scheduledJob(() => health.check(), {
    everyMs: LOOK_EVERY_MS,
    log,
    failed: 'storage could not be checked',
  });
  const health: StorageHealth = {
    get problems() {
      return problems;
    },
    async check() {
      if (Date.now() - lookedAt < FRESH_MS) return problems;
      looking ??= look().finally(() => {
        looking = null;
      });
      return await looking;
    },
    stop: () => turns.stop(),
  };
  turns.wake();
  return health;
}

/** What an error says of storage, null when it says nothing: SQLSTATE codes of PostgreSQL, and codes of files. */
export function storageProblem(error: unknown): Problem | null {
  const { code } = error as { code?: unknown };
  // Not 500, for which the console has a sentence of its own: people are to read this one.
  const status = { status: 503 };
  if (code === '53100') return new Problem('databaseFull', status);
  if (code === '25006') return new Problem('databaseReadOnly', status);
  if (code === 'ENOSPC' || code === 'EDQUOT') return new Problem('folderFull', status);
  if (code === 'EROFS') return new Problem('folderReadOnly', status);
  return null;
}

async function folderProblem(folder: string): Promise<Problem | null> {
  const path = join(folder, `write-check.${process.pid}`);
  try {
    const file = await open(path, 'w', 0o600);
    try {
      // Bytes of chance: some file systems keep no room for zeros.
      await file.write(randomBytes(WRITTEN_BYTES));
      await file.sync();
    } finally {
      await file.close();
    }
    return null;
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (code === 'EACCES' || code === 'EPERM') return new Problem('folderReadOnly');
    return storageProblem(error) ?? new Problem('folderFailed', { values: { reason: code || message } });
  } finally {
    await rm(path, { force: true }).catch(() => undefined);
  }
}

async function databaseProblems(
  { db }: DatabaseConnection,
  clock: Clock,
): Promise<{ problem: Problem | null; clockOffsetMs: number }> {
  try {
    if ((await missingMigrations(db)).length > 0) return { problem: new Problem('databaseOutdated'), clockOffsetMs: 0 };
    const begun = clock.now().getTime();
    const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(db);
    const clockOffsetMs = rows[0]!.at.getTime() - (begun + clock.now().getTime()) / 2;
    await db.transaction().execute(async (trx) => {
      // A new file that grows, and a commit that is written to the log: a full disk refuses one of them.
      await sql`create temporary table write_check on commit drop as
        select md5(random()::text) from generate_series(1, 2000)`.execute(trx);
    });
    return { problem: null, clockOffsetMs };
  } catch (error) {
    return { problem: storageProblem(error) ?? new Problem('databaseAway'), clockOffsetMs: 0 };
  }
}

function clockProblem(offsetMs: number): Problem {
  return new Problem('databaseClock', { values: { seconds: Math.round(Math.abs(offsetMs) / 1_000) } });
}
