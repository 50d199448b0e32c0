import { formatTime, type StatisticStep } from '@chargehand/domain';

/** The label of a step: the hour, or the day. */
export function stepLabel(at: string, step: StatisticStep): string {
  const text = formatTime(at);
  return step === 'hour' ? text.slice(11, 16) : text.slice(5, 10);
}

/** The full label of a step, for a value: `2026-03-01 08:00` or `2026-03-01`. */
export function stepTitle(at: string, step: StatisticStep): string {
  return formatTime(at).slice(0, step === 'hour' ? 16 : 10);
}

/** The maximum of an axis for a value: 1, 2 or 5 times a power of ten, at least `least`. */
export function axisTop(value: number, least: number): number {
  if (value <= least) return least;
  const magnitude = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((factor) => factor * magnitude).find((top) => top >= value) ?? value;
}

/** The maximum of an axis for bytes: the same, in the unit of its labels. */
export function bytesTop(bytes: number): number {
  const unit = 1024 ** Math.min(3, Math.max(0, Math.floor(Math.log(Math.max(1, bytes)) / Math.log(1024))));
  return axisTop(bytes / unit, 1) * unit;
}
