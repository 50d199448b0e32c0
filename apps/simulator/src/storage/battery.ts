import type { Random } from '../behaviour/random.ts';

/** The settings of a storage unit. The names of its parameters are those of the metrics under `Settings/`. */
export interface StorageSettings {
  /** 0 own use, 1 time of use, 2 backup, 3 manual */
  mode: number;
  socMin: number;
  socMax: number;
  /** kW */
  chargePowerMax: number;
  dischargePowerMax: number;
  /** kW in manual mode; positive charges */
  setpoint: number;
}

/** The measured values of a storage unit. Powers in kW, energies in kWh, temperatures in °C. */
export interface StorageState {
  soc: number;
  /** positive charges the battery */
  power: number;
  temperature: number;
  pv: number;
  load: number;
  grid: number;
  charged: number;
  discharged: number;
  imported: number;
  exported: number;
  produced: number;
  /** 0: none */
  fault: number;
  enabled: boolean;
}

/** The capacity of the battery, kWh. */
export const CAPACITY_KWH = 10;
const AMBIENT_C = 22;

export function newStorageState(random: Random): StorageState {
  return {
    ...{ soc: random.between(25, 85), power: 0, temperature: AMBIENT_C, pv: 0, load: 0.6, grid: 0 },
    ...{ charged: random.between(500, 3_000), discharged: random.between(400, 2_800) },
    ...{
      imported: random.between(200, 4_000),
      exported: random.between(100, 2_000),
      produced: random.between(800, 9_000),
    },
    ...{ fault: 0, enabled: true },
  };
}

/**
 * The state `seconds` later. The `hour` of the day (0 to 24) decides the solar power. Pure except for the random
 * stream.
 */
export function stepStorage(
  state: StorageState,
  settings: StorageSettings,
  { seconds, hour, random }: { seconds: number; hour: number; random: Random },
): StorageState {
  const hours = seconds / 3_600;
  const sun = Math.max(0, Math.sin(((hour - 6) / 12) * Math.PI));
  const pv = 6 * sun * random.between(0.85, 1);
  const load = 0.4 + 1.2 * random.next() + (hour > 17 && hour < 22 ? 1.5 : 0);
  const power = state.fault !== 0 || !state.enabled ? 0 : targetPower(state, settings, pv - load, hour);
  const grid = load + power - pv;
  const soc = Math.min(100, Math.max(0, state.soc + ((power * hours) / CAPACITY_KWH) * 100));
  const warm = AMBIENT_C + Math.abs(power) * 2.2 + (state.fault !== 0 ? 6 : 0);
  return {
    ...state,
    ...{ soc, power, pv, load, grid },
    temperature: state.temperature + (warm - state.temperature) * Math.min(1, seconds / 900),
    charged: state.charged + Math.max(0, power) * hours,
    discharged: state.discharged + Math.max(0, -power) * hours,
    imported: state.imported + Math.max(0, grid) * hours,
    exported: state.exported + Math.max(0, -grid) * hours,
    produced: state.produced + pv * hours,
  };
}

function targetPower(state: StorageState, settings: StorageSettings, surplus: number, hour: number): number {
  const { mode, socMin, socMax, chargePowerMax, dischargePowerMax, setpoint } = settings;
  const night = hour < 6;
  const wanted = mode === 3 ? setpoint : mode === 2 ? chargePowerMax : mode === 1 && night ? chargePowerMax : surplus;
  if (wanted > 0) return state.soc >= socMax ? 0 : Math.min(wanted, chargePowerMax);
  return state.soc <= socMin ? 0 : Math.max(wanted, -dischargePowerMax);
}
