import { call } from '../../../shared/api/client.ts';
import { queryClient, refresh } from '../../../shared/api/query.ts';

interface Marks {
  read?: boolean;
  processed?: boolean;
}

/** Marks some messages, or all of them up to a time. @throws ApiProblem */
export async function markMessages(which: { ids: number[] } | { until: string | undefined }, marks: Marks) {
  const counts = await call('markInbox', { body: { ...which, ...marks } });
  queryClient.setQueryData(['countInbox', {}], counts);
  await refresh('listInbox');
}

/** Marks a message as read because its object was opened. The message stays unread when that fails. */
export function markOpened({ id, readAt }: { id: number; readAt: string | null }): void {
  if (readAt !== null) return;
  markMessages({ ids: [id] }, { read: true }).catch((error: unknown) => {
    console.warn('The message could not be marked as read', error);
  });
}
