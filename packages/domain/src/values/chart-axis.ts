import { unitSign } from '../models/item-values.ts';

/** What decides the smallest span of an axis. */
export interface AxisQuantity {
  /** as reported or as the model has it: `V`, `Percent`, `kW` */
  unit: string;
  /** a counter: only its increase matters */
  counter?: boolean;
  /** bars begin at zero */
  bars?: boolean;
}

/**
 * The smallest span of an axis: an absolute one in the unit, and a share of the largest value, whichever is greater. A
 * change below it does not matter to anyone in the field: 1 % of the mains voltage (EN 50160 allows 10 %), a tenth of an
 * ampere, half a degree.
 */
const SPANS: Readonly<Record<string, { least: number; share: number }>> = {
  V: { least: 0.5, share: 0.1 },
  A: { least: 2, share: 0.2 },
  W: { least: 500, share: 0.1 },
  VA: { least: 500, share: 0.1 },
  var: { least: 500, share: 0.1 },
  Wh: { least: 500, share: 0.1 },
  varh: { least: 500, share: 0.1 },
  Hz: { least: 1, share: 0.02 },
  '°C': { least: 5, share: 0 },
  K: { least: 5, share: 0 },
  '°F': { least: 9, share: 0 },
  '%': { least: 10, share: 0 },
};
/** For other units, and for numbers without a unit, which may be words of an enumeration. */
const OTHER = { least: 0, share: 0.05 };
/** Space above and below the values, as a share of the span. */
const ROOM = 0.08;

function leastSpan({ unit, counter }: AxisQuantity, size: number): number {
  const sign = unitSign(unit);
  const base = sign.replace(/^[km]/, '');
  const factor = SPANS[sign] === undefined && base !== sign ? (sign.startsWith('k') ? 0.001 : 1_000) : 1;
  const { least, share } = SPANS[sign] ?? SPANS[base] ?? OTHER;
  return Math.max(least * factor, counter ? 0 : share * size);
}

/**
 * The ends of a value axis: the values with some room, and never less than the smallest span of their quantity, so that
 * 229.9 V to 230.1 V is a flat line. Values that are never negative do not get an axis below zero, and percentages up to
 * 100 none above. @param min null if there are no values
 */
export function axisRange(min: number | null, max: number | null, quantity: AxisQuantity): [number, number] {
  if (min === null || max === null || !Number.isFinite(min) || !Number.isFinite(max)) return [0, 1];
  const from = quantity.bars ? Math.min(0, min) : min;
  const to = quantity.bars ? Math.max(0, max) : max;
  const size = Math.max(Math.abs(from), Math.abs(to));
  const least = leastSpan(quantity, size) || size * ROOM || 1;
  const missing = Math.max((to - from) * 2 * ROOM, least - (to - from));
  const [low, high] = [from - missing / 2, to + missing / 2];
  if (from >= 0 && low < 0) return [0, Math.max(to + (to - from) * ROOM, least)];
  const percent = unitSign(quantity.unit) === '%' && to <= 100;
  return percent && high > 100 ? [Math.max(0, low - (high - 100)), 100] : [low, high];
}
