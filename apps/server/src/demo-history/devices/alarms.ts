import {
  type AlarmSource,
  afterClear,
  afterReport,
  alarmOf,
  DEFAULT_ZONE,
  DEVICE_EVENT_TYPES,
  type Episode,
  eventTypeOf,
  OFFLINE_ALARM,
  OFFLINE_GRACE_MS,
  type RaisedAlarm,
  zoneOffset,
} from '@chargehand/domain';
import {
  faultData,
  type PastFault,
  type Random,
  type StationPast,
  type StoragePast,
} from '../../../../simulator/src/past/index.ts';
import type { PastAlarm, PastEvent } from '../../alarms/index.ts';
import type { DemoDevice } from '../../fleet/index.ts';
import { type EventData, monitors } from '../../gateways/ocpp201/reports/alarms.ts';
import { Evses } from '../../gateways/ocpp201/reports/evses.ts';
import { caretakersOf, type Person } from '../people/people.ts';

/** Alarms and device events, each in the order of time. */
export interface PastAlarms {
  alarms: PastAlarm[];
  events: PastEvent[];
}

interface Report extends RaisedAlarm {
  connector: number;
  info: string | null;
  source: Exclude<AlarmSource, 'line'>;
  at: number;
  active: boolean;
}

const STATUS = 'status' as const;

/** The alarms that the gateways would have made of the faults of a charge point. */
export function alarmsOfStation({ faults, protocol }: Pick<StationPast, 'faults' | 'protocol'>): Report[] {
  return protocol === '1.6' ? faults.flatMap(reportsOf16) : reportsOf201(faults);
}

function reportsOf16({ connector, fault, from, to }: PastFault): Report[] {
  const { errorCode, vendorErrorCode, info, warning } = fault;
  const alarm = alarmOf({ status: warning ? 'Available' : 'Faulted', errorCode, vendorErrorCode });
  if (!alarm) return [];
  const report = { ...alarm, connector, info, source: STATUS };
  return [
    { ...report, at: from, active: true },
    { ...report, at: to, active: false },
  ];
}

function reportsOf201(faults: readonly PastFault[]): Report[] {
  const watched = monitors();
  const evses = new Evses([]);
  return faults.flatMap(({ connector, fault, from, to }) =>
    [
      { at: from, cleared: false },
      { at: to, cleared: true },
    ].flatMap(({ at, cleared }) => {
      const { errorCode, vendorErrorCode, info } = fault;
      const timestamp = new Date(at).toISOString();
      const reported = { errorCode, vendorErrorCode, info: cleared ? '' : info, timestamp, cleared };
      const event = { eventId: 1, ...faultData(connector, reported) } as EventData;
      return watched.alarms(event, evses, new Date(at)).map((alarm) => ({
        ...{
          code: alarm.code,
          kind: alarm.alarmKind,
          level: alarm.level,
          connector: alarm.connector,
          info: alarm.info,
        },
        ...{ source: 'device' as const, at, active: alarm.active },
      }));
    }),
  );
}

/** The alarms of the faults of a storage unit. */
export function alarmsOfStorage({ faults }: Pick<StoragePast, 'faults'>): Report[] {
  return faults.flatMap(({ code, from, to }) => {
    const alarm = alarmOf({ status: 'Faulted', errorCode: 'OtherError', vendorErrorCode: `Inverter/Fault:${code}` });
    if (!alarm) return [];
    const report = { ...alarm, connector: 1, info: null, source: STATUS };
    return [
      { ...report, at: from, active: true },
      { ...report, at: to, active: false },
    ];
  });
}

/** A time without connection. `to` is null while it goes on. */
export interface Loss {
  from: number;
  to: number | null;
  reason: 'networkTimeout' | 'loggedOut';
  detail: string;
}

