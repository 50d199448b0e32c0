import type { ScanState } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';

/** A file that was not scanned yet. */
export interface WaitingFile {
  id: number;
  name: string;
  key: string;
  customerId: number | null;
}

/** Files that were not scanned yet, oldest first. */
export async function waitingFiles(db: Kysely<Database>, limit: number): Promise<WaitingFile[]> {
  const { rows } = await sql<WaitingFile>`
    select id, name, object_key as key, customer_id as "customerId" from attachments
     where scan_state = 'waiting' order by id limit ${limit}`.execute(db);
  return rows;
}

/** Stores what was found in a file. */
export async function storeScan(
  db: Kysely<Database>,
  id: number,
  state: Exclude<ScanState, 'waiting' | 'unscanned'>,
  virus: string | null,
): Promise<void> {
  await sql`
    update attachments set scan_state = ${state}, virus = ${virus} where id = ${id} and scan_state = 'waiting'`.execute(
    db,
  );
}

/** Without a scanner nothing would end the waiting: these files are not scanned. */
export async function endWaiting(db: Kysely<Database>): Promise<void> {
  await sql`update attachments set scan_state = 'unscanned' where scan_state = 'waiting'`.execute(db);
}
