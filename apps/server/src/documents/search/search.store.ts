import type { Locale } from '@chargehand/contract';
import type { Levels, SearchTerm } from '@chargehand/domain';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { readable } from '../pages/pages.store.ts';

export interface FoundSection {
  documentId: number;
  locale: Locale;
  title: string;
  enabled: boolean;
  heading: string | null;
  anchor: string | null;
  text: string;
}

/**
 * Sections that are ranked at most: first ones, which have the title and the summary, and others. A query for one common
 * word finds nearly all, and ranking reads their words.
 */
const RANKED = { first: 400, others: 1_000 };
/** A reader of fewer documents searches their sections one by one. */
const FEW_DOCUMENTS = 300;
/** Words of the same keys that are compared at most. */
const CANDIDATES = 2_000;
/** How similar a heading must be to suggest it for a query that finds nothing (pg_trgm, 0 to 1). */
const SIMILAR = 0.3;

/**
 * Runs statements that find sections and words by their inverted indexes only. The planner has no statistics of rare
 * words: it expects one soon, and reads the whole table, which takes seconds when there is none.
 */
async function byIndex<T>(db: Kysely<Database>, run: (trx: Kysely<Database>) => Promise<T>): Promise<T> {
  return await db.transaction().execute(async (trx) => {
    // Until the end of the transaction; bitmap scans remain.
    await sql`select set_config('enable_seqscan', 'off', true), set_config('enable_indexscan', 'off', true)`.execute(
      trx,
    );
    return await run(trx);
  });
}

/** A term as a `tsquery`: the word or phrase itself, or, for a word, its English stem. */
function termQuery({ query, han, text }: SearchTerm): RawBuilder<unknown> {
  const own = sql`to_tsquery('simple', ${query})`;
  return han ? own : sql`(${own} || plainto_tsquery('english', ${text}))`;
}

/** A part of a search: its terms as they are, or the sounds of Chinese text, as a `tsquery`. */
export interface Wanted {
  terms: readonly SearchTerm[];
  sounds: string | null;
}

const exactly = ({ terms }: Wanted) => sql`(${sql.join(terms.map(termQuery), sql` && `)})`;
const soundsLike = ({ sounds }: Wanted) => sql`${sounds}::tsquery`;

/** The condition that a section `s` has a part of a search. */
function matches(wanted: Wanted): RawBuilder<SqlBool> {
  const exact = sql<SqlBool>`s.terms @@ ${exactly(wanted)}`;
  if (wanted.sounds === null) return exact;
  return wanted.terms.length === 0
    ? sql<SqlBool>`s.sounds @@ ${soundsLike(wanted)}`
    : sql<SqlBool>`(${exact} or s.sounds @@ ${soundsLike(wanted)})`;
}

/**
 * The best section of each text that a user may read and that contains all parts of a search. Hits in titles and
 * headings count more, and texts in the reader's language come before equally good ones in the other.
 */
export async function findSections(
  db: Kysely<Database>,
  viewer: { levels: Levels; locale: Locale },
  parts: readonly Wanted[],
  limit: number,
): Promise<FoundSection[]> {
  // Parts without sounds are one query, so that one pass over the index finds them.
  const [plain, sounded] = [
    parts.filter(({ sounds }) => sounds === null),
    parts.filter(({ sounds }) => sounds !== null),
  ];
  const together = plain.length === 0 ? [] : [{ terms: plain.flatMap(({ terms }) => terms), sounds: null }];
  // No index serves `is true`. Otherwise the planner reads the index of words once for each of a few documents.
  const few = await readsFew(db, viewer.levels);
  const conditions = [...together, ...sounded].map(matches).map((found) => (few ? sql`(${found}) is true` : found));
  // The title is in every section, but counts as a title only in the first one, which a title leads to.
  const rankOf = (column: string, query: RawBuilder<unknown>) => sql`
    ts_rank_cd(case when s.position = 0 then '{0.1, 0.2, 0.4, 1}' else '{0.1, 0.1, 0.4, 0.1}' end::float4[],
               ${sql.ref(column)}, ${query}, 1)`;
  const ranks = [
    ...together.map((one) => rankOf('s.terms', exactly(one))),
    ...sounded.map((one) => rankOf('s.sounds', soundsLike(one))),
  ];
  const among = (place: RawBuilder<SqlBool>, most: number) => sql`
      (select s.id, s.document_id, s.locale, s.position,
              (${sql.join(ranks, sql` + `)}) * case when s.locale = ${viewer.locale} then 1.2 else 1 end as rank
         from document_sections s join documents d on d.id = s.document_id
        where ${place} and ${sql.join(conditions, sql` and `)} and ${readable(viewer.levels)}
        limit ${most})`;
  const { rows } = await sql<FoundSection>`
    with hits as materialized (${among(sql`s.position = 0`, RANKED.first)}
                              union all ${among(sql`s.position > 0`, RANKED.others)}),
    best as (
      select distinct on (document_id, locale) id, document_id, locale, rank from hits
       order by document_id, locale, rank desc, position)
    select b.document_id as "documentId", b.locale, t.title, d.enabled, s.heading, s.anchor, s.text
      from (select * from best order by rank desc, document_id limit ${limit}) b
      join document_sections s on s.id = b.id
      join documents d on d.id = b.document_id
      join document_texts t on t.document_id = b.document_id and t.locale = b.locale
     order by b.rank desc, b.document_id`.execute(db);
  return rows;
}

