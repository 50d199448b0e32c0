import { GROUP_WINDOW_MS, SITE_WIDE_DEVICES } from '../messages/incidents.ts';
import type { AlarmKind, AlarmLevel } from './alarms.ts';
import { ALARM_LEVELS } from './alarms.ts';

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
  deviceIds: readonly number[];
}

/**
 * Groups of alarms that are one incident. The first is the one to name: the highest level, then most devices, then the
 * oldest. From `SITE_WIDE_DEVICES` devices on, a group concerns its site, and groups that begin within the window of it
 * belong to it, as they do in messages (`joins`). Keeps the order of the first groups.
 */
export function incidentsOf<G extends AlarmGroup>(groups: readonly G[]): [G, ...G[]][] {
  const taken = new Set<G>();
  const incidents: [G, ...G[]][] = [];
  const wide = groups
    .filter(({ deviceIds }) => deviceIds.length >= SITE_WIDE_DEVICES)
    .toSorted((a, b) => b.deviceIds.length - a.deviceIds.length || a.since - b.since);
  const followersOf = new Map<G, G[]>();
  for (const leader of wide) {
    if (taken.has(leader)) continue;
    taken.add(leader);
    const followers = groups.filter(
      (one) =>
        !taken.has(one) &&
        one.siteId === leader.siteId &&
        one.since >= leader.since &&
        one.since - leader.lastAt <= GROUP_WINDOW_MS,
    );
    for (const one of followers) taken.add(one);
    followersOf.set(leader, followers);
  }
  const leaders = groups.filter((group) => followersOf.has(group) || !taken.has(group));
  for (const leader of leaders) {
    const [first = leader, ...rest] = [leader, ...(followersOf.get(leader) ?? [])].toSorted(
      (a, b) => rank(b) - rank(a) || b.deviceIds.length - a.deviceIds.length || a.since - b.since,
    );
    incidents.push([first, ...rest]);
  }
  return incidents;
}

const rank = ({ level }: AlarmGroup) => ALARM_LEVELS.indexOf(level);
