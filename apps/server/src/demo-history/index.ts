import { DEFAULT_ZONE, zoneOffset } from '@chargehand/domain';
import type { Kysely, Transaction } from 'kysely';
import {
  bootNotification,
  drawPast,
  drawStoragePast,
  type Interruption,
  Random,
} from '../../../simulator/src/past/index.ts';
import { loadDemoUsers, loadPastSessions } from '../access/index.ts';
import { loadPastAlarms, loadPastEvents, nameAlarmCodes } from '../alarms/index.ts';
import { loadPastActions, loadPastLogins } from '../audit/index.ts';
import {
  DEMO_CUSTOMERS,
  type DemoDevice,
  findDemoDevices,
  insertDemoAway,
  loadPastDevices,
  loadPastMaintenances,
} from '../fleet/index.ts';
import { createPastPartitions } from '../ingest/index.ts';
import { loadPastIssues } from '../issues/index.ts';
import type { DatabaseConnection } from '../platform/database/connect.ts';
import type { Database } from '../platform/database/schema.ts';
import type { Log } from '../platform/log.ts';
import type { ObjectStore } from '../platform/objects/store.ts';
import { loadPastStatuses, loadPastTraffic } from '../statistics/index.ts';
import { acknowledge, alarmsOf, alarmsOfStation, alarmsOfStorage, type Loss } from './devices/alarms.ts';
import { CHARGER_CODES, STORAGE_CODES } from './devices/code-names.ts';
import { HEARTBEAT_MS, SWITCHED_OFF } from './devices/frames.ts';
import { statusesOfStation, statusesOfStorage } from './devices/statuses.ts';
import { loadTelemetry } from './devices/telemetry.ts';
import { trafficOfStation, trafficOfStorage } from './devices/traffic.ts';
import type { DemoFleet } from './fleet.ts';
import type { DemoCharger, DemoStorage } from './pasts.ts';
import { actionsOf } from './people/actions.ts';
import { loadCommands } from './people/commands.ts';
import { issuesOf } from './people/issues.ts';
import { DEMO_PEOPLE, drawSignIns, type Person } from './people/people.ts';
import { DARK_SITE, type Plan, planWeeks, type Span } from './people/plan.ts';
import { isUnused, takeTurn } from './unused.store.ts';

export { CHARGER_CODES };

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;

/** How far the history goes back. */
const LENGTH = 14 * DAY;
/** The age of the installation: sites and devices are older than the history. */
const AGE = 200 * DAY;
/** How often devices report in the history. Live ones report more often, which would be too many rows. */
const SAMPLE_MS = 300 * SECOND;
const STORAGE_SAMPLE_MS = 1_200 * SECOND;
/** How often the live demo fleet reports, for the traffic. */
const LIVE_SAMPLE_MS = 30 * SECOND;
const STORAGE_REPORT_MS = 10 * SECOND;
/** Larger fleets have a history only for their first devices, so that loading it takes seconds. */
const MOST_DEVICES = 48;
/** What the storage systems of the demo run. */
const STORAGE_VERSION = '1.4.2';
/** The same seed as the simulator of the demo. */
const SEED = '7';

/** Devices that are registered and do not work any more: one with an alarm that is still open, and one since a week. */
const AWAY: readonly { sn: string; name: string; siteCode: string; offlineFor: number }[] = [
  { sn: 'CP-20417', name: 'SG-JUR 09', siteCode: 'SG-JUR', offlineFor: 53 * HOUR },
  { sn: 'CP-77160', name: 'HK-CWB 09', siteCode: 'HK-CWB', offlineFor: 6 * HOUR },
];

export interface HistoryParts {
  database: Pick<DatabaseConnection, 'db' | 'pool'>;
  store: ObjectStore;
  log: Log;
  fleet: DemoFleet;
  /** the end of the history */
  until: Date;
}

/**
 * Gives the demo fleet two weeks of history, in one transaction: all or nothing, and only in a database that nobody has
 * used. Must run before devices can connect. The same seed gives the same history, relative to its end.
 * @returns false when the database is in use; nothing was changed then
 */
export async function loadDemoHistory(parts: HistoryParts): Promise<boolean> {
  const { database, log, until } = parts;
  const began = performance.now();
  const expected = {
    customerCodes: DEMO_CUSTOMERS.map(({ code }) => code),
    sns: [...parts.fleet.chargers.map(({ sn }) => sn), ...parts.fleet.storage],
  };
  if (!(await isUnused(database.db, expected))) return false;
  const span = { from: until.getTime() - LENGTH, to: until.getTime() };
  await createPastPartitions(database.pool, new Date(span.from), until);
  const counts = await database.db.transaction().execute(async (trx) => {
    await takeTurn(trx);
    return (await isUnused(trx, expected)) ? await load(trx, parts, span) : null;
  });
  if (counts === null) return false;
  log.info({ ...counts, ms: Math.round(performance.now() - began) }, 'the demo fleet has a history of two weeks');
  return true;
}

