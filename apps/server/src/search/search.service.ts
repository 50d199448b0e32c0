import type { QueryOf, ResultOf, SearchGroup, searchEndpoints } from '@chargehand/contract';
import { permits } from '@chargehand/domain';
import type { Caller } from '../platform/http/caller.ts';
import { searchOf } from '../platform/http/serve/list-queries.ts';
import type { SearchSource } from '../ports/search-source.ts';

type Search = typeof searchEndpoints.search;

export type SearchService = ReturnType<typeof searchService>;

/** Searches the rows of all modules. */
export function searchService(sources: readonly SearchSource[]) {
  return {
    /**
     * The matches of each kind that the caller may list and open; kinds without a match are left out. The kinds are
     * read one after the other, so that a search uses one database connection, and not at all once the caller has
     * `left`: a user who types on cancels the request.
     */
    async find(caller: Caller, query: QueryOf<Search>, left: () => boolean): Promise<ResultOf<Search>> {
      const search = searchOf(query.search);
      const groups: SearchGroup[] = [];
      if (search === undefined) return { groups };
      for (const { kind, keys, find } of sources) {
        if (left() || !permits(caller, keys, 'and')) continue;
        const found = await find(caller, search, query.limit + 1);
        if (found.length === 0) continue;
        groups.push({ kind, items: found.slice(0, query.limit), more: found.length > query.limit });
      }
      return { groups };
    },
  };
}
