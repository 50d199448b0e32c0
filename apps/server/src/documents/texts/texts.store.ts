import type { Locale } from '@chargehand/contract';
import type { DocumentContent } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import { naturally } from '../../platform/database/order/natural-order.ts';
import type { Database } from '../../platform/database/schema.ts';

/** How long an author counts as editing after their last announcement; the console announces every 15 seconds. */
const EDITING_SECONDS = 45;

export interface CurrentText {
  version: number;
  title: string;
  description: string;
  body: DocumentContent;
  follows: number | null;
  updatedAt: Date;
  updatedByName: string;
}

export async function currentText(db: Kysely<Database>, id: number, locale: Locale): Promise<CurrentText | null> {
  const { rows } = await sql<CurrentText>`
    select version, title, description, body, follows, updated_at as "updatedAt", updated_by_name as "updatedByName"
      from document_texts where document_id = ${id} and locale = ${locale}`.execute(db);
  return rows[0] ?? null;
}

/** The current texts of documents, in every language, in the order of the documents' ids. */
export async function currentTexts(
  db: Kysely<Database>,
  ids: readonly number[],
): Promise<(Pick<CurrentText, 'title' | 'description' | 'body'> & { documentId: number; locale: Locale })[]> {
  return await db
    .selectFrom('document_texts')
    .select(['document_id as documentId', 'locale', 'title', 'description', 'body'])
    .where('document_id', 'in', [0, ...ids])
    .orderBy('document_id')
    .orderBy('locale')
    .execute();
}

/** The current text of a document in every language. */
export async function textBodies(db: Kysely<Database>, id: number): Promise<DocumentContent[]> {
  const rows = await db.selectFrom('document_texts').select('body').where('document_id', '=', id).execute();
  return rows.map(({ body }) => body);
}

