import type { Kysely } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Database } from '../database/schema.ts';
import type { Log } from '../log.ts';
import type { ScheduledJob } from '../work/scheduled-job.ts';
import { mapInSlices } from '../work/slices.ts';
import { listWithoutWords, type NamedTable, storeWords } from './search-words.store.ts';
import { searchWords } from './search-words.ts';

/** Rows written by one statement: few enough that nothing waits for it. */
const BATCH = 500;
const INTERVAL_MS = 60_000;

/**
 * Writes the search words of rows that were added without them: before an upgrade, or by a statement that copies many
 * rows. The module that owns the tables starts it.
 */
export function searchWordsJob(
  tables: readonly NamedTable[],
  { db, clock, log }: { db: Kysely<Database>; clock: Clock; log: Log },
): ScheduledJob {
  const write = async (signal: AbortSignal) => {
    for (const table of tables) {
      let found = BATCH;
      while (found === BATCH && !signal.aborted) {
        const rows = await listWithoutWords(db, table, BATCH);
        await storeWords(db, table, await mapInSlices(rows, (row) => ({ ...row, words: searchWords(row.name) })));
        found = rows.length;
      }
    }
  };
  return clock.repeat(write, {
    job: 'searchWords',
    everyMs: INTERVAL_MS,
    log,
    failed: 'the search words of names could not be written; trying again shortly',
  });
}
