import { PLC_VERSION_KEY } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import { type Clock, clockAt } from '../platform/clock.ts';
import type { Database } from '../platform/database/schema.ts';
import type { Log } from '../platform/log.ts';
import { oldObjects } from '../platform/objects/old-objects.ts';
import type { ObjectStore } from '../platform/objects/store.ts';
import type { Events } from '../ports/events.ts';
import { deleteLogsBefore, unusedLogKeys } from './device-logs/device-logs.store.ts';
import { unusedFirmwareKeys } from './firmware/firmware.store.ts';
import { DEVICE_LOGS, FIRMWARE_FILES, INCOMING_FIRMWARE } from './places.ts';
import { endOverdue } from './progress.service.ts';
import { queryOf } from './query.ts';
import { claimUnverified } from './transfers.store.ts';

/** Deadlines are hours, so one more second does not matter. A sweep of an empty index is cheap. */
const SWEEP_MS = 1_000;
/** How long a device may take to report its PLC's version before it is asked again. */
const REQUEST_AGAIN_MS = 60_000;
const CLEANING_INTERVAL_MS = 60 * 60_000;
/** How long an object may exist without a row: no upload and no copy takes that long. */
const GRACE_MS = 24 * 60 * 60_000;
const DAY_MS = 24 * 60 * 60_000;
const BATCH = 500;

/** Sends a request to a device on behalf of a user whose transfer needs it. */
export type SendCommand = (
  deviceId: number,
  command: { kind: 'refreshParameters'; connector: number; params: { key: string } },
  by: { userId: number | null; userName: string },
) => Promise<void>;

/**
 * Every second: ends transfers that expired or whose command failed, and asks devices for the version of a PLC that
 * they report as updated. Every hour: removes logs after their retention and objects without a row. Each row is
 * processed by one transaction.
 */
export function transferSweep(parts: {
  db: Kysely<Database>;
  store: ObjectStore;
  events: Events;
  clock: Clock;
  log: Log;
  /** the retention of device logs */
  logDays(): number;
  /** sends a command to a device */
  sendFor: SendCommand;
}) {
  const { db, store, events, clock, log, logDays, sendFor } = parts;

  async function sweep(signal: AbortSignal): Promise<void> {
    for (;;) {
      const { devices, more } = await db.transaction().execute((trx) => endOverdue(queryOf(trx), null));
      for (const deviceId of devices) events.publish('device.transfers', { id: deviceId });
      if (!more || signal.aborted) break;
    }
    for (const { deviceId, requestedBy, requestedByName } of await claimUnverified(db, REQUEST_AGAIN_MS)) {
      const command = { kind: 'refreshParameters', connector: 0, params: { key: PLC_VERSION_KEY } } as const;
      await sendFor(deviceId, command, { userId: requestedBy, userName: requestedByName });
    }
  }

  /** One round of the hourly sweep; `old` says what is old enough. */
  async function clean(old: Pick<Clock, 'deleteOld'>, signal?: AbortSignal): Promise<void> {
    await old.deleteOld('deviceLogs', (now) => deleteLogsBefore(db, new Date(now.getTime() - logDays() * DAY_MS)));
    await old.deleteOld('orphanedFiles', (now) => cleanObjects(now, signal));
  }

  /** @returns the number of removed objects */
  async function cleanObjects(now: Date, signal?: AbortSignal): Promise<number> {
    let count = 0;
    const before = new Date(now.getTime() - GRACE_MS);
    const { main, firmware } = store.buckets;
    const removeOld = async (bucket: string, prefix: string, unused: (keys: string[]) => Promise<string[]>) => {
      for await (const batch of oldObjects(store.list(bucket, prefix), before, BATCH))
        for (const key of await unused(batch)) {
          if (signal?.aborted) return;
          await store.remove({ bucket, key });
          count += 1;
        }
    };
    await removeOld(main, DEVICE_LOGS, (keys) => unusedLogKeys(db, keys));
    await removeOld(firmware, FIRMWARE_FILES, (keys) => unusedFirmwareKeys(db, keys));
    await removeOld(firmware, INCOMING_FIRMWARE, async (keys) => keys);
    return count;
  }

  const cleaning = clock.repeat((signal) => clean(clock, signal), {
    job: 'transferCleanup',
    everyMs: CLEANING_INTERVAL_MS,
    log,
    failed: 'old logs and orphaned files wait for the next sweep',
  });
  const sweeping = clock.repeat(sweep, {
    job: 'transferSweep',
    everyMs: SWEEP_MS,
    log,
    failed: 'transfers could not be swept; trying again every second',
    again: 'the sweep of transfers works again',
  });
  return {
    clean: (now: Date) => clean(clockAt(() => now)),
    start(): Promise<void> {
      void cleaning.start();
      return sweeping.start();
    },
    async stop(): Promise<void> {
      await Promise.all([sweeping.stop(), cleaning.stop()]);
    },
  };
}
