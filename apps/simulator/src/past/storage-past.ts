import { Random } from '../behaviour/random.ts';
import { newStorageState, type StorageState, stepStorage } from '../storage/battery.ts';
import { DEFAULT_SETTINGS, FAULTS } from '../storage/metrics.ts';
import type { Interruption, Span } from './station-past.ts';

/** A time in which a storage unit reported a fault. */
export interface PastStorageFault extends Span {
  code: number;
}

/** What happened to a storage unit. */
export interface StoragePast {
  sn: string;
  states: { at: number; state: StorageState }[];
  faults: PastStorageFault[];
  interruptions: Interruption[];
  /** the state at the end */
  last: StorageState;
}

export interface StoragePlan extends Span {
  sn: string;
  seed: string | number;
  zoneOffsetMs: number;
  /** the time between two states, whole minutes */
  sampleMs: number;
  planned: readonly Interruption[];
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Short enough that a battery stops at its limits. */
const STEP_MS = MINUTE;

/** Invents the past of a storage unit. The same plan gives the same past. */
export function drawStoragePast(plan: StoragePlan): StoragePast {
  const { sn, seed, from, to, sampleMs, zoneOffsetMs, planned } = plan;
  const random = new Random(seed, sn, 'past');
  const faults = drawFaults(plan, random).filter(
    (fault) => !planned.some((one) => one.from < fault.to && fault.from < one.to),
  );
  let state = newStorageState(new Random(seed, sn, 'storage'));
  const states: StoragePast['states'] = [];
  for (let at = from; at < to; at += STEP_MS) {
    const code = faults.find((fault) => fault.from <= at && at < fault.to)?.code ?? 0;
    const hour = ((at + zoneOffsetMs) / HOUR) % 24;
    state = stepStorage({ ...state, fault: code }, DEFAULT_SETTINGS, { seconds: STEP_MS / 1_000, hour, random });
    if ((at - from) % sampleMs !== 0) continue;
    if (!planned.some((one) => one.from <= at && at < one.to)) states.push({ at, state });
  }
  return { sn, states, faults, interruptions: [...planned], last: { ...state, fault: 0 } };
}

/** Faults in whole steps, because a unit reports its state with each sample. */
function drawFaults({ from, to, sampleMs }: StoragePlan, random: Random): PastStorageFault[] {
  const step = (at: number) => from + Math.ceil((at - from) / sampleMs) * sampleMs;
  const faults: PastStorageFault[] = [];
  let at = from + random.exponential(80 * HOUR);
  while (at < to - 2 * HOUR) {
    const begins = step(at);
    const fault = { code: random.pick(FAULTS), from: begins, to: step(begins + random.between(10, 90) * MINUTE) };
    faults.push(fault);
    at = fault.to + random.exponential(80 * HOUR);
  }
  return faults;
}
