import { Readable } from 'node:stream';
import type { Kysely } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Log } from '../../platform/log.ts';
import type { ObjectStore } from '../../platform/objects/store.ts';
import { type ClamdAddress, scanStream } from '../../platform/scan/clamd.ts';
import type { ScheduledJob } from '../../platform/work/scheduled-job.ts';
import { storeScan, type WaitingFile, waitingFiles } from './scan.store.ts';

/** How often files that could not be scanned are tried again. Milliseconds. */
const AGAIN_MS = 10_000;
const BATCH = 100;

/**
 * Scans new files for viruses, one after the other, as soon as they are stored. A file that cannot be scanned, because
 * clamd cannot be reached, waits and cannot be read until it was.
 */
export function scanJob(parts: {
  db: Kysely<Database>;
  store: ObjectStore;
  clamd: ClamdAddress;
  clock: Clock;
  log: Log;
  changed: (customerId: number | null) => void;
}): Pick<ScheduledJob, 'start' | 'wake' | 'stop'> {
  const { db, store, clamd, clock, log, changed } = parts;

  async function scan({ id, name, key, customerId }: WaitingFile): Promise<void> {
    const result = await scanStream(clamd, async () => {
      const found = await store.read({ bucket: store.buckets.main, key });
      // Without an object there is nothing that could be read.
      return found?.body ?? Readable.from([]);
    });
    const virus = result === 'tooLarge' ? null : result.virus;
    const state = result === 'tooLarge' ? result : virus === null ? 'clean' : 'infected';
    await storeScan(db, id, state, virus);
    if (virus !== null) log.warn({ id, name, virus }, 'a virus was found in a file, which nobody can read now');
    changed(customerId);
  }

  async function scanWaiting(signal: AbortSignal): Promise<void> {
    // A file that is stored during a run is found by its next batch.
    for (let files = await waitingFiles(db, BATCH); files.length > 0; files = await waitingFiles(db, BATCH)) {
      const failures: unknown[] = [];
      for (const file of files) {
        if (signal.aborted) return;
        // One file that cannot be scanned does not make the others wait.
        await scan(file).catch((error: unknown) => failures.push(error));
      }
      if (failures.length > 0) throw failures[0];
    }
  }

  return clock.repeat(scanWaiting, {
    job: 'attachmentScan',
    everyMs: AGAIN_MS,
    log,
    failed: 'files cannot be scanned for viruses and wait; trying again every ten seconds',
    again: 'files are scanned for viruses again',
  });
}
