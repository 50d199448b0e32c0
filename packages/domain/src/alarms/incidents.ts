import { GROUP_WINDOW_MS, SITE_WIDE_DEVICES } from '../messages/incidents.ts';
import { type AlarmKind, type AlarmLevel, byName } from './alarms.ts';

/** The cause of all offline alarms, whatever their code. */
export const OFFLINE_CAUSE = 'offline';

/** What faults of a site have in common: alarms with the same cause are one incident. */
export function causeOfFault({ kind, code }: { kind: AlarmKind; code: string }): string {
  return kind === 'offline' ? OFFLINE_CAUSE : code;
}

/** Open alarms of a site with one cause, each raised within `GROUP_WINDOW_MS` of the one before. Times in milliseconds. */
export interface AlarmGroup {
  siteId: number;
  cause: string;
  level: AlarmLevel;
  /** when the first and the last of them were raised */
  since: number;
  lastAt: number;
  deviceCount: number;
  /** when users were last notified of its cause */
  announcedAt: number | null;
  /** the stored incident about which users were notified; null: not yet, or never */
  incidentId: number | null;
}

/**
 * Groups of alarms that are one incident. The first is the one to name (`byName`). Groups about which users were notified
 * are the incidents of their messages. Of the others, a group concerns its site from `SITE_WIDE_DEVICES` devices on, and
 * groups that begin within the window of it belong to it, as they do in messages (`joins`). Keeps the order of the first
 * groups.
 */
export function incidentsOf<G extends AlarmGroup>(groups: readonly G[]): [G, ...G[]][] {
  const membersOf = new Map<number | G, G[]>();
  const leaderOf = siteWide(groups.filter(({ incidentId }) => incidentId === null));
  for (const group of groups) {
    const key = group.incidentId ?? leaderOf.get(group) ?? group;
    const members = membersOf.get(key);
    if (members) members.push(group);
    else membersOf.set(key, [group]);
  }
  return [...membersOf.values()].map((members) => members.toSorted(byName) as [G, ...G[]]);
}

/** The groups that belong to a site-wide one, with it. */
function siteWide<G extends AlarmGroup>(groups: readonly G[]): Map<G, G> {
  const leaderOf = new Map<G, G>();
  const wide = groups
    .filter(({ deviceCount }) => deviceCount >= SITE_WIDE_DEVICES)
    .toSorted((a, b) => b.deviceCount - a.deviceCount || a.since - b.since);
  for (const leader of wide) {
    if (leaderOf.has(leader)) continue;
    for (const one of groups) {
      const follows =
        one.siteId === leader.siteId && one.since >= leader.since && one.since - leader.lastAt <= GROUP_WINDOW_MS;
      if (one === leader || (follows && !leaderOf.has(one))) leaderOf.set(one, leader);
    }
  }
  return leaderOf;
}
