import type { Answer, InputOf } from '../../shared/api/client.ts';

type Page = Answer<'listExecutions'>;

/**
 * Merges the latest executions of a device into the first page of its list; further executions of the page are kept.
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
