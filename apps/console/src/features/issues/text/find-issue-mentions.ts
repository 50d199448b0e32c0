import { call } from '../../../shared/api/client.ts';
import { findMentions, mention } from '../../../shared/ui/editor/suggestions/find-mentions.ts';
import type { FindSuggested } from '../../../shared/ui/editor/suggestions/suggestions.ts';

/**
 * What a text of an issue can mention: the users who see the issue first, then devices, models, documents and codes. For
 * a new issue, users whom the author may list; the server notifies those who can see the issue.
 */
export function issueMentions(issueId: number | null, listsUsers: boolean): FindSuggested {
  return async (query, signal) => {
    const search = query.trim();
    const [users, others] = await Promise.allSettled([
      issueId !== null ? usersOf(issueId, search, signal) : listsUsers ? anyUsers(search, signal) : [],
      findMentions(query, signal),
    ]);
    return [users, others].flatMap((found) => (found.status === 'fulfilled' ? found.value : []));
  };
}

async function usersOf(issueId: number, search: string, signal: AbortSignal) {
  const { items } = await call(
    'listIssueUsers',
    { params: { id: issueId }, query: search === '' ? {} : { search } },
    { signal, quiet: true },
  );
  return items.map(({ id, name, userName }) => mention('user', String(id), name, userName));
}

async function anyUsers(search: string, signal: AbortSignal) {
  const { items } = await call(
    'listUsers',
    { query: { page: 1, pageSize: 20, sort: 'userName', search: search || undefined, status: 'enabled' } },
    { signal, quiet: true },
  );
  return items.map(({ id, nickName, userName }) => mention('user', String(id), nickName || userName, userName));
}
