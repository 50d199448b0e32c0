import { writeFileSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../log.ts';

/** A run of the server that ended without stopping: by an uncaught error, a kill, or a power cut. */
export interface Crash {
  version: string;
  startedAt: Date;
  /** when it was last seen running; the time of the error if there is one */
  lastSeenAt: Date;
  memoryMb: number;
  /** null if it was killed */
  error: CrashError | null;
}

interface CrashError {
  name: string;
  message: string;
  stack: string | null;
}

/** The record of the current run in the data folder. */
export interface RunRecord {
  /** earlier runs that crashed and are not stored elsewhere yet */
  readonly crashes: readonly Crash[];
  /** The crashes are stored elsewhere. */
  forgetCrashes(): Promise<void>;
  /** The server has stopped. */
  end(): Promise<void>;
}

/** The file of the current run, and the one of its uncaught error. */
const [RUN, FAILURE] = ['run.json', 'run-error.json'];
const BEAT_MS = 10_000;
/** Crashes that wait to be stored: a server that cannot start crashes again and again. */
const MOST_CRASHES = 10;

type StoredCrash = Omit<Crash, 'startedAt' | 'lastSeenAt'> & { startedAt: string; lastSeenAt: string };

interface Stored {
  run: Omit<StoredCrash, 'error'> | null;
  crashes: StoredCrash[];
}

/**
 * Finds out whether the last run crashed, and records this one in the data folder: that it runs, every ten seconds, and
 * the error that ends it. The caller holds the lock of the folder.
 */
export async function recordRun(folder: string, { version, log }: { version: string; log: Log }): Promise<RunRecord> {
  const file = join(folder, RUN);
  const failure = join(folder, FAILURE);
  let crashes = await readCrashes(file, failure);
  const startedAt = new Date().toISOString();
  const running = () => ({
    ...{ version, startedAt, lastSeenAt: new Date().toISOString() },
    memoryMb: Math.round(process.memoryUsage.rss() / 1_048_576),
  });
  let writing = Promise.resolve();
  let isReported = false;
  const write = (stored: Stored) => {
    writing = writing.then(async () => {
      try {
        await writeFile(`${file}.new`, JSON.stringify(stored), { mode: 0o600 });
        await rename(`${file}.new`, file);
        isReported = false;
      } catch (error) {
        // A full disk is reported elsewhere, too.
        if (!isReported) log.warn({ err: error }, 'the record of the run cannot be written');
        isReported = true;
      }
    });
    return writing;
  };
  await write({ run: running(), crashes });
  await rm(failure, { force: true });
  const beats = setInterval(() => void write({ run: running(), crashes }), BEAT_MS);
  beats.unref();
  const onError = (error: unknown) => writeFailure(failure, error);
  process.on('uncaughtExceptionMonitor', onError);
  return {
    crashes: crashes.map(crashOf),
    async forgetCrashes() {
      crashes = [];
      await write({ run: running(), crashes });
    },
    async end() {
      clearInterval(beats);
      process.off('uncaughtExceptionMonitor', onError);
      if (crashes.length > 0) await write({ run: null, crashes });
      else {
        await writing;
        await rm(file, { force: true });
      }
    },
  };
}

/** Node ends after this, so there is no time for another thread. */
function writeFailure(file: string, error: unknown): void {
  const { name, message, stack } =
    error instanceof Error ? error : { name: 'Error', message: String(error), stack: undefined };
  try {
    writeFileSync(file, JSON.stringify({ name, message, stack: stack ?? null, at: new Date() }), { mode: 0o600 });
  } catch {
    // Node prints the error in any case.
  }
}

/** The crashes that are not stored elsewhere, the latest last. Files that cannot be read say nothing. */
async function readCrashes(file: string, failure: string): Promise<StoredCrash[]> {
  const stored = await readJson<Stored>(file);
  if (!stored) return [];
  const { run, crashes } = stored;
  if (run === null) return crashes;
  const error = await readJson<CrashError & { at: string }>(failure);
  const last = {
    ...run,
    lastSeenAt: error?.at ?? run.lastSeenAt,
    error: error && { name: error.name, message: error.message, stack: error.stack },
  };
  return [...crashes, last].slice(-MOST_CRASHES);
}

async function readJson<T>(file: string): Promise<T | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    return null;
  }
}

function crashOf(stored: StoredCrash): Crash {
  return { ...stored, startedAt: new Date(stored.startedAt), lastSeenAt: new Date(stored.lastSeenAt) };
}
