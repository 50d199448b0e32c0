import type { Locale } from '@chargehand/contract';
import type { Binding, DocumentAccess, DocumentContent, DocumentType, Level } from '@chargehand/domain';
import { type Insertable, type Kysely, type RawBuilder, type SqlBool, sql, type Updateable } from 'kysely';
import { naturally } from '../../platform/database/order/natural-order.ts';
import { anywhere } from '../../platform/database/patterns.ts';
import type { Database } from '../../platform/database/schema.ts';
import { ofSeenCustomers } from '../../platform/database/scope.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { ListOrder } from '../../platform/http/serve/list-queries.ts';

/** A user, as far as it decides which documents they see. */
export type Reader = Pick<Caller, 'scope' | 'customerId' | 'platformVendor' | 'levels'>;

/**
 * The condition for documents `d` that a user may read, like `documentRows`: of the platform and of customers that they
 * see. A disabled one is read only by those who may change it, like `mayWriteDocument` of the domain.
 */
export function readable(reader: Reader): RawBuilder<SqlBool> {
  const { customerId, platformVendor, levels } = reader;
  const edits = platformVendor ? sql`` : sql`and d.customer_id = ${customerId}`;
  return sql<SqlBool>`(d.read_level >= ${levels.wiki.read} and ${ofSeenCustomers(reader, 'd.customer_id')}
    and (d.enabled or (d.write_level >= ${levels.wiki.write} ${edits})))`;
}

/**
 * The order of documents that explain the same: of the reader's own customer, of the platform, of other customers that
 * they see.
 */
export function ownFirst({ customerId }: Reader): RawBuilder<unknown> {
  return sql`case when d.customer_id = ${customerId} then 0 when d.customer_id is null then 1 else 2 end`;
}

/** One language of a document in a list. */
export interface TextRecord {
  locale: Locale;
  version: number;
  follows: number | null;
  title: string;
  description: string;
  updatedAt: string;
}

export interface PageRecord {
  id: number;
  customerId: number | null;
  customer: string | null;
  name: string;
  type: DocumentType | null;
  categoryId: number;
  icon: string | null;
  readLevel: Level;
  writeLevel: Level;
  enabled: boolean;
  reads: number;
  createdAt: Date;
  createdByName: string;
  updatedAt: Date;
  updatedByName: string;
  texts: TextRecord[];
}

const COLUMNS = sql`
  d.id, d.customer_id as "customerId", (select c.name from customers c where c.id = d.customer_id) as customer,
  d.name, d.type, d.category_id as "categoryId", d.icon, d.read_level as "readLevel",
  d.write_level as "writeLevel", d.enabled, d.reads, d.created_at as "createdAt",
  d.created_by_name as "createdByName", d.updated_at as "updatedAt", d.updated_by_name as "updatedByName",
  coalesce((select json_agg(json_build_object('locale', t.locale, 'version', t.version, 'follows', t.follows,
      'title', t.title, 'description', t.description, 'updatedAt', t.updated_at) order by t.locale)
    from document_texts t where t.document_id = d.id), '[]') as texts`;

export interface PageFilters {
  ids?: readonly number[] | undefined;
  search?: string | undefined;
  type?: DocumentType | undefined;
  categoryId?: number | undefined;
  customerId?: number | undefined;
  platform?: boolean | undefined;
  enabled?: boolean | undefined;
  deviceModelId?: number | undefined;
  translation?: 'missing' | 'outdated' | 'current' | undefined;
}

/** The title that a list in this language shows: the text in it, or the other one. */
const titleIn = (locale: Locale) => sql`(
  select t.title from document_texts t where t.document_id = d.id order by (t.locale = ${locale}) desc limit 1)`;

/** Like `translationState` of the domain, for documents with a text in any language. */
const TRANSLATIONS = {
  missing: sql<SqlBool>`(select count(*) from document_texts t where t.document_id = d.id) < 2`,
  outdated: sql<SqlBool>`exists (
    select from document_texts t join document_texts o on o.document_id = t.document_id and o.locale <> t.locale
     where t.document_id = d.id and t.follows < o.version)`,
  current: sql<SqlBool>`(
    (select count(*) from document_texts t where t.document_id = d.id) = 2 and not exists (
      select from document_texts t join document_texts o on o.document_id = t.document_id and o.locale <> t.locale
       where t.document_id = d.id and t.follows < o.version))`,
};

