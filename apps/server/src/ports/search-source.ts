import type { Locale, SearchHit, SearchKind } from '@chargehand/contract';
import type { Levels, Scope } from '@chargehand/domain';

/** Whose search it is. */
interface Searcher {
  scope: Scope;
  customerId: number;
  platformVendor: boolean;
  levels: Levels;
  locale: Locale;
}

/** One kind of row in the global search. The module that owns the rows provides it. */
export interface SearchSource {
  kind: SearchKind;
  /** the permissions to list and to open such a row: a caller without all of them does not find it */
  keys: readonly [string, ...string[]];
  /** Up to `limit` matches that the user may see, the best first. */
  find(searcher: Searcher, search: string, limit: number): Promise<SearchHit[]>;
}
