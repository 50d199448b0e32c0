import type { Dictionary, DictionaryValue } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../platform/database/schema.ts';

export interface ChangeRecord {
  id: number;
  dictionary: Dictionary;
  code: string;
  at: Date;
  by: string;
  action: 'add' | 'edit' | 'remove' | 'reset' | 'undo';
  before: DictionaryValue | null;
  after: DictionaryValue | null;
  undoes: number | null;
}

const COLUMNS = sql`id, dictionary, code, at, user_name as by, action, before, after, undoes`;

/** Keeps the entries of a dictionary until the end of the transaction, because it starts to use one. */
export async function keepDictionary(trx: Kysely<Database>, dictionary: Dictionary): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtext('dictionaries'), hashtext(${dictionary}))`.execute(trx);
}

/** Lets one change of a dictionary follow the other, until the end of the transaction. */
export async function lockDictionary(trx: Kysely<Database>, dictionary: Dictionary): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('dictionaries'), hashtext(${dictionary}))`.execute(trx);
}

/** What the installation changed or added in a dictionary, by code. */
export async function storedValues(
  db: Kysely<Database>,
  dictionary: Dictionary,
): Promise<Map<string, DictionaryValue>> {
  const rows = await db
    .selectFrom('dictionary_entries')
    .select(['code', 'name_en as nameEn', 'name_zh as nameZh', 'enabled', 'position', 'parent'])
    .where('dictionary', '=', dictionary)
    .execute();
  return new Map(rows.map(({ code, parent, ...value }) => [code, parent === null ? value : { ...value, parent }]));
}

/** Sets the value of an entry; null: its default applies, or it no longer exists. */
export async function storeValue(
  trx: Kysely<Database>,
  dictionary: Dictionary,
  code: string,
  value: DictionaryValue | null,
): Promise<void> {
  if (value === null) {
    await trx.deleteFrom('dictionary_entries').where('dictionary', '=', dictionary).where('code', '=', code).execute();
    return;
  }
  const { nameEn, nameZh, enabled, position, parent = null } = value;
  const columns = { name_en: nameEn, name_zh: nameZh, enabled, position, parent };
  await trx
    .insertInto('dictionary_entries')
    .values({ dictionary, code, ...columns })
    .onConflict((conflict) => conflict.columns(['dictionary', 'code']).doUpdateSet(columns))
    .execute();
}

/** Records changes. */
export async function insertChanges(
  trx: Kysely<Database>,
  changes: readonly (Omit<ChangeRecord, 'id'> & { userId: number })[],
): Promise<void> {
  await trx
    .insertInto('dictionary_changes')
    .values(
      changes.map(({ dictionary, code, at, by, action, before, after, undoes, userId }) => ({
        ...{ dictionary, code, at, action, undoes, user_id: userId, user_name: by },
        before: before && JSON.stringify(before),
        after: after && JSON.stringify(after),
      })),
    )
    .execute();
}

/** The last change of any entry of a dictionary; undefined: there is none. */
export async function lastChange(
  db: Kysely<Database>,
  dictionary: Dictionary,
): Promise<Pick<ChangeRecord, 'id' | 'by'> | undefined> {
  const changes = db.selectFrom('dictionary_changes').select(['id', 'user_name as by']);
  return await changes.where('dictionary', '=', dictionary).orderBy('id', 'desc').limit(1).executeTakeFirst();
}

/** The last change of each entry of a dictionary, by code. */
export async function latestChanges(
  db: Kysely<Database>,
  dictionary: Dictionary,
): Promise<Map<string, Pick<ChangeRecord, 'id' | 'at' | 'by'>>> {
  const { rows } = await sql<{ code: string; id: number; at: Date; by: string }>`
    select distinct on (code) code, id, at, user_name as by from dictionary_changes
     where dictionary = ${dictionary} order by code, id desc`.execute(db);
  return new Map(rows.map(({ code, ...change }) => [code, change]));
}

/** A change; undefined: there is none. */
export async function findChange(db: Kysely<Database>, id: number): Promise<ChangeRecord | undefined> {
  const { rows } = await sql<ChangeRecord>`select ${COLUMNS} from dictionary_changes where id = ${id}`.execute(db);
  return rows[0];
}

/** Changes of a dictionary or of one entry, newest first. */
export async function listChanges(
  db: Kysely<Database>,
  { dictionary, code, before }: { dictionary: Dictionary; code: string | undefined; before: number | undefined },
  limit: number,
): Promise<ChangeRecord[]> {
  const { rows } = await sql<ChangeRecord>`
    select ${COLUMNS} from dictionary_changes
     where dictionary = ${dictionary} ${code === undefined ? sql`` : sql`and code = ${code}`}
       ${before === undefined ? sql`` : sql`and id < ${before}`}
     order by id desc limit ${limit}`.execute(db);
  return rows;
}
