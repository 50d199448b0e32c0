import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { beyond } from '../../platform/database/order/keyset.ts';
import { naturally } from '../../platform/database/order/natural-order.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { ListOrder, ListPosition } from '../../platform/http/serve/list-queries.ts';
import { containsWords, USER_TEXT } from '../../platform/search/search-text.ts';

export interface PolicyTexts {
  content_en: string;
  content_zh: string;
}

export interface PolicyRow extends PolicyTexts {
  version: number;
}

/** The policy in force, which has the highest version; null if there is none. */
export async function currentPolicy(db: Kysely<Database>): Promise<PolicyRow | null> {
  const row = await db
    .selectFrom('privacy_policies')
    .select(['version', 'content_en', 'content_zh'])
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/** Stores that a user accepted a version. Returns false if they had accepted it before. */
export async function acceptPolicy(db: Kysely<Database>, userId: number, version: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('privacy_acceptances')
    .values({ user_id: userId, version })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Publishes a version unless it exists. Published versions are never changed. */
export async function publishPolicy(db: Kysely<Database>, policy: PolicyRow): Promise<void> {
  await db
    .insertInto('privacy_policies')
    .values(policy)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Serializes publishing until the end of the transaction. The trigger uses the same lock number. */
export async function lockPublishing(trx: Kysely<Database>): Promise<void> {
  await sql`select pg_advisory_xact_lock(4213772061)`.execute(trx);
}

/** Publishes the next version and returns its number, which the database assigns. */
export async function publishNextPolicy(
  trx: Kysely<Database>,
  texts: PolicyTexts,
  publishedBy: string,
): Promise<number> {
  const { version } = await trx
    .insertInto('privacy_policies')
    .values({ ...texts, published_by: publishedBy })
    .returning('version')
    .executeTakeFirstOrThrow();
  return version;
}

/** A published version for lists, and with its text. */
export interface PolicyRecord extends PolicyRow {
  published_at: Date;
  published_by: string;
  accepted: number;
}

const POLICY = sql`
  p.version, p.published_at, p.published_by,
  (select count(*) from privacy_acceptances a where a.version = p.version) as accepted`;

/** One page of the published versions, newest first. */
export async function listPolicies(
  db: Kysely<Database>,
  page: { limit: number; offset: number },
): Promise<{ items: Omit<PolicyRecord, keyof PolicyTexts>[]; total: number }> {
  const [items, totals] = await Promise.all([
    sql<Omit<PolicyRecord, keyof PolicyTexts>>`
      select ${POLICY} from privacy_policies p order by p.version desc
       limit ${page.limit} offset ${page.offset}`.execute(db),
    sql<{ total: number }>`select count(*) as total from privacy_policies`.execute(db),
  ]);
  return { items: items.rows, total: totals.rows[0]?.total ?? 0 };
}

export async function findPolicy(db: Kysely<Database>, version: number): Promise<PolicyRecord | null> {
  const { rows } = await sql<PolicyRecord>`
    select ${POLICY}, p.content_en, p.content_zh from privacy_policies p where p.version = ${version}`.execute(db);
  return rows[0] ?? null;
}

export interface DraftRecord extends PolicyTexts {
  updated_at: Date;
  updated_by: string;
}

/** The draft of the next version; null if there is none. */
export async function findDraft(db: Kysely<Database>): Promise<DraftRecord | null> {
  const row = await db
    .selectFrom('privacy_drafts')
    .select(['content_en', 'content_zh', 'updated_at', 'updated_by'])
    .executeTakeFirst();
  return row ?? null;
}

export async function writeDraft(trx: Kysely<Database>, texts: PolicyTexts, updatedBy: string): Promise<void> {
  await sql`
    insert into privacy_drafts (content_en, content_zh, updated_by)
    values (${texts.content_en}, ${texts.content_zh}, ${updatedBy})
    on conflict (id) do update set content_en = excluded.content_en, content_zh = excluded.content_zh,
           updated_at = now(), updated_by = excluded.updated_by`.execute(trx);
}

export async function dropDraft(trx: Kysely<Database>): Promise<void> {
  await trx.deleteFrom('privacy_drafts').execute();
}

/** Who accepted a version, and when. */
export interface AcceptanceRecord {
  /** unique for each row */
  id: number;
  userId: number;
  userName: string;
  nickName: string;
  customerName: string;
  version: number;
  acceptedAt: Date;
}

export interface AcceptanceFilters {
  search?: string | undefined;
  version?: number | undefined;
}

export type AcceptanceOrder = ListOrder<'acceptedAt' | 'userName'>;

const SORTS = {
  acceptedAt: { value: sql`a.accepted_at`, type: sql`timestamptz` },
  userName: { value: naturally(sql`u.user_name`), type: sql`text` },
} as const;

/** One number for a user and a version: there are fewer than 2^20 versions. */
const KEY = sql`(u.id::bigint * 1048576 + a.version)`;

const ACCEPTANCE = sql`
  ${KEY} as id, u.id as "userId", u.user_name as "userName", u.nick_name as "nickName", c.name as "customerName", a.version,
  a.accepted_at as "acceptedAt"`;
const ACCEPTANCES = sql`privacy_acceptances a join users u on u.id = a.user_id join customers c on c.id = u.customer_id`;

/** One page of the acceptances, and the number of matches. */
export async function listAcceptances(
  db: Kysely<Database>,
  filters: AcceptanceFilters,
  order: AcceptanceOrder,
  page: { limit: number; offset: number },
): Promise<{ items: AcceptanceRecord[]; total: number }> {
  const [items, totals] = await Promise.all([
    sql<AcceptanceRecord>`
      select ${ACCEPTANCE} from ${ACCEPTANCES} where ${matching(filters)}
       order by ${orderBy(order)} limit ${page.limit} offset ${page.offset}`.execute(db),
    sql<{ total: number }>`
      select count(*) as total from privacy_acceptances a join users u on u.id = a.user_id
       where ${matching(filters)}`.execute(db),
  ]);
  return { items: items.rows, total: totals.rows[0]?.total ?? 0 };
}

/** The next rows of the same list after a position. */
export async function listAcceptancesAfter(
  db: Kysely<Database>,
  filters: AcceptanceFilters,
  order: AcceptanceOrder,
  after: ListPosition | null,
  limit: number,
): Promise<(AcceptanceRecord & ListPosition)[]> {
  const keyset = { ...SORTS[order.by], id: KEY, descending: order.descending };
  const { rows } = await sql<AcceptanceRecord & ListPosition>`
    select ${ACCEPTANCE}, ${keyset.value}::text as position from ${ACCEPTANCES}
     where ${matching(filters)} and ${beyond(keyset, after)}
     order by ${orderBy(order)} limit ${limit}`.execute(db);
  return rows;
}

function orderBy({ by, descending }: AcceptanceOrder): RawBuilder<unknown> {
  const direction = descending ? sql`desc` : sql`asc`;
  return sql`${SORTS[by].value} ${direction}, ${KEY} ${direction}`;
}

function matching(filters: AcceptanceFilters): RawBuilder<SqlBool> {
  const conditions: RawBuilder<unknown>[] = [sql`true`];
  if (filters.version !== undefined) conditions.push(sql`a.version = ${filters.version}`);
  if (filters.search !== undefined) {
    conditions.push(containsWords(USER_TEXT, filters.search));
  }
  return sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}
