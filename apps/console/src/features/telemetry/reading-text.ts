import { unitSign } from '@chargehand/domain';

/** The measurand of the energy counter for charging sessions (OCPP 1.6 §7.31). */
const ENERGY_COUNTER = 'Energy.Active.Import.Register';

/** A value with a number of digits that depends on its size: `231.4`, `12 480`, `0.052`. */
export function valueText(value: number): string {
  const size = Math.abs(value);
  const digits = size >= 10_000 ? 0 : size >= 100 ? 1 : size >= 1 ? 2 : 3;
  return withDigits(value, digits);
}

/** The maximum number of decimals on a screen. */
const MOST_DIGITS = 6;

/** A value on an axis with the number of decimals of `step`, the distance to the next one: 0.25 has two. */
export function tickText(value: number, step: number): string {
  let digits = 0;
  while (digits < MOST_DIGITS && Math.abs(step * 10 ** digits - Math.round(step * 10 ** digits)) > 1e-6) digits += 1;
  return withDigits(value, digits);
}

function withDigits(value: number, digits: number): string {
  const size = Math.abs(value);
  return value
    .toLocaleString('en-US', { maximumFractionDigits: digits, useGrouping: size >= 10_000 })
    .replaceAll(',', '\u202f');
}

/** A value in a readable unit: watts and watt-hours from 1000 on are in kilo. */
export function inReadableUnit(value: number, unit: string): { value: number; unit: string } {
  if (['W', 'Wh', 'var', 'varh', 'VA'].includes(unit) && Math.abs(value) >= 1_000) {
    return { value: value / 1_000, unit: `k${unit}` };
  }
  return { value, unit: unitSign(unit) };
}

/**
 * The energy of a session so far in watt-hours, or null when the counter has not been read since it started.
 * @param meterStart the counter at the start of the session, in Wh
 */
export function sessionEnergy(
  readings: readonly { key: string; unit: string; value: number | null; at: string }[],
  session: { meterStart: number; startedAt: string },
): number | null {
  const counter = readings.find(({ key }) => key === ENERGY_COUNTER);
  if (!counter || counter.value === null || Date.parse(counter.at) < Date.parse(session.startedAt)) return null;
  const wattHours = counter.unit === 'kWh' ? counter.value * 1_000 : counter.value;
  return Math.max(0, wattHours - session.meterStart);
}
