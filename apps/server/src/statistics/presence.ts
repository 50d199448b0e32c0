import type { Pool } from 'pg';
import type { Log } from '../platform/log.ts';
import { beat, forgetSpans } from './presence.store.ts';

export interface Presence {
  /** Says that the server is here again; the time since its last sign of life becomes a gap. */
  start(): Promise<void>;
  /** Gives the last sign of life. */
  stop(): Promise<void>;
}

/** A gap is known to this: a killed server was there at most so long after its last sign of life. */
const BEAT_MS = 10_000;
/** Without a sign for so long while running (the machine slept, the database was away), nobody saw the devices. */
const GRACE_MS = 3 * BEAT_MS;
const CARE_MS = 3_600_000;
/** The history of statuses is kept for a quarter: the console shows a month of it. */
const KEPT_DAYS = 92;

/**
 * Keeps on record when a server was there to see how devices stand, so that statistics tell "offline" from "unknown",
 * and forgets what is older than they need.
 */
export function presence(parts: { pool: Pool; log: Log; node: string }): Presence {
  const { pool, log, node } = parts;
  let beating: NodeJS.Timeout | undefined;
  let caring: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const quietly = (work: () => Promise<unknown>, what: string) => {
    running = running.then(work).then(
      () => undefined,
      (error: unknown) => log.warn({ err: error }, what),
    );
  };
  const care = () =>
    quietly(() => forgetSpans(pool, KEPT_DAYS), 'old statistics could not be removed; it is tried again');
  return {
    async start() {
      await beat(pool, node, 0);
      beating = setInterval(
        () => quietly(() => beat(pool, node, GRACE_MS), 'the sign of life was not stored'),
        BEAT_MS,
      );
      caring = setInterval(care, CARE_MS);
      beating.unref();
      caring.unref();
      care();
    },
    async stop() {
      if (beating === undefined) return;
      clearInterval(beating);
      clearInterval(caring);
      quietly(() => beat(pool, node, GRACE_MS), 'the last sign of life was not stored');
      await running;
    },
  };
}
