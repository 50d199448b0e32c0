import type { Kysely } from 'kysely';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/schema.ts';
import type { Log } from '../../../platform/log.ts';
import type { ScheduledJob } from '../../../platform/work/scheduled-job.ts';
import { AT_ONCE, listDevices, listRipeDevices, packDevice } from './packer.store.ts';

const INTERVAL_MS = 300_000;
/** Devices of one query. */
const DEVICES = 200;
/** Time without work, compared with the time of work. */
const REST = 19;
/** The shortest pause while new messages wait to be stored. */
const LATE_REST_MS = 10_000;

/**
 * Packs frames of the protocol log into compressed batches. It works a twentieth of the time, so that storing new frames
 * does not wait for it, and less while they do. Frames of one device that cannot be packed do not prevent those of others.
 * @param isLate true while new messages wait to be stored
 */
export function framePacker(
  db: Kysely<Database>,
  clock: Clock,
  log: Log,
  isLate: () => boolean = () => false,
): ScheduledJob {
  const pack = async (signal: AbortSignal) => {
    const now = clock.now();
    const rested = async <T>(work: () => Promise<T>): Promise<T> => {
      const start = performance.now();
      const result = await work();
      const ms = REST * (performance.now() - start);
      await rest(clock, isLate() ? Math.max(ms, LATE_REST_MS) : ms, signal);
      return result;
    };
    let failure: unknown;
    let devices = await listDevices(db, 0, DEVICES);
    while (devices.length > 0) {
      const some = devices;
      for (const deviceId of await rested(() => listRipeDevices(db, some, now))) {
        try {
          for (let packed = AT_ONCE; packed === AT_ONCE; ) {
            if (signal.aborted) return;
            packed = await rested(() => packDevice(db, deviceId, now));
          }
        } catch (error) {
          failure ??= error;
        }
      }
      if (signal.aborted) return;
      devices = await listDevices(db, some.at(-1)!, DEVICES);
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

/** Resolves after `ms` milliseconds, or when the signal is aborted. */
function rest(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const cancel = clock.after(ms, resolve);
  const stop = () => resolve();
  signal.addEventListener('abort', stop);
  return promise.finally(() => {
    cancel();
    signal.removeEventListener('abort', stop);
  });
}
