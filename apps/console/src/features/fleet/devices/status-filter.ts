import { DEVICE_STATUSES, type DeviceStatus } from '@chargehand/domain';

/** The statuses in the text of a filter (`offline,faulted`). Values that the spec does not define are ignored. */
export function statusesOf(text: string | undefined): DeviceStatus[] {
  const words = text?.split(',') ?? [];
  return DEVICE_STATUSES.filter((status) => words.includes(status));
}

/**
 * The filter after a click on a status: only this status, or no filter when it was the only one. `add` keeps the others
 * and toggles this one. Undefined: no filter.
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