async function readsFew(db: Kysely<Database>, levels: Levels): Promise<boolean> {
  const { rows } = await sql<{ few: boolean }>`
    select count(*) < ${FEW_DOCUMENTS} as few
      from (select from documents d where ${readable(levels)} limit ${FEW_DOCUMENTS}) readable_ones`.execute(db);
  return rows[0]!.few;
}

/** Which parts of a search are in any text that a user may read. */
export async function knownParts(db: Kysely<Database>, levels: Levels, parts: readonly Wanted[]): Promise<boolean[]> {
  const known = parts.map(
    (part) => sql`exists (
      select from document_sections s join documents d on d.id = s.document_id
       where ${matches(part)} and ${readable(levels)})`,
  );
  const read = sql<{ known: boolean[] }>`select array[${sql.join(known)}] as known`;
  return (await byIndex(db, (trx) => read.execute(trx))).rows[0]!.known;
}

/** Words of documents that have one of these keys. Some differ more than the keys allow. */
export async function wordsWithKeys(db: Kysely<Database>, keys: readonly string[]): Promise<string[]> {
  const read = sql<{ word: string }>`
    select word from document_words where keys && ${keys}::text[] limit ${CANDIDATES}`;
  return (await byIndex(db, (trx) => read.execute(trx))).rows.map(({ word }) => word);
}

/** The words that are in a text that a user may read, with the number of their sections up to `most`. */
export async function readableWords(
  db: Kysely<Database>,
  levels: Levels,
  words: readonly string[],
  most: number,
): Promise<Map<string, number>> {
  const read = sql<{ word: string; count: number }>`
    select w.word, f.count::int as count
      from unnest(${words}::text[]) as w (word),
           lateral (select count(*) from (
             select from document_sections s join documents d on d.id = s.document_id
              where s.terms @@ quote_literal(w.word)::tsquery and ${readable(levels)} limit ${most}) sections) f
     where f.count > 0`;
  const { rows } = await byIndex(db, (trx) => read.execute(trx));
  return new Map(rows.map(({ word, count }) => [word, count]));
}

/** A title or heading that is similar to a query with a typing error. */
export async function similarHeading(db: Kysely<Database>, levels: Levels, text: string): Promise<string | null> {
  return await db.transaction().execute(async (trx) => {
    // The index finds what is above this threshold, until the end of the transaction.
    await sql`select set_config('pg_trgm.word_similarity_threshold', ${String(SIMILAR)}, true)`.execute(trx);
    const { rows } = await sql<{ found: string }>`
      select found from (
        (select t.title as found, word_similarity(${text}, lower(t.title)) as likeness
           from document_texts t join documents d on d.id = t.document_id
          where ${text} <% lower(t.title) and ${readable(levels)} order by likeness desc limit 1)
        union all
        (select s.heading, word_similarity(${text}, lower(s.heading)) as likeness
           from document_sections s join documents d on d.id = s.document_id
          where s.heading is not null and ${text} <% lower(s.heading) and ${readable(levels)}
          order by likeness desc limit 1)) similar_ones
       order by likeness desc limit 1`.execute(trx);
    return rows[0]?.found ?? null;
  });
}