/** The ids of the files that the current texts of documents show, each once. */
export async function filesShownBy(db: Kysely<Database>, documentIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct (file #>> '{}')::bigint as id
      from document_texts t, jsonb_path_query(t.body, '$.**.attrs.file') file
     where t.document_id = any(${[...documentIds]}::int[]) and file #>> '{}' ~ '^[0-9]{1,16}$' order by 1`.execute(db);
  return rows.map(({ id }) => Number(id));
}

/** A place in a current text that shows a file. */
export interface ShownPlace {
  documentId: number;
  locale: Locale;
  title: string;
  fileId: number;
  /** what the text calls the file; empty if nothing */
  name: string;
}

/** Where the current texts of documents show some files, each once, at most `limit` places, by title. */
export async function placesShowing(
  db: Kysely<Database>,
  { documentIds, fileIds }: { documentIds: readonly number[]; fileIds: readonly number[] },
  limit: number,
): Promise<ShownPlace[]> {
  const { rows } = await sql<ShownPlace>`
    select * from (
      select distinct t.document_id as "documentId", t.locale, t.title, (attrs ->> 'file')::bigint as "fileId",
             coalesce(nullif(attrs ->> 'name', ''), attrs ->> 'alt', '') as name
        from document_texts t, jsonb_path_query(t.body, '$.**.attrs') attrs
       where t.document_id = any(${[...documentIds]}::int[]) and attrs ->> 'file' = any(${fileIds.map(String)}::text[])
    ) place
     order by ${naturally(sql`title`)}, "documentId", locale, ${naturally(sql`name`)} limit ${limit}`.execute(db);
  return rows;
}

export interface VersionRecord {
  version: number;
  title: string;
  description: string;
  body: DocumentContent;
  restored: number | null;
  createdAt: Date;
  createdByName: string;
}

export async function readVersion(
  db: Kysely<Database>,
  id: number,
  locale: Locale,
  version: number,
): Promise<VersionRecord | null> {
  const { rows } = await sql<VersionRecord>`
    select version, title, description, body, restored, created_at as "createdAt", created_by_name as "createdByName"
      from document_versions where document_id = ${id} and locale = ${locale} and version = ${version}`.execute(db);
  return rows[0] ?? null;
}

/** One page of the versions of a language, newest first. */
export async function listVersions(
  db: Kysely<Database>,
  id: number,
  locale: Locale,
  page: { limit: number; offset: number },
) {
  const versions = db.selectFrom('document_versions').where('document_id', '=', id).where('locale', '=', locale);
  const [items, { total }] = await Promise.all([
    versions
      .select(['version', 'title', 'restored', 'created_at as createdAt', 'created_by_name as author'])
      .orderBy('version', 'desc')
      .limit(page.limit)
      .offset(page.offset)
      .execute(),
    versions.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ]);
  return { items, total };
}

export interface DraftRecord {
  draftId: string;
  baseVersion: number;
  title: string;
  description: string;
  body: DocumentContent;
  savedAt: Date;
}

export async function readDraft(
  db: Kysely<Database>,
  id: number,
  locale: Locale,
  userId: number,
): Promise<DraftRecord | null> {
  const { rows } = await sql<DraftRecord>`
    select draft_id as "draftId", base_version as "baseVersion", title, description, body, saved_at as "savedAt"
      from document_drafts where document_id = ${id} and locale = ${locale} and user_id = ${userId}`.execute(db);
  return rows[0] ?? null;
}

/**
 * Stores a draft in place of the one with the id `replaces`, or of none.
 * @returns when it was stored; null when there is another draft, which is kept
 */
export async function storeDraft(
  db: Kysely<Database>,
  id: number,
  locale: Locale,
  userId: number,
  draft: Omit<DraftRecord, 'savedAt'> & { replaces: string | null },
): Promise<Date | null> {
  const { draftId, baseVersion, title, description, replaces } = draft;
  const body = JSON.stringify(draft.body);
  const { rows } = await sql<{ savedAt: Date }>`
    insert into document_drafts as d
      (document_id, locale, user_id, draft_id, base_version, title, description, body)
    values (${id}, ${locale}, ${userId}, ${draftId}::uuid, ${baseVersion}, ${title}, ${description}, ${body}::jsonb)
    on conflict (document_id, locale, user_id) do update
       set draft_id = excluded.draft_id, base_version = excluded.base_version, title = excluded.title,
           description = excluded.description, body = excluded.body, saved_at = now()
     where d.draft_id = ${replaces}::uuid
    returning saved_at as "savedAt"`.execute(db);
  return rows[0]?.savedAt ?? null;
}

/** Deletes the draft of a user; with `draftId` only if it is that one. */
export async function deleteDraft(
  db: Kysely<Database>,
  id: number,
  locale: Locale,
  userId: number,
  draftId?: string,
): Promise<void> {
  let drafts = db.deleteFrom('document_drafts').where('document_id', '=', id).where('locale', '=', locale);
  if (draftId !== undefined) drafts = drafts.where('draft_id', '=', draftId);
  await drafts.where('user_id', '=', userId).execute();
}

/** A window of a session in which someone edits. */
export interface EditingWindow {
  sessionId: string;
  windowId: string;
}

/** Notes that a window has a language open in an editor, or no longer. */
export async function storeEditing(
  db: Kysely<Database>,
  id: number,
  locale: Locale,
  editor: EditingWindow & { userId: number; userName: string },
  open: boolean,
): Promise<void> {
  const { sessionId, windowId, userId, userName } = editor;
  if (!open) {
    const rows = db.deleteFrom('document_editors').where('document_id', '=', id).where('locale', '=', locale);
    await rows.where('session_id', '=', sessionId).where('window_id', '=', windowId).execute();
    return;
  }
  await sql`
    insert into document_editors (document_id, locale, session_id, window_id, user_id, user_name)
    values (${id}, ${locale}, ${sessionId}, ${windowId}, ${userId}, ${userName})
    on conflict (document_id, locale, session_id, window_id) do update set seen_at = now()`.execute(db);
}

/** Who has a language open in an editor, without one window; without its id, without all windows of the session. */
export async function listEditors(
  db: Kysely<Database>,
  id: number,
  locale: Locale,
  without: { sessionId: string; windowId?: string },
) {
  const { sessionId, windowId = null } = without;
  const { rows } = await sql<{ userId: number; userName: string }>`
    select user_id as "userId", user_name as "userName" from document_editors
     where document_id = ${id} and locale = ${locale}
       and not (session_id = ${sessionId} and window_id = coalesce(${windowId}::text, window_id))
       and seen_at > now() - make_interval(secs => ${EDITING_SECONDS})
     group by user_id, user_name order by ${naturally(sql`user_name`)}`.execute(db);
  return rows;
}

export async function forgetOldEditors(db: Kysely<Database>): Promise<void> {
  await sql`delete from document_editors where seen_at < now() - make_interval(secs => ${EDITING_SECONDS})`.execute(db);
}
