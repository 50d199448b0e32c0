import type { TerminalEnd } from '@chargehand/contract';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';

export interface RecordingRecord {
  id: number;
  userName: string;
  cols: number;
  rows: number;
  startedAt: Date;
  endedAt: Date | null;
  end: TerminalEnd | null;
  bytes: number;
}

const COLUMNS = sql`
  id, user_name as "userName", cols, rows, started_at as "startedAt", ended_at as "endedAt", end_reason as "end", bytes`;

/** The recordings of a link, oldest first. */
export async function listRecordings(db: Kysely<Database>, linkId: number): Promise<RecordingRecord[]> {
  const { rows } = await sql<RecordingRecord>`
    select ${COLUMNS} from link_recordings where link_id = ${linkId} order by id`.execute(db);
  return rows;
}

export async function findRecording(db: Kysely<Database>, linkId: number, id: number): Promise<RecordingRecord | null> {
  const { rows } = await sql<RecordingRecord>`
    select ${COLUMNS} from link_recordings where link_id = ${linkId} and id = ${id}`.execute(db);
  return rows[0] ?? null;
}

export async function insertRecording(
  db: Kysely<Database>,
  recording: { linkId: number; userName: string; cols: number; rows: number; startedAt: Date },
): Promise<number> {
  const { linkId, userName, cols, rows, startedAt } = recording;
  const values = { link_id: linkId, user_name: userName, cols, rows, started_at: startedAt };
  return (await db.insertInto('link_recordings').values(values).returning('id').executeTakeFirstOrThrow()).id;
}

export async function insertPart(
  db: Kysely<Database>,
  part: { recordingId: number; number: number; output: Buffer; input: string | null; bytes: number },
): Promise<void> {
  const { recordingId, number, output, input, bytes } = part;
  await sql`
    with counted as (update link_recordings set bytes = bytes + ${bytes} where id = ${recordingId})
    insert into link_recording_parts (recording_id, number, output, input)
    values (${recordingId}, ${number}, ${output}, ${input})`.execute(db);
}

export async function endRecording(db: Kysely<Database>, id: number, end: TerminalEnd, at: Date): Promise<void> {
  await db.updateTable('link_recordings').set({ ended_at: at, end_reason: end }).where('id', '=', id).execute();
}

/** The parts after another one, at most `limit`. */
export async function nextParts(
  db: Kysely<Database>,
  recordingId: number,
  after: number,
  limit: number,
): Promise<{ number: number; output: Buffer; input: string | null }[]> {
  return await db
    .selectFrom('link_recording_parts')
    .select(['number', 'output', 'input'])
    .where('recording_id', '=', recordingId)
    .where('number', '>', after)
    .orderBy('number')
    .limit(limit)
    .execute();
}
