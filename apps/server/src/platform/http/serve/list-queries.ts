import { type MatchingRows, SELECTION_LIMIT } from '@chargehand/contract';
import { Problem } from '../problem.ts';

/** A list's order: the field to sort by, and whether it is descending. */
export interface ListOrder<F extends string> {
  by: F;
  descending: boolean;
}

/** Where a batch of a long list ended: the value it is ordered by, as text so that no digit is lost, and the id. */
export interface ListPosition {
  id: number;
  position: string;
}

/** The order of a `sort` parameter, such as `-name`; `fallback` when there is none. */
export function listOrder<F extends string>(
  sort: F | `-${F}` | undefined,
  fallback: NoInfer<F> | `-${NoInfer<F>}`,
): ListOrder<F> {
  const wanted: string = sort ?? fallback;
  return { by: wanted.replace(/^-/, '') as F, descending: wanted.startsWith('-') };
}

/** The rows of a requested page. */
export function pageOf(query: { page: number; pageSize: number }): { limit: number; offset: number } {
  return { limit: query.pageSize, offset: (query.page - 1) * query.pageSize };
}

/** The number of rows to read for `matchingRows`: one more than can be selected. */
export const MATCHING_ROWS_READ = SELECTION_LIMIT + 1;

/** All rows that match the filters of a list. @throws {Problem} selectionTooLarge */
export function matchingRows(rows: MatchingRows['items']): MatchingRows {
  if (rows.length < MATCHING_ROWS_READ) return { items: rows };
  throw new Problem('selectionTooLarge', { values: { max: SELECTION_LIMIT } });
}

/** The text to search for; blanks alone mean no search. */
export function searchOf(search: string | undefined): string | undefined {
  return search?.trim() || undefined;
}
