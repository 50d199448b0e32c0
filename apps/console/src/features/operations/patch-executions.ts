import type { Answer, InputOf } from '../../shared/api/client.ts';

type Page = Answer<'listExecutions'>;

/**
 * Puts the newest executions of a device into the first page of its executions; what the page shows beyond them stays.
 * Null for other pages and orders.
 */
export function withNewestExecutions(
  page: Page,
  newest: Page,
  { page: number = 1, pageSize = 20, sort = '-queuedAt' }: Partial<NonNullable<InputOf<'listExecutions'>['query']>>,
): Page | null {
  if (number !== 1 || sort !== '-queuedAt') return null;
  const sent = new Set(newest.items.map(({ id }) => id));
  const older = newest.items.length < newest.total ? page.items.filter(({ id }) => !sent.has(id)) : [];
  return { total: newest.total, items: [...newest.items, ...older].slice(0, pageSize) };
}
