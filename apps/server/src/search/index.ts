import type { Room } from '../platform/room.ts';
import type { SearchSource } from '../ports/search-source.ts';
import { searchRoutes } from './search.routes.ts';
import { searchService } from './search.service.ts';

/** The global search. Each module provides the kinds of row that it owns. */
export function searchRoom(parts: { sources: readonly SearchSource[] }): Room {
  const search = searchService(parts.sources);
  return { name: 'search', routes: (app) => searchRoutes(app, search) };
}
