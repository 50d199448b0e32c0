import type { alarmEndpoints, Locale, QueryOf, ResultOf } from '@chargehand/contract';
import { incidentsOf } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { CodeExplainer } from '../../ports/document-finder.ts';
import { type GroupRecord, nameAlarms, nameDevices, readGroups, readWork } from './incidents.store.ts';
import { readOpenCauses } from './open-causes.store.ts';

type Endpoint = (typeof alarmEndpoints)['listIncidents'];

/** Devices that an incident names. */
const NAMED = 3;

/** What is wrong now in scope: open alarms grouped by site and cause, the worst first. */
export async function readIncidents(
  { db, explain }: { db: Kysely<Database>; explain: CodeExplainer },
  caller: Caller,
  locale: Locale,
  { limit = 10, ...filters }: QueryOf<Endpoint>,
): Promise<ResultOf<Endpoint>> {
  const { scope } = caller;
  const groups = await readGroups(scope, db, filters);
  const merged = incidentsOf(
    groups.map((group) => ({ ...group, since: group.since.getTime(), lastAt: group.lastAt.getTime() })),
  );
  // Groups that an incident took up are no incidents of their own.
  const total = (groups[0]?.total ?? 0) - (groups.length - merged.length);
  const shown = merged.slice(0, limit).map((members) => ({ members, ...sumOf(members) }));
  if (shown.length === 0) return { items: [], total };
  const [names, devices, work] = await Promise.all([
    nameAlarms(
      db,
      shown.flatMap(({ members }) => members.map(({ alarmId }) => alarmId)),
    ),
    nameDevices(
      scope,
      db,
      shown.flatMap(({ deviceIds }) => deviceIds.slice(0, NAMED)),
    ),
    readWork(
      scope,
      db,
      shown.map(({ members: [{ siteId }], deviceIds, since }) => ({ siteId, deviceIds, since: new Date(since) })),
    ),
  ]);
  const explanations = await explain(caller, locale, {
    codes: [...names.values()].map(({ code }) => code),
    deviceModelIds: [...names.values()].flatMap(({ deviceModelId }) => deviceModelId ?? []),
  });
  const remedyOf = ({ code, deviceModelId }: { code: string; deviceModelId: number | null }) => {
    const about = explanations.filter(({ key }) => key === code);
    const found =
      about.find((one) => one.deviceModelId === deviceModelId) ?? about.find((one) => one.deviceModelId === null);
    return found && found.description !== '' ? { text: found.description, locale: found.locale } : null;
  };
  const exact = await countDevices(db, shown);
  const workAt = new Map(work.map((one) => [one.place, one]));
  return {
    total,
    items: shown.flatMap(({ members: [first, ...rest], deviceIds, lastAt, deviceCount, since: _, ...sums }, place) => {
      const named = names.get(first.alarmId);
      // Deleted in the meantime.
      if (!named) return [];
      const { issue = null, tried = null } = workAt.get(place) ?? {};
      return [
        {
          ...named,
          ...sums,
          remedy: remedyOf(named),
          siteId: first.siteId,
          level: first.level,
          deviceCount: exact.get(first.incidentId) ?? deviceCount,
          since: new Date(first.since),
          lastAt: new Date(lastAt),
          devices: deviceIds.slice(0, NAMED).flatMap((id) => {
            const name = devices.get(id);
            return name === undefined ? [] : [{ id, name }];
          }),
          others: rest.flatMap(({ alarmId }) => {
            const other = names.get(alarmId);
            return other ? [{ code: other.code, nameEn: other.nameEn, nameZh: other.nameZh }] : [];
          }),
          issue,
          tried: tried && { ...tried, at: new Date(tried.at) },
        },
      ];
    }),
  };
}

/** The devices of stored incidents with several causes: a group reads only some of its devices. */
async function countDevices(
  db: Kysely<Database>,
  shown: readonly { members: readonly Group[] }[],
): Promise<Map<number | null, number>> {
  const several = shown.flatMap(({ members }) => (members.length > 1 ? (members[0]?.incidentId ?? []) : []));
  const devices = new Map<number, Set<number>>();
  for (const { incidentId, deviceIds } of await readOpenCauses(db, several)) {
    const known = devices.get(incidentId) ?? new Set();
    for (const id of deviceIds) known.add(id);
    devices.set(incidentId, known);
  }
  return new Map([...devices].map(([id, all]) => [id, all.size]));
}

type Group = Omit<GroupRecord, 'since' | 'lastAt'> & { since: number; lastAt: number };

function sumOf(members: readonly [Group, ...Group[]]) {
  const deviceIds = [...new Set(members.flatMap((one) => one.deviceIds))];
  const [only] = members;
  return {
    since: Math.min(...members.map((one) => one.since)),
    lastAt: Math.max(...members.map((one) => one.lastAt)),
    alarms: members.reduce((sum, one) => sum + one.alarms, 0),
    deviceIds,
    // A group reads only some of its devices.
    deviceCount: members.length === 1 ? only.deviceCount : Math.max(deviceIds.length, only.deviceCount),
    unacknowledged: members.flatMap((one) => one.unacknowledged).slice(0, 100),
    acknowledgedBy: members.find((one) => one.acknowledgedBy !== null)?.acknowledgedBy ?? null,
  };
}
