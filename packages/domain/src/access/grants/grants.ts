import {
  LEVEL_AREAS,
  LEVEL_VERBS,
  type Level,
  type Levels,
  levelSuffices,
  meets,
  type RequiredLevel,
} from '../levels.ts';
import { CUSTOMER_ACCESS, SITE_ACCESS } from '../scope.ts';

/** Web and SSH access of a role (spec §6). */
export const REMOTE_ACCESS = { disabled: 0, rootOnly: 1, webAdminOnly: 2, webEngineerOnly: 3 } as const;

/** Everything that a role gives to who holds it; root holds the greatest of each and every key. */
export interface Holding {
  root: boolean;
  customerAccess: number;
  siteAccess: number;
  remoteAccess: number;
  levels: Levels;
  keys: ReadonlySet<string>;
}

/** What one of two holdings may give beyond the other. */
export type Excess = 'customerAccess' | 'siteAccess' | 'remoteAccess' | 'levels' | 'keys';

/**
 * What of `wanted` goes beyond what `holder` holds themselves; empty when they may grant all of it. An access that
 * names rows one by one is in itself no right: which rows are assigned is checked where they are assigned.
 */
export function excessOf(holder: Holding, wanted: Omit<Holding, 'root'>): Excess[] {
  if (holder.root) return [];
  const excess: Excess[] = [];
  if (wanted.customerAccess === CUSTOMER_ACCESS.all && holder.customerAccess !== CUSTOMER_ACCESS.all) {
    excess.push('customerAccess');
  }
  if (wanted.siteAccess === SITE_ACCESS.all && holder.siteAccess !== SITE_ACCESS.all) excess.push('siteAccess');
  if (REMOTE_RANK[wanted.remoteAccess]! > REMOTE_RANK[holder.remoteAccess]!) excess.push('remoteAccess');
  const below = LEVEL_AREAS.every((area) =>
    LEVEL_VERBS.every((verb) => levelSuffices(holder.levels[area][verb], wanted.levels[area][verb])),
  );
  if (!below) excess.push('levels');
  if ([...wanted.keys].some((key) => !holder.keys.has(key))) excess.push('keys');
  return excess;
}

/** How far each remote access reaches on a device: nothing, an engineer's pages, an administrator's pages, a shell. */
const REMOTE_RANK: Record<number, number> = {
  [REMOTE_ACCESS.disabled]: 0,
  [REMOTE_ACCESS.webEngineerOnly]: 1,
  [REMOTE_ACCESS.webAdminOnly]: 2,
  [REMOTE_ACCESS.rootOnly]: 3,
};

/** What reading, changing and taking away lists of people asks of a role in the area `user`. */
export const USER_LEVELS = { read: 5, write: 4, download: 4 } as const satisfies Record<string, Level>;

/** What changing users asks of a role. */
export const USER_EDIT_LEVELS: readonly RequiredLevel[] = [
  { area: 'user', verb: 'read', level: USER_LEVELS.read },
  { area: 'user', verb: 'write', level: USER_LEVELS.write },
];

/** True when a role's level lets its holder change users and what they may see. */
export function mayEditUsers(levels: Levels): boolean {
  return meets(levels, USER_EDIT_LEVELS);
}

/** What taking lists of people, of roles and of what people did away as a file asks of a role. */
export const USER_DOWNLOAD_LEVELS: readonly RequiredLevel[] = [
  { area: 'user', verb: 'read', level: USER_LEVELS.read },
  { area: 'user', verb: 'download', level: USER_LEVELS.download },
];

/** True when somebody's levels let them take such lists away. */
export function mayDownloadUsers(levels: Levels): boolean {
  return meets(levels, USER_DOWNLOAD_LEVELS);
}

/** A key together with the keys above it: who is given a page is given the way to it. */
export function withParents(keys: Iterable<string>, parentOf: (key: string) => string | null): Set<string> {
  const all = new Set<string>();
  for (const key of keys) {
    for (let one: string | null = key; one !== null && !all.has(one); one = parentOf(one)) all.add(one);
  }
  return all;
}
