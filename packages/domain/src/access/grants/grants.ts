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

/** Everything that a role grants. Root has the maximum of each and every key. */
export interface Holding {
  root: boolean;
  customerAccess: number;
  siteAccess: number;
  remoteAccess: number;
  levels: Levels;
  keys: ReadonlySet<string>;
}

/** The rights that one holding has and another does not. */
export type Excess = 'customerAccess' | 'siteAccess' | 'remoteAccess' | 'levels' | 'keys';

/**
 * The part of `wanted` that exceeds the rights of `holder`; empty when the holder may grant all of it. An access that
 * names single rows is not a right by itself: the assigned rows are checked when they are assigned.
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

/**
 * The part of `wanted` that the holder may grant: every right that exceeds the holder's is reduced to the holder's own.
 */
export function limitedTo(holder: Holding, wanted: Omit<Holding, 'root'>): Omit<Holding, 'root'> {
  if (holder.root) return wanted;
  const excess = new Set(excessOf(holder, wanted));
  const own = <K extends 'customerAccess' | 'siteAccess' | 'remoteAccess'>(field: K) =>
    excess.has(field) ? holder[field] : wanted[field];
  const areas = LEVEL_AREAS.map((area) => {
    const verbs = LEVEL_VERBS.map((verb) => [verb, Math.max(holder.levels[area][verb], wanted.levels[area][verb])]);
    return [area, Object.fromEntries(verbs)];
  });
  return {
    customerAccess: own('customerAccess'),
    siteAccess: own('siteAccess'),
    remoteAccess: own('remoteAccess'),
    levels: Object.fromEntries(areas) as Levels,
    keys: new Set([...wanted.keys].filter((key) => holder.keys.has(key))),
  };
}

/** The ranks of remote access to a device: none, the engineer's pages, the administrator's pages, a shell. */
const REMOTE_RANK: Record<number, number> = {
  [REMOTE_ACCESS.disabled]: 0,
  [REMOTE_ACCESS.webEngineerOnly]: 1,
  [REMOTE_ACCESS.webAdminOnly]: 2,
  [REMOTE_ACCESS.rootOnly]: 3,
};

/** The levels in the area `user` that reading, changing and downloading users require. */
export const USER_LEVELS = { read: 5, write: 4, download: 4 } as const satisfies Record<string, Level>;

/** The levels that changing users requires. */
export const USER_EDIT_LEVELS: readonly RequiredLevel[] = [
  { area: 'user', verb: 'read', level: USER_LEVELS.read },
  { area: 'user', verb: 'write', level: USER_LEVELS.write },
];

/** True when the levels of a role allow changing users and their permissions. */
export function mayEditUsers(levels: Levels): boolean {
  return meets(levels, USER_EDIT_LEVELS);
}

/** The levels that downloading lists of users, roles and user actions requires. */
export const USER_DOWNLOAD_LEVELS: readonly RequiredLevel[] = [
  { area: 'user', verb: 'read', level: USER_LEVELS.read },
  { area: 'user', verb: 'download', level: USER_LEVELS.download },
];

/** True when the levels allow downloading such lists. */
export function mayDownloadUsers(levels: Levels): boolean {
  return meets(levels, USER_DOWNLOAD_LEVELS);
}

/** A key with its parent keys: who has a page also has the menus that lead to it. */
export function withParents(keys: Iterable<string>, parentOf: (key: string) => string | null): Set<string> {
  const all = new Set<string>();
  for (const key of keys) {
    for (let one: string | null = key; one !== null && !all.has(one); one = parentOf(one)) all.add(one);
  }
  return all;
}
