import {
  type BodyOf,
  type DraftResult,
  type documentEndpoints,
  LOCALES,
  type Locale,
  type QueryOf,
  type ResultOf,
  type SavedText,
  type SaveResult,
  type WithDates,
} from '@chargehand/contract';
import { cleanContent, type DocumentContent, EMPTY_CONTENT, mayWriteDocument, storedContent } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import { logAction } from '../../audit/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import { pageOf } from '../../platform/http/serve/list-queries.ts';
import { type Events, inTransaction } from '../../ports/events.ts';
import { publishDocument } from '../document-changes.ts';
import { lockPage, type PageRecord } from '../pages/pages.store.ts';
import { withShownMentions } from './mentions.store.ts';
import { mergeContents, mergeField } from './merge.ts';
import { publishText } from './publish.ts';
import {
  type CurrentText,
  currentText,
  deleteDraft,
  listEditors,
  listVersions,
  readDraft,
  readVersion,
  storeDraft,
  storeEditing,
} from './texts.store.ts';

type Endpoints = typeof documentEndpoints;
export type TextsService = ReturnType<typeof textsService>;

/** A language of a document. */
interface Language {
  id: number;
  locale: Locale;
}

/** Texts in the editor: drafts, versions, and publishing without losing the changes of others. */
export function textsService(parts: { db: Kysely<Database>; events: Events }) {
  const { db } = parts;
  /** Stored contents as a reader sees them. */
  const shown = (reader: Caller, bodies: readonly (DocumentContent | undefined)[], on: Kysely<Database> = db) =>
    withShownMentions(
      on,
      reader,
      bodies.map((body) => (body ? cleanContent(body) : EMPTY_CONTENT)),
    );

  return {
    async read(caller: Caller, { id, locale }: Language): Promise<ResultOf<Endpoints['readText']>> {
      const [current, other, draft, editors] = await Promise.all([
        currentText(db, id, locale),
        currentText(db, id, otherOf(locale)),
        readDraft(db, id, locale, caller.userId),
        listEditors(db, id, locale, { sessionId: caller.sessionId }),
      ]);
      const [body = EMPTY_CONTENT, draftBody = EMPTY_CONTENT] = await shown(caller, [current?.body, draft?.body]);
      return {
        documentId: id,
        locale,
        version: current?.version ?? 0,
        title: current?.title ?? '',
        description: current?.description ?? '',
        body: current ? body : EMPTY_CONTENT,
        updatedAt: current?.updatedAt ?? null,
        updatedBy: current?.updatedByName ?? null,
        draft: draft && { ...draft, body: draftBody },
        other: { version: other?.version ?? 0, follows: current?.follows ?? null },
        editors,
      };
    },

    /** Publishes a text. What others published since its base version is merged, or compared by the author. */
    async save(
      caller: Caller,
      language: Language,
      entered: BodyOf<Endpoints['saveText']>,
    ): Promise<WithDates<SaveResult>> {
      const { id, locale } = language;
      const mine = enteredText(entered);
      return await inTransaction(parts, async (trx, committed) => {
        const page = await requireWritable(trx, caller, id);
        const current = await currentText(trx, id, locale);
        const merged = await mergedWith(trx, language, current, mine);
        if (!merged) return conflictWith(current!, await shown(caller, [current!.body], trx));
        const version = (current?.version ?? 0) + 1;
        const follows = await followedVersion(trx, language, current, entered.translatedFrom);
        const { text, base, state } = merged;
        const files = await publishText(trx, caller, { id, locale, version, follows, restored: null, base, ...text });
        if (entered.replaces) await deleteDraft(trx, id, locale, caller.userId, entered.replaces);
        await record(trx, caller, page, { locale, version });
        await publishDocument(trx, committed, id, page);
        const [body = text.body] = await shown(caller, [text.body], trx);
        return { state, version, ...text, body, files };
      });
    },

    /** Saves a draft, unless the author saved another one from another window, which this one does not include. */
    async saveDraft(
      caller: Caller,
      { id, locale }: Language,
      entered: BodyOf<Endpoints['saveDraft']>,
    ): Promise<WithDates<DraftResult>> {
      const draft = { ...entered, body: storedContent(entered.body) };
      for (;;) {
        const savedAt = await storeDraft(db, id, locale, caller.userId, draft);
        if (savedAt) return { state: 'saved', savedAt };
        const other = await readDraft(db, id, locale, caller.userId);
        const [body] = await shown(caller, [other?.body]);
        if (other && body) return { state: 'conflict', draft: { ...other, body } };
        // The other draft was published or discarded in between.
      }
    },

    async discardDraft(caller: Caller, { id, locale }: Language): Promise<void> {
      await deleteDraft(db, id, locale, caller.userId);
    },

    async announce(
      caller: Caller,
      { id, locale }: Language,
      { open, windowId }: BodyOf<Endpoints['announceEditing']>,
    ): Promise<ResultOf<Endpoints['announceEditing']>> {
      const { sessionId, userId, userName } = caller;
      await storeEditing(db, id, locale, { sessionId, windowId, userId, userName }, open);
      const [current, editors] = await Promise.all([
        currentText(db, id, locale),
        listEditors(db, id, locale, { sessionId, windowId }),
      ]);
      return { version: current?.version ?? 0, editors };
    },

    async versions(
      { id, locale }: Language,
      query: QueryOf<Endpoints['listVersions']>,
    ): Promise<ResultOf<Endpoints['listVersions']>> {
      return await listVersions(db, id, locale, pageOf(query));
    },

    async version(
      caller: Caller,
      { id, locale }: Language,
      version: number,
    ): Promise<ResultOf<Endpoints['readVersion']>> {
      const row = await readVersion(db, id, locale, version);
      if (!row) throw notFound('documentVersion');
      const { createdByName: author, body, ...rest } = row;
      const [shownBody = EMPTY_CONTENT] = await shown(caller, [body]);
      return { ...rest, author, body: shownBody };
    },

    /** Publishes a former version again, as a new one, so that the history stays complete. */
    async restore(
      caller: Caller,
      { id, locale }: Language,
      version: number,
    ): Promise<ResultOf<Endpoints['restoreVersion']>> {
      return await inTransaction(parts, async (trx, committed) => {
        const page = await requireWritable(trx, caller, id);
        const former = await readVersion(trx, id, locale, version);
        if (!former) throw notFound('documentVersion');
        const current = await currentText(trx, id, locale);
        const next = (current?.version ?? 0) + 1;
        const { title, description, body } = former;
        const text = { title, description, body: storedContent(body) };
        const files = await publishText(trx, caller, {
          ...{ id, locale, version: next, follows: current?.follows ?? null, restored: version },
          ...text,
        });
        await record(trx, caller, page, { locale, version: next, restored: version });
        await publishDocument(trx, committed, id, page);
        return { version: next, files };
      });
    },
  };
}

