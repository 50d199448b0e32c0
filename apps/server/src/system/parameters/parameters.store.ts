import type { SettingKey } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';

/** A number, or a text of the branding. */
export type SettingValue = number | string;

/** Values that differ from their default, by key. */
export async function listStoredParameters(db: Kysely<Database>): Promise<Map<string, unknown>> {
  const rows = await db.selectFrom('system_parameters').select(['key', 'value']).execute();
  return new Map(rows.map(({ key, value }) => [key, value]));
}

/** Only one transaction at a time changes parameters, because their values depend on each other. */
export async function lockParameters(trx: Kysely<Database>): Promise<void> {
  await sql`lock table system_parameters in share row exclusive mode`.execute(trx);
}

export interface LastChange {
  id: number;
  key: string;
  at: Date;
  userName: string;
}

/** The last change of each parameter that was ever changed. */
export async function listLastChanges(db: Kysely<Database>): Promise<Map<string, LastChange>> {
  const { rows } = await sql<LastChange>`
    select distinct on (key) id, key, at, user_name as "userName"
      from system_parameter_changes order by key, id desc`.execute(db);
  return new Map(rows.map((row) => [row.key, row]));
}

export interface ChangeRow {
  id: number;
  key: string;
  at: Date;
  userName: string;
  before: SettingValue | null;
  after: SettingValue | null;
  undid: Date | null;
  last: boolean;
}

/** Changes before an id, newest first. */
export async function listChanges(db: Kysely<Database>, before: number | null, limit: number): Promise<ChangeRow[]> {
  const { rows } = await sql<ChangeRow>`
    select c.id, c.key, c.at, c.user_name as "userName", c.before, c.after, u.at as undid,
           not exists (select from system_parameter_changes n where n.key = c.key and n.id > c.id) as last
      from system_parameter_changes c left join system_parameter_changes u on u.id = c.undoes
     where ${before}::int is null or c.id < ${before}
     order by c.id desc limit ${limit}`.execute(db);
  return rows;
}

export async function findChange(
  db: Kysely<Database>,
  id: number,
): Promise<{ key: string; before: SettingValue | null } | undefined> {
  const { rows } = await sql<{ key: string; before: SettingValue | null }>`
    select key, before from system_parameter_changes where id = ${id}`.execute(db);
  return rows[0];
}

/** The names of logos that neither the branding nor a change in its history has. */
export async function unusedLogos(trx: Kysely<Database>, names: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${[...names]}::text[]) as logo (name)
     where not exists (select from system_parameters p where p.key = 'productLogo' and p.value = to_jsonb(name))
       and not exists (
         select from system_parameter_changes c
          where c.key = 'productLogo' and to_jsonb(name) in (c.before, c.after))`.execute(trx);
  return rows.map(({ name }) => name);
}

/** Stores a value, or with null removes it, and adds the change to the history. */
export async function storeParameter(
  trx: Kysely<Database>,
  change: {
    key: SettingKey;
    before: SettingValue | null;
    after: SettingValue | null;
    userName: string;
    undoes: number | null;
  },
): Promise<void> {
  const { key, before, after, userName, undoes } = change;
  const written = (value: SettingValue | null) => (value === null ? null : JSON.stringify(value));
  if (after === null) await trx.deleteFrom('system_parameters').where('key', '=', key).execute();
  else {
    await trx
      .insertInto('system_parameters')
      .values({ key, value: JSON.stringify(after) })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: JSON.stringify(after) }))
      .execute();
  }
  await trx
    .insertInto('system_parameter_changes')
    .values({ key, user_name: userName, before: written(before), after: written(after), undoes })
    .execute();
}
