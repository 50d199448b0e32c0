import type { AttachmentUse } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { visibleFiles } from '../visible.ts';

/** What the text of an object says about its files when its author saves it. */
export interface NamedFiles {
  /** the files that the author added to the text; nothing else is given, no matter who saves the text */
  added: readonly number[];
  /** only files that readers of the object could open before */
  again?: boolean;
  /** the files that any current text of the object shows */
  shown: readonly number[];
}

/**
 * Gives the readers of an object the files that its author added to a text, and closes those that no text shows any
 * more. An author gives only files that they may download themselves: otherwise a number in a text would publish any
 * file. What others wrote into the text is not given by saving it.
 */
export async function giveFiles(
  trx: Kysely<Database>,
  author: Pick<Caller, 'scope' | 'customerId' | 'levels'>,
  [kind, objectId]: [AttachmentUse, number],
  { added, again = false, shown }: NamedFiles,
): Promise<{ opened: string[]; withheld: number; ended: number }> {
  const { download } = author.levels.attachment;
  const { rows } = await sql<{ name: string }>`
    with given as (
      insert into attachment_uses as u (attachment_id, kind, object_id)
      select a.id, ${kind}, ${objectId} from attachments a
       where a.id = any(${[...added]}::bigint[]) and a.deleted_at is null and ${visibleFiles(author)}
         and a.download_level >= ${download} and a.firmware_id is null and a.device_log_id is null
         and (${!again} or exists (select from attachment_uses o
               where o.attachment_id = a.id and o.kind = ${kind} and o.object_id = ${objectId}))
      on conflict (attachment_id, kind, object_id) do update set ended_at = null where u.ended_at is not null
      returning attachment_id)
    select a.name from attachments a join given on given.attachment_id = a.id order by a.added`.execute(trx);
  const { rows: ended } = await sql`
    update attachment_uses set ended_at = now()
     where kind = ${kind} and object_id = ${objectId} and ended_at is null
       and attachment_id <> all(${[...shown]}::bigint[]) returning attachment_id`.execute(trx);
  const { rows: open } = await sql<{ id: number }>`
    select attachment_id as id from attachment_uses
     where kind = ${kind} and object_id = ${objectId} and ended_at is null
       and attachment_id = any(${[...shown]}::bigint[])`.execute(trx);
  const opened = rows.map(({ name }) => name);
  return { opened, withheld: new Set(shown).size - open.length, ended: ended.length };
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
     where u.kind = ${kind} and u.object_id = ${objectId} and u.ended_at is null and a.deleted_at is null
     order by a.added`.execute(db);
  return rows;
}

/** Takes files back from the readers of an object whose texts no longer show them. */
export async function endUses(
  trx: Kysely<Database>,
  [kind, objectId]: [AttachmentUse, number],
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    update attachment_uses set ended_at = now()
     where kind = ${kind} and object_id = ${objectId} and attachment_id = any(${[...ids]}::bigint[])
       and ended_at is null`.execute(trx);
}

/** Removes links of documents, devices and issues that no longer exist. */
export async function forgetLinks(db: Kysely<Database>): Promise<void> {
  await sql`
    delete from attachment_uses u
     where u.kind = 'document' and not exists (select from documents d where d.id = u.object_id)
        or u.kind = 'device' and not exists (select from devices d where d.id = u.object_id)
        or u.kind = 'issue' and not exists (select from issues i where i.id = u.object_id)`.execute(db);
}
