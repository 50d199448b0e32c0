import { readingTime, reportedTime, unitProblem } from '@chargehand/domain';
import type { ReadingEvent } from '../../ports/uplink.ts';
import { BoundedNotes } from '../bounded-notes.ts';
import { normalise } from './tolerance/units.ts';

/** A sampled value in the terms that all versions of OCPP share. */
export interface Sample {
  /** null when the device did not send a number */
  value: number | null;
  /** the value is only in signed data, which is not decoded */
  signedOnly: boolean;
  measurand: string | undefined;
  phase: string | undefined;
  location: string | undefined;
  unit: string | undefined;
}

/** The values sampled at one instant. */
export interface Samples {
  timestamp: string;
  samples: readonly Sample[];
}

export interface MappedReadings {
  events: ReadingEvent[];
  notes: string[];
  /** the values that are not stored, and why */
  refused: string[];
}

/** No charge point samples so many quantities at once. More would make a row of unbounded width. */
const MOST_VALUES = 200;

/**
 * The readings in meter values: one event for each, with its values keyed `<Measurand>[.<Phase>][@<Location>]` (the
 * location only when it is not the default Outlet). Quantities named `….Register` are counters, all others are analog.
 */
export function mapSamples(
  connector: number,
  transactionId: number | null,
  meterValues: readonly Samples[],
  receivedAt: Date,
): MappedReadings {
  const notes = new BoundedNotes();
  const refused = new BoundedNotes();
  const events: ReadingEvent[] = [];
  for (const { timestamp, samples } of meterValues) {
    const time = readingTime(reportedTime(timestamp), receivedAt);
    if (time.at === null) {
      refused.add(`the time ${timestamp.slice(0, 40)} of readings ${time.problem}; they are left out`);
      continue;
    }
    const { at } = time;
    const values = valuesOf(samples, notes, refused);
    if (values.length > 0) events.push({ kind: 'reading', connector, at, receivedAt, transactionId, values });
  }
  return { events, notes: notes.list, refused: refused.list };
}

function valuesOf(samples: readonly Sample[], notes: BoundedNotes, refused: BoundedNotes): ReadingEvent['values'] {
  const values: ReadingEvent['values'] = [];
  for (const sample of samples) {
    const measurand = sample.measurand ?? DEFAULT_MEASURAND;
    if (sample.signedOnly) {
      notes.add(`signed data of ${measurand.slice(0, 60)} is stored in this frame only`);
      continue;
    }
    if (sample.value === null) {
      refused.add(`the value of ${measurand.slice(0, 60)} is not a number`);
      continue;
    }
    const problem = unitProblem(measurand, sample.unit);
    if (problem !== null) {
      refused.add(`${problem}; left out`);
      continue;
    }
    const { unit, value } = normalise(measurand, sample.unit, sample.value);
    const key = keyOf(measurand, sample);
    const former = values.findIndex((other) => other.key === key);
    const entry = { key, unit, counter: measurand.endsWith('.Register'), value };
    if (former >= 0) values[former] = entry;
    else if (values.length < MOST_VALUES) values.push(entry);
    else refused.add(`more than ${MOST_VALUES} values in one sample; ${key.slice(0, 60)} left out`);
  }
  return values;
}

/** The default measurand of a value without one (OCPP 1.6 §7.43, OCPP 2.0.1 part 2 §2.46). */
export const DEFAULT_MEASURAND = 'Energy.Active.Import.Register';

/** `<Measurand>[.<Phase>][@<Location>]`. */
function keyOf(measurand: string, { phase, location }: Sample): string {
  const phased = phase === undefined ? measurand : `${measurand}.${phase}`;
  return location === undefined || location === 'Outlet' ? phased : `${phased}@${location}`;
}

/**
 * A decimal number as OCPP writes it, or null. Other notations that JavaScript accepts (hex, blanks, Infinity) are not
 * numbers here.
 */
export function toNumber(text: string): number | null {
  if (!/^\s*[+-]?(\d+(?:\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?\s*$/.test(text)) return null;
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}
