import type { Pool } from 'pg';
import { fill } from '../side-by-side.ts';

/** Frames in plain rows with indexes, for the floor. */
export interface PlainFrames {
  /** devices of the rows */
  devices: readonly number[];
  messageIds: readonly string[];
  byTime(deviceId: number, from: Date, to: Date): Promise<number>;
  byMessage(action: string, messageId: string): Promise<number>;
  byText(deviceId: number, from: Date, to: Date, text: string): Promise<number>;
}

/** Keeps the frames that are not packed yet in a table of plain rows. */
export async function keepPlainFrames(pool: Pool): Promise<void> {
  await fill(
    pool,
    `create unlogged table plain_frames as
     select id, device_id, at, type, action, message_id, body, bytes, note from protocol_frames`,
  );
}

/** Copies the rows until there are enough, and builds their indexes. */
export async function growPlainFrames(pool: Pool, total: number): Promise<PlainFrames> {
  const { rows: known } = await pool.query<{ frames: number }>('select count(*)::int as frames from plain_frames');
  const copies = Math.max(1, Math.round(total / known[0]!.frames));
  await fill(
    pool,
    `insert into plain_frames
     select id + copy * 100000000::bigint, device_id + 1000 * copy, at, type, action, message_id || '-' || copy, body, bytes,
            note
       from plain_frames, generate_series(1, ${copies - 1}) as copy;
     create index on plain_frames (device_id, at);
     create index on plain_frames (message_id, action);`,
  );
  await fill(pool, 'vacuum analyze plain_frames');
  const { rows: devices } = await pool.query<{ id: number }>('select distinct device_id as id from plain_frames');
  const { rows: messages } = await pool.query<{ id: string }>(
    `select message_id as id from plain_frames where action = 'Heartbeat' and type = 2 order by random() limit 100`,
  );
  const count = async (text: string, values: unknown[]) => (await pool.query(text, values)).rows.length;
  return {
    devices: devices.map(({ id }) => id),
    messageIds: messages.map(({ id }) => id),
    byTime: (deviceId, from, to) =>
      count('select * from plain_frames where device_id = $1 and at >= $2 and at < $3 order by at desc limit 100', [
        deviceId,
        from,
        to,
      ]),
    byMessage: (action, messageId) =>
      count('select * from plain_frames where action = $1 and message_id = $2', [action, messageId]),
    byText: (deviceId, from, to, text) =>
      count(
        `select * from plain_frames where device_id = $1 and at >= $2 and at < $3 and body ilike $4
          order by at desc limit 100`,
        [deviceId, from, to, `%${text}%`],
      ),
  };
}
