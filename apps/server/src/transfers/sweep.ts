import { PLC_VERSION_KEY } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import type { Log } from '../platform/log.ts';
import type { ListedObject, ObjectStore } from '../platform/objects/store.ts';
import type { ChangeFeed } from '../ports/changes.ts';
import { deleteLogsBefore, unusedLogKeys } from './device-logs.store.ts';
import { unusedFirmwareKeys } from './firmware.store.ts';
import { DEVICE_LOGS, FIRMWARE_ARRIVALS, FIRMWARE_FILES } from './places.ts';
import { settle } from './progress.service.ts';
import { queryOf } from './query.ts';
import { claimUnverified } from './transfers.store.ts';

/** Deadlines are hours; a second more is not noticed, and the sweep of an empty index costs nothing. */
const SWEEP_MS = 1_000;
/** How long a device may take to tell its PLC's version before it is asked again. */
const ASK_AGAIN_MS = 60_000;
const TIDY_MS = 60 * 60_000;
/** How long an object waits for its row: no upload and no copy takes that long. */
const GRACE_MS = 24 * 60 * 60_000;
const DAY_MS = 24 * 60 * 60_000;
const BATCH = 500;

/** Asks a device something by itself, for somebody whose transfer needs it. */
export type Ask = (
  deviceId: number,
  command: { kind: 'refreshParameters'; connector: number; params: { key: string } },
  by: { userId: number | null; userName: string },
) => Promise<void>;

/**
 * Every second: ends transfers whose time is over or whose command came to nothing, and asks devices for the version of
 * a PLC that they say they updated. Every hour: removes logs beyond their days and objects that no row has. Many nodes
 * may sweep at a time: a row is taken by one of them.
 */
export function transferSweep(parts: {
  db: Kysely<Database>;
  store: ObjectStore;
  changes: ChangeFeed;
  log: Log;
  logDays: number;
}) {
  const { db, store, changes, log, logDays } = parts;
  let timer: NodeJS.Timeout | undefined;
  let tidyTimer: NodeJS.Timeout | undefined;
  let sweeping: Promise<void> = Promise.resolve();
  let tidying: Promise<void> | null = null;
  let stopped = false;
  let failing = false;

  async function sweep(ask: Ask): Promise<void> {
    for (;;) {
      const { devices, more } = await db.transaction().execute((trx) => settle(queryOf(trx), null));
      for (const deviceId of devices) changes.changed(deviceId, 'transfers');
      if (!more || stopped) break;
    }
    for (const { deviceId, requestedBy, requestedByName } of await claimUnverified(db, ASK_AGAIN_MS)) {
      const command = { kind: 'refreshParameters', connector: 0, params: { key: PLC_VERSION_KEY } } as const;
      await ask(deviceId, command, { userId: requestedBy, userName: requestedByName });
    }
  }

  async function turn(ask: Ask): Promise<void> {
    try {
      await sweep(ask);
      if (failing) log.info('the sweep of transfers works again');
      failing = false;
    } catch (error) {
      if (!failing) log.error({ err: error }, 'transfers could not be swept; trying again every second');
      failing = true;
    }
    if (stopped) return;
    timer = setTimeout(() => {
      sweeping = turn(ask);
    }, SWEEP_MS);
  }

  /** One round of the hourly work, as of a time. */
  async function tidy(now: Date): Promise<void> {
    await deleteLogsBefore(db, new Date(now.getTime() - logDays * DAY_MS));
    const before = new Date(now.getTime() - GRACE_MS);
    const { main, firmware } = store.buckets;
    await removeOld(main, DEVICE_LOGS, before, (keys) => unusedLogKeys(db, keys));
    await removeOld(firmware, FIRMWARE_FILES, before, (keys) => unusedFirmwareKeys(db, keys));
    await removeOld(firmware, FIRMWARE_ARRIVALS, before, async (keys) => keys);
  }

  async function removeOld(
    bucket: string,
    prefix: string,
    before: Date,
    unused: (keys: string[]) => Promise<string[]>,
  ): Promise<void> {
    for await (const batch of oldBatches(store.list(bucket, prefix), before))
      for (const key of await unused(batch)) if (!stopped) await store.remove({ bucket, key });
  }

  const wakeTidy = () => {
    tidying ??= tidy(new Date())
      .catch((error: unknown) => log.warn({ err: error }, 'old logs and orphaned files wait for the next sweep'))
      .finally(() => {
        tidying = null;
      });
  };
  return {
    tidy,
    start(ask: Ask): Promise<void> {
      sweeping = turn(ask);
      tidyTimer = setInterval(wakeTidy, TIDY_MS);
      tidyTimer.unref();
      wakeTidy();
      return sweeping;
    },
    async stop(): Promise<void> {
      stopped = true;
      clearTimeout(timer);
      clearInterval(tidyTimer);
      await sweeping;
      await tidying;
    },
  };
}

/** The keys of objects that were stored before a time, in batches. */
async function* oldBatches(objects: AsyncIterable<ListedObject>, before: Date): AsyncGenerator<string[]> {
  let batch: string[] = [];
  for await (const { key, modifiedAt } of objects) {
    if (modifiedAt < before) batch.push(key);
    if (batch.length === BATCH) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}
