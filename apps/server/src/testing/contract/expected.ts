import { CODES, type Endpoint, levelsNeeded, type OwnLevels, ROW_TYPES, type RowPolicy } from '@chargehand/contract';
import { levelsAll, type ModelLevels, meets } from '@chargehand/domain';

/** The levels of the model of the test data's devices, which are the defaults for new models. */
const WORLD_MODEL: ModelLevels = { parameterRead: 5, parameterWrite: 3, control: 4 };

/** The levels of the test data's documents. */
const WORLD_DOCUMENT: OwnLevels = { area: 'wiki', read: 5, write: 3, download: 5 };

const denied = CODES.noPermission.code;

/** The codes that a policy gives to callers whose menus include the endpoint; undefined when it does not matter. */
export interface Expected {
  /** who may use the endpoint besides the menus */
  who: 'vendor' | 'root' | undefined;
  /** on a row of another customer */
  outOfScope: number | undefined;
  /** on a row of the own customer at a site that is not assigned */
  assignedElsewhere: number | undefined;
  /** on a row at an assigned site */
  assignedSites: number | undefined;
  /** with level 5 in every area */
  leastLevel: number | undefined;
}

/** What users see for their customer as a whole, also with assigned sites. */
const OF_CUSTOMER: ReadonlySet<string> = new Set(['customer', 'document']);

/** The results that the authorization matrix expects of an endpoint, derived from its policy. */
export function expectedOf({ policy }: Endpoint): Expected {
  const none = { outOfScope: undefined, assignedElsewhere: undefined, assignedSites: undefined, leastLevel: undefined };
  if (policy.route === 'public') return { ...none, who: undefined };
  const { who } = policy;
  // Users of the vendor and root accounts see every row.
  if (who) return { ...none, who };
  const row = namedRow(policy.row);
  if (isEach(policy.row)) return { ...none, who };
  const needed = levelsNeeded(policy.level, WORLD_MODEL, null, WORLD_DOCUMENT) ?? [];
  const outOfScope = row ? CODES[row.outside ?? 'notFound'].code : undefined;
  return {
    who,
    outOfScope,
    assignedElsewhere: row && OF_CUSTOMER.has(ROW_TYPES[row.object]) ? (row.whole ? denied : 0) : outOfScope,
    // A share may be of any site, so users with assigned sites see only their own shares.
    assignedSites: row?.object === 'share' ? outOfScope : row?.whole ? denied : undefined,
    leastLevel: meets(levelsAll(5), needed) ? undefined : denied,
  };
}

function isEach(row: string | RowPolicy): boolean {
  return typeof row === 'object' && row.each === true;
}

function namedRow(row: string | RowPolicy): RowPolicy | undefined {
  return typeof row === 'object' && !row.each ? row : undefined;
}
