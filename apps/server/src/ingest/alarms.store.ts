import { alarmOf, DEVICE_EVENT_TYPES, eventTypeOf, type RaisedAlarm } from '@chargehand/domain';
import { type Item, type Query, rounds } from './batch.ts';
import { storableText } from './text.ts';

interface Report {
  deviceId: number;
  connector: number;
  at: Date;
  info: string | null;
  alarm: RaisedAlarm | null;
  /** the type of the device event under which the alarm is shown */
  eventType: number | null;
  unavailable: boolean;
}

/** Code of the device event while a connector is out of service. */
const UNAVAILABLE = 'Unavailable';

/**
 * Turns connector reports into alarm episodes and device events: a fault raises its alarm or repeats the active one,
 * and every report ends what it no longer says. Gives back the devices whose alarms or events changed.
 */
export async function storeAlarms(
  client: Query,
  items: readonly Item<'connectorStatus'>[],
  quiet: QuietConnectors,
): Promise<Set<number>> {
  const changed = new Set<number>();
  for (const round of rounds(items, (item) => `${item.deviceId} ${item.event.connector}`)) {
    const reports = round.map(toReport).filter((report) => !isClean(report) || !quiet.has(report));
    if (reports.length === 0) continue;
    for (const report of reports) if (!isClean(report)) quiet.forget(report);
    for (const id of await clear(client, reports)) changed.add(id);
    const faulty = reports.filter((report) => report.alarm !== null);
    if (faulty.length > 0) await raise(client, faulty);
    for (const report of faulty) changed.add(report.deviceId);
    const unavailable = reports.filter((report) => report.unavailable);
    if (unavailable.length > 0) await openUnavailable(client, unavailable);
    for (const report of unavailable) changed.add(report.deviceId);
  }
  return changed;
}

/** True when `storeAlarms` would find nothing to do. */
export function isQuiet(items: readonly Item<'connectorStatus'>[], quiet: QuietConnectors): boolean {
  return items.every((item) => {
    const report = toReport(item);
    return isClean(report) && quiet.has(report);
  });
}

function toReport({ deviceId, event }: Item<'connectorStatus'>): Report {
  const alarm = alarmOf({
    status: event.status,
    errorCode: event.errorCode,
    vendorErrorCode: event.vendorErrorCode ?? undefined,
  });
  return {
    deviceId,
    connector: event.connector,
    at: event.at,
    info: storableText(event.info, 255),
    alarm: alarm && { ...alarm, code: storableText(alarm.code, 64) },
    eventType: alarm && DEVICE_EVENT_TYPES[eventTypeOf(alarm)],
    unavailable: event.status === UNAVAILABLE,
  };
}

/**
 * Connectors that are known to have no open alarm or event: their next report of nothing amiss, which is nearly every
 * report there is, needs no look into the database. Only the node that holds a device's line reports for it.
 */
export interface QuietConnectors {
  has(connector: ConnectorKey): boolean;
  forget(connector: ConnectorKey): void;
  /** a new line: another node may have reported in between */
  forgetDevice(deviceId: number): void;
  /** to be called after the commit, with everything that was stored */
  learn(items: readonly Item<'connectorStatus'>[]): void;
}

type ConnectorKey = Pick<Report, 'deviceId' | 'connector'>;

/** More devices than one node serves; beyond it what is known is learnt afresh. */
const QUIET_DEVICES = 50_000;
/** Connectors below this number are remembered as bits of one number; real devices have no more. */
const QUIET_CONNECTORS = 31;

