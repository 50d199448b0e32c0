import type { Bus, Stop } from '../platform/bus/bus.ts';

/** A connection of a device, as gateways announce it to each other. */
export interface OpenedConnection {
  readonly connectionId: string;
  /** milliseconds since the epoch, by the clock of its process */
  readonly openedAt: number;
}

/**
 * Subject on which every gateway receives every new connection. The newest connection of a device replaces the others,
 * in any protocol.
 */
const OPENED = 'device.opened';

declare module '../platform/bus/bus.ts' {
  interface BusMessages {
    'device.opened': OpenedConnection & { deviceId: number };
  }
}

/** Announces a new connection to all gateways, with its time by the clock that they share. */
export function publishOpened(bus: Bus, deviceId: number, { connectionId, openedAt }: OpenedConnection): void {
  bus.publish(OPENED, { deviceId, connectionId, openedAt: openedAt + bus.offsetMs() });
}

/** Calls `replace` with this gateway's connection of a device when the device has opened a newer one elsewhere. */
export function subscribeOpened<L extends OpenedConnection>(
  bus: Bus,
  connectionOf: (deviceId: number) => L | null,
  replace: (connection: L) => void,
): Stop {
  return bus.subscribe(OPENED, (message) => {
    const { deviceId, ...opened } = message;
    const own = connectionOf(deviceId);
    if (!own || own.connectionId === opened.connectionId) return;
    const shared = { connectionId: own.connectionId, openedAt: own.openedAt + bus.offsetMs() };
    if (isNewer(opened, shared)) replace(own);
  });
}

/**
 * True when one connection of a device is newer than another. For two connections of the same moment, both sides
 * decide alike.
 */
export function isNewer(one: OpenedConnection, other: OpenedConnection): boolean {
  if (one.openedAt !== other.openedAt) return one.openedAt > other.openedAt;
  return one.connectionId > other.connectionId;
}
