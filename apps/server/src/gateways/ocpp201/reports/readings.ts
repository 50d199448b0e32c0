import { DEFAULT_MEASURAND, type MappedReadings, mapSamples } from '../../ocpp/readings.ts';
import { normalise } from '../../ocpp/tolerance/units.ts';

/** MeterValueType of OCPP 2.0.1 part 2 §2.35. */
export interface MeterValue {
  timestamp: string;
  sampledValue: SampledValue[];
}

/** SampledValueType of OCPP 2.0.1 part 2 §2.46. */
interface SampledValue {
  value: number;
  measurand?: string;
  phase?: string;
  location?: string;
  unitOfMeasure?: { unit?: string; multiplier?: number };
}

/** No unit is written with a larger power of ten. A larger multiplier is an error. */
const MOST_TENS = 30;

/** A value without its multiplier; null when that is not a number. */
function scaled({ value, unitOfMeasure }: SampledValue): number | null {
  const { multiplier = 0 } = unitOfMeasure ?? {};
  if (multiplier === 0) return value;
  if (Math.abs(multiplier) > MOST_TENS) return null;
  // 11 with multiplier -1 is 1.1, not 1.1000000000000001.
  const whole = Number((value * 10 ** multiplier).toPrecision(12));
  return Number.isFinite(whole) ? whole : null;
}

/**
 * The readings in meter values of OCPP 2.0.1. Signed data is sent in addition to the value and stored only in the
 * frame.
 */
export function mapMeterValues(
  connector: number,
  meterValues: readonly MeterValue[],
  receivedAt: Date,
): MappedReadings {
  const sampled = meterValues.map(({ timestamp, sampledValue }) => ({
    timestamp,
    samples: sampledValue.map((sample) => {
      const { measurand, phase, location, unitOfMeasure } = sample;
      return { value: scaled(sample), signedOnly: false, unit: unitOfMeasure?.unit, measurand, phase, location };
    }),
  }));
  return mapSamples(connector, null, sampled, receivedAt);
}

/** The range that the fleet stores for a meter: in OCPP 1.6 a meter value is a 32-bit integer. */
const MOST_WH = 2 ** 31 - 1;

/**
 * Minimum and maximum of the energy registers of the whole outlet in meter values, in whole Wh; null when there is
 * none.
 */
export function energyIn(meterValues: readonly MeterValue[]): { least: number; greatest: number } | null {
  const found = meterValues
    .flatMap(({ sampledValue }) => sampledValue)
    .filter(({ measurand = DEFAULT_MEASURAND, phase, location = 'Outlet' }) => {
      return measurand === DEFAULT_MEASURAND && phase === undefined && location === 'Outlet';
    })
    .flatMap((sample) => {
      const value = scaled(sample);
      if (value === null) return [];
      const wh = Math.round(normalise(DEFAULT_MEASURAND, sample.unitOfMeasure?.unit, value).value);
      return Math.abs(wh) <= MOST_WH ? [wh] : [];
    });
  return found.length === 0 ? null : { least: Math.min(...found), greatest: Math.max(...found) };
}