/** The alarms and events of a device by the rules of the domain: from its reports, and from its lost connections. */
export function alarmsOf(deviceId: number, reports: readonly Report[], losses: readonly Loss[]): PastAlarms {
  const open = new Map<string, { report: Report; episode: Episode }>();
  const done: { report: Report; episode: Episode }[] = [];
  for (const report of reports.toSorted((one, other) => one.at - other.at)) {
    const key = `${report.connector} ${report.code}`;
    const known = open.get(key);
    const { at, source } = report;
    if (!report.active) {
      if (known) known.episode = afterClear(known.episode, at, source);
      continue;
    }
    const { episode, begun } = afterReport(known?.episode ?? null, { at, source, suppressed: false });
    if (begun && known) done.push(known);
    open.set(key, { report, episode });
  }
  const alarms = [...done, ...open.values()].map(({ report, episode }): PastAlarm => {
    const { connector, code, kind, level, info, source } = report;
    const { raisedAt, lastAt, clearedAt, repeats, reopened } = episode;
    return {
      ...{ deviceId, connector, code, kind, level, info, source, repeats, reopened, acknowledged: null },
      ...{
        raisedAt: new Date(raisedAt),
        lastAt: new Date(lastAt),
        clearedAt: clearedAt === null ? null : new Date(clearedAt),
      },
    };
  });
  const events = alarms.map(
    (alarm): PastEvent => ({
      ...{ deviceId, connector: alarm.connector, type: DEVICE_EVENT_TYPES[eventTypeOf(alarm)], at: alarm.raisedAt },
      ...{ code: alarm.code, detail: alarm.info, endedAt: alarm.clearedAt, source: alarm.source },
    }),
  );
  for (const { from, to, reason, detail } of losses) {
    const at = new Date(from);
    const endedAt = to === null ? null : new Date(to);
    const line = { deviceId, connector: 0, source: 'line' as const };
    events.push({ ...line, type: DEVICE_EVENT_TYPES.disconnect, at, code: reason, detail, endedAt });
    if (to !== null && to - from < OFFLINE_GRACE_MS) continue;
    const counts = { repeats: 0, reopened: 0, acknowledged: null };
    alarms.push({ ...line, ...OFFLINE_ALARM, info: detail, raisedAt: at, lastAt: at, clearedAt: endedAt, ...counts });
  }
  return { alarms, events };
}

interface Words {
  note: string;
  comment?: string;
}

const WORDS: Record<'en-US' | 'zh-CN', Record<'offline' | 'fault', readonly Words[]>> = {
  'en-US': {
    offline: [
      { note: 'Router restarted by the site staff' },
      { note: 'Asking the carrier', comment: 'The carrier confirms an outage in the district.' },
      { note: 'Checking the uplink' },
    ],
    fault: [
      { note: 'Technician is on the way' },
      { note: 'Known issue, parts ordered', comment: 'Same symptom as last month; the part arrives this week.' },
      { note: 'Reset remotely, watching it' },
      { note: 'Called the site, emergency stop was released' },
    ],
  },
  'zh-CN': {
    offline: [
      { note: '已联系现场重启路由器' },
      { note: '正在向运营商核实', comment: '运营商确认片区网络故障，正在抢修。' },
    ],
    fault: [
      { note: '已派单，维修人员在路上' },
      { note: '已远程复位，持续观察' },
      { note: '备件已申请', comment: '与上月现象相同，更换后再观察一周。' },
    ],
  },
};
const DARK: Words = {
  note: 'Power failure at the site',
  comment: 'The utility is working on a cable; power is expected before noon.',
};

/** Users acknowledge many of the alarms that need attention, some minutes later. The alarms are changed. */
export function acknowledge(
  alarms: readonly PastAlarm[],
  {
    devices,
    people,
    dark,
    to,
  }: {
    devices: ReadonlyMap<number, DemoDevice>;
    people: readonly Person[];
    /** true for the alarms of the site that lost its power */
    dark(alarm: PastAlarm): boolean;
    to: number;
  },
  random: Random,
): void {
  for (const alarm of alarms) {
    const device = devices.get(alarm.deviceId);
    const person = device && random.pick(caretakersOf(people, device.customerCode));
    const likely = alarm.level === 'OA' ? 0.15 : alarm.kind === 'offline' ? 0.5 : 0.7;
    const minutes = 1 + random.exponential(12);
    const at = alarm.raisedAt.getTime() + minutes * 60_000;
    const words = WORDS[person?.locale ?? 'en-US'][alarm.kind === 'offline' ? 'offline' : 'fault'];
    const { note, comment = null } = dark(alarm) ? DARK : random.pick(words);
    const chosen = dark(alarm) || alarm.clearedAt === null || random.chance(likely);
    const hour = ((at + zoneOffset(at, DEFAULT_ZONE)) / 3_600_000) % 24;
    // At night people look only at critical alarms, and nobody looks at one that was over before.
    if (
      !person ||
      !chosen ||
      (hour < 7 && alarm.level !== 'CA') ||
      at > to ||
      (alarm.clearedAt !== null && at > alarm.clearedAt.getTime())
    )
      continue;
    alarm.acknowledged = { at: new Date(at), userId: person.id, userName: person.userName, note, comment };
  }
}
