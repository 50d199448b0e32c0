import type { Locale } from '@chargehand/contract';
import type { DocumentContent } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
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
    select base_version as "baseVersion", title, description, body, saved_at as "savedAt"
      from document_drafts where document_id = ${id} and locale = ${locale} and user_id = ${userId}`.execute(db);
  return rows[0] ?? null;
}

export async function storeDraft(
  db: Kysely<Database>,
  id: number,
  locale: Locale,
  userId: number,
  draft: Omit<DraftRecord, 'savedAt'>,
): Promise<Date> {
  const body = JSON.stringify(draft.body);
  const { rows } = await sql<{ savedAt: Date }>`
    insert into document_drafts (document_id, locale, user_id, base_version, title, description, body)
    values (${id}, ${locale}, ${userId}, ${draft.baseVersion}, ${draft.title}, ${draft.description}, ${body}::jsonb)
    on conflict (document_id, locale, user_id) do update
       set base_version = excluded.base_version, title = excluded.title, description = excluded.description,
           body = excluded.body, saved_at = now()
    returning saved_at as "savedAt"`.execute(db);
  return rows[0]!.savedAt;
}

export async function deleteDraft(db: Kysely<Database>, id: number, locale: Locale, userId: number): Promise<void> {
  const drafts = db.deleteFrom('document_drafts').where('document_id', '=', id).where('locale', '=', locale);
  await drafts.where('user_id', '=', userId).execute();
}

/** Notes that a session has a language open in an editor, or no longer. */
export async function storeEditing(
  db: Kysely<Database>,
  id: number,
  locale: Locale,
  editor: { sessionId: string; userId: number; userName: string },
  open: boolean,
): Promise<void> {
  const { sessionId, userId, userName } = editor;
  if (!open) {
    const rows = db.deleteFrom('document_editors').where('document_id', '=', id).where('locale', '=', locale);
    await rows.where('session_id', '=', sessionId).execute();
    return;
  }
  await sql`
    insert into document_editors (document_id, locale, session_id, user_id, user_name)
    values (${id}, ${locale}, ${sessionId}, ${userId}, ${userName})
    on conflict (document_id, locale, session_id) do update set seen_at = now()`.execute(db);
}

/** Who has a language open in an editor, without one session. */
export async function listEditors(db: Kysely<Database>, id: number, locale: Locale, without: string) {
  const { rows } = await sql<{ userId: number; userName: string }>`
    select distinct user_id as "userId", user_name as "userName" from document_editors
     where document_id = ${id} and locale = ${locale} and session_id <> ${without}
       and seen_at > now() - make_interval(secs => ${EDITING_SECONDS}) order by user_name`.execute(db);
  return rows;
}

export async function forgetOldEditors(db: Kysely<Database>): Promise<void> {
  await sql`delete from document_editors where seen_at < now() - make_interval(secs => ${EDITING_SECONDS})`.execute(db);
}
