import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../../../platform/database/schema.ts';
import { type FrameBatch, packFrames, unpackFrames } from './batches.ts';
import type { Frame } from './columns.ts';
import { BATCH_FRAMES, divide, isSameDay, OPEN_MS, ripe } from './ripe.ts';

/** Frames that are packed in one transaction at most. */
export const AT_ONCE = 8 * BATCH_FRAMES;
/** First key of the advisory locks of this file: any number that no other module uses. The second is the device. */
const LOCK = 421_377_471;

/** The partitions with frames. One whose rows are all packed is emptied later. */
export async function listParts(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'protocol_frames'::regclass and pg_relation_size(c.oid) > 0 order by c.relname`.execute(db);
  return rows.map(({ name }) => name);
}

/**
 * The devices of a partition with frames that are due to be packed. Reads one index: the next device with frames, and the
 * oldest frames of each.
 */
export async function listRipeDevices(db: Kysely<Database>, part: string, now: Date): Promise<number[]> {
  const from = sql.table(part);
  const { rows } = await sql<{ id: number }>`
    with recursive device (id) as (
      (select device_id from ${from} order by device_id limit 1)
      union all
      select (select f.device_id from ${from} f where f.device_id > device.id order by f.device_id limit 1)
        from device where device.id is not null
    )
    select device.id
      from device,
           lateral (select count(*) as frames, min(at) as oldest
                      from (select at from ${from} f where f.device_id = device.id order by f.id limit ${BATCH_FRAMES}) f) f
     where device.id is not null and (frames = ${BATCH_FRAMES} or oldest <= ${new Date(now.getTime() - OPEN_MS)})`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

/**
 * Moves the oldest frames of a device from `protocol_frames` into batches, in one transaction: a reader finds each frame
 * in one of the two tables, and a process that ends at any time changes nothing. Returns the number of packed frames; 0
 * if none are due, or another process packs frames of the device.
 */
export async function packDevice(db: Kysely<Database>, deviceId: number, now: Date): Promise<number> {
  return await db.transaction().execute(async (trx) => {
    const { rows: locks } = await sql<{ free: boolean }>`
      select pg_try_advisory_xact_lock(${LOCK}, ${deviceId}) as free`.execute(trx);
    if (!locks[0]?.free) return 0;
    const { rows } = await sql<Frame>`
      select id, connection_id as "connectionId", at, type, action, message_id as "messageId", body, bytes, note
        from protocol_frames where device_id = ${deviceId} order by id limit ${AT_ONCE}`.execute(trx);
    if (rows.length === 0) return 0;
    const times = rows.map(({ at }) => at.getTime());
    const frames = rows.slice(0, ripe(rows.length, new Date(Math.min(...times)), now));
    if (frames.length === 0) return 0;
    const earlier = await takeBatches(trx, deviceId, frames[0]!);
    const merged = earlier.length > 0 ? [...earlier, ...frames].sort((one, other) => one.id - other.id) : frames;
    const protocol = await protocolOf(trx, deviceId);
    for (const batch of divide(merged)) await insertBatch(trx, deviceId, await packFrames(batch, protocol));
    await deleteFrames(trx, deviceId, frames);
    return frames.length;
  });
}

/**
 * Removes the batches that the next frames belong into, and returns their frames: those with later frames, as of a
 * transaction that took long to commit, and the last one if it has few.
 */
async function takeBatches(trx: Transaction<Database>, deviceId: number, first: Frame): Promise<Frame[]> {
  const { rows: last } = await sql<{ lastId: number; at: Date; takesMore: boolean }>`
    select last_id as "lastId", at, takes_more as "takesMore" from frame_batches
     where device_id = ${deviceId} order by last_id desc limit 1`.execute(trx);
  const [newest] = last;
  if (!newest) return [];
  const from =
    newest.lastId > first.id ? first.id : newest.takesMore && isSameDay(newest, first) ? newest.lastId : null;
  if (from === null) return [];
  const { rows } = await sql<Pick<FrameBatch, 'dictionary' | 'data'>>`
    delete from frame_batches where device_id = ${deviceId} and last_id >= ${from} returning dictionary, data`.execute(
    trx,
  );
  return (await Promise.all(rows.map((row) => unpackFrames(row)))).flat();
}

async function protocolOf(trx: Transaction<Database>, deviceId: number): Promise<string | null> {
  const { rows } = await sql<{ protocol: string | null }>`
    select protocol from device_states where device_id = ${deviceId}`.execute(trx);
  return rows[0]?.protocol ?? null;
}

async function insertBatch(trx: Transaction<Database>, deviceId: number, batch: FrameBatch): Promise<void> {
  await sql`
    insert into frame_batches (device_id, first_id, last_id, at, last_at, frames, takes_more, keys, dictionary, data)
    values (${deviceId}, ${batch.firstId}, ${batch.lastId}, ${batch.at}, ${batch.lastAt}, ${batch.frames}, ${batch.takesMore},
            ${`{${batch.keys.join(',')}}`}::int[], ${batch.dictionary}, ${batch.data})`.execute(trx);
}

/** @throws if a frame is gone, so that it is not stored twice */
async function deleteFrames(trx: Transaction<Database>, deviceId: number, frames: readonly Frame[]): Promise<void> {
  const times = frames.map(({ at }) => at.getTime());
  // The times limit the partitions. Stored times can have microseconds.
  const { numAffectedRows } = await sql`
    delete from protocol_frames
     where device_id = ${deviceId} and id = any(${`{${frames.map(({ id }) => id).join(',')}}`}::bigint[])
       and at >= ${new Date(Math.min(...times))} and at < ${new Date(Math.max(...times) + 1)}`.execute(trx);
  if (Number(numAffectedRows) !== frames.length) throw new Error(`Frames of device ${deviceId} changed while packed`);
}
