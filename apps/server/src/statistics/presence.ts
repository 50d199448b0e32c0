import type { Pool } from 'pg';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { forgetOldFigures } from './figures/figures-job.ts';
import { forgetSpans, storeHeartbeat } from './presence.store.ts';

export interface Presence {
  /** Stores that the server is running again. The time since its last heartbeat becomes a gap. */
  start(): Promise<void>;
  /** Stores the last heartbeat. */
  stop(): Promise<void>;
}

/** The accuracy of a gap: a killed server ran at most this long after its last heartbeat. */
const HEARTBEAT_MS = 10_000;
/**
 * After this time without a heartbeat while running (the machine was suspended, the database was unavailable), the
 * devices count as unobserved.
 */
const GRACE_MS = 3 * HEARTBEAT_MS;
const CARE_MS = 3_600_000;
/** The history of statuses is stored for a quarter. The console shows a month of it. */
const RETENTION_DAYS = 92;

/**
 * Records when a server was running and could observe devices, so that statistics distinguish "offline" from "unknown".
 * Removes records that are older than statistics need.
 */
export function presence(parts: {
  pool: Pool;
  clock: Clock;
  log: Log;
  node: { name: string; alone(): boolean };
}): Presence {
  const { pool, clock, log, node } = parts;
  let started = false;
  const beat = () => storeHeartbeat(pool, node.name, GRACE_MS);
  const heartbeats = clock.repeat(beat, {
    ...{ job: 'presence', everyMs: HEARTBEAT_MS, log, failed: 'the heartbeat was not stored' },
  });
  const cleanup = clock.repeat(
    () =>
      clock.deleteOld(
        'statuses',
        async (now) => (await forgetSpans(pool, RETENTION_DAYS, now)) + (await forgetOldFigures(pool, now)),
      ),
    {
      ...{ job: 'statisticsCleanup', everyMs: CARE_MS, log },
      failed: 'old statistics could not be removed; trying again',
    },
  );
  return {
    async start() {
      // Beside another process there is no gap, however old its last heartbeat is.
      await storeHeartbeat(pool, node.name, node.alone() ? 0 : GRACE_MS);
      started = true;
      heartbeats.startLater();
      cleanup.wake();
    },
    async stop() {
      await Promise.all([heartbeats.stop(), cleanup.stop()]);
      if (started) {
        await beat().catch((error: unknown) => log.warn({ err: error }, 'the last heartbeat was not stored'));
      }
    },
  };
}
