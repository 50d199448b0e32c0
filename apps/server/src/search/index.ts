import { declareRoom } from '../platform/rooms/assemble.ts';
import type { SearchSource } from '../ports/search-source.ts';
import { searchRoutes } from './search.routes.ts';
import { searchService } from './search.service.ts';

declare module '../platform/rooms/assemble.ts' {
  interface Parts {
    fleetSearch: readonly SearchSource[];
    userSearch: SearchSource;
    documentSearch: SearchSource;
    issueSearch: SearchSource;
  }
}

/** The global search. Each module provides the kinds of row that it owns. */
export const search = declareRoom({
  name: 'search',
  needs: ['fleetSearch', 'userSearch', 'documentSearch', 'issueSearch'],
  open({ fleetSearch, userSearch, documentSearch, issueSearch }) {
    const service = searchService([...fleetSearch, userSearch, documentSearch, issueSearch]);
    return { routes: (app) => searchRoutes(app, service) };
  },
});
