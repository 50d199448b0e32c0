/** A page, or a gap that jumps over some pages. */
export type PageNumber = number | 'back' | 'on';

/** How many pages a gap jumps over. */
export const JUMP = 5;

/** What a pager shows for a list of pages: both ends, the current page with its neighbors, and the gaps between them. */
export function pageNumbers(current: number, last: number): PageNumber[] {
  if (last <= 7) return Array.from({ length: last }, (_, index) => index + 1);
  // Near an end, as many pages as elsewhere, so that the buttons stay in place.
  const from = Math.min(Math.max(current - 1, 2), last - 3);
  const to = Math.max(Math.min(current + 1, last - 1), 4);
  const middle: PageNumber[] = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  return [1, ...(from > 2 ? (['back'] as const) : []), ...middle, ...(to < last - 1 ? (['on'] as const) : []), last];
}
