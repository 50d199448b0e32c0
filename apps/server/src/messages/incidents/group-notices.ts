import {
  allowsAlert,
  beginIncident,
  causeOfFault,
  continueIncident,
  type GroupedNotice,
  type IncidentCause,
  incidentKeys,
  isFaultType,
  joins,
  memberKey,
  type NoticeType,
  noticeKeys,
  type RecentAlert,
  releaseCauses,
  rememberAlert,
  returnsAfter,
  worstFirst,
} from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { sinceOf } from './about.ts';
import {
  findOpenIncidents,
  findRecentAlerts,
  findRecentlyClosed,
  type IncidentRecord,
  insertIncidents,
  lockHeld,
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
  alerts: Alert[];
  /** the faults that began or went on, by incident */
  faults: JoinedFaults[];
  /** the ids of the other incidents that changed */
  changed: number[];
}

/** An incident that users are notified of. */
export interface Alert {
  incident: IncidentRecord;
  /** the causes that are announced, the worst first; empty for anything but faults */
  causes: AnnouncedCause[];
  /** it announces a critical cause within the limit of its site, so its mails do not wait */
  critical: boolean;
}

/** A cause with its name. */
export type AnnouncedCause = IncidentCause & { name: string };

/** What began or went on in an incident: each cause of each type on each device once. */
export interface JoinedFaults {
  incident: IncidentRecord;
  faults: { type: NoticeType; deviceId: number | null; cause: string }[];
}

interface Working {
  /** its position among all, oldest first: a notice belongs to the newest incident that takes it */
  place: number;
  record: NewIncident & { id?: number };
  members: Map<string, 'open' | 'over'>;
  touched: Set<string>;
  faults: Map<string, JoinedFaults['faults'][number]>;
  alert: boolean;
  /** the causes of the alert */
  alerted: Set<string>;
  critical: boolean;
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
    open.add({
      ...{ record, members, touched: new Set(), faults: new Map() },
      ...{ alert: false, alerted: new Set(), critical: false },
    });
  }
  const closed = keyed(await findRecentlyClosed(trx, around));
  const recent = await findRecentAlerts(trx, sites, first.at);
  for (const notice of notices) apply(open, closed, recent, notice);

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
  const alerted = new Set(touched.filter(({ alert }) => alert).map(({ record }) => record.id!));
  await updateIncidents(
    trx,
    touched.filter((one) => !isNew.has(one)).map(({ record }) => record as IncidentRecord),
    alerted,
  );
  await storeMembers(
    trx,
    touched.flatMap(({ record, members, touched: changed }) =>
      [...changed].map((key) => ({ incidentId: record.id!, key, over: members.get(key) === 'over' })),
    ),
  );
  return {
    taken: notices.length,
    alerts: touched
      .filter(({ alert }) => alert)
      .map(({ record, alerted: names, critical }) => alertOf(record as IncidentRecord, [...names], critical)),
    faults: touched
      .filter(({ faults }) => faults.size > 0)
      .map(({ record, faults }) => ({ incident: record as IncidentRecord, faults: [...faults.values()] })),
    changed: records.flatMap(({ id }) => (alerted.has(id) ? [] : id)),
  };
}

/** Announces the causes that the limits of their sites held back, as far as these allow it now. */
export async function releaseHeld(trx: Kysely<Database>, now: Date, limit: number): Promise<Alert[]> {
  const held = await lockHeld(trx, limit);
  const recent = await findRecentAlerts(
    trx,
    held.flatMap(({ siteId }) => siteId ?? []),
    now,
  );
  const alerts = held.flatMap((incident): Alert[] => {
    const announced = recent.get(incident.siteId!) ?? [];
    const causes = releaseCauses(incident.causes, announced, now.getTime());
    if (!causes) return [];
    const names = Object.keys(causes).filter((name) => incident.causes[name]!.held);
    const [worst] = worstFirst(names.map((name) => causes[name]!));
    const { type, key, code, connector, level, since } = worst!;
    recent.set(incident.siteId!, rememberAlert(announced, { at: now.getTime(), level }));
    const data = { code, connector, raisedAt: new Date(since).toISOString() };
    const types = { ...incident.types, [type]: { level, subjectKind: 'alarm', subjectId: key, data } };
    return [alertOf({ ...incident, type, types, causes, alertedAt: now.getTime() }, names, level === 'CA')];
  });
  await updateIncidents(
    trx,
    alerts.map(({ incident }) => incident),
    new Set(alerts.map(({ incident }) => incident.id)),
  );
  return alerts;
}

