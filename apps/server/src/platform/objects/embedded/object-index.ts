import { type Kysely, sql } from 'kysely';
import type { Database } from '../../database/schema.ts';
import type { ListedObject, ObjectFacts, Place } from '../store.ts';

/** What a page of a list contains: keys in the order of their bytes, after a key, with a prefix. */
export interface PageOptions {
  bucket: string;
  prefix: string;
  /** the last key or common prefix of the previous page; empty for the first page */
  after: string;
  /** keys that are equal up to it, after the prefix, are one common prefix; empty for none */
  delimiter: string;
  limit: number;
}

/** A key of the index, or the first of those with a common prefix. */
export interface IndexedKey extends ListedObject {
  commonPrefix: string | null;
  /** the row contains no details of the object; its file does */
  pending: boolean;
}

/** The last Unicode character: the prefix followed by it comes after every key with the prefix. */
const LAST = String.fromCodePoint(0x10ffff);

/**
 * The keys of the store in PostgreSQL. The disk updates it: before a file changes its row is marked, afterwards it is
 * recorded.
 */
export function objectIndex(db: Kysely<Database>) {
  const of = (bucket: string, prefix: string) => {
    const end = endOf(prefix);
    const start = sql`bucket = ${bucket} and key >= ${prefix}::text`;
    return end === null ? start : sql`${start} and key < ${end}::text`;
  };
  return {
    /** Marks keys whose files are about to change. */
    async mark(bucket: string, keys: readonly string[]): Promise<void> {
      await sql`insert into stored_objects (bucket, key, pending) select ${bucket}, unnest(${keys}::text[]), true
        on conflict (bucket, key) do update set pending = true`.execute(db);
    },

    /** Marks keys that do not exist yet, and returns those. */
    async markMissing(bucket: string, keys: readonly string[]): Promise<string[]> {
      const { rows } = await sql<{ key: string }>`
        insert into stored_objects (bucket, key, pending) select ${bucket}, unnest(${keys}::text[]), true
        on conflict (bucket, key) do nothing returning key`.execute(db);
      return rows.map(({ key }) => key);
    },

    /** Records the current file of a key; null when there is none. */
    async record({ bucket, key }: Place, facts: ObjectFacts | null): Promise<void> {
      if (!facts) {
        await db.deleteFrom('stored_objects').where('bucket', '=', bucket).where('key', '=', key).execute();
        return;
      }
      const row = { size: facts.size, etag: facts.etag, modified_at: facts.modifiedAt, pending: false };
      await db
        .insertInto('stored_objects')
        .values({ bucket, key, ...row })
        .onConflict((conflict) => conflict.columns(['bucket', 'key']).doUpdateSet(row))
        .execute();
    },

    /** Keys whose change was started and never recorded, for example because of a crash. */
    async pending(bucket: string, after: string): Promise<string[]> {
      const rows = await db
        .selectFrom('stored_objects')
        .select('key')
        .where('bucket', '=', bucket)
        .where('pending', '=', true)
        .where('key', '>', after)
        .orderBy('key')
        .limit(1_000)
        .execute();
      return rows.map(({ key }) => key);
    },

    /** Bytes and number of the objects below a prefix, without incomplete ones. */
    async usage(bucket: string, prefix: string): Promise<{ bytes: number; objects: number }> {
      const { rows } = await sql<{ bytes: number; objects: number }>`
        select coalesce(sum(size), 0)::bigint as bytes, count(*) as objects from stored_objects
        where ${of(bucket, prefix)} and etag <> ''`.execute(db);
      return rows[0] ?? { bytes: 0, objects: 0 };
    },

    async page({ bucket, prefix, after, delimiter, limit }: PageOptions): Promise<IndexedKey[]> {
      const isCommon = delimiter !== '' && after.startsWith(prefix) && after.length > prefix.length;
      const found = isCommon ? after.indexOf(delimiter, prefix.length) : -1;
      // After a common prefix follows the first key after all of its keys.
      const from = found >= 0 && found + delimiter.length === after.length ? after + LAST : after;
      const columns = sql`key, size, etag, modified_at as "modifiedAt", pending`;
      const within = of(bucket, prefix);
      if (delimiter === '') {
        const { rows } = await sql<IndexedKey>`
          select ${columns}, null as "commonPrefix" from stored_objects
          where ${within} and key > ${from}::text order by key limit ${limit}`.execute(db);
        return rows;
      }
      const next = sql`select ${columns},
        case when strpos(substr(key, length(${prefix}::text) + 1), ${delimiter}::text) > 0
          then left(key, length(${prefix}::text) + strpos(substr(key, length(${prefix}::text) + 1), ${delimiter}::text)
            + length(${delimiter}::text) - 1) end as "commonPrefix"
        from stored_objects where ${within}`;
      // Each step finds the next key in the index and skips those with the same common prefix.
      const { rows } = await sql<IndexedKey>`
        with recursive page as (
          (${next} and key > ${from}::text order by key limit 1)
          union all
          select step.* from page cross join lateral
            (${next} and key > coalesce(page."commonPrefix" || ${LAST}::text, page.key) order by stored_objects.key limit 1) step
        )
        select * from page limit ${limit}`.execute(db);
      return rows;
    },
  };
}
export type ObjectIndex = ReturnType<typeof objectIndex>;

/**
 * The first text after all texts with a prefix, in the order of code points (and of UTF-8 bytes); null when there is
 * none.
 */
function endOf(prefix: string): string | null {
  const points = [...prefix].map((character) => character.codePointAt(0) ?? 0);
  while (points.length > 0) {
    const last = points.pop() ?? 0;
    if (last === 0x10ffff) continue;
    // Surrogates are not characters.
    return String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1);
  }
  return null;
}
