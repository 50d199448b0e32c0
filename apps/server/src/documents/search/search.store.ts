import type { Locale } from '@chargehand/contract';
import type { SearchTerm } from '@chargehand/domain';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { type Reader, readable } from '../pages/pages.store.ts';

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
const RANKED = { first: 300, others: 500 };
/** For a reader of fewer documents, the index of documents limits what is searched. */
const FEW_DOCUMENTS = 300;
/** Words of the same keys that are compared at most. */
const CANDIDATES = 2_000;
/** How similar a heading must be to suggest it for a query that finds nothing (pg_trgm, 0 to 1). */
const SIMILAR = 0.3;

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

/** A search: its transaction, and who searches. */
export interface Search {
  db: Kysely<Database>;
  reader: Reader;
  locale: Locale;
  /** the ids of all documents that the user may read; null when there are many */
  few: readonly number[] | null;
}

/**
 * Runs the queries of a search in one transaction, in which sections and words are found by their inverted indexes only.
 * The planner has no statistics of rare words: it expects one soon, and reads the whole table, which takes seconds when
 * there is none.
 */
export async function withSearch<T>(
  db: Kysely<Database>,
  searcher: Reader & { locale: Locale },
  run: (search: Search) => Promise<T>,
): Promise<T> {
  return await db.transaction().execute(async (trx) => {
    // Until the end of the transaction; bitmap scans remain.
    const { rows } = await sql<{ ids: number[] }>`
      select set_config('enable_seqscan', 'off', true), set_config('enable_indexscan', 'off', true),
             array(select d.id from documents d where ${readable(searcher)} limit ${FEW_DOCUMENTS}) as ids`.execute(
      trx,
    );
    const { ids } = rows[0]!;
    return await run({
      db: trx,
      reader: searcher,
      locale: searcher.locale,
      few: ids.length < FEW_DOCUMENTS ? ids : null,
    });
  });
}

/**
 * The best section of each document that a user may read and that contains all parts of a search, in the reader's
 * language if it has one. Hits in titles and headings count more. Documents in the reader's language come first.
 * @param ranked the number of first sections and of others among which the best are chosen
 */
export async function findSections(
  { db, reader, locale, few }: Search,
  parts: readonly Wanted[],
  limit: number,
  ranked = RANKED,
): Promise<FoundSection[]> {
  // Parts without sounds are one query, so that one pass over the index finds them.
  const [plain, sounded] = [
    parts.filter(({ sounds }) => sounds === null),
    parts.filter(({ sounds }) => sounds !== null),
  ];
  const together = plain.length === 0 ? [] : [{ terms: plain.flatMap(({ terms }) => terms), sounds: null }];
  const conditions = [...together, ...sounded].map(matches);
  // The title is in every section, but counts as a title only in the first one, which a title leads to.
  const rankOf = (column: string, query: RawBuilder<unknown>) => sql`
    ts_rank_cd(case when s.position = 0 then '{0.1, 0.2, 0.4, 1}' else '{0.1, 0.1, 0.4, 0.1}' end::float4[],
               ${sql.ref(column)}, ${query}, 1)`;
  const ranks = [
    ...together.map((one) => rankOf('s.terms', exactly(one))),
    ...sounded.map((one) => rankOf('s.sounds', soundsLike(one))),
  ];
  // With the ids of a few documents, the index of documents also limits what is read.
  const among = (place: RawBuilder<SqlBool>, most: number) => sql`
      (select s.id, s.document_id, s.locale, s.position,
              (${sql.join(ranks, sql` + `)}) as rank
         from document_sections s join readable_ones r on r.id = s.document_id
        where ${place} and ${sql.join(conditions, sql` and `)}
              ${few === null ? sql`` : sql`and s.document_id = any(${[...few]}::int[])`}
        limit ${most})`;
  const { rows } = await sql<FoundSection>`
    with readable_ones as materialized (select d.id from documents d where ${readable(reader)}),
    hits as materialized (${among(sql`s.position = 0`, ranked.first)}
                          union all ${among(sql`s.position > 0`, ranked.others)}),
    best as (
      select distinct on (document_id) id, document_id, locale, locale = ${locale} as own, rank from hits
       order by document_id, locale = ${locale} desc, rank desc, position)
    select b.document_id as "documentId", b.locale, t.title, d.enabled, s.heading, s.anchor, s.text
      from (select * from best order by own desc, rank desc, document_id limit ${limit}) b
      join document_sections s on s.id = b.id
      join documents d on d.id = b.document_id
      join document_texts t on t.document_id = b.document_id and t.locale = b.locale
     order by b.own desc, b.rank desc, b.document_id`.execute(db);
  return rows;
}

/** Which parts of a search are in any text that the user may read. */
export async function knownParts({ db, reader }: Search, parts: readonly Wanted[]): Promise<boolean[]> {
  const known = parts.map(
    (part) => sql`exists (
      select from document_sections s join documents d on d.id = s.document_id
       where ${matches(part)} and ${readable(reader)})`,
  );
  const { rows } = await sql<{ known: boolean[] }>`select array[${sql.join(known)}] as known`.execute(db);
  return rows[0]!.known;
}

/** Words of documents that have one of these keys. Some differ more than the keys allow. */
export async function wordsWithKeys({ db }: Search, keys: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ word: string }>`
    select word from document_words where keys && ${keys}::text[] limit ${CANDIDATES}`.execute(db);
  return rows.map(({ word }) => word);
}

/** The words that are in a text that the user may read, with the number of their sections up to `most`. */
export async function readableWords(
  { db, reader }: Search,
  words: readonly string[],
  most: number,
): Promise<Map<string, number>> {
  const { rows } = await sql<{ word: string; count: number }>`
    select w.word, f.count::int as count
      from unnest(${words}::text[]) as w (word),
           lateral (select count(*) from (
             select from document_sections s join documents d on d.id = s.document_id
              where s.terms @@ quote_literal(w.word)::tsquery and ${readable(reader)} limit ${most}) sections) f
     where f.count > 0`.execute(db);
  return new Map(rows.map(({ word, count }) => [word, count]));
}

/** A title or heading that is similar to a query with a typing error. */
export async function similarHeading({ db, reader }: Search, text: string): Promise<string | null> {
  // The index finds what is above this threshold, until the end of the transaction.
  await sql`select set_config('pg_trgm.word_similarity_threshold', ${String(SIMILAR)}, true)`.execute(db);
  const { rows } = await sql<{ found: string }>`
    select found from (
      (select t.title as found, word_similarity(${text}, lower(t.title)) as likeness
         from document_texts t join documents d on d.id = t.document_id
        where ${text} <% lower(t.title) and ${readable(reader)} order by likeness desc limit 1)
      union all
      (select s.heading, word_similarity(${text}, lower(s.heading)) as likeness
         from document_sections s join documents d on d.id = s.document_id
        where s.heading is not null and ${text} <% lower(s.heading) and ${readable(reader)}
        order by likeness desc limit 1)) similar_ones
     order by likeness desc limit 1`.execute(db);
  return rows[0]?.found ?? null;
}
