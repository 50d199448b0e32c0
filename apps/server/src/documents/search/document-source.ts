import type { SearchHit } from '@chargehand/contract';
import { searchTerms } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { SearchSource } from '../../ports/search-source.ts';
import { findAsked } from './search.service.ts';
import { withSearch } from './search.store.ts';

/** Documents in the global search, each once, in the language of the reader if it has one. */
export function documentSource(db: Kysely<Database>): SearchSource {
  return {
    kind: 'document',
    keys: ['auth_docs_search', 'auth_docs_detail'],
    async find(searcher, search, limit) {
      if (searchTerms(search).length === 0) return [];
      const { found } = await withSearch(db, searcher, (one) => findAsked(one, search, limit));
      return found.map(
        ({ section: { documentId, locale, title, heading, anchor, enabled } }): SearchHit => ({
          ...{ id: documentId, name: title, code: '', within: heading === null ? [] : [heading], enabled },
          ...{ status: null, section: { locale, anchor } },
        }),
      );
    },
  };
}
