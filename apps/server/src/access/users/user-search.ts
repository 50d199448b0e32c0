import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { SearchSource } from '../../ports/search-source.ts';
import { searchUsers } from './users.store.ts';

/** Users in the global search. */
export function userSearch(db: Kysely<Database>): SearchSource {
  return {
    kind: 'user',
    keys: ['auth_user_list', 'auth_user_detail'],
    find: async ({ scope }, search, limit) => {
      const users = await searchUsers(scope, db, search, limit);
      return users.map(({ id, userName, nickName, customerName, enabled }) => ({
        ...{ id, enabled, status: null, code: userName, name: nickName || userName },
        within: [customerName],
      }));
    },
  };
}
