import { call } from '../../../shared/api/client.ts';
import { queryClient, refresh } from '../../../shared/api/query.ts';
import { useUser } from '../../../shared/session/use-user.ts';

interface Marks {
  read?: boolean;
  processed?: boolean;
}

/** When the latest of some messages was updated; null without messages. */
export function newestOf(messages: readonly { updatedAt: string }[]): string | null {
  return messages.reduce<string | null>((newest, { updatedAt }) => {
    return newest === null || updatedAt > newest ? updatedAt : newest;
  }, null);
}

/** Marks some messages, or all of them up to a time. @throws ApiProblem */
export async function markMessages(which: { ids: number[] } | { until: string | undefined }, marks: Marks) {
  const counts = await call('markInbox', { body: { ...which, ...marks } });
  queryClient.setQueryData(['countInbox', {}], counts);
  await refresh('listInbox');
}

/**
 * Marks a message as read because its object was opened. The message stays unread when that fails, and when a root
 * account views the messages of another user.
 */
export function useMarkOpened(): (message: { id: number; readAt: string | null }) => void {
  const { viewing } = useUser().info;
  return ({ id, readAt }) => {
    if (viewing !== null || readAt !== null) return;
    markMessages({ ids: [id] }, { read: true }).catch((error: unknown) => {
      console.warn('The message could not be marked as read', error);
    });
  };
}
