import type { QueryOf, ResultOf, statisticsEndpoints } from '@chargehand/contract';
import { noSeconds, type StatisticStep, type StatisticWindow, statisticWindow } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import type { Caller } from '../platform/http/caller.ts';
import { listOrder, pageOf } from '../platform/http/serve/list-queries.ts';
import type { VisibleDevice } from '../ports/devices/visible-device.ts';
import { readSiteStatuses } from './statuses.store.ts';
import { listSiteTrafficDevices, readDeviceTraffic, readSiteTraffic, type TrafficStep } from './traffic.store.ts';

type Endpoints = typeof statisticsEndpoints;

/** The number of steps shown: hours of a day or days of a month for statuses, twice as many for traffic. */
const STATUS_STEPS: Record<StatisticStep, number> = { hour: 24, day: 31 };
const TRAFFIC_STEPS: Record<StatisticStep, number> = { hour: 48, day: 60 };

/** The statuses of the devices of a site that a caller may see, over time. */
export async function siteStatuses(
  db: Kysely<Database>,
  siteId: number,
  step: StatisticStep,
): Promise<ResultOf<Endpoints['readSiteStatuses']>> {
  const window = statisticWindow(Date.now(), step, STATUS_STEPS[step]);
  const steps = window.starts.map((at) => ({
    at: new Date(at),
    lasted: Math.round((Math.min(at + window.stepMs, window.to) - at) / 1_000),
    seconds: noSeconds(),
    unknown: 0,
  }));
  for (const { step: number, status, seconds, unseen } of await readSiteStatuses(db, siteId, window)) {
    const one = steps[number];
    if (!one) continue;
    one.seconds[status] = Math.round(seconds - unseen);
    one.unknown += Math.round(unseen);
  }
  return { ...answerOf(window), steps };
}

/** The bytes from and to the devices of a site that a caller may see. */
export async function siteTraffic(
  db: Kysely<Database>,
  siteId: number,
  step: StatisticStep,
): Promise<ResultOf<Endpoints['readSiteTraffic']>> {
  const window = statisticWindow(Date.now(), step, TRAFFIC_STEPS[step]);
  return { ...answerOf(window), steps: trafficSteps(window, await readSiteTraffic(db, siteId, window)) };
}

/** The devices with traffic at a site that a caller may see. */
export async function siteTrafficDevices(
  db: Kysely<Database>,
  caller: Caller,
  siteId: number,
  query: QueryOf<Endpoints['listSiteTrafficDevices']>,
): Promise<ResultOf<Endpoints['listSiteTrafficDevices']>> {
  const window = statisticWindow(Date.now(), query.step, TRAFFIC_STEPS[query.step]);
  const { descending } = listOrder(query.sort, '-total');
  return await listSiteTrafficDevices(caller.scope, db, siteId, window, descending, pageOf(query));
}

/** The bytes from and to a device that a caller may see, for the time when it was at places they may see. */
export async function deviceTraffic(
  db: Kysely<Database>,
  caller: Caller,
  device: VisibleDevice,
  step: StatisticStep,
): Promise<ResultOf<Endpoints['readDeviceTraffic']>> {
  const window = statisticWindow(Date.now(), step, TRAFFIC_STEPS[step]);
  return {
    ...answerOf(window),
    steps: trafficSteps(window, await readDeviceTraffic(caller.scope, db, device.id, window)),
  };
}

function answerOf({ step, stepMs, from, to }: StatisticWindow) {
  return {
    step,
    stepSeconds: stepMs / 1_000,
    from: new Date(from),
    to: new Date(to),
  };
}

function trafficSteps(window: StatisticWindow, found: readonly TrafficStep[]) {
  const steps = window.starts.map((at) => ({ at: new Date(at), received: 0, sent: 0 }));
  for (const { step, received, sent } of found) Object.assign(steps[step] ?? {}, { received, sent });
  return steps;
}