/** What an author saves. */
type Text = Pick<SavedText, 'title' | 'description' | 'body'>;

function enteredText({ title, description, body, baseVersion }: SavedText): Text & { baseVersion: number } {
  if (title.trim() === '') throw new Problem('fieldRequired', { field: 'title' });
  return { title: title.trim(), description: description.trim(), body: storedContent(body), baseVersion };
}

/** The text to publish; null when another author changed the same part. */
async function mergedWith(
  trx: Kysely<Database>,
  { id, locale }: Language,
  current: CurrentText | null,
  mine: Text & { baseVersion: number },
): Promise<{ state: 'saved' | 'merged'; text: Text; base: DocumentContent | null } | null> {
  const { baseVersion, ...text } = mine;
  if ((current?.version ?? 0) === baseVersion || current === null) return { state: 'saved', text, base: null };
  const base = await readVersion(trx, id, locale, baseVersion);
  if (!base) return null;
  const title = mergeField(base.title, text.title, current.title);
  const description = mergeField(base.description, text.description, current.description);
  const body = mergeContents(storedContent(base.body), text.body, storedContent(current.body));
  if (title === null || description === null || body === null) return null;
  return { state: 'merged', text: { title, description, body }, base: base.body };
}

function conflictWith(current: CurrentText, [body = EMPTY_CONTENT]: readonly DocumentContent[]): WithDates<SaveResult> {
  const { version, title, description, updatedByName, updatedAt } = current;
  return {
    ...{ state: 'conflict', version, title, description, body },
    ...{ updatedBy: updatedByName, updatedAt },
  };
}

/**
 * The version of the other language that a text follows: the one that the author compared it with, otherwise the same as
 * before. A text that was written when there was no other language is an original.
 */
async function followedVersion(
  trx: Kysely<Database>,
  { id, locale }: Language,
  current: CurrentText | null,
  compared: number | undefined,
): Promise<number | null> {
  if (compared === undefined && current) return current.follows;
  const other = await currentText(trx, id, otherOf(locale));
  if (!other) return null;
  // Another author may have compared a later one already.
  return Math.max(current?.follows ?? 0, Math.min(compared ?? other.version, other.version));
}

function otherOf(locale: Locale): Locale {
  return LOCALES.find((one) => one !== locale)!;
}

/** @throws {Problem} notFound, noPermission: what the policy checked, again under the lock */
async function requireWritable(trx: Kysely<Database>, caller: Caller, id: number) {
  const page = await lockPage(trx, caller, id);
  if (!page) throw notFound('document');
  if (!mayWriteDocument(caller, page)) throw new Problem('noPermission');
  return page;
}

async function record(trx: Kysely<Database>, caller: Caller, page: PageRecord, after: object) {
  await logAction(trx, caller, {
    ...{ operation: 'edit', objectType: 'document', objectId: String(page.id), objectName: page.name },
    ...{ customerId: page.customerId, siteId: null, after },
  });
}
