import type { Kysely } from 'kysely';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/schema.ts';
import type { Log } from '../../../platform/log.ts';
import { inOwnOrder, paced } from '../../../platform/packing/paced.ts';
import type { ScheduledJob } from '../../../platform/work/scheduled-job.ts';
import { AT_ONCE, listParts, listRipeDevices, packDevice } from './packer.store.ts';

const INTERVAL_MS = 300_000;

/**
 * Packs frames of the protocol log into compressed batches. Its share of the time follows what is due, from a twentieth to
 * half, so that storing new frames does not wait for it. Several processes share the devices. Frames of one device that
 * cannot be packed do not prevent those of others.
 */
export function framePacker(parts: {
  db: Kysely<Database>;
  clock: Clock;
  log: Log;
  /** different in each process: they begin with different devices */
  salt?: number;
  /** true while new messages wait to be stored */
  isLate?: () => boolean;
}): ScheduledJob {
  const { db, clock, log, salt = 0, isLate = () => false } = parts;
  const pack = async (signal: AbortSignal) => {
    const now = clock.now();
    const ripe = new Set<number>();
    for (const part of await listParts(db)) {
      for (const deviceId of await listRipeDevices(db, part, now)) ripe.add(deviceId);
    }
    const pace = paced(clock, signal, { everyMs: INTERVAL_MS, pieces: ripe.size, isLate });
    let failure: unknown;
    for (const deviceId of inOwnOrder([...ripe], (id) => id, salt)) {
      try {
        for (let packed = AT_ONCE; packed === AT_ONCE; ) {
          if (signal.aborted) return;
          packed = await pace.rested(() => packDevice(db, deviceId, now));
        }
      } catch (error) {
        failure ??= error;
      }
      pace.done();
    }
    if (failure !== undefined) throw failure;
  };
  return clock.repeat(pack, {
    job: 'protocolLogPacking',
    everyMs: INTERVAL_MS,
    log,
    failed: 'packing the protocol log waits for the next try',
  });
}
