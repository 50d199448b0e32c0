import type { Scope } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { idArray, withinScope } from '../../platform/database/scope.ts';

/** An import with its progress. */
export interface ImportRecord {
  id: number;
  customerId: number;
  userName: string;
  fileName: string;
  state: 'running' | 'done' | 'failed';
  total: number;
  done: number;
  added: number;
  changed: number;
  unchanged: number;
  skipped: number;
  startedAt: Date;
  endedAt: Date | null;
}

/** A process that ended continues nothing. It marks what it left when it starts again, which may be never. */
const STATE = sql<ImportRecord['state']>`
  case when state = 'running' and not exists (select from nodes where nodes.name = node and ended_at is null)
    then 'failed' else state end`;

const COLUMNS = sql`
  id, customer_id as "customerId", user_name as "userName", file_name as "fileName", ${STATE} as state, total, done, added, changed,
  unchanged, skipped, started_at as "startedAt", ended_at as "endedAt"`;

export async function listImports(
  scope: Scope,
  db: Kysely<Database>,
  customerId: number | undefined,
  page: { limit: number; offset: number },
): Promise<{ items: ImportRecord[]; total: number }> {
  // Imports concern all tokens of a customer.
  const where = sql`${withinScope(scope, 'customer_id', null)} and ${scope.sites === 'all'}
    ${customerId === undefined ? sql`` : sql`and customer_id = ${customerId}`}`;
  const [items, totals] = await Promise.all([
    sql<ImportRecord>`select ${COLUMNS} from token_imports where ${where}
      order by id desc limit ${page.limit} offset ${page.offset}`.execute(db),
    sql<{ total: number }>`select count(*)::int as total from token_imports where ${where}`.execute(db),
  ]);
  return { items: items.rows, total: totals.rows[0]?.total ?? 0 };
}

/** A problem of a row, as the parts from which its message is written in the language of a reader. */
export interface StoredFault {
  importId: number;
  row: number;
  value: string;
  problems: unknown[];
}

/** The first rows of each import that were skipped. */
export async function firstFaults(
  db: Kysely<Database>,
  importIds: readonly number[],
  most: number,
): Promise<StoredFault[]> {
  const { rows } = await sql<StoredFault>`
    select f.import_id as "importId", f.row, f.value, f.problems
      from unnest(${idArray(importIds)}) as i (id)
      join lateral (select * from token_import_faults where import_id = i.id order by row limit ${most}) f on true
     order by f.import_id, f.row`.execute(db);
  return rows;
}

export async function faultsAfter(
  db: Kysely<Database>,
  importId: number,
  row: number,
  limit: number,
): Promise<StoredFault[]> {
  const { rows } = await sql<StoredFault>`
    select import_id as "importId", row, value, problems from token_import_faults
     where import_id = ${importId} and row > ${row} order by row limit ${limit}`.execute(db);
  return rows;
}

