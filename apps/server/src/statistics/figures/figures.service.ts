import type { QueryOf, ResultOf, statisticsEndpoints } from '@chargehand/contract';
import {
  availabilityOf,
  DEFAULT_ZONE,
  isObserved,
  type StatisticStep,
  servedTimes,
  serviceOf,
  sessionOutcome,
  statisticWindow,
  zoneOffset,
} from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import {
  readDeviceSessions,
  readDeviceSpans,
  readGaps,
  readServed,
  readSteps,
  type StepSums,
} from './figures.store.ts';

type Endpoints = typeof statisticsEndpoints;

/** Days of the lines of Home and of a site, and hours of those of a device. */
const DAYS = 7;
const HOURS = 24;
const STEP_MS: Record<StatisticStep, number> = { hour: 3_600_000, day: 86_400_000 };

/** The step of the fleet's zone that a time belongs to. */
export function stepOf(step: StatisticStep, at: number): { at: number; stepMs: number } {
  const stepMs = STEP_MS[step];
  const ahead = zoneOffset(at, DEFAULT_ZONE);
  return { at: Math.floor((at + ahead) / stepMs) * stepMs - ahead, stepMs };
}

/** The key figures of what a caller may see, now and in the last seven days or 24 hours. The last step is in progress. */
export async function keyFigures(
  db: Kysely<Database>,
  { scope }: Pick<Caller, 'scope'>,
  { step = 'day', ...place }: QueryOf<Endpoints['readKeyFigures']>,
): Promise<ResultOf<Endpoints['readKeyFigures']>> {
  const now = Date.now();
  const { from, starts, stepMs } = statisticWindow(now, step, step === 'day' ? DAYS : HOURS);
  const [current, stored, gaps] = await Promise.all([
    readServed(scope, db, place),
    readSteps(scope, db, place, step, from),
    readGaps(db, from),
  ]);
  const byStart = new Map(stored.map((one) => [one.at, one]));
  const steps = starts.map((at) => ({ ...(byStart.get(at) ?? nothing(at)), stepMs }));
  const times = servedTimes(now, current, steps);
  return {
    now: current,
    steps: steps.map(({ at, energyWh, sessions, failed }, index) => ({
      at: new Date(at),
      // A few seconds of rounding are no service.
      availability:
        isObserved(at, Math.min(at + stepMs, now), gaps) && times[index]!.served > 1
          ? availabilityOf(times[index]!)
          : null,
      energyWh: Math.max(0, energyWh),
      sessions: Math.max(0, sessions),
      failed: Math.max(0, failed),
    })),
  };
}

function nothing(at: number): StepSums {
  return {
    ...{ at, served: 0, available: 0, servedSeconds: 0, availableSeconds: 0 },
    ...{ energyWh: 0, sessions: 0, failed: 0 },
  };
}

/** The key figures of a device that a caller may see, for the last 24 hours, while it was at sites they may see. */
export async function deviceFigures(
  db: Kysely<Database>,
  { scope }: Pick<Caller, 'scope'>,
  device: { id: number },
): Promise<ResultOf<Endpoints['readDeviceFigures']>> {
  const now = Date.now();
  const { from, starts, stepMs } = statisticWindow(now, 'hour', HOURS);
  const [spans, sessions, gaps] = await Promise.all([
    readDeviceSpans(scope, db, device.id, from),
    readDeviceSessions(scope, db, device.id, from),
    readGaps(db, from),
  ]);
  const duration = (start: number, wanted: readonly string[]) =>
    spans
      .filter(({ status }) => wanted.includes(serviceOf(status)))
      .reduce((sum, one) => sum + Math.max(0, Math.min(one.to, start + stepMs) - Math.max(one.from, start)), 0);
  return {
    hours: starts.map((at) => {
      const ended = sessions.filter((one) => one.at >= at && one.at < at + stepMs);
      const outcomes = ended.map(sessionOutcome);
      const share = availabilityOf({
        available: duration(at, ['available']),
        served: duration(at, ['available', 'unavailable']),
      });
      return {
        at: new Date(at),
        availability: isObserved(at, Math.min(at + stepMs, now), gaps) ? share : null,
        energyWh: ended.reduce((sum, one) => sum + one.energyWh, 0),
        sessions: outcomes.filter((outcome) => outcome !== 'refused').length,
        failed: outcomes.filter((outcome) => outcome === 'failed').length,
      };
    }),
  };
}
