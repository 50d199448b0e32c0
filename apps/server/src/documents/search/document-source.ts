import type { SearchHit } from '@chargehand/contract';
import { searchTerms } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { SearchSource } from '../../ports/search-source.ts';
import { findTerms } from './search.service.ts';
import { withSearch } from './search.store.ts';

/** Documents in the global search, each once, in the language in which it fits best. */
export function documentSource(db: Kysely<Database>): SearchSource {
  return {
    kind: 'document',
    keys: ['auth_docs_search', 'auth_docs_detail'],
    async find(searcher, search, limit) {
      const terms = searchTerms(search);
      if (terms.length === 0) return [];
      const hits = new Map<number, SearchHit>();
      // A document may be found in both languages.
      const found = await withSearch(db, searcher, (search) => findTerms(search, terms, 2 * limit));
      for (const { section } of found) {
        const { documentId, locale, title, heading, anchor, enabled } = section;
        if (hits.has(documentId)) continue;
        hits.set(documentId, {
          ...{ id: documentId, name: title, code: '', within: heading === null ? [] : [heading], enabled },
          ...{ status: null, section: { locale, anchor } },
        });
      }
      return [...hits.values()].slice(0, limit);
    },
  };
}
