import type { SearchHit, SearchKind } from '@chargehand/contract';
import type { Scope } from '@chargehand/domain';

/** One kind of row in the global search. The module that owns the rows provides it. */
export interface SearchSource {
  kind: SearchKind;
  /** the permissions to list and to open such a row: a caller without all of them does not find it */
  keys: readonly [string, ...string[]];
  /** Up to `limit` matches in the scope, the best first. */
  find(scope: Scope, search: string, limit: number): Promise<SearchHit[]>;
}