function matching(reader: Reader, filters: PageFilters): RawBuilder<SqlBool> {
  const conditions = [readable(reader)];
  const { ids, search, type, categoryId, customerId, platform, enabled, deviceModelId, translation } = filters;
  if (ids !== undefined) conditions.push(sql<SqlBool>`d.id = any(${[...ids]}::int[])`);
  if (search !== undefined) {
    const pattern = anywhere(search);
    conditions.push(sql<SqlBool>`(d.name ilike ${pattern} or exists (
      select from document_texts t where t.document_id = d.id and lower(t.title) like lower(${pattern})))`);
  }
  if (customerId !== undefined) conditions.push(sql<SqlBool>`d.customer_id = ${customerId}`);
  if (platform) conditions.push(sql<SqlBool>`d.customer_id is null`);
  if (type !== undefined) conditions.push(sql<SqlBool>`d.type = ${type}`);
  if (enabled !== undefined) conditions.push(sql<SqlBool>`d.enabled = ${enabled}`);
  if (deviceModelId !== undefined) {
    conditions.push(sql<SqlBool>`exists (
      select from document_bindings b where b.document_id = d.id and b.device_model_id = ${deviceModelId})`);
  }
  if (categoryId !== undefined) {
    conditions.push(sql<SqlBool>`d.category_id in (
      with recursive below as (
        select id from document_categories where id = ${categoryId}
        union all select c.id from document_categories c join below b on c.parent_id = b.id)
      select id from below)`);
  }
  if (translation !== undefined) conditions.push(TRANSLATIONS[translation]);
  return sql.join(conditions, sql` and `);
}

/** One page of the documents that a user may read, and their total number. */
export async function listPages(
  db: Kysely<Database>,
  viewer: Reader & { locale: Locale },
  filters: PageFilters,
  order: ListOrder<'name' | 'title' | 'updatedAt' | 'reads'>,
  page: { limit: number; offset: number },
): Promise<{ items: PageRecord[]; total: number }> {
  const where = matching(viewer, filters);
  const by = {
    name: naturally(sql`d.name`),
    title: naturally(titleIn(viewer.locale)),
    updatedAt: sql`d.updated_at`,
    reads: sql`d.reads`,
  }[order.by];
  const direction = order.descending ? sql`desc` : sql`asc`;
  const [items, totals] = await Promise.all([
    sql<PageRecord>`
      select ${COLUMNS} from documents d where ${where}
       order by ${by} ${direction}, d.id ${direction} limit ${page.limit} offset ${page.offset}`.execute(db),
    sql<{ total: number }>`select count(*) as total from documents d where ${where}`.execute(db),
  ]);
  return { items: items.rows, total: totals.rows[0]?.total ?? 0 };
}

/** The ids and titles of the documents that a user may read, at most `limit`. */
export async function selectPages(
  db: Kysely<Database>,
  viewer: Reader & { locale: Locale },
  filters: PageFilters,
  limit: number,
): Promise<{ id: number; name: string }[]> {
  const { rows } = await sql<{ id: number; name: string }>`
    select d.id, coalesce(${titleIn(viewer.locale)}, d.name) as name from documents d
     where ${matching(viewer, filters)} order by d.id limit ${limit}`.execute(db);
  return rows;
}

/** Documents by id that a user may read, in the order of the ids. */
async function readPages(db: Kysely<Database>, reader: Reader, ids: readonly number[]): Promise<PageRecord[]> {
  const { rows } = await sql<PageRecord>`
    select ${COLUMNS} from documents d where d.id = any(${ids}::int[]) and ${readable(reader)}
     order by array_position(${ids}::int[], d.id)`.execute(db);
  return rows;
}

export async function readPage(db: Kysely<Database>, reader: Reader, id: number): Promise<PageRecord | null> {
  return (await readPages(db, reader, [id]))[0] ?? null;
}

