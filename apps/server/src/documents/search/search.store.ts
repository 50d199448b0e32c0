import type { Locale } from '@chargehand/contract';
import type { Levels, SearchTerm } from '@chargehand/domain';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { readable } from '../pages/pages.store.ts';

export interface FoundSection {
  documentId: number;
  locale: Locale;
  title: string;
  heading: string | null;
  anchor: string | null;
  text: string;
}

/** Sections that are ranked at most; a query for one common word finds nearly all. */
const RANKED = 2_000;
/** How similar a heading must be to suggest it for a query that finds nothing (pg_trgm, 0 to 1). */
const SIMILAR = 0.3;

/** A term as a `tsquery`: the word or phrase itself, or, for a word, its English stem. */
function termQuery({ query, han, text }: SearchTerm): RawBuilder<unknown> {
  const own = sql`to_tsquery('simple', ${query})`;
  return han ? own : sql`(${own} || plainto_tsquery('english', ${text}))`;
}

/**
 * The best section of each text that a user may read and that contains all terms. Hits in titles and headings count
 * more, and texts in the reader's language come before equally good ones in the other.
 */
export async function findSections(
  db: Kysely<Database>,
  viewer: { levels: Levels; locale: Locale },
  terms: readonly SearchTerm[],
  limit: number,
): Promise<FoundSection[]> {
  const query = sql.join(terms.map(termQuery), sql` && `);
  const { rows } = await sql<FoundSection>`
    with q as materialized (select ${query} as query),
    hits as materialized (
      select s.id, s.document_id, s.locale, s.position,
             ts_rank_cd(s.terms, q.query, 1) * case when s.position = 0 then 4 when s.heading is null then 1 else 1.5 end
               * case when s.locale = ${viewer.locale} then 1.2 else 1 end as rank
        from q, document_sections s join documents d on d.id = s.document_id
       where s.terms @@ q.query and ${readable(viewer.levels)}
       limit ${RANKED}),
    best as (
      select distinct on (document_id, locale) id, document_id, locale, rank from hits
       order by document_id, locale, rank desc, position)
    select b.document_id as "documentId", b.locale, t.title, s.heading, s.anchor, s.text
      from (select * from best order by rank desc, document_id limit ${limit}) b
      join document_sections s on s.id = b.id
      join document_texts t on t.document_id = b.document_id and t.locale = b.locale
     order by b.rank desc, b.document_id`.execute(db);
  return rows;
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