/** Starts an import unless one of the customer is running. Returns its id, or the name of the user of the other one. */
export async function beginImport(
  db: Kysely<Database>,
  values: { customer_id: number; user_id: number; user_name: string; file_name: string; node: string; total: number },
): Promise<{ id: number } | { running: string }> {
  return await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtext('token_imports'), ${values.customer_id})`.execute(trx);
    const running = await trx
      .selectFrom('token_imports')
      .select('user_name as userName')
      .where('customer_id', '=', values.customer_id)
      .where('state', '=', 'running')
      .where(STATE, '=', 'running')
      .executeTakeFirst();
    if (running) return { running: running.userName };
    return await trx
      .insertInto('token_imports')
      .values({ ...values, state: 'running' })
      .returning('id')
      .executeTakeFirstOrThrow();
  });
}

/** Imports that this server left when it stopped: nothing continues them, and what they stored stays. */
export async function failInterrupted(db: Kysely<Database>, node: string): Promise<void> {
  await sql`update token_imports set state = 'failed', ended_at = now() where state = 'running' and node = ${node}`.execute(
    db,
  );
}

export interface ImportCounts {
  done: number;
  added: number;
  changed: number;
  unchanged: number;
  skipped: number;
}

export async function addCounts(trx: Kysely<Database>, id: number, counts: ImportCounts): Promise<void> {
  const { done, added, changed, unchanged, skipped } = counts;
  await sql`
    update token_imports set done = done + ${done}, added = added + ${added}, changed = changed + ${changed},
           unchanged = unchanged + ${unchanged}, skipped = skipped + ${skipped} where id = ${id}`.execute(trx);
}

export async function endImport(db: Kysely<Database>, id: number, state: 'done' | 'failed'): Promise<void> {
  await sql`update token_imports set state = ${state}, ended_at = now() where id = ${id}`.execute(db);
}

/** Sites of a customer by code and by name, in lower case. */
export async function sitesByName(
  scope: Scope,
  db: Kysely<Database>,
  customerId: number,
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ id: number; code: string; name: string }>`
    select s.id, lower(s.code) as code, lower(s.name) as name from sites s
     where s.customer_id = ${customerId} and ${withinScope(scope, 's.customer_id', 's.id')}`.execute(db);
  // A code identifies a site. A name counts when no site has such a code.
  return new Map([
    ...rows.map(({ id, name }) => [name, id] as const),
    ...rows.map(({ id, code }) => [code, id] as const),
  ]);
}

/** A stored token with the ids of its sites. */
export interface StoredToken {
  id: number;
  key: string;
  value: string;
  type: string;
  group_value: string | null;
  holder: string;
  note: string;
  valid_from: Date | null;
  valid_until: Date | null;
  blocked_at: Date | null;
  blocked_by_name: string | null;
  concurrent: boolean;
  siteIds: number[];
}

export async function findByKeys(
  trx: Kysely<Database>,
  customerId: number,
  keys: readonly string[],
): Promise<ReadonlyMap<string, StoredToken>> {
  const { rows } = await sql<StoredToken>`
    select t.id, t.value_key as key, t.value, t.type, t.group_value, t.holder, t.note, t.valid_from, t.valid_until,
           t.blocked_at, t.blocked_by_name, t.concurrent,
           coalesce((select jsonb_agg(ts.site_id order by ts.site_id) from token_sites ts where ts.token_id = t.id), '[]') as "siteIds"
      from tokens t where t.customer_id = ${customerId} and t.value_key = any(${[...keys]}::text[])`.execute(trx);
  return new Map(rows.map((row) => [row.key, row]));
}

export type WrittenToken = Omit<StoredToken, 'id' | 'key'>;

/** Adds or changes tokens of a customer by their values, with one statement each for tokens and sites. */
export async function writeTokens(
  trx: Kysely<Database>,
  customerId: number,
  tokens: readonly WrittenToken[],
  firstRevision: number,
  by: string,
): Promise<void> {
  const rows = tokens.map((token, index) => ({ ...token, revision: firstRevision + index }));
  await sql`
    with r as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (value text, type text, group_value text,
        holder text, note text, valid_from timestamptz, valid_until timestamptz, blocked_at timestamptz,
        blocked_by_name text, concurrent boolean, revision int, "siteIds" int[])
    ), written as (
      insert into tokens (customer_id, value, type, group_value, holder, note, valid_from, valid_until, blocked_at,
        blocked_by_name, concurrent, all_sites, revision, waits, created_by_name)
      select ${customerId}::int, value, type, group_value, holder, note, valid_from, valid_until, blocked_at,
             blocked_by_name, concurrent, cardinality("siteIds") = 0, revision, coalesce(valid_from > now(), false), ${by}
        from r
      on conflict (customer_id, value_key) do update set value = excluded.value, type = excluded.type,
        group_value = excluded.group_value, holder = excluded.holder, note = excluded.note,
        valid_from = excluded.valid_from, valid_until = excluded.valid_until, blocked_at = excluded.blocked_at,
        blocked_by_name = excluded.blocked_by_name, concurrent = excluded.concurrent, all_sites = excluded.all_sites, revision = excluded.revision,
        waits = excluded.waits, updated_at = now()
      returning id, value
    ), wanted as (
      select w.id, unnest(r."siteIds") as site from r join written w on w.value = r.value
    ), removed as (
      delete from token_sites ts using written w
       where ts.token_id = w.id and not exists (select from wanted where wanted.id = ts.token_id and wanted.site = ts.site_id)
    )
    insert into token_sites (token_id, site_id) select id, site from wanted on conflict do nothing`.execute(trx);
}

export async function insertFaults(
  trx: Kysely<Database>,
  importId: number,
  faults: readonly { row: number; value: string; problems: unknown[] }[],
): Promise<void> {
  await sql`
    insert into token_import_faults (import_id, row, value, problems)
    select ${importId}, row, value, problems
      from jsonb_to_recordset(${JSON.stringify(faults)}::jsonb) as r (row int, value text, problems jsonb)
    on conflict do nothing`.execute(trx);
}
