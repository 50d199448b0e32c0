import { passingDriver } from '../behaviour/drivers.ts';
import { CONNECTOR_CODES, type Fault, makeFault, STATION_CODES, WARNING_CODES } from '../behaviour/faults.ts';
import { Random } from '../behaviour/random.ts';
import type { Protocol } from '../behaviour/station.ts';
import { drawIdentity, type Identity } from '../identity/identity.ts';
import { newConnector, type StopReason } from '../ocpp16/connector.ts';
import { advanceCharge, beginCharge, type Outlet, type Readings, readingsOf } from '../ocpp16/transactions/charging.ts';
import { nextArrival, type PlaceType } from './arrivals.ts';

/** A time span in epoch milliseconds. */
export interface Span {
  from: number;
  to: number;
}

/**
 * A time in which a charge point does not work as usual: without connection, or while people work on it. All except a
 * lost connection end charging sessions.
 */
export interface Interruption extends Span {
  kind: 'connection' | 'power' | 'restart' | 'update' | 'maintenance';
}

/** What the meter of a connector measured at a time. */
export interface PastSample {
  at: number;
  registerWh: number;
  readings: Readings;
}

export interface PastSession {
  connector: number;
  idTag: string;
  pluggedAt: number;
  startedAt: number;
  /** when the vehicle was full */
  fullAt: number | null;
  stoppedAt: number;
  unpluggedAt: number;
  meterStart: number;
  meterStop: number;
  reason: StopReason | 'PowerLoss';
  /** the last one is at the end */
  samples: PastSample[];
}

/** A fault, or a spell of one that comes and goes. Connector 0 is the charge point itself. */
export interface PastFault extends Span {
  connector: number;
  fault: Fault;
}

/** What happened to a charge point. Everything has ended. Each list is in the order of time. */
export interface StationPast {
  sn: string;
  identity: Identity;
  protocol: Protocol;
  sessions: PastSession[];
  faults: PastFault[];
  interruptions: Interruption[];
  /** the energy registers at the end, from connector 1 */
  registersWh: number[];
}

