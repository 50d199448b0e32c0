import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { SearchSource } from '../../ports/search-source.ts';
import { findIssues } from './issues.store.ts';

/** Issues in the global search: by key and by the text that their list searches, open ones first. */
export function issueSearch(db: Kysely<Database>): SearchSource {
  return {
    kind: 'issue',
    keys: ['auth_issue_list', 'auth_issue_detail'],
    find: async ({ scope }, search, limit) => {
      const issues = await findIssues(db, scope, search, limit);
      return issues.map(({ id, key, title, closed, within }) => ({
        ...{ id, name: title, code: key, within, enabled: !closed, status: null },
        ...(closed && { issueClosed: true }),
      }));
    },
  };
}
