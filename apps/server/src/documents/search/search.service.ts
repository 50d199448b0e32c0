import type { AnswerOf, DocumentHit, documentEndpoints, QueryOf } from '@chargehand/contract';
import { foldSearch, searchTerms } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { excerptOf } from './excerpt.ts';
import { findSections, similarHeading } from './search.store.ts';

type Endpoint = (typeof documentEndpoints)['searchDocuments'];

/** Searches the texts that a user may read, the best section of each language of a document first. */
export async function searchDocuments(
  db: Kysely<Database>,
  caller: Pick<Caller, 'levels' | 'locale'>,
  { search, limit }: QueryOf<Endpoint>,
): Promise<AnswerOf<Endpoint>> {
  const terms = searchTerms(search);
  if (terms.length === 0) return { items: [], suggestion: null };
  const sections = await findSections(db, caller, terms, limit);
  const items = sections.map(({ documentId, locale, title, heading, anchor, text }): DocumentHit => {
    // The first section starts with the title, which the hit has already.
    const below = text.startsWith(`${title}\n`) ? text.slice(title.length + 1) : text;
    const { excerpt, marks } = excerptOf(below, terms);
    return { documentId, locale, title, heading, anchor, excerpt, marks };
  });
  const suggestion = items.length > 0 ? null : await similarHeading(db, caller.levels, foldSearch(search));
  return { items, suggestion };
}
