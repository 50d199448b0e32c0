import type { LinkActivity } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import { csvHead, csvLine, jsonLine } from '../../platform/csv.ts';
import type { Database } from '../../platform/database/schema.ts';
import { type ActivityFilters, activityAfter } from './activity.store.ts';

const ROWS = 1_000;
const COLUMNS = [
  ...['number', 'kind', 'startedAt', 'endedAt', 'text', 'result', 'status', 'bytesIn', 'bytesOut', 'guest'],
] as (keyof LinkActivity)[];

/** The activity of a link as CSV or as JSON lines, oldest first. */
export async function* activityFile(
  db: Kysely<Database>,
  linkId: number,
  format: 'csv' | 'jsonl',
  filters: ActivityFilters,
): AsyncGenerator<string> {
  if (format === 'csv') yield csvHead(COLUMNS);
  let after = 0;
  for (;;) {
    const rows = (await activityAfter(db, linkId, after, filters, ROWS)).map(({ linkId: _, ...row }) => row);
    if (rows.length > 0)
      yield rows
        .map((row) => (format === 'csv' ? csvLine(COLUMNS.map((column) => row[column])) : jsonLine(row)))
        .join('');
    if (rows.length < ROWS) return;
    after = rows.at(-1)!.number;
  }
}
