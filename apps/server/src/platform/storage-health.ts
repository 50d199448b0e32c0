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

/** The reasons why the product cannot store anything, followed by warnings. */
const CAUSES = [
  ...(['folderFull', 'folderReadOnly', 'folderFailed'] as const),
  ...(['databaseFull', 'databaseReadOnly', 'databaseOutdated', 'databaseAway', 'databaseClock'] as const),
] as const satisfies CodeName[];
export type Cause = (typeof CAUSES)[number];

/** Whether storing works. */
export interface StorageHealth {
  /** Checks, unless the last check is recent. Resolves with all problems, blocking ones first. */
  check(): Promise<readonly Problem[]>;
  /** the problems of the last check */
  readonly problems: readonly Problem[];
  stop(): Promise<void>;
}

/** The interval of automatic checks, and how long a result is used. Milliseconds. */
const CHECK_INTERVAL_MS = 10_000;
const FRESH_MS = 1_000;
/** More than one block of any file system, and more than the unused rest of one. */
const WRITTEN_BYTES = 64 * 1024;
/** A larger clock difference of the database has visible effects: on the latest values, and on expired sessions. */
const CLOCK_OFF_MS = 60_000;

/** True for problems that do not prevent storing. */
export function isWarning({ code }: Problem): boolean {
  return code === 'databaseClock' || code === 'certificateExpires';
}

/** Monitors the data folder and the database: writes to both every few seconds, as all other code does. */
export function storageHealth(parts: {
  database: DatabaseConnection;
  dataFolder: string;
  log: Log;
  metrics: Registry;
  clock: Clock;
}): StorageHealth {
  const { database, dataFolder, log } = parts;
  let problems: readonly Problem[] = [];
  let checkedAt = 0;
  let measuring: Promise<readonly Problem[]> | null = null;
  const causes = new Gauge({
    name: 'chargehand_storage_problem',
    help: '1 while this prevents storing, or is about to.',
    labelNames: ['cause'] as const,
    registers: [parts.metrics],
  });
  const clock = new Gauge({
    name: 'chargehand_database_clock_offset_seconds',
    help: 'How far the clock of the database is ahead of the server.',
    registers: [parts.metrics],
  });

  async function measure(): Promise<readonly Problem[]> {
    const [folder, inDatabase] = await Promise.all([
      folderProblem(dataFolder),
      databaseProblems(database, parts.clock),
    ]);
    const offset = inDatabase.clockOffsetMs;
    clock.set(offset / 1_000);
    const off = Math.abs(offset) > CLOCK_OFF_MS ? [clockProblem(offset)] : [];
    const found = [folder, inDatabase.problem, ...off].filter((problem) => problem !== null);
    report(found);
    problems = found;
    checkedAt = Date.now();
    return found;
  }

  /** Each problem is logged once when it starts and once when it ends. */
  function report(found: readonly Problem[]): void {
    const has = (list: readonly Problem[], cause: Cause) => list.some(({ code }) => code === cause);
    for (const cause of CAUSES) {
      causes.set({ cause }, has(found, cause) ? 1 : 0);
      const problem = found.find(({ code }) => code === cause);
      if (problem && !has(problems, cause)) log[isWarning(problem) ? 'warn' : 'error']({ cause }, problem.message);
      if (!problem && has(problems, cause)) log.info({ cause }, 'a storage problem has ended');
    }
  }

  const job = parts.clock.repeat(() => health.check(), {
    job: 'storageCheck',
    everyMs: CHECK_INTERVAL_MS,
    log,
    failed: 'storage could not be checked',
  });
  const health: StorageHealth = {
    get problems() {
      return problems;
    },
    async check() {
      if (Date.now() - checkedAt < FRESH_MS) return problems;
      measuring ??= measure().finally(() => {
        measuring = null;
      });
      return await measuring;
    },
    stop: () => job.stop(),
  };
  job.wake();
  return health;
}

/**
 * The storage problem behind an error, null when there is none: SQLSTATE codes of PostgreSQL, and codes of file
 * operations.
 */
export function storageProblem(error: unknown): Problem | null {
  const { code } = error as { code?: unknown };
  // Not 500, for which the console has its own message: users should read this one.
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
      // Random bytes, because some file systems allocate no space for zeros.
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
    // The file is one fixed name that the next check overwrites, so a failed removal leaves at most one file.
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