export type BindingRecord = Binding & { model: string | null };

/** What decides who may read a document; null when there is none. */
export async function accessOf(db: Kysely<Database>, id: number): Promise<DocumentAccess | null> {
  const { rows } = await sql<DocumentAccess>`
    select customer_id as "customerId", read_level as "readLevel", write_level as "writeLevel", enabled
      from documents where id = ${id}`.execute(db);
  return rows[0] ?? null;
}

export async function bindingsOf(db: Kysely<Database>, id: number): Promise<BindingRecord[]> {
  return (await bindingsOfEach(db, [id])).get(id) ?? [];
}

/** What each of some documents explains; documents that explain nothing are missing. */
export async function bindingsOfEach(
  db: Kysely<Database>,
  ids: readonly number[],
): Promise<Map<number, BindingRecord[]>> {
  const { rows } = await sql<BindingRecord & { documentId: number }>`
    select b.document_id as "documentId", b.key, b.device_model_id as "deviceModelId", m.name as model
      from document_bindings b left join device_models m on m.id = b.device_model_id
     where b.document_id = any(${[...ids]}::int[])
     order by ${naturally(sql`b.key`)}, ${naturally(sql`m.name`)} nulls first`.execute(db);
  const found = new Map<number, BindingRecord[]>();
  for (const { documentId, ...binding } of rows) found.set(documentId, [...(found.get(documentId) ?? []), binding]);
  return found;
}

export interface ExplainedRecord {
  key: string;
  /** the device model that the document is about; null: all models */
  deviceModelId: number | null;
  documentId: number;
  locale: Locale;
  title: string;
  description: string;
}

/**
 * The documents for each code or key that a user may read: the ones for these device models before the one for all
 * models, in their language if it exists.
 */
export async function explainedBy(
  db: Kysely<Database>,
  viewer: Reader & { locale: Locale },
  asked: { type: DocumentType; keys: readonly string[]; deviceModelIds: readonly number[] },
): Promise<ExplainedRecord[]> {
  const { rows } = await sql<ExplainedRecord>`
    select distinct on (b.key, b.device_model_id) b.key, b.device_model_id as "deviceModelId", d.id as "documentId",
           t.locale, t.title, t.description
      from document_bindings b
      join documents d on d.id = b.document_id
      join document_texts t on t.document_id = d.id
     where b.type = ${asked.type} and b.key = any(${asked.keys}::text[])
       and (b.device_model_id is null or b.device_model_id = any(${asked.deviceModelIds}::int[]))
       and d.enabled and ${readable(viewer)}
     order by b.key, b.device_model_id nulls last, ${ownFirst(viewer)}, d.id, (t.locale = ${viewer.locale}) desc`.execute(
    db,
  );
  return rows;
}

/** The document that the product shipped with a key, if nobody deleted it. */
export async function shippedId(db: Kysely<Database>, key: string): Promise<number | undefined> {
  const row = db.selectFrom('documents').select('id').where('shipped', '=', key);
  return (await row.executeTakeFirst())?.id;
}

/** The text of a page in one language. */
export async function readBody(db: Kysely<Database>, id: number, locale: Locale): Promise<DocumentContent | null> {
  const row = db.selectFrom('document_texts').select('body').where('document_id', '=', id).where('locale', '=', locale);
  return (await row.executeTakeFirst())?.body ?? null;
}

/** Locks a document against other changes of its properties and texts. */
export async function lockPage(trx: Kysely<Database>, reader: Reader, id: number): Promise<PageRecord | null> {
  await sql`select from documents where id = ${id} for update`.execute(trx);
  return await readPage(trx, reader, id);
}

/** Replaces what a document explains. */
export async function storeBindings(
  trx: Kysely<Database>,
  { id, customerId, type }: Pick<PageRecord, 'id' | 'customerId' | 'type'>,
  bindings: readonly Binding[],
): Promise<void> {
  await trx.deleteFrom('document_bindings').where('document_id', '=', id).execute();
  if (type === null || bindings.length === 0) return;
  await sql`
    insert into document_bindings (document_id, type, customer_id, key, device_model_id)
    select ${id}, ${type}, ${customerId}::int, * from unnest(${bindings.map(({ key }) => key)}::text[],
                                         ${bindings.map(({ deviceModelId }) => deviceModelId)}::int[])`.execute(trx);
}

