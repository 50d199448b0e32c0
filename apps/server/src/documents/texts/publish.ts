import type { Locale } from '@chargehand/contract';
import { type DocumentContent, filesOf, indexedTerms, sectionsOf } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import { linkFiles } from '../../attachments/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';

/** The user who publishes a text, whose files its readers may read; without an id it is a part of the product. */
type Author =
  | Pick<Caller, 'userId' | 'userName' | 'scope' | 'customerId' | 'levels'>
  | { userId: null; userName: string };

/** A version of one language that becomes the current one. */
export interface PublishedText {
  id: number;
  locale: Locale;
  version: number;
  title: string;
  description: string;
  body: DocumentContent;
  follows: number | null;
  restored: number | null;
}

/**
 * Stores a version, makes it the current text and replaces its rows in the search index. The caller holds the lock of
 * the document.
 */
export async function publishText(trx: Kysely<Database>, author: Author, text: PublishedText): Promise<void> {
  const { id, locale, version, title, description, body, follows, restored } = text;
  const json = JSON.stringify(body);
  await sql`
    with kept as (
      insert into document_versions
        (document_id, locale, version, title, description, body, restored, created_by, created_by_name)
      values (${id}, ${locale}, ${version}, ${title}, ${description}, ${json}::jsonb, ${restored}::int,
              ${author.userId}::int, ${author.userName})),
    current as (
      insert into document_texts (document_id, locale, version, title, description, body, follows, updated_by_name)
      values (${id}, ${locale}, ${version}, ${title}, ${description}, ${json}::jsonb, ${follows}::int, ${author.userName})
      on conflict (document_id, locale) do update
         set version = excluded.version, title = excluded.title, description = excluded.description,
             body = excluded.body, follows = excluded.follows, updated_at = now(),
             updated_by_name = excluded.updated_by_name)
    update documents set updated_at = now(), updated_by_name = ${author.userName} where id = ${id}`.execute(trx);
  await indexText(trx, text);
  if (author.userId !== null) await linkFiles(trx, author, 'document', id, filesOf(body));
}

/** The rows of a text in the search index: one for each heading. The first one has the title and the summary. */
export function sectionRows({ title, description, body }: Pick<PublishedText, 'title' | 'description' | 'body'>) {
  const sections = [{ heading: null, text: `${title}\n${description}`.trim() }, ...sectionsOf(body)];
  return sections.map(({ heading, text }, position) => {
    const words = `${heading?.text ?? ''}\n${text}`;
    const place = { position, heading: heading?.text ?? null, anchor: heading?.anchor ?? null };
    return { ...place, text, words, terms: indexedTerms(words) };
  });
}

/** Replaces the rows of a text in the search index. */
async function indexText(
  trx: Kysely<Database>,
  { id, locale, ...text }: Omit<PublishedText, 'version' | 'follows' | 'restored'>,
): Promise<void> {
  await sql`delete from document_sections where document_id = ${id} and locale = ${locale}`.execute(trx);
  const rows = sectionRows(text);
  const headings = rows.map(({ heading }) => heading);
  const anchors = rows.map(({ anchor }) => anchor);
  const texts = rows.map((row) => row.text);
  const terms = rows.map((row) => row.terms);
  const words = rows.map((row) => row.words);
  await sql`
    insert into document_sections (document_id, locale, position, heading, anchor, text, terms)
    select ${id}, ${locale}, s.position - 1, s.heading, s.anchor, s.text,
           to_tsvector('simple', s.terms) || to_tsvector('english', s.words)
      from unnest(${headings}::text[], ${anchors}::text[], ${texts}::text[], ${terms}::text[], ${words}::text[])
           with ordinality as s (heading, anchor, text, terms, words, position)`.execute(trx);
}
