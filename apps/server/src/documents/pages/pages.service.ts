import type { BodyOf, documentEndpoints, Locale, QueryOf, ResultOf } from '@chargehand/contract';
import {
  type Binding,
  cleanContent,
  DOCUMENT_TYPES,
  EMPTY_CONTENT,
  MAX_EXPLAINED,
  MAX_EXPLAINED_MODELS,
  mayWriteDocument,
  permits,
  shownLocale,
} from '@chargehand/domain';
import type { Kysely } from 'kysely';
import { openAlarmCodes } from '../../alarms/index.ts';
import { logAction } from '../../audit/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import { explained } from '../../platform/database/violations.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import {
  listOrder,
  MATCHING_ROWS_READ,
  matchingRows,
  pageOf,
  searchOf,
} from '../../platform/http/serve/list-queries.ts';
import { requireRevision, revisionOf } from '../../platform/http/serve/revision.ts';
import { type Events, inTransaction } from '../../ports/events.ts';
import type { Pictures } from '../../ports/pictures.ts';
import { publishDocument } from '../document-changes.ts';
import { EXPLANATIONS } from '../tables.ts';
import { withShownMentions } from '../texts/mentions.store.ts';
import { publishText } from '../texts/publish.ts';
import { changedOwner, editedOf, enteredBindings, enteredOwner, requirePage, toDocumentRow } from './page-values.ts';
import {
  bindingsOf,
  countRead,
  deletePage,
  explainedBy,
  insertPage,
  listPages,
  lockPage,
  type PageRecord,
  readBody,
  readPage,
  selectPages,
  shippedId,
  storeBindings,
  storeVote,
  updatePage,
  votesOf,
} from './pages.store.ts';

type Endpoints = typeof documentEndpoints;
export type PagesService = ReturnType<typeof pagesService>;

/** The number of documents in each list of the document home. */
const HOME_ROWS = 8;