function alertOf(incident: IncidentRecord, names: readonly string[], critical: boolean): Alert {
  const causes = worstFirst(names.map((name) => ({ ...incident.causes[name]!, name })));
  return { incident, causes, critical };
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

function apply(
  open: ReturnType<typeof openIncidents>,
  closed: Map<string, Closed[]>,
  recent: Map<number, RecentAlert[]>,
  waiting: WaitingNotice,
): void {
  const notice = groupedOf(waiting);
  const key = memberKey(notice);
  const own = open.withMember(key);
  if (!own && notice.ended) return;
  const one = own ?? open.joinedBy(notice);
  const announced = (notice.siteId !== null && recent.get(notice.siteId)) || [];
  const isCritical = isFaultType(notice.type) && notice.level === 'CA' && allowsAlert(announced, 'CA', notice.at);
  const remember = () => {
    if (notice.siteId === null || !isFaultType(notice.type)) return;
    recent.set(notice.siteId, rememberAlert(announced, { at: notice.at, level: notice.level }));
  };
  if (!one) {
    const { customerId, subjectKind, subjectId, deviceId, data, actorId, userIds } = waiting;
    const returned = noticeKeys(notice).some((key) =>
      closed.get(key)?.some((earlier) => returnsAfter(earlier, notice)),
    );
    const incident = beginIncident(notice, returned, announced);
    open.add({
      record: {
        ...incident,
        ...{ customerId, subjectKind, subjectId, deviceId, data, actorId, userIds, escalatedAt: null },
        types: typesWith({}, waiting, true),
      },
      members: new Map([[key, 'open']]),
      touched: new Set([key]),
      faults: faultsOf(notice),
      ...{ alert: true, alerted: new Set(Object.keys(incident.causes)), critical: isCritical },
    });
    remember();
    return;
  }
  const { incident, alert, alerted } = continueIncident(one.record, notice, one.members.get(key) ?? 'new', announced);
  one.record = { ...one.record, ...incident, types: typesWith(one.record.types, waiting, alerted !== null) };
  one.alert ||= alert;
  if (alerted !== null) {
    one.alerted.add(alerted);
    one.critical ||= isCritical;
    remember();
  }
  one.members.set(key, notice.ended ? 'over' : 'open');
  one.touched.add(key);
  for (const [fault, about] of faultsOf(notice)) one.faults.set(fault, about);
  open.changed(one, key);
}

/** The types of an incident after a notice: an end adds none, and what is announced is read about first. */
function typesWith(types: NewIncident['types'], notice: WaitingNotice, alerted: boolean): NewIncident['types'] {
  const { type, ended, level, subjectKind, subjectId, data } = notice;
  if (ended || (types[type] && !alerted)) return types;
  return { ...types, [type]: { level, subjectKind, subjectId, data } };
}

/** The fault that a notice is about; empty when it ends or is no fault. */
function faultsOf({ type, deviceId, cause, ended }: GroupedNotice): Working['faults'] {
  return new Map(ended || !isFaultType(type) ? [] : [[`${type} ${deviceId} ${cause}`, { type, deviceId, cause }]]);
}

function groupedOf({ at, data, ...notice }: WaitingNotice): GroupedNotice {
  const { type, key, ended, siteId, deviceId, level } = notice;
  const code = String(data.code ?? type);
  const cause = causeOfFault({ kind: type === 'deviceOffline' ? 'offline' : 'fault', code });
  const connector = typeof data.connector === 'number' ? data.connector : null;
  const since = sinceOf(data) ?? at.getTime();
  return { type, key, ended, siteId, deviceId, level, cause, code, connector, since, at: at.getTime() };
}
