import { type Bus, NoResponder, RequestTimeout } from '../platform/bus/bus.ts';
import type { DeviceCall, DeviceLink, Handover } from '../ports/devices/device-link.ts';

/** How long the gateway that holds a device may take to write a call to its connection. */
const HANDOVER_TIMEOUT_MS = 5_000;

declare module '../platform/bus/bus.ts' {
  interface BusRequests {
    [device: `device.${number}`]: { request: DeviceRequest; answer: Handover | null };
  }
}

/** What the gateway that holds the connection of a device is asked to do; only `execute` has an answer. */
export type DeviceRequest =
  | { verb: 'execute'; call: DeviceCall }
  | { verb: 'disconnect'; reason: Parameters<DeviceLink['disconnect']>[1] };

/** Subject under which the gateway that holds the connection of a device answers. */
export const deviceSubject = (deviceId: number) => `device.${deviceId}` as const;

/**
 * The way down to devices over the bus: whoever holds the connection of `deviceId` serves its subject; nobody does when
 * it is offline.
 */
export function busDeviceLink(bus: Bus): DeviceLink {
  return {
    async execute(deviceId: number, call: DeviceCall): Promise<Handover> {
      try {
        const request = { verb: 'execute', call } as const;
        return (await bus.request(deviceSubject(deviceId), request, HANDOVER_TIMEOUT_MS)) ?? { outcome: 'offline' };
      } catch (error) {
        if (error instanceof NoResponder) return { outcome: 'offline' };
        // Silence from the gateway leaves open whether the device was asked: the execution waits for its deadline.
        if (error instanceof RequestTimeout) return { outcome: 'sent' };
        throw error;
      }
    },
    async disconnect(deviceId, reason) {
      try {
        await bus.request(deviceSubject(deviceId), { verb: 'disconnect', reason }, HANDOVER_TIMEOUT_MS);
      } catch (error) {
        if (!(error instanceof NoResponder)) throw error;
      }
    },
  };
}
