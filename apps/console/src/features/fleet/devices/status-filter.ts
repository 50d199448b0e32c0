import { DEVICE_STATUSES, type DeviceStatus } from '@chargehand/domain';

/** The statuses that a filter's text names (`offline,faulted`); what is none of the spec's is left out. */
export function statusesOf(text: string | undefined): DeviceStatus[] {
  const words = text?.split(',') ?? [];
  return DEVICE_STATUSES.filter((status) => words.includes(status));
}

/**
 * The filter after a click on a status: it alone, or no filter when it was alone. `add` keeps the others and turns this
 * one round. Undefined filters nothing.
 */
export function statusesAfterClick(
  chosen: readonly DeviceStatus[],
  clicked: DeviceStatus,
  add: boolean,
): string | undefined {
  const has = chosen.includes(clicked);
  const others = chosen.filter((status) => status !== clicked);
  const next = add ? (has ? others : [...others, clicked]) : has && others.length === 0 ? [] : [clicked];
  return DEVICE_STATUSES.filter((status) => next.includes(status)).join(',') || undefined;
}