/** The pages of the document room: lists, properties and votes. Every change is recorded in the action log. */
export function pagesService(parts: { db: Kysely<Database>; events: Events; pictures: Pictures }) {
  const { db, pictures } = parts;

  const explain = async (
    caller: Caller,
    locale: Locale,
    type: Parameters<typeof explainedBy>[2]['type'],
    keys: readonly string[],
    deviceModelIds: readonly number[],
  ) => await explainedBy(db, { ...caller, locale }, { type, keys, deviceModelIds });

  /** Changes whether readers see a document. */
  const switchTo = async (caller: Caller, id: number, enabled: boolean): Promise<void> => {
    await inTransaction(parts, async (trx, committed) => {
      const page = await requireWritable(trx, caller, id);
      if (page.enabled === enabled) return;
      await updatePage(trx, id, { enabled });
      await logAction(trx, caller, {
        ...entryOf(page),
        operation: enabled ? 'enable' : 'disable',
        before: { enabled: !enabled },
        after: { enabled },
      });
      await publishDocument(trx, committed, id, page);
    });
  };

  return {
    async home(caller: Caller, locale: Locale): Promise<ResultOf<Endpoints['readDocumentHome']>> {
      const viewer = { ...caller, locale };
      const first = { limit: HOME_ROWS, offset: 0 };
      const [mostRead, recent, codes] = await Promise.all([
        listPages(db, viewer, { enabled: true }, { by: 'reads', descending: true }, first),
        listPages(db, viewer, { enabled: true }, { by: 'updatedAt', descending: true }, first),
        openAlarmCodes(db, caller.scope, MAX_EXPLAINED),
      ]);
      const explained = await explain(
        caller,
        locale,
        DOCUMENT_TYPES.alarm,
        codes.map(({ code }) => code),
        [],
      );
      const byKey = new Map(explained.map((one) => [one.key, one]));
      return {
        mostRead: mostRead.items.filter(({ reads }) => reads > 0).map((page) => toDocumentRow(page, locale)),
        recent: recent.items.map((page) => toDocumentRow(page, locale)),
        forAlarms: codes.flatMap(({ code, open }) => {
          const document = byKey.get(code);
          return document ? [{ code, open, document }] : [];
        }),
      };
    },

    async list(
      caller: Caller,
      locale: Locale,
      query: QueryOf<Endpoints['listDocuments']>,
    ): Promise<ResultOf<Endpoints['listDocuments']>> {
      const order = listOrder(query.sort, 'title');
      const filters = { ...query, search: searchOf(query.search) };
      const { items, total } = await listPages(db, { ...caller, locale }, filters, order, pageOf(query));
      return { items: items.map((page) => toDocumentRow(page, locale)), total };
    },

    /** All documents that match, for a selection. */
    async select(
      caller: Caller,
      locale: Locale,
      query: QueryOf<Endpoints['selectDocuments']>,
    ): Promise<ResultOf<Endpoints['selectDocuments']>> {
      const filters = { ...query, search: searchOf(query.search) };
      return matchingRows(await selectPages(db, { ...caller, locale }, filters, MATCHING_ROWS_READ));
    },

    /** A document by its id, or the best one for a code or key. Reading an enabled one is counted. */
    async read(
      caller: Caller,
      locale: Locale,
      query: QueryOf<Endpoints['readDocument']>,
    ): Promise<ResultOf<Endpoints['readDocument']>> {
      const id = query.id ?? (await idOf(caller, locale, query));
      const page = id === undefined ? null : await readPage(db, caller, id);
      if (!page) throw notFound('document');
      const wanted = query.locale ?? locale;
      const shown = shownLocale(
        wanted,
        page.texts.map((text) => text.locale),
      );
      const [body, bindings, votes] = await Promise.all([
        shown === null ? null : readBody(db, page.id, shown),
        bindingsOf(db, page.id),
        votesOf(db, page.id, caller.userId),
      ]);
      const [shownBody] = await withShownMentions(db, caller, [body && cleanContent(body)]);
      if (page.enabled && !caller.viewer) await countRead(db, page.id, caller.userId);
      return {
        ...toDocumentRow(page, wanted),
        body: shownBody ?? EMPTY_CONTENT,
        version: page.texts.find((text) => text.locale === shown)?.version ?? 0,
        bindings,
        createdAt: page.createdAt,
        createdBy: page.createdByName,
        revision: revisionOf(editedOf(page, bindings)),
        votes,
        may: { edit: !caller.readOnly && permits(caller, ['auth_docs_edit']) && mayWriteDocument(caller, page) },
      };
    },

    async explain(
      caller: Caller,
      locale: Locale,
      { type, codes, deviceModelIds = '' }: QueryOf<Endpoints['explainCodes']>,
    ): Promise<ResultOf<Endpoints['explainCodes']>> {
      const keys = codes.split(',').slice(0, MAX_EXPLAINED);
      const models = deviceModelIds.split(',').map(Number).filter(isModelId).slice(0, MAX_EXPLAINED_MODELS);
      return { items: await explain(caller, locale, type, keys, models) };
    },

    async create(caller: Caller, entered: BodyOf<Endpoints['createDocument']>): Promise<{ id: number }> {
      const bindings = enteredBindings(entered.bindings ?? []);
      const { type, categoryId, readLevel, writeLevel, locale } = entered;
      const customerId = enteredOwner(caller, entered.customerId);
      const values = { name: entered.name.trim(), customerId, type, categoryId, readLevel, writeLevel, bindings };
      const title = entered.title.trim();
      if (title === '') throw new Problem('fieldRequired', { field: 'title' });
      const { id, settle } = await inTransaction(parts, async (trx, committed) => {
        await requirePage(trx, caller, null, values);
        const picture = await pictures.change(caller, { ...ICON, current: null, entered: entered.icon });
        const row = insertPage(trx, {
          ...{ name: values.name, customer_id: customerId, type, category_id: categoryId, icon: picture.key ?? null },
          ...{ read_level: readLevel, write_level: writeLevel, enabled: entered.enabled ?? true, shipped: null },
          ...{ created_by: caller.userId, created_by_name: caller.userName, updated_by_name: caller.userName },
        });
        const id = await explained(row, EXPLANATIONS);
        await explained(storeBindings(trx, { id, customerId, type }, bindings), EXPLANATIONS);
        const text = { title, description: entered.description?.trim() ?? '', body: EMPTY_CONTENT };
        await publishText(trx, caller, { id, locale, version: 1, follows: null, restored: null, ...text });
        await logAction(trx, caller, {
          ...entryOf({ id, customerId, name: values.name }),
          ...{ operation: 'new', after: { ...values, title, enabled: entered.enabled ?? true } },
        });
        await publishDocument(trx, committed, id, null);
        return { id, settle: picture.settle };
      });
      await settle();
      return { id };
    },

    async edit(
      caller: Caller,
      id: number,
      entered: BodyOf<Endpoints['updateDocument']>,
    ): Promise<{ revision: string }> {
      const { revision, settle } = await inTransaction(parts, async (trx, committed) => {
        const page = await requireWritable(trx, caller, id);
        const before = await bindingsOf(trx, id);
        requireRevision(entered.revision, editedOf(page, before));
        const bindings: Binding[] = entered.bindings ? enteredBindings(entered.bindings) : before;
        const values = {
          name: entered.name?.trim() ?? page.name,
          customerId: changedOwner(caller, page.customerId, entered.customerId),
          type: entered.type === undefined ? page.type : entered.type,
          categoryId: entered.categoryId ?? page.categoryId,
          readLevel: entered.readLevel ?? page.readLevel,
          writeLevel: entered.writeLevel ?? page.writeLevel,
          bindings,
        };
        await requirePage(trx, caller, id, values);
        const picture = await pictures.change(caller, { ...ICON, current: page.icon, entered: entered.icon });
        const { name, customerId, type, categoryId, readLevel, writeLevel } = values;
        const icon = picture.key === undefined ? page.icon : picture.key;
        const changed = { name, type, category_id: categoryId, icon, read_level: readLevel, write_level: writeLevel };
        const by = { updated_by_name: caller.userName, updated_at: new Date() };
        await explained(updatePage(trx, id, { ...changed, ...by, customer_id: customerId }), EXPLANATIONS);
        await explained(storeBindings(trx, { id, customerId, type }, bindings), EXPLANATIONS);
        const after = editedOf({ ...page, ...values, icon }, bindings);
        await logAction(trx, caller, {
          ...entryOf(page),
          ...{ operation: 'edit', before: editedOf(page, before), after },
        });
        await publishDocument(trx, committed, id, page);
        return { revision: revisionOf(after), settle: picture.settle };
      });
      await settle();
      return { revision };
    },

    enable: (caller: Caller, id: number) => switchTo(caller, id, true),
    disable: (caller: Caller, id: number) => switchTo(caller, id, false),

    async remove(caller: Caller, id: number): Promise<void> {
      const settle = await inTransaction(parts, async (trx, committed) => {
        const page = await requireWritable(trx, caller, id);
        const explained = await bindingsOf(trx, id);
        await deletePage(trx, id);
        await logAction(trx, caller, { ...entryOf(page), operation: 'delete', before: editedOf(page, explained) });
        const picture = await pictures.change(caller, { ...ICON, current: page.icon, entered: null });
        await publishDocument(trx, committed, id, page);
        return picture.settle;
      });
      await settle();
    },

    async vote(caller: Caller, id: number, helped: boolean | null): Promise<ResultOf<Endpoints['voteDocument']>> {
      await storeVote(db, id, caller.userId, helped);
      return await votesOf(db, id, caller.userId);
    },
  };

  async function idOf(caller: Caller, locale: Locale, query: QueryOf<Endpoints['readDocument']>) {
    const { type, code, deviceModelId, shipped } = query;
    if (shipped !== undefined) return await shippedId(db, shipped);
    if (type === undefined || code === undefined) throw new Problem('fieldRequired', { field: 'id' });
    return (await explain(caller, locale, type, [code], deviceModelId === undefined ? [] : [deviceModelId]))[0]
      ?.documentId;
  }
}

const isModelId = (id: number) => Number.isInteger(id) && id > 0 && id <= 2_147_483_647;

/** Icons are seen by every signed-in user; the document decides who opens it. */
const ICON = { field: 'icon', customerId: null, purpose: 'icon' } as const;

function entryOf({ id, name, customerId }: Pick<PageRecord, 'id' | 'name' | 'customerId'>) {
  return { objectType: 'document' as const, objectId: String(id), objectName: name, customerId, siteId: null };
}

/** @throws {Problem} notFound, noPermission: what the policy checked, again under the lock */
async function requireWritable(trx: Kysely<Database>, caller: Caller, id: number): Promise<PageRecord> {
  const page = await lockPage(trx, caller, id);
  if (!page) throw notFound('document');
  if (!mayWriteDocument(caller, page)) throw new Problem('noPermission');
  return page;
}
