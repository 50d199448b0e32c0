import type { Kysely } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Log } from '../../platform/log.ts';
import { addToDays, type DayCounts, forgetDays, forgetExpired, forgetSecrets } from './callers.store.ts';

/** Counts are written this often. Milliseconds. */
const WRITE_MS = 1_000;
const FORGET_MS = 60_000;

export type Usage = ReturnType<typeof applicationUsage>;

/** Counts the requests and errors of applications per day. A killed process loses the counts of its last second. */
export function applicationUsage({ db, clock, log }: { db: Kysely<Database>; clock: Clock; log: Log }) {
  const counts = new Map<string, DayCounts>();

  async function write(): Promise<void> {
    const taken = [...counts.values()];
    counts.clear();
    if (taken.length === 0) return;
    try {
      await addToDays(db, taken);
    } catch (error) {
      for (const one of taken) add(one);
      throw error;
    }
  }

  function add({ applicationId, day, calls, errors, refused }: DayCounts): void {
    const key = `${applicationId} ${day}`;
    const one = counts.get(key) ?? { applicationId, day, calls: 0, errors: 0, refused: 0 };
    counts.set(key, {
      ...{ applicationId, day, calls: one.calls + calls },
      ...{ errors: one.errors + errors, refused: one.refused + refused },
    });
  }

  const today = () => clock.now().toISOString().slice(0, 10);
  const writing = clock.repeat(write, {
    job: 'applicationUsage',
    everyMs: WRITE_MS,
    log,
    failed: 'requests of applications were not counted yet',
  });
  const forget = async () => {
    await forgetExpired(db, clock.now());
    await clock.deleteOld('applicationSecrets', (now) => forgetSecrets(db, now));
    await clock.deleteOld('applicationDays', (now) => forgetDays(db, now));
  };
  const forgetting = clock.repeat(forget, {
    ...{ job: 'applicationCleanup', everyMs: FORGET_MS, log, failed: 'old nonces and tokens could not be removed' },
  });
  return {
    /** Counts a request that was answered. */
    count(applicationId: number, failed: boolean): void {
      add({ applicationId, day: today(), calls: 1, errors: failed ? 1 : 0, refused: 0 });
    },
    /** Counts a signature in the name of an application that was refused. */
    countRefused(applicationId: number): void {
      add({ applicationId, day: today(), calls: 0, errors: 0, refused: 1 });
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