async function load(trx: Transaction<Database>, parts: HistoryParts, span: Span) {
  const { fleet } = parts;
  const random = (concern: string) => new Random(SEED, 'history', concern);
  await insertDemoAway(trx, AWAY);
  const since = new Date(span.to - AGE);
  const people = await loadPeople(trx, since);
  const some = fleet.chargers.slice(0, MOST_DEVICES);
  const found = await findDemoDevices(trx, [
    ...some.map(({ sn }) => sn),
    ...fleet.storage,
    ...AWAY.map(({ sn }) => sn),
  ]);
  const bySn = new Map(found.map((device) => [device.sn, device]));
  const protocols = new Map(some.map(({ sn, protocol }) => [sn, protocol]));
  const isNewer = ({ sn }: DemoDevice) => protocols.get(sn) === '2.0.1';
  const connecting = found.filter(({ sn }) => protocols.has(sn));
  const plan = planWeeks(span, { chargers: connecting, people, isNewer }, random('plan'));
  const chargers = [
    ...connecting.map((device) => charger(device, protocols.get(device.sn) ?? '1.6', plan, span)),
    ...AWAY.flatMap(({ sn, offlineFor }) => {
      const device = bySn.get(sn);
      return device ? [charger(device, '1.6', plan, { from: span.from, to: span.to - offlineFor })] : [];
    }),
  ];
  const storage = fleet.storage.slice(0, MOST_DEVICES).flatMap((sn) => {
    const device = bySn.get(sn);
    return device ? [storageUnit(device, span)] : [];
  });

  const telemetry = await loadTelemetry(trx, { chargers, storage, until: span.to }, random('frames'));
  await loadPastStatuses(trx, [
    ...chargers.flatMap(({ device, past, span: own }) => statusesOfStation(device.id, past, own)),
    ...storage.flatMap(({ device, past }) => statusesOfStorage(device.id, past, span)),
  ]);
  await loadPastTraffic(trx, [
    ...chargers.flatMap(({ device, past, span: own }) => trafficOfStation(device.id, past, own, LIVE_SAMPLE_MS)),
    ...storage.flatMap(({ device, past }) => trafficOfStorage(device.id, past.interruptions, span, STORAGE_REPORT_MS)),
  ]);

  const all = [
    ...chargers.map(({ device, past, span: own }) =>
      alarmsOf(device.id, alarmsOfStation(past), lossesOf(past.interruptions, own.to < span.to ? own.to : null)),
    ),
    ...storage.map(({ device, past }) =>
      alarmsOf(device.id, alarmsOfStorage(past), lossesOf(past.interruptions, null)),
    ),
  ];
  const alarms = all
    .flatMap((one) => one.alarms)
    .sort((one, other) => one.raisedAt.getTime() - other.raisedAt.getTime());
  const devices = new Map(found.map((device) => [device.id, device]));
  const dark = ({ deviceId, kind, clearedAt, raisedAt }: (typeof alarms)[number]) =>
    kind === 'offline' &&
    devices.get(deviceId)?.siteCode === DARK_SITE &&
    (clearedAt?.getTime() ?? 0) - raisedAt.getTime() > 2 * HOUR;
  acknowledge(alarms, { devices, people, dark, to: span.to }, random('acknowledgements'));
  const modelsOf = (some: readonly { device: DemoDevice }[]) => [...new Set(some.map(({ device }) => device.modelId))];
  await nameAlarmCodes(trx, modelsOf(chargers), CHARGER_CODES);
  await nameAlarmCodes(trx, modelsOf(storage), STORAGE_CODES);
  const commanded = await loadCommands(trx, parts.store, { plan, chargers }, random('commands'));
  const versionAt = versionsOf({ chargers, storage, upgraded: commanded.upgraded });
  const alarmIds = await loadPastAlarms(
    trx,
    alarms.map((alarm) => ({ ...alarm, softVersion: versionAt(alarm.deviceId, alarm.raisedAt) })),
  );
  await loadPastEvents(
    trx,
    all.flatMap((one) => one.events),
  );

  await loadPastMaintenances(
    trx,
    plan.works.map(({ from, to, person, device, note }) => ({
      ...{ deviceId: device.id, beganAt: new Date(from), endedAt: new Date(to), userId: person.id, note },
      ...{ userName: person.userName, maintained: true, unmaintainedDays: Math.floor((from - span.to + AGE) / DAY) },
      runtimeSeconds: Math.round((from - span.to + AGE) / SECOND),
    })),
  );
  const { logins, sessions } = drawSignIns(people, span, random('sign-ins'));
  await loadPastLogins(trx, logins);
  await loadPastSessions(trx, sessions);
  await loadPastActions(trx, actionsOf({ plan, people, devices, alarms, alarmIds, commanded, span }));
  await loadPastDevices(trx, statesOf({ chargers, storage, plan, since, span, versionAt }), since);
  // After the states of the devices, which are the evidence of issues.
  const issues = issuesOf({ people, devices, alarms, alarmIds, to: span.to });
  await loadPastIssues(trx, issues);
  return { devices: found.length, ...telemetry, alarms: alarms.length, issues: issues.length };
}

