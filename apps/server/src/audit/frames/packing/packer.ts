import type { Kysely } from 'kysely';
import { type Clock, pause } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/schema.ts';
import type { Log } from '../../../platform/log.ts';
import type { ScheduledJob } from '../../../platform/work/scheduled-job.ts';
import { AT_ONCE, listRipeDevices, packDevice } from './packer.store.ts';

const INTERVAL_MS = 60_000;
/** Time without work, compared with the time of work. */
const REST = 9;

/**
 * Packs frames of the protocol log into compressed batches. It works a tenth of the time, so that storing new frames
 * does not wait for it.
 */
export function framePacker(db: Kysely<Database>, clock: Clock, log: Log): ScheduledJob {
  const pack = async (signal: AbortSignal) => {
    const now = clock.now();
    for (const deviceId of await listRipeDevices(db, now)) {
      for (let packed = AT_ONCE; packed === AT_ONCE && !signal.aborted; ) {
        const start = performance.now();
        packed = await packDevice(db, deviceId, now);
        await pause(clock, REST * (performance.now() - start));
      }
      if (signal.aborted) return;
    }
  };
  return clock.repeat(pack, { everyMs: INTERVAL_MS, log, failed: 'packing the protocol log waits for the next try' });
}
