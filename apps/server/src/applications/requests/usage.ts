import type { Kysely } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Log } from '../../platform/log.ts';
import { addToDays, forgetExpired } from './callers.store.ts';

/** Counts are written this often. Milliseconds. */
const WRITE_MS = 1_000;
const FORGET_MS = 60_000;

export type Usage = ReturnType<typeof applicationUsage>;

/** Counts the requests and errors of applications per day. A killed process loses the counts of its last second. */
export function applicationUsage({ db, clock, log }: { db: Kysely<Database>; clock: Clock; log: Log }) {
  const counts = new Map<string, { applicationId: number; day: string; calls: number; errors: number }>();

  async function write(): Promise<void> {
    const taken = [...counts.values()];
    counts.clear();
    if (taken.length === 0) return;
    try {
      await addToDays(db, taken);
    } catch (error) {
      for (const { applicationId, day, calls, errors } of taken) add(applicationId, day, calls, errors);
      throw error;
    }
  }

  function add(applicationId: number, day: string, calls: number, errors: number): void {
    const key = `${applicationId} ${day}`;
    const one = counts.get(key) ?? { applicationId, day, calls: 0, errors: 0 };
    counts.set(key, { ...one, calls: one.calls + calls, errors: one.errors + errors });
  }

  const writing = clock.repeat(write, {
    job: 'applicationUsage',
    everyMs: WRITE_MS,
    log,
    failed: 'requests of applications were not counted yet',
  });
  const forgetting = clock.repeat(() => forgetExpired(db, clock.now()), {
    ...{ job: 'applicationCleanup', everyMs: FORGET_MS, log, failed: 'old nonces and tokens could not be removed' },
  });
  return {
    /** Counts a request that was answered. */
    count(applicationId: number, failed: boolean): void {
      add(applicationId, clock.now().toISOString().slice(0, 10), 1, failed ? 1 : 0);
    },
    start(): void {
      writing.startLater();
      forgetting.startLater();
    },
    async stop(): Promise<void> {
      await Promise.all([writing.stop(), forgetting.stop()]);
      await write();
    },
  };
}