async function loadPeople(trx: Kysely<Database>, since: Date): Promise<Person[]> {
  const ids = await loadDemoUsers(trx, DEMO_PEOPLE, since);
  return DEMO_PEOPLE.flatMap((person, index) => {
    const id = ids[index];
    return id === undefined ? [] : [{ ...person, id }];
  });
}

function charger(device: DemoDevice, protocol: '1.6' | '2.0.1', plan: Plan, span: Span): DemoCharger {
  const { siteCode, sn } = device;
  const places = DEMO_CUSTOMERS.flatMap(({ sites }) => sites);
  const placeType = places.find(({ code }) => code === siteCode)?.placeType ?? 'retail';
  const planned = plan.interruptions.get(device.id) ?? [];
  const zoneOffsetMs = zoneOffset(span.to, DEFAULT_ZONE);
  const past = drawPast({ ...span, sn, seed: SEED, protocol, placeType, zoneOffsetMs, sampleMs: SAMPLE_MS, planned });
  return { device, past, span };
}

function storageUnit(device: DemoDevice, span: Span): DemoStorage {
  const zoneOffsetMs = zoneOffset(span.to, DEFAULT_ZONE);
  const past = drawStoragePast({
    ...{ ...span, sn: device.sn, seed: SEED, zoneOffsetMs, sampleMs: STORAGE_SAMPLE_MS, planned: [] },
  });
  return { device, past };
}

const DETAILS: Record<Interruption['kind'], Pick<Loss, 'reason' | 'detail'> | null> = {
  connection: { reason: 'networkTimeout', detail: 'the connection was lost' },
  power: { reason: 'networkTimeout', detail: 'the connection was lost' },
  restart: { reason: 'loggedOut', detail: 'the device closed the connection (1001 soft reset)' },
  // Devices restart at the end of an update, and stay connected while people work on them.
  update: null,
  maintenance: null,
};

/** The lost connections of a device. @param goneAt when it went offline for good */
function lossesOf(interruptions: readonly Interruption[], goneAt: number | null): Loss[] {
  const losses = interruptions.flatMap(({ kind, from, to }) => {
    const detail = DETAILS[kind];
    return detail ? [{ from, to, ...detail }] : [];
  });
  return goneAt === null
    ? losses
    : [
        ...losses,
        {
          from: goneAt,
          to: null,
          reason: 'networkTimeout',
          detail: `no message for ${(2.5 * HEARTBEAT_MS) / SECOND} s`,
        },
      ];
}

/** The software version that a device ran at a time. */
function versionsOf(given: {
  chargers: readonly DemoCharger[];
  storage: readonly DemoStorage[];
  upgraded: ReadonlyMap<number, { version: string; at: Date }>;
}) {
  const first = new Map([
    ...given.chargers.map(({ device, past }) => [device.id, past.identity.firmwareVersion] as const),
    ...given.storage.map(({ device }) => [device.id, STORAGE_VERSION] as const),
  ]);
  return (deviceId: number, at: Date): string => {
    const upgrade = given.upgraded.get(deviceId);
    return (upgrade && upgrade.at <= at ? upgrade.version : first.get(deviceId)) ?? '';
  };
}

/** The states in which the devices are when the history ends. */
function statesOf(given: {
  chargers: readonly DemoCharger[];
  storage: readonly DemoStorage[];
  plan: Plan;
  since: Date;
  span: Span;
  versionAt: ReturnType<typeof versionsOf>;
}) {
  const { chargers, storage, plan, since, span, versionAt } = given;
  const maintained = new Map(plan.works.map(({ device, to }) => [device.id, new Date(to)]));
  const stateOf = (device: DemoDevice, until: number, interruptions: readonly Interruption[]) => {
    const lost = interruptions.filter(({ kind, to }) => DETAILS[kind] !== null && to <= until);
    const away = lost.reduce((sum, { from, to }) => sum + to - from, 0);
    const gone = until < span.to;
    return {
      ...{ deviceId: device.id, maintainedAt: maintained.get(device.id) ?? null },
      connectedAt: new Date(lost.at(-1)?.to ?? span.from),
      bootedAt: new Date(interruptions.findLast(({ kind }) => kind !== 'connection')?.to ?? span.from),
      disconnectedAt: new Date(until),
      disconnectReason: gone ? 'networkTimeout' : SWITCHED_OFF.reason,
      disconnectDetail: gone ? 'the connection was lost' : SWITCHED_OFF.detail,
      remoteAddress: '127.0.0.1',
      runtimeSeconds: Math.round((until - since.getTime() - away) / SECOND),
    };
  };
  return [
    ...chargers.map(({ device, past, span: own }) => {
      const softVersion = versionAt(device.id, new Date(own.to));
      return {
        ...stateOf(device, own.to, past.interruptions),
        ...{ softVersion, protocol: past.protocol === '1.6' ? 'ocpp1.6' : 'ocpp2.0.1' },
        boot: bootNotification({ ...past.identity, firmwareVersion: softVersion }),
      };
    }),
    ...storage.map(({ device, past }) => ({
      ...stateOf(device, span.to, past.interruptions),
      ...{ softVersion: versionAt(device.id, new Date(span.to)), protocol: 'sparkplug-b', boot: {} },
    })),
  ];
}
