import type { Bus, Stop } from '../platform/bus/bus.ts';

/** A connection of a device, as gateways tell each other of it. */
export interface OpenedConnection {
  readonly connectionId: string;
  /** milliseconds since the epoch */
  readonly openedAt: number;
}

/**
 * Subject on which every gateway hears of every new connection, so that the newest connection of a device replaces the
 * others, whatever they speak and on whichever node they are.
 */
const OPENED = 'device.opened';

declare module '../platform/bus/bus.ts' {
  interface BusMessages {
    'device.opened': OpenedConnection & { deviceId: number };
  }
}

/** Tells all gateways of a new connection. */
export function announceOpened(bus: Bus, deviceId: number, { connectionId, openedAt }: OpenedConnection): void {
  bus.publish(OPENED, { deviceId, connectionId, openedAt });
}

/**
 * Calls `replace` with the connection that this gateway holds of a device when the device has opened a newer one
 * elsewhere.
 */
export function hearOpened<L extends OpenedConnection>(
  bus: Bus,
  connectionOf: (deviceId: number) => L | null,
  replace: (connection: L) => void,
): Stop {
  return bus.subscribe(OPENED, (message) => {
    const { deviceId, ...opened } = message;
    const own = connectionOf(deviceId);
    if (own && isNewer(opened, own)) replace(own);
  });
}

/** True when one connection of a device is newer than another. Of two that opened in the same moment all decide alike. */
export function isNewer(one: OpenedConnection, other: OpenedConnection): boolean {
  if (one.openedAt !== other.openedAt) return one.openedAt > other.openedAt;
  return one.connectionId > other.connectionId;
}
