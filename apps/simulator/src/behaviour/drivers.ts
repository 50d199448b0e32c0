import type { Connector, DriverPlan } from '../ocpp16/connector.ts';
import type { Car, Outlet } from '../ocpp16/transactions/charging.ts';
import { REGULAR_CARDS } from './cards.ts';
import type { Random } from './random.ts';
import type { Station } from './station.ts';

/** A driver who waits for input: only unplugging or the central system ends the session. */
export function slowDriver(station: Station, connector: Connector, idTag?: string): DriverPlan {
  const random = station.random('patient drivers');
  return {
    idTag: idTag ?? drawIdTag(random),
    car: drawCar(random, connector.outlet),
    staySeconds: null,
    stopReason: 'Local',
    lingerSeconds: null,
  };
}

/**
 * The driver of a remotely started session: one who leaves by themselves when the charge point has simulated drivers,
 * otherwise one who stays.
 */
export function remoteDriver(station: Station, connector: Connector, idTag: string): DriverPlan {
  if (!station.settings.active) return slowDriver(station, connector, idTag);
  return { ...passingDriver(station.random('remote drivers'), connector), idTag };
}

/** A driver who arrives, charges for a while and leaves. */
export function passingDriver(random: Random, connector: Connector): DriverPlan {
  const car = drawCar(random, connector.outlet);
  const [shortest, longest] = connector.outlet.kind === 'dc' ? [600, 3_000] : [1_800, 14_400];
  return {
    idTag: drawIdTag(random),
    car,
    staySeconds: Math.round(random.between(shortest, longest)),
    stopReason: random.chance(0.7) ? 'Local' : 'EVDisconnected',
    lingerSeconds: Math.round(random.between(20, 240)),
  };
}

/** The id of a card: 4 bytes in hexadecimal, as most readers report it. Most drivers come again. */
function drawIdTag(random: Random): string {
  const drawn = random.integer(0x10000000, 0xffffffff);
  const regular = drawn % 10 < 7 ? REGULAR_CARDS[Math.floor(drawn / 10) % REGULAR_CARDS.length] : undefined;
  return regular ?? drawn.toString(16).toUpperCase();
}

function drawCar(random: Random, outlet: Outlet): Car {
  const capacityWh = random.pick([40_000, 52_000, 64_000, 77_000, 95_000]);
  return {
    capacityWh,
    startSoc: random.integer(8, 62),
    targetSoc: random.pick([80, 80, 90, 100]),
    maxPowerW:
      outlet.kind === 'dc' ? capacityWh * random.between(1.4, 2.6) : random.pick([7_360, 11_040, 11_040, 22_080]),
  };
}