export function quietConnectors(): QuietConnectors {
  const known = new Map<number, number>();
  const bitOf = (connector: number) => (connector < QUIET_CONNECTORS ? 1 << connector : 0);
  const forget = ({ deviceId, connector }: ConnectorKey) => {
    known.set(deviceId, (known.get(deviceId) ?? 0) & ~bitOf(connector));
  };
  return {
    has: ({ deviceId, connector }) => ((known.get(deviceId) ?? 0) & bitOf(connector)) !== 0,
    forget,
    forgetDevice: (deviceId) => known.delete(deviceId),
    learn(items) {
      if (known.size > QUIET_DEVICES) known.clear();
      for (const item of items) {
        const report = toReport(item);
        const { deviceId, connector } = report;
        if (isClean(report)) known.set(deviceId, (known.get(deviceId) ?? 0) | bitOf(connector));
        else forget(report);
      }
    },
  };
}

function isClean(report: Report): boolean {
  return report.alarm === null && !report.unavailable;
}

/** Ends the alarms and events of a connector that its report no longer names. */
async function clear(client: Query, reports: readonly Report[]): Promise<number[]> {
  const { rows } = await client.query<{ device_id: number }>({
    name: 'ingest_alarms_clear',
    text: `with r as (
        select * from unnest($1::int[], $2::int2[], $3::timestamptz[], $4::text[], $5::int2[], $6::boolean[]) as r (d, n, t, code, type, off)
      ), alarms_ended as (
        update alarms a set cleared_at = greatest(a.raised_at, r.t) from r
        where a.device_id = r.d and a.connector = r.n and a.cleared_at is null and a.code is distinct from r.code
        returning a.device_id
      ), events_ended as (
        update device_events e set ended_at = greatest(e.at, r.t) from r
        where e.device_id = r.d and e.connector = r.n and e.ended_at is null and e.type <> 0
          and not (e.code = '${UNAVAILABLE}' and e.type = 3 and r.off)
          and (e.code is distinct from r.code or e.type is distinct from r.type)
        returning e.device_id
      )
      select device_id from alarms_ended union select device_id from events_ended`,
    values: [
      reports.map((report) => report.deviceId),
      reports.map((report) => report.connector),
      reports.map((report) => report.at),
      reports.map((report) => report.alarm?.code ?? null),
      reports.map((report) => report.eventType),
      reports.map((report) => report.unavailable),
    ],
  });
  return rows.map((row) => row.device_id);
}

/** Raises alarms, or counts the repetition of active ones, each with its device event. */
async function raise(client: Query, reports: readonly Report[]): Promise<void> {
  await client.query({
    name: 'ingest_alarms_raise',
    text: `with r as (
        select * from unnest($1::int[], $2::int2[], $3::text[], $4::text[], $5::text[], $6::text[], $7::timestamptz[], $8::int2[])
          as r (d, n, code, kind, level, info, t, type)
      ), raised as (
        insert into alarms as a (device_id, connector, code, kind, level, info, raised_at, last_at)
        select d, n, code, kind, level, info, t, t from r
        on conflict (device_id, connector, code) where cleared_at is null do update set
          kind = excluded.kind, level = excluded.level, info = excluded.info,
          last_at = greatest(a.last_at, excluded.last_at), repeats = a.repeats + 1
      )
      insert into device_events (device_id, connector, type, at, code, detail)
      select d, n, type, t, code, info from r on conflict do nothing`,
    values: [
      reports.map((report) => report.deviceId),
      reports.map((report) => report.connector),
      reports.map((report) => report.alarm?.code),
      reports.map((report) => report.alarm?.kind),
      reports.map((report) => report.alarm?.level),
      reports.map((report) => report.info),
      reports.map((report) => report.at),
      reports.map((report) => report.eventType),
    ],
  });
}

async function openUnavailable(client: Query, reports: readonly Report[]): Promise<void> {
  await client.query({
    name: 'ingest_unavailable',
    text: `insert into device_events (device_id, connector, type, at, code, detail)
      select d, n, 3, t, '${UNAVAILABLE}', i from unnest($1::int[], $2::int2[], $3::timestamptz[], $4::text[]) as r (d, n, t, i)
      on conflict do nothing`,
    values: [
      reports.map((report) => report.deviceId),
      reports.map((report) => report.connector),
      reports.map((report) => report.at),
      reports.map((report) => report.info),
    ],
  });
}
