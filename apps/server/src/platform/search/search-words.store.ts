import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/schema.ts';

/** A table with names that are searched, and the column of the name. */
export interface NamedTable {
  table: string;
  name: string;
}

/** Some rows whose words are not known yet. */
export async function listWithoutWords(
  db: Kysely<Database>,
  { table, name }: NamedTable,
  limit: number,
): Promise<{ id: number; name: string }[]> {
  const { rows } = await sql<{ id: number; name: string }>`
    select id, ${sql.ref(name)} as name from ${sql.table(table)}
     where search_words is null order by id limit ${limit}`.execute(db);
  return rows;
}

/** Stores the words of rows, except those of a name that was changed since. */
export async function storeWords(
  db: Kysely<Database>,
  { table, name }: NamedTable,
  rows: readonly { id: number; name: string; words: string }[],
): Promise<void> {
  const of = <K extends 'id' | 'name' | 'words'>(key: K) => rows.map((row) => row[key]);
  await sql`
    update ${sql.table(table)} t set search_words = a.words
      from unnest(${of('id')}::int[], ${of('name')}::text[], ${of('words')}::text[]) as a (id, name, words)
     where t.id = a.id and t.${sql.ref(name)} = a.name and t.search_words is null`.execute(db);
}
