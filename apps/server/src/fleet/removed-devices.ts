import type { Kysely } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import type { Log } from '../platform/log.ts';
import { deleteHistory, forgetRemovedDevice, HISTORIES, listRemovedDevices } from './removed-devices.store.ts';

/** Rows removed by one statement: short enough that nothing waits for it. */
const BATCH = 5_000;
/** A message of a removed device may be under way when it goes; after this it cannot be any more. */
const SETTLE_SECONDS = 300;
const INTERVAL_MS = 60_000;

export interface HistorySweeper {
  start(): void;
  /** Sweeps now, unless a sweep is under way. */
  wake(): void;
  stop(): Promise<void>;
}

/**
 * Removes the frames and readings of removed devices, a batch at a time. What is to be removed stands in the database,
 * so that a stop in between only delays it.
 */
export function historySweeper(db: Kysely<Database>, log: Log): HistorySweeper {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;
  let stopped = false;

  const sweep = async () => {
    for (const { deviceId, settled } of await listRemovedDevices(db, SETTLE_SECONDS)) {
      for (const table of HISTORIES) {
        let removed = BATCH;
        while (removed === BATCH && !stopped) removed = await deleteHistory(db, table, deviceId, BATCH);
      }
      if (settled && !stopped) await forgetRemovedDevice(db, deviceId);
    }
  };
  const wake = () => {
    if (stopped || running) return;
    running = sweep()
      .catch((error: unknown) => log.warn({ err: error }, 'the history of a removed device waits for the next try'))
      .finally(() => {
        running = null;
      });
  };
  return {
    start() {
      timer = setInterval(wake, INTERVAL_MS);
      timer.unref();
      wake();
    },
    wake,
    async stop() {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
