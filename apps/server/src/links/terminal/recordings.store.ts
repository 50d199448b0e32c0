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
  /** the stored parts, and the seal over them */
  parts: number;
  seal: Buffer;
}

const COLUMNS = sql`
  id, user_name as "userName", cols, rows, started_at as "startedAt", ended_at as "endedAt", end_reason as "end", bytes,
  parts, seal`;

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
  recording: { linkId: number; userName: string; cols: number; rows: number; startedAt: Date; seal: Buffer },
): Promise<number> {
  const { linkId, userName, cols, rows, startedAt, seal } = recording;
  const values = { link_id: linkId, user_name: userName, cols, rows, started_at: startedAt, seal };
  return (await db.insertInto('link_recordings').values(values).returning('id').executeTakeFirstOrThrow()).id;
}

export async function insertPart(
  db: Kysely<Database>,
  part: { recordingId: number; number: number; output: Buffer; input: string | null; bytes: number; seal: Buffer },
): Promise<void> {
  const { recordingId, number, output, input, bytes, seal } = part;
  await sql`
    with counted as (
      update link_recordings set bytes = bytes + ${bytes}, parts = ${number}, seal = ${seal} where id = ${recordingId})
    insert into link_recording_parts (recording_id, number, output, input)
    values (${recordingId}, ${number}, ${output}, ${input})`.execute(db);
}

export async function endRecording(
  db: Kysely<Database>,
  id: number,
  { end, at, seal }: { end: TerminalEnd; at: Date; seal: Buffer },
): Promise<void> {
  await db.updateTable('link_recordings').set({ ended_at: at, end_reason: end, seal }).where('id', '=', id).execute();
}

/** The part after another one; null at the end. */
export async function nextPart(
  db: Kysely<Database>,
  recordingId: number,
  after: number,
): Promise<{ number: number; output: Buffer; input: string | null } | null> {
  const part = await db
    .selectFrom('link_recording_parts')
    .select(['number', 'output', 'input'])
    .where('recording_id', '=', recordingId)
    .where('number', '>', after)
    .orderBy('number')
    .limit(1)
    .executeTakeFirst();
  return part ?? null;
}
