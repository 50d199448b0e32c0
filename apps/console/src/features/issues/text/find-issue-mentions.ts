import { call } from '../../../shared/api/client.ts';
import { findMentions, mention } from '../../../shared/ui/editor/suggestions/find-mentions.ts';
import type { FindSuggested } from '../../../shared/ui/editor/suggestions/suggestions.ts';
import { type IssueReaders, usersWhoSee } from '../shared/issue-readers.ts';

/**
 * What a text of an issue can mention: the users who can see the issue first, then devices, models, documents and codes.
 * No users until it is known what a new issue is about.
 */
export function issueMentions(readers: () => IssueReaders | null): FindSuggested {
  return async (query, signal) => {
    const [users, others] = await Promise.allSettled([
      usersOf(readers(), query.trim(), signal),
      findMentions(query, signal),
    ]);
    return [users, others].flatMap((found) => (found.status === 'fulfilled' ? found.value : []));
  };
}

async function usersOf(readers: IssueReaders | null, search: string, signal: AbortSignal) {
  if (readers === null) return [];
  const { items } = await call(...usersWhoSee(readers, search), { signal, quiet: true });
  return items.map(({ id, name, userName }) => mention('user', String(id), name, userName));
}
