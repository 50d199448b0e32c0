import {
  beginIncident,
  continueIncident,
  type GroupedNotice,
  higherLevel,
  incidentKeys,
  isFaultType,
  joins,
  memberKey,
  type NoticeType,
  noticeKeys,
  returnsAfter,
} from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import {
  findOpenIncidents,
  findRecentlyClosed,
  type IncidentRecord,
  insertIncidents,
  type NewIncident,
  storeMembers,
  takeNotices,
  updateIncidents,
  type WaitingNotice,
} from './incidents.store.ts';

/** What a batch of notices changed. */
export interface Grouped {
  /** the number of notices */
  taken: number;
  /** the incidents that users are notified of now */
  alerts: IncidentRecord[];
  /** the faults that began or went on, by incident */
  faults: JoinedFaults[];
  /** the ids of the other incidents that changed */
  changed: number[];
}

/** What began or went on in an incident: each type on each device once. */
export interface JoinedFaults {
  incident: IncidentRecord;
  faults: { type: NoticeType; deviceId: number | null }[];
}

interface Working {
  /** its position among all, oldest first: a notice belongs to the newest incident that takes it */
  place: number;
  record: NewIncident & { id?: number };
  members: Map<string, 'open' | 'over'>;
  touched: Set<string>;
  faults: Map<string, JoinedFaults['faults'][number]>;
  alert: boolean;
}

/** Turns the oldest notices into incidents, in the caller's transaction: a notice is removed with its effect. */
export async function groupNotices(trx: Kysely<Database>, limit: number): Promise<Grouped> {
  const notices = await takeNotices(trx, limit);
  const [first] = notices;
  if (!first) return { taken: 0, alerts: [], faults: [], changed: [] };
  const keys = [...new Set(notices.map(memberKey))];
  const sites = [...new Set(notices.flatMap(({ siteId }) => siteId ?? []))];
  const causes = [...new Set(notices.map((notice) => groupedOf(notice).cause))];
  const around = { siteIds: sites, causes, since: first.at };
  const found = await findOpenIncidents(trx, { keys, ...around });
  const open = openIncidents();
  for (const { record, members } of found) {
    open.add({ record, members, touched: new Set(), faults: new Map(), alert: false });
  }
  const closed = keyed(await findRecentlyClosed(trx, around));
  for (const notice of notices) apply(open, closed, notice);

  const incidents = open.all();
  const begun = incidents.filter(({ record }) => record.id === undefined);
  const isNew = new Set(begun);
  const ids = await insertIncidents(
    trx,
    begun.map(({ record }) => record),
  );
  for (const [index, one] of begun.entries()) one.record.id = ids[index]!;
  const touched = incidents.filter((one) => one.touched.size > 0);
  const records = touched.map(({ record }) => record as IncidentRecord);
  await updateIncidents(
    trx,
    touched.filter((one) => !isNew.has(one)).map(({ record }) => record as IncidentRecord),
  );
  await storeMembers(
    trx,
    touched.flatMap(({ record, members, touched: changed }) =>
      [...changed].map((key) => ({ incidentId: record.id!, key, over: members.get(key) === 'over' })),
    ),
  );
  const alerted = new Set(touched.filter(({ alert }) => alert).map(({ record }) => record.id));
  return {
    taken: notices.length,
    alerts: records.filter(({ id }) => alerted.has(id)),
    faults: touched
      .filter(({ faults }) => faults.size > 0)
      .map(({ record, faults }) => ({ incident: record as IncidentRecord, faults: [...faults.values()] })),
    changed: records.flatMap(({ id }) => (alerted.has(id) ? [] : id)),
  };
}

type Closed = Awaited<ReturnType<typeof findRecentlyClosed>>[number];

/** Incidents by the keys that notices are compared with. */
function keyed(incidents: readonly Closed[]): Map<string, Closed[]> {
  const byKey = new Map<string, Closed[]>();
  for (const one of incidents) {
    for (const key of incidentKeys(one)) {
      const known = byKey.get(key);
      if (known) known.push(one);
      else byKey.set(key, [one]);
    }
  }
  return byKey;
}

