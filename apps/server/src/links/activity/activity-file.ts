import type { LinkActivity } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { type ActivityFilters, type ActivityRecord, activityAfter } from './activity.store.ts';

const ROWS = 1_000;
const COLUMNS = [
  ...['number', 'kind', 'startedAt', 'endedAt', 'text', 'result', 'status', 'bytesIn', 'bytesOut', 'guest'],
] as (keyof LinkActivity)[];

/** An activity as in the contract. */
export function activityRow({ linkId: _, ...record }: ActivityRecord): LinkActivity {
  return {
    ...record,
    startedAt: record.startedAt.toISOString(),
    endedAt: record.endedAt?.toISOString() ?? null,
  };
}

/** The activity of a link as CSV or as JSON lines, oldest first. */
export async function* activityFile(
  db: Kysely<Database>,
  linkId: number,
  format: 'csv' | 'jsonl',
  filters: ActivityFilters,
): AsyncGenerator<string> {
  // Excel needs the mark to read the file as UTF-8.
  if (format === 'csv') yield `\ufeff${COLUMNS.join(',')}\r\n`;
  let after = 0;
  for (;;) {
    const rows = (await activityAfter(db, linkId, after, filters, ROWS)).map(activityRow);
    if (rows.length > 0) yield rows.map((row) => lineOf(row, format)).join('');
    if (rows.length < ROWS) return;
    after = rows.at(-1)!.number;
  }
}

function lineOf(row: LinkActivity, format: 'csv' | 'jsonl'): string {
  if (format === 'jsonl') return `${JSON.stringify(row)}\n`;
  return `${COLUMNS.map((column) => cell(row[column])).join(',')}\r\n`;
}

/** Spreadsheets run texts that begin like a formula, and a device chooses some of these texts. */
function cell(value: string | number | null): string {
  if (typeof value !== 'string') return String(value ?? '');
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
