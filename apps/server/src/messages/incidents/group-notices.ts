import {
  beginIncident,
  continueIncident,
  type GroupedNotice,
  higherLevel,
  isFaultType,
  joins,
  memberKey,
  type NoticeType,
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
  const found = await findOpenIncidents(trx, keys, sites, first.at);
  const incidents: Working[] = found.map(({ record, members }) => ({
    ...{ record, members, touched: new Set<string>(), faults: new Map(), alert: false },
  }));
  const closed = await findRecentlyClosed(trx, sites, first.at);
  for (const notice of notices) apply(incidents, closed, notice);

  const begun = incidents.filter(({ record }) => record.id === undefined);
  const ids = await insertIncidents(
    trx,
    begun.map(({ record }) => record),
  );
  for (const [index, one] of begun.entries()) one.record.id = ids[index]!;
  const touched = incidents.filter((one) => one.touched.size > 0);
  const records = touched.map(({ record }) => record as IncidentRecord);
  await updateIncidents(
    trx,
    touched.filter((one) => !begun.includes(one)).map(({ record }) => record as IncidentRecord),
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

function apply(
  incidents: Working[],
  closed: Awaited<ReturnType<typeof findRecentlyClosed>>,
  waiting: WaitingNotice,
): void {
  const notice = groupedOf(waiting);
  const key = memberKey(notice);
  const own = incidents.findLast(({ members }) => members.has(key));
  if (!own && notice.ended) return;
  const one = own ?? incidents.findLast(({ record }) => joins(record, notice));
  if (!one) {
    const { customerId, subjectKind, subjectId, deviceId, data, actorId, userIds } = waiting;
    incidents.push({
      record: {
        ...beginIncident(
          notice,
          closed.some((earlier) => returnsAfter(earlier, notice)),
        ),
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
