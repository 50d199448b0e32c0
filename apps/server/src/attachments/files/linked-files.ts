import type { AttachmentUse } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { visibleFiles } from '../visible.ts';

/**
 * Records that an object uses files, so that its readers may read them. Only files that the author sees themselves:
 * otherwise an author could publish any file by its number. Links are kept, because former versions use the files too.
 */
export async function linkFiles(
  trx: Kysely<Database>,
  author: Pick<Caller, 'scope' | 'customerId' | 'levels'>,
  kind: AttachmentUse,
  objectId: number,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return;
  const { download } = author.levels.attachment;
  await sql`
    insert into attachment_uses (attachment_id, kind, object_id)
    select a.id, ${kind}, ${objectId} from attachments a
     where a.id = any(${[...ids]}::int[]) and a.deleted_at is null and ${visibleFiles(author)}
       and a.download_level >= ${download}
       and a.firmware_id is null and a.device_log_id is null
    on conflict do nothing`.execute(trx);
}

/** A file that an object uses. */
export interface UsedFile {
  id: number;
  name: string;
  size: number;
}

/** The files that an object uses, without those in the trash. */
export async function filesUsedBy(db: Kysely<Database>, kind: AttachmentUse, objectId: number): Promise<UsedFile[]> {
  const { rows } = await sql<UsedFile>`
    select a.id, a.name, a.size from attachment_uses u join attachments a on a.id = u.attachment_id
     where u.kind = ${kind} and u.object_id = ${objectId} and a.deleted_at is null order by a.id`.execute(db);
  return rows;
}

/** Removes links of documents, devices and issues that no longer exist. */
export async function forgetLinks(db: Kysely<Database>): Promise<void> {
  await sql`
    delete from attachment_uses u
     where u.kind = 'document' and not exists (select from documents d where d.id = u.object_id)
        or u.kind = 'device' and not exists (select from devices d where d.id = u.object_id)
        or u.kind = 'issue' and not exists (select from issues i where i.id = u.object_id)`.execute(db);
}
