/** The electrical model of a charging session: pure arithmetic without clock or randomness. */

/** The limits of an outlet. A direct-current outlet has no phases on the side of the vehicle. */
export interface Outlet {
  kind: 'ac' | 'dc';
  phases: 1 | 3;
  maxPowerW: number;
}

/** The vehicle at the outlet. `maxPowerW` is the limit of its on-board charger (AC) or of its battery (DC). */
export interface Car {
  capacityWh: number;
  startSoc: number;
  targetSoc: number;
  maxPowerW: number;
}

/** The state of a session. `soc` in percent, `temperatureC` of the outlet. */
export interface ChargeState {
  seconds: number;
  soc: number;
  energyWh: number;
  powerW: number;
  temperatureC: number;
  full: boolean;
}

/** The readings of the meter at a time. Lists have one value per phase; a direct-current outlet has one in total. */
export interface Readings {
  voltageV: number[];
  currentA: number[];
  powerW: number;
  soc: number;
  temperatureC: number;
}

const AMBIENT_C = 24;
/** The temperature rise of an outlet at full power. */
const RISE_C = 31;
/** The time constant of the outlet temperature: it reaches about two thirds of the rise in this time. */
const WARM_UP_SECONDS = 600;
/** The longest step of the integration, short enough for a smooth taper. */
const STEP_SECONDS = 10;

/** The initial state of a session. */
export function beginCharge(car: Car): ChargeState {
  return { seconds: 0, soc: car.startSoc, energyWh: 0, powerW: 0, temperatureC: AMBIENT_C, full: false };
}

/**
 * The power in W of a vehicle at a state of charge: the limit of outlet or vehicle, tapering when the battery is nearly
 * full.
 */
export function powerAt(outlet: Outlet, car: Car, soc: number): number {
  if (soc >= car.targetSoc) return 0;
  return Math.min(outlet.maxPowerW, car.maxPowerW * taper(outlet.kind, soc));
}

/** The session `seconds` later. With 0 seconds, the state is unchanged. */
export function advanceCharge(outlet: Outlet, car: Car, from: ChargeState, seconds: number): ChargeState {
  let { soc, energyWh, powerW, temperatureC } = from;
  for (let left = seconds; left > 0; left -= STEP_SECONDS) {
    const step = Math.min(left, STEP_SECONDS);
    const missingWh = ((car.targetSoc - soc) / 100) * car.capacityWh;
    powerW = powerAt(outlet, car, soc);
    const gainWh = Math.min((powerW * step) / 3600, Math.max(missingWh, 0));
    energyWh += gainWh;
    soc = gainWh >= missingWh ? car.targetSoc : soc + (gainWh / car.capacityWh) * 100;
    const settled = AMBIENT_C + RISE_C * (powerW / outlet.maxPowerW);
    temperatureC += (settled - temperatureC) * (1 - Math.exp(-step / WARM_UP_SECONDS));
  }
  const full = soc >= car.targetSoc;
  return { seconds: from.seconds + seconds, soc, energyWh, powerW: full ? 0 : powerW, temperatureC, full };
}

/** The meter readings of a state. The mains voltage varies slightly over time, so that phases differ. */
export function readingsOf(outlet: Outlet, state: ChargeState): Readings {
  const { powerW, soc, temperatureC } = state;
  if (outlet.kind === 'dc') {
    const voltage = 340 + soc * 0.8;
    return { voltageV: [voltage], currentA: [powerW / voltage], powerW, soc, temperatureC };
  }
  const voltageV = Array.from({ length: outlet.phases }, (_, phase) => mainsVoltage(state.seconds, phase));
  const currentA = voltageV.map((voltage) => powerW / outlet.phases / voltage);
  return { voltageV, currentA, powerW, soc, temperatureC };
}

/** The share of the maximum power that a battery accepts at a state of charge, as points with linear interpolation. */
const TAPER: Record<Outlet['kind'], readonly (readonly [soc: number, share: number])[]> = {
  dc: [
    [0, 0.7],
    [8, 1],
    [52, 1],
    [80, 0.42],
    [95, 0.14],
    [100, 0.05],
  ],
  ac: [
    [0, 1],
    [92, 1],
    [100, 0.18],
  ],
};

function taper(kind: Outlet['kind'], soc: number): number {
  let [lowSoc, lowShare] = [0, 0];
  for (const [highSoc, highShare] of TAPER[kind]) {
    if (soc <= highSoc) {
      if (highSoc === lowSoc) return highShare;
      return lowShare + ((highShare - lowShare) * (soc - lowSoc)) / (highSoc - lowSoc);
    }
    [lowSoc, lowShare] = [highSoc, highShare];
  }
  return lowShare;
}

/** 230 V of the public mains (IEC 60038), varying by less than 1 %. */
function mainsVoltage(seconds: number, phase: number): number {
  return 230 + 1.3 * Math.sin(seconds / 411 + phase * 2.1) + 0.4 * Math.sin(seconds / 37 + phase);
}
