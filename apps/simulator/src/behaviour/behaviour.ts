import { plugIn } from '../ocpp16/transactions/session.ts';
import { passingDriver } from './drivers.ts';
import { CONNECTOR_CODES, makeFault, STATION_CODES, WARNING_CODES } from './faults.ts';
import type { Random } from './random.ts';
import type { Station } from './station.ts';
import { clearFault, raiseFault } from './trouble.ts';

/** Mean minutes of simulated time from the end of one event to the start of the next; 0: never. */
export interface Rates {
  /** Charging sessions on a connector. */
  sessionEvery: number;
  /** Faults of a charge point. */
  faultEvery: number;
  /** Lost connections of a charge point. */
  disconnectEvery: number;
}

/**
 * Starts the behavior of a charge point: drivers, faults and lost connections. Each is a chain of events with its own
 * random stream. The next event starts after the previous one ends, so that timers never race.
 * @param goOffline cuts the connection for this many simulated seconds
 */
export function startBehaviour(station: Station, rates: Rates, goOffline: (seconds: number) => void): void {
  for (const connector of station.outlets) {
    repeat(station, `sessions ${connector.id}`, rates.sessionEvery, (random, done) => {
      const driver = { ...passingDriver(random, connector), gone: done };
      if (!plugIn(station, connector, driver)) done();
    });
  }
  repeat(station, 'faults', rates.faultEvery, (random, done) => passingFault(station, random, done));
  repeat(station, 'disconnects', rates.disconnectEvery, (random, done) => {
    const seconds = random.between(5, 180);
    goOffline(seconds);
    station.timers.afterBehaviour(seconds, done);
  });
}

function repeat(
  station: Station,
  concern: string,
  everyMinutes: number,
  happen: (random: Random, done: () => void) => void,
): void {
  if (everyMinutes <= 0) return;
  const random = station.random(concern);
  const wait = (): void => {
    station.timers.afterBehaviour(random.exponential(everyMinutes * 60), () => happen(random, wait));
  };
  wait();
}

/** One fault in five flaps: it clears and reappears a few times within a minute or two. */
function passingFault(station: Station, random: Random, done: () => void): void {
  const nature = random.pick(['warning', 'station', 'connector', 'connector', 'connector'] as const);
  const codes = { warning: WARNING_CODES, station: STATION_CODES, connector: CONNECTOR_CODES }[nature];
  const fault = makeFault(random.pick(codes), nature === 'warning');
  const outlet = random.pick(station.outlets);
  const connector = nature === 'station' ? station.connector(0) : outlet;
  const flapping = random.chance(0.2);
  const times = flapping ? random.integer(3, 6) : 1;
  const episodes = Array.from({ length: times }, () => ({
    lasts: flapping ? random.between(3, 12) : random.between(40, 900),
    pause: random.between(3, 12),
  }));
  const next = (): void => {
    const episode = episodes.shift();
    // A fault that was raised otherwise stays and is cleared separately.
    if (episode === undefined || connector === undefined || connector.fault !== null) {
      done();
      return;
    }
    raiseFault(station, connector, fault);
    station.timers.afterBehaviour(episode.lasts, () => {
      if (connector.fault === fault) clearFault(station, connector);
      station.timers.afterBehaviour(episode.pause, next);
    });
  };
  next();
}
