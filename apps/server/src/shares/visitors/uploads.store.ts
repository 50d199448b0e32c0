import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';

export interface UploadRecord {
  id: string;
  shareId: number;
  useId: number;
  name: string;
  uploader: string;
  size: number;
  received: number;
  done: boolean;
}

const COLUMNS = sql`
  id, share_id as "shareId", use_id as "useId", name, uploader, size, received, done`;

export async function insertUpload(
  trx: Kysely<Database>,
  { id, shareId, useId, name, uploader, size }: Omit<UploadRecord, 'received' | 'done'>,
): Promise<void> {
  await trx
    .insertInto('share_uploads')
    .values({ id, share_id: shareId, use_id: useId, name, uploader, size })
    .execute();
}

/** The bytes of uploads to the folders of a customer, or of the platform, that are announced and not complete. */
export async function announcedBytes(trx: Kysely<Database>, customerId: number | null): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(u.size), 0)::bigint as bytes from share_uploads u join shares s on s.id = u.share_id
     where not u.done and s.customer_id is not distinct from ${customerId}::int`.execute(trx);
  return rows[0]?.bytes ?? 0;
}

export async function findUpload(db: Kysely<Database>, id: string): Promise<UploadRecord | null> {
  const { rows } = await sql<UploadRecord>`select ${COLUMNS} from share_uploads where id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/** Records a stored part. Returns false if the upload is no longer at its offset. */
export async function addPart(
  db: Kysely<Database>,
  id: string,
  { offset, bytes }: { offset: number; bytes: number },
): Promise<boolean> {
  const { rows } = await sql`
    update share_uploads set received = received + ${bytes}, active_at = now()
     where id = ${id} and received = ${offset} and not done
    returning id`.execute(db);
  return rows.length > 0;
}

/** Marks an upload as complete. Returns false if it was complete already. */
export async function finishUpload(trx: Kysely<Database>, id: string): Promise<boolean> {
  const { rows } = await sql`
    update share_uploads set done = true, active_at = now() where id = ${id} and not done returning id`.execute(trx);
  return rows.length > 0;
}

export async function deleteUpload(trx: Kysely<Database>, id: string): Promise<boolean> {
  const deleted = await trx.deleteFrom('share_uploads').where('id', '=', id).returning('id').executeTakeFirst();
  return deleted !== undefined;
}

/** The uploads without progress since a time, and those that were not started since another one. */
export async function silentUploads(
  db: Kysely<Database>,
  { before, startedBefore }: { before: Date; startedBefore: Date },
  limit: number,
): Promise<UploadRecord[]> {
  const { rows } = await sql<UploadRecord>`
    select ${COLUMNS} from share_uploads
     where active_at < ${before} or (not done and received = 0 and active_at < ${startedBefore})
     order by active_at limit ${limit}`.execute(db);
  return rows;
}

/** Those of some uploads that exist. */
export async function knownUploads(db: Kysely<Database>, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from share_uploads where id = any(${ids}::uuid[])`.execute(db);
  return new Set(rows.map(({ id }) => id));
}
