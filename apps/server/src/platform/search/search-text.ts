import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { anywhere } from '../database/patterns.ts';
import { searchable } from './search-words.ts';

/**
 * The text of a row that searches compare: columns, and the column of its `searchWords`, between blanks. It must be the
 * expression of the table's index, character by character. The columns may have collations of their own.
 */
export function searchText(...columns: readonly string[]): RawBuilder<string> {
  const parts = columns.map((column) => sql`coalesce(${sql.ref(column)}, '')`);
  return sql<string>`((' ' || ${sql.join(parts, sql` || ' ' || `)} || ' ') collate "default")`;
}

/** What searches of users `u` compare. */
export const USER_TEXT = searchText('u.user_name', 'u.nick_name', 'u.email', 'u.search_words');

/** The condition that a text contains each word of a search anywhere, in any order. */
export function containsWords(text: RawBuilder<string>, search: string): RawBuilder<SqlBool> {
  return all(wordsOf(search).map((word) => sql<SqlBool>`${text} ilike ${anywhere(word)}`));
}

/** A table for `bestMatches`. */
export interface SearchedTable {
  /** with its alias */
  from: RawBuilder<unknown>;
  id: string;
  /** matches of this column, such as a code, come first */
  code: string;
  name: string;
  text: RawBuilder<string>;
  /** the rows that the caller may see */
  visible: RawBuilder<SqlBool>;
}

/** Rows that are compared with each other. With more matches, which of them is arbitrary: the user types on. */
const CANDIDATES = 60;
/** Fewer letters and digits in a row have no trigram, so the index does not find them inside a word. */
const TRIGRAM = 3;
const MAX_WORDS = 10;

/**
 * The best matches of a search as `id` and `place`, which counts from 1: the same code, the same name, whole words,
 * starts of words. Finds nothing inside a word, see `matchesInside`.
 */
export function bestMatches(table: SearchedTable, search: string, limit: number): RawBuilder<unknown> {
  const { from, id, code, name, text, visible } = table;
  const phrase = searchable(search);
  const sameCode = sql`lower(${sql.ref(code)}) = ${phrase}`;
  const whole = sql`${text} ilike ${anywhere(` ${phrase} `)}`;
  const starts = all(wordsOf(search).map((word) => sql<SqlBool>`${text} ilike ${anywhere(` ${word}`)}`));
  const candidates = (tier: number, matches: RawBuilder<unknown>) => sql`
    (select ${sql.ref(id)} as id, ${sql.lit(tier)} as tier
       from ${from} where ${matches} and ${visible} limit ${CANDIDATES})`;
  const order = sql`(min(found.tier) = 0) desc, (lower(${sql.ref(name)}) = ${phrase}) desc, min(found.tier), length(${sql.ref(name)}), ${sql.ref(name)}, ${sql.ref(id)}`;
  return sql`
    select ${sql.ref(id)} as id, row_number() over (order by ${order}) as place
      from (${candidates(0, sameCode)} union all ${candidates(1, whole)} union all ${candidates(2, starts)}) found
      join ${from} on ${sql.ref(id)} = found.id
     group by ${sql.ref(id)}
     order by place limit ${limit}`;
}

/**
 * Matches inside words, in the form of `bestMatches`. Null when every word of the search is too short for that: then
 * each row would have to be read.
 */
export function matchesInside(table: SearchedTable, search: string, limit: number): RawBuilder<unknown> | null {
  const { from, id, name, text, visible } = table;
  const words = wordsOf(search);
  if (!words.some(hasTrigram)) return null;
  const matches = all(
    words.map((word) => sql<SqlBool>`${text} ilike ${anywhere(hasTrigram(word) ? word : ` ${word}`)}`),
  );
  return sql`
    select found.id, row_number() over (order by length(found.name), found.name, found.id) as place
      from (select ${sql.ref(id)} as id, ${sql.ref(name)} as name from ${from}
             where ${matches} and ${visible} limit ${CANDIDATES}) found
     order by place limit ${limit}`;
}

/** The words of a search, each once. Further ones are ignored, because each is compared with every candidate. */
function wordsOf(search: string): string[] {
  return [...new Set(searchable(search).split(' '))].slice(0, MAX_WORDS);
}

function hasTrigram(word: string): boolean {
  return word.split(/[^\p{L}\p{N}]+/u).some((part) => [...part].length >= TRIGRAM);
}

function all(conditions: readonly RawBuilder<SqlBool>[]): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${sql.join(conditions, sql` and `)})`;
}