/**
 * The document of the same owner that already explains one of these keys for the same device model, and whether the user
 * may read it.
 */
export async function otherOf(
  db: Kysely<Database>,
  reader: Reader,
  { id, customerId }: { id: number | null; customerId: number | null },
  type: DocumentType,
  bindings: readonly Binding[],
): Promise<{ key: string; name: string; seen: boolean } | null> {
  const { rows } = await sql<{ key: string; name: string; seen: boolean }>`
    select b.key, d.name, ${readable(reader)} as seen from document_bindings b join documents d on d.id = b.document_id
      join unnest(${bindings.map(({ key }) => key)}::text[], ${bindings.map(({ deviceModelId }) => deviceModelId)}::int[])
        as n (key, model) on n.key = b.key and n.model is not distinct from b.device_model_id
     where b.type = ${type} and b.customer_id is not distinct from ${customerId}::int
       and b.document_id is distinct from ${id}::int limit 1`.execute(db);
  return rows[0] ?? null;
}

/** Counts a document as read, once for each reader and day. */
export async function countRead(db: Kysely<Database>, id: number, userId: number): Promise<void> {
  await sql`
    with reader as (
      insert into document_readers (document_id, user_id, day) values (${id}, ${userId}, current_date)
      on conflict do nothing returning document_id, day),
    today as (
      insert into document_reads (document_id, day, reads) select document_id, day, 1 from reader
      on conflict (document_id, day) do update set reads = document_reads.reads + 1)
    update documents set reads = reads + 1 where id in (select document_id from reader)`.execute(db);
}

/** Removes the reads of more than 90 days ago from the totals, and the readers of former days. Returns the number of reads. */
export async function forgetOldReads(db: Kysely<Database>, now: Date): Promise<number> {
  await sql`delete from document_readers where day < ${now}::timestamptz::date`.execute(db);
  const { rows } = await sql<{ count: number }>`
    with gone as (
      delete from document_reads where day < ${now}::timestamptz::date - 90 returning document_id, reads),
    sums as (select document_id, sum(reads)::int as reads from gone group by document_id),
    kept as (
      update documents d set reads = greatest(0, d.reads - s.reads) from sums s where s.document_id = d.id)
    select coalesce(sum(reads), 0)::int as count from gone`.execute(db);
  return rows[0]?.count ?? 0;
}

export async function votesOf(db: Kysely<Database>, id: number, userId: number) {
  const { rows } = await sql<{ helped: number; notHelped: number; own: boolean | null }>`
    select count(*) filter (where helped) as helped, count(*) filter (where not helped) as "notHelped",
           bool_or(helped) filter (where user_id = ${userId}) as own
      from document_votes where document_id = ${id}`.execute(db);
  return rows[0]!;
}

/** Stores or withdraws the vote of a user. */
export async function storeVote(db: Kysely<Database>, id: number, userId: number, helped: boolean | null) {
  if (helped === null) {
    await sql`delete from document_votes where document_id = ${id} and user_id = ${userId}`.execute(db);
    return;
  }
  await sql`
    insert into document_votes (document_id, user_id, helped) values (${id}, ${userId}, ${helped})
    on conflict (document_id, user_id) do update set helped = excluded.helped, at = now()`.execute(db);
}

/** @returns the ID */
export async function insertPage(trx: Kysely<Database>, values: Insertable<Database['documents']>): Promise<number> {
  return (await trx.insertInto('documents').values(values).returning('id').executeTakeFirstOrThrow()).id;
}

export async function updatePage(
  trx: Kysely<Database>,
  id: number,
  values: Updateable<Database['documents']>,
): Promise<void> {
  await trx.updateTable('documents').set(values).where('id', '=', id).execute();
}

export async function deletePage(trx: Kysely<Database>, id: number): Promise<void> {
  await trx.deleteFrom('documents').where('id', '=', id).execute();
}
