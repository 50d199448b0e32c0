import type { Pool } from 'pg';
import type { Log } from '../platform/log.ts';
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
export function presence(parts: { pool: Pool; log: Log; node: string }): Presence {
  const { pool, log, node } = parts;
  let heartbeats: NodeJS.Timeout | undefined;
  let caring: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const quietly = (work: () => Promise<unknown>, what: string) => {
    running = running.then(work).then(
      () => undefined,
      (error: unknown) => log.warn({ err: error }, what),
    );
  };
  const removeOldSpans = () =>
    quietly(() => forgetSpans(pool, RETENTION_DAYS), 'old statistics could not be removed; trying again');
  return {
    async start() {
      await storeHeartbeat(pool, node, 0);
      heartbeats = setInterval(
        () => quietly(() => storeHeartbeat(pool, node, GRACE_MS), 'the heartbeat was not stored'),
        HEARTBEAT_MS,
      );
      caring = setInterval(removeOldSpans, CARE_MS);
      heartbeats.unref();
      caring.unref();
      removeOldSpans();
    },
    async stop() {
      if (heartbeats === undefined) return;
      clearInterval(heartbeats);
      clearInterval(caring);
      quietly(() => storeHeartbeat(pool, node, GRACE_MS), 'the last heartbeat was not stored');
      await running;
    },
  };
}
