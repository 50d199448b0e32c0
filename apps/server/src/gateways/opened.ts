import type { Bus, Stop } from '../platform/bus/bus.ts';

/** A line of a device, as gateways tell each other of it. */
export interface OpenLine {
  readonly connectionId: string;
  /** milliseconds since the epoch */
  readonly openedAt: number;
}

/**
 * Subject on which every gateway hears of every new line, so that the newest line of a device replaces the others,
 * whatever they speak and on whichever node they are.
 */
const OPENED = 'device.opened';

declare module '../platform/bus/bus.ts' {
  interface BusMessages {
    'device.opened': OpenLine & { deviceId: number };
  }
}

/** Tells all gateways of a new line. */
export function announceOpened(bus: Bus, deviceId: number, { connectionId, openedAt }: OpenLine): void {
  bus.publish(OPENED, { deviceId, connectionId, openedAt });
}

/** Calls `replace` with the line that this gateway holds of a device when the device has opened a newer one elsewhere. */
export function hearOpened<L extends OpenLine>(
  bus: Bus,
  lineOf: (deviceId: number) => L | null,
  replace: (line: L) => void,
): Stop {
  return bus.subscribe(OPENED, (message) => {
    const { deviceId, ...opened } = message;
    const own = lineOf(deviceId);
    if (own && isNewer(opened, own)) replace(own);
  });
}

/** True when one line of a device is newer than another. Of two that opened in the same moment all decide alike. */
export function isNewer(one: OpenLine, other: OpenLine): boolean {
  if (one.openedAt !== other.openedAt) return one.openedAt > other.openedAt;
  return one.connectionId > other.connectionId;
}