export interface StationPlan extends Span {
  sn: string;
  seed: string | number;
  protocol: Protocol;
  placeType: PlaceType;
  zoneOffsetMs: number;
  /** the time between two samples of a session */
  sampleMs: number;
  /** interruptions that have a reason outside of the charge point */
  planned: readonly Interruption[];
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Invents the past of a charge point. The same plan gives the same past. */
export function drawPast(plan: StationPlan): StationPast {
  const random = (concern: string) => new Random(plan.seed, plan.sn, concern);
  const identity = drawIdentity(plan.sn, random('identity'));
  const interruptions = drawInterruptions(plan, random('past interruptions'));
  const stops = interruptions.filter(({ kind }) => kind !== 'connection');
  const faults = drawFaults(plan, identity, random('past faults')).filter(
    (one) => !stops.some((stop) => meet(one, stop)),
  );
  const meter = random('meter');
  const registersWh: number[] = [];
  const sessions = identity.outlets.flatMap((outlet, index) => {
    const place: Place = { connector: index + 1, outlet, registerWh: meter.integer(2_000, 9_000_000) };
    const blocked = [
      ...stops,
      ...faults.filter(({ connector, fault }) => !fault.warning && [0, place.connector].includes(connector)),
    ].sort((one, other) => one.from - other.from);
    const found = drawSessions(plan, place, blocked, random(`past sessions ${place.connector}`));
    registersWh.push(place.registerWh);
    return found;
  });
  sessions.sort((one, other) => one.startedAt - other.startedAt);
  return { sn: plan.sn, identity, protocol: plan.protocol, sessions, faults, interruptions, registersWh };
}

/** True when two spans overlap. */
function meet(one: Span, other: Span): boolean {
  return one.from < other.to && other.from < one.to;
}

/** Lost connections, mostly short, beside the planned ones. */
function drawInterruptions({ from, to, planned }: StationPlan, random: Random): Interruption[] {
  const lost: Interruption[] = [];
  let at = from + random.exponential(40 * HOUR);
  while (at < to - HOUR) {
    const length = random.chance(0.12)
      ? random.between(20 * MINUTE, 3 * HOUR)
      : random.between(15 * SECOND, 8 * MINUTE);
    const one: Interruption = { kind: 'connection', from: at, to: Math.min(at + length, to - 10 * MINUTE) };
    if (!planned.some((other) => meet({ from: one.from - MINUTE, to: one.to + MINUTE }, other))) lost.push(one);
    at = one.to + random.exponential(40 * HOUR);
  }
  return [...planned, ...lost].sort((one, other) => one.from - other.from);
}

/** Faults and warnings. Some flap, and one charge point in six has three times as many as the others. */
function drawFaults({ from, to }: Span, identity: Identity, random: Random): PastFault[] {
  const faults: PastFault[] = [];
  const every = random.chance(1 / 6) ? 10 * HOUR : 30 * HOUR;
  let at = from + random.exponential(every);
  while (at < to) {
    const nature = random.pick(['warning', 'station', 'connector', 'connector', 'connector'] as const);
    const codes = { warning: WARNING_CODES, station: STATION_CODES, connector: CONNECTOR_CODES }[nature];
    const fault = makeFault(random.pick(codes), nature === 'warning');
    const connector = nature === 'station' ? 0 : random.integer(1, identity.outlets.length);
    const flapping = random.chance(0.15);
    for (let left = flapping ? random.integer(3, 6) : 1; left > 0; left -= 1) {
      const length = flapping ? random.between(8 * SECOND, 50 * SECOND) : durationOf(random, nature === 'warning');
      if (at + length >= to - 5 * MINUTE) return faults;
      faults.push({ connector, fault, from: at, to: at + length });
      at += length + random.between(20 * SECOND, 4 * MINUTE);
    }
    at += random.exponential(every);
  }
  return faults;
}

/** How long a fault lasts. A few wait for a technician. */
function durationOf(random: Random, warning: boolean): number {
  if (warning) return random.between(10 * MINUTE, 5 * HOUR);
  return random.chance(0.08) ? random.between(3 * HOUR, 14 * HOUR) : random.between(MINUTE, 70 * MINUTE);
}

interface Place {
  connector: number;
  outlet: Outlet;
  /** updated with each session */
  registerWh: number;
}

/** The sessions of a connector, one after the other, outside of the spans in which it is blocked. */
function drawSessions(plan: StationPlan, place: Place, blocked: readonly Span[], random: Random): PastSession[] {
  const sessions: PastSession[] = [];
  const { placeType, zoneOffsetMs } = plan;
  for (let from = plan.from; ; ) {
    const pluggedAt = nextArrival(placeType, place.outlet.kind, random, { from, zoneOffsetMs });
    const session = drawSession(plan, place, { pluggedAt, blocked }, random);
    if (session === null && pluggedAt >= plan.to) return sessions;
    if (session) sessions.push(session);
    from = session?.unpluggedAt ?? pluggedAt;
  }
}

/** The shortest session worth a row. */
const SHORTEST = 2 * MINUTE;

function drawSession(
  { to, sampleMs }: StationPlan,
  place: Place,
  { pluggedAt, blocked }: { pluggedAt: number; blocked: readonly Span[] },
  random: Random,
): PastSession | null {
  const driver = passingDriver(random, newConnector(place.connector, place.outlet, 0));
  const startedAt = wholeSecond(pluggedAt + random.between(4, 40) * SECOND);
  const leaves = startedAt + (driver.staySeconds ?? 0) * SECOND;
  // The last drivers leave shortly before the end, so that the past has no session that goes on.
  const latest = to - random.between(30, 240) * SECOND;
  const trouble = blocked.find((span) => span.to > pluggedAt && span.from < Math.min(leaves, latest));
  const stoppedAt = wholeSecond(Math.min(leaves, latest, trouble?.from ?? leaves));
  if (stoppedAt - startedAt < SHORTEST) return null;
  const lingers = Math.min(stoppedAt + (driver.lingerSeconds ?? 0) * SECOND, to - 10 * SECOND);
  const meterStart = Math.round(place.registerWh);
  const samples: PastSample[] = [];
  let charge = beginCharge(driver.car);
  let fullAt: number | null = null;
  for (let at = startedAt; at < stoppedAt; ) {
    const next = Math.min(at + sampleMs, stoppedAt);
    charge = advanceCharge(place.outlet, driver.car, charge, (next - at) / SECOND);
    if (charge.full && fullAt === null && next < stoppedAt) fullAt = next;
    at = next;
    const registerWh = Math.round(meterStart + charge.energyWh);
    samples.push({ at, registerWh, readings: readingsOf(place.outlet, charge) });
  }
  const meterStop = samples.at(-1)?.registerWh ?? meterStart;
  place.registerWh = meterStop;
  return {
    ...{ connector: place.connector, idTag: driver.idTag, pluggedAt, startedAt, fullAt, stoppedAt },
    unpluggedAt: Math.max(lingers, stoppedAt),
    ...{ meterStart, meterStop, samples },
    reason: trouble && stoppedAt >= wholeSecond(trouble.from) ? reasonOf(trouble) : driver.stopReason,
  };
}

function reasonOf(trouble: Span | Interruption | PastFault): PastSession['reason'] {
  if (!('kind' in trouble) || trouble.kind === 'maintenance') return 'Other';
  return trouble.kind === 'power' ? 'PowerLoss' : 'SoftReset';
}

function wholeSecond(at: number): number {
  return Math.floor(at / SECOND) * SECOND;
}
