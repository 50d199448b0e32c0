import type { FileLevels } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';

/** An upload that becomes a file. */
export interface Arrival {
  etag: string;
  /** where it is moved to */
  objectKey: string;
  /** the file it became; null while it has not */
  file: { id: number; name: string; siteId: number | null; size: number; levels: FileLevels } | null;
}

const ARRIVAL = sql`
  r.etag, r.object_key as "objectKey",
  case when a.id is not null then jsonb_build_object(
    'id', a.id, 'name', a.name, 'siteId', a.site_id, 'size', a.size,
    'levels', jsonb_build_object('read', a.read_level, 'write', a.write_level, 'download', a.download_level)) end as file
  from attachment_arrivals r left join attachments a on a.id = r.attachment_id`;

/** What is known about an upload; null when it was never registered, or longer than a day ago. */
export async function findArrival(db: Kysely<Database>, key: string): Promise<Arrival | null> {
  const { rows } = await sql<Arrival>`select ${ARRIVAL} where r.upload_key = ${key}`.execute(db);
  return rows[0] ?? null;
}

/** As `findArrival`; registrations of the same upload wait for each other until the end of the transaction. */
export async function lockArrival(trx: Kysely<Database>, key: string): Promise<Arrival | null> {
  await sql`select from attachment_arrivals where upload_key = ${key} for update`.execute(trx);
  return await findArrival(trx, key);
}

/** Records where an upload is moved to, and returns it: the former place when this upload has one. */
export async function recordArrival(
  db: Kysely<Database>,
  { key, etag, objectKey }: { key: string; etag: string; objectKey: string },
): Promise<string> {
  const { rows } = await sql<{ objectKey: string }>`
    insert into attachment_arrivals as known (upload_key, etag, object_key) values (${key}, ${etag}, ${objectKey})
    on conflict (upload_key) do update
       set object_key = case when known.etag = excluded.etag then known.object_key else excluded.object_key end,
           attachment_id = case when known.etag = excluded.etag then known.attachment_id end,
           etag = excluded.etag, created_at = now()
    returning object_key as "objectKey"`.execute(db);
  return rows[0]!.objectKey;
}

/** Records the file that an upload became. */
export async function settleArrival(trx: Kysely<Database>, key: string, id: number): Promise<void> {
  await sql`update attachment_arrivals set attachment_id = ${id} where upload_key = ${key}`.execute(trx);
}

/** Forgets uploads that were registered before a time. */
export async function forgetArrivals(db: Kysely<Database>, before: Date): Promise<void> {
  await sql`delete from attachment_arrivals where created_at < ${before}`.execute(db);
}