/**
 * The incidents of a batch. A device may raise thousands of alarms at once, so a notice is not compared with all of them,
 * which would block the event loop.
 */
function openIncidents() {
  const all: Working[] = [];
  const byKey = new Map<string, Set<Working>>();
  const byMember = new Map<string, Working>();
  const newest = (one: Working | undefined, other: Working) => (one && one.place > other.place ? one : other);

  /** After a change: an incident gets members and keys, and loses none. */
  function index(one: Working): void {
    for (const key of incidentKeys(one.record)) byKey.set(key, (byKey.get(key) ?? new Set()).add(one));
  }
  function addMember(one: Working, member: string): void {
    byMember.set(member, newest(byMember.get(member), one));
  }
  return {
    all: () => all,
    add(one: Omit<Working, 'place'>): void {
      const added = { ...one, place: all.length };
      all.push(added);
      for (const member of added.members.keys()) addMember(added, member);
      index(added);
    },
    changed(one: Working, member: string): void {
      addMember(one, member);
      index(one);
    },
    withMember: (member: string) => byMember.get(member),
    /** The newest incident that a notice joins. */
    joinedBy(notice: GroupedNotice): Working | undefined {
      let found: Working | undefined;
      for (const one of noticeKeys(notice).flatMap((key) => [...(byKey.get(key) ?? [])])) {
        if (joins(one.record, notice)) found = newest(found, one);
      }
      return found;
    },
  };
}

function apply(open: ReturnType<typeof openIncidents>, closed: Map<string, Closed[]>, waiting: WaitingNotice): void {
  const notice = groupedOf(waiting);
  const key = memberKey(notice);
  const own = open.withMember(key);
  if (!own && notice.ended) return;
  const one = own ?? open.joinedBy(notice);
  if (!one) {
    const { customerId, subjectKind, subjectId, deviceId, data, actorId, userIds } = waiting;
    const returned = noticeKeys(notice).some((key) =>
      closed.get(key)?.some((earlier) => returnsAfter(earlier, notice)),
    );
    open.add({
      record: {
        ...beginIncident(notice, returned),
        ...{ customerId, subjectKind, subjectId, deviceId, data, actorId, userIds, escalatedAt: null },
        types: typesWith({}, waiting),
      },
      members: new Map([[key, 'open']]),
      touched: new Set([key]),
      faults: faultsOf(notice),
      alert: true,
    });
    return;
  }
  const { incident, alert } = continueIncident(one.record, notice, one.members.get(key) ?? 'new');
  one.record = { ...one.record, ...incident, types: typesWith(one.record.types, waiting) };
  one.alert ||= alert;
  one.members.set(key, notice.ended ? 'over' : 'open');
  one.touched.add(key);
  for (const [fault, about] of faultsOf(notice)) one.faults.set(fault, about);
  open.changed(one, key);
}

/** The types of an incident after a notice: an end adds none. */
function typesWith(types: NewIncident['types'], notice: WaitingNotice): NewIncident['types'] {
  const { type, ended, level, subjectKind, subjectId, data } = notice;
  if (ended) return types;
  const known = types[type] ?? { level, subjectKind, subjectId, data };
  return { ...types, [type]: { ...known, level: higherLevel(known.level, level) } };
}

/** The fault that a notice is about; empty when it ends or is no fault. */
function faultsOf({ type, deviceId, ended }: GroupedNotice): Working['faults'] {
  return new Map(ended || !isFaultType(type) ? [] : [[`${type} ${deviceId}`, { type, deviceId }]]);
}

function groupedOf({ at, data, ...notice }: WaitingNotice): GroupedNotice {
  const { type, key, ended, siteId, deviceId, level } = notice;
  const cause = type === 'deviceOffline' ? 'offline' : String(data.code ?? type);
  return { type, key, ended, siteId, deviceId, level, cause, at: at.getTime() };
}
