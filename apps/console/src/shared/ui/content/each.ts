import type { ReactNode } from 'react';

/**
 * Shows each item of a list with its position as the key. A content never changes in place, so a position is as good as
 * an ID.
 */
export function each<T>(
  items: readonly T[] | undefined,
  show: (item: T, key: number) => ReactNode,
): ReactNode[] | undefined {
  return items?.map(show);
}
