import { call } from '../../../shared/api/client.ts';
import { findMentions, mention } from '../../../shared/ui/editor/suggestions/find-mentions.ts';
import type { FindSuggested } from '../../../shared/ui/editor/suggestions/suggestions.ts';

/** What a text of an issue can mention: the users who see the issue first, then devices, models, documents and codes. */
export function issueMentions(issueId: number | null): FindSuggested {
  return async (query, signal) => {
    const search = query.trim();
    const [users, others] = await Promise.allSettled([
      issueId === null ? [] : usersOf(issueId, search, signal),
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
