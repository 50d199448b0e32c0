import { type Bus, NoResponder, RequestTimeout } from '../platform/bus/bus.ts';
import type { DeviceCall, DeviceLink, SendResult } from '../ports/devices/device-link.ts';

/** Timeout for the gateway that holds the connection to write a call to it. */
const SEND_TIMEOUT_MS = 5_000;

declare module '../platform/bus/bus.ts' {
  interface BusRequests {
    [device: `device.${number}`]: { request: DeviceRequest; answer: SendResult | null };
  }
}

/** A request to the gateway that holds the connection of a device. Only `execute` has a response. */
export type DeviceRequest =
  | { verb: 'reload' }
  | { verb: 'execute'; call: DeviceCall }
  | { verb: 'disconnect'; reason: Parameters<DeviceLink['disconnect']>[1] };

/** The subject on which the gateway that holds the connection of a device responds. */
export const deviceSubject = (deviceId: number) => `device.${deviceId}` as const;

/**
 * Sends calls to devices over the bus. The connection of `deviceId` serves its subject. An offline device
 * has no responder. A process that does not hold its lease sends nothing: it may have been frozen since it took the command.
 */
export function busDeviceLink(bus: Bus, holds: () => boolean = () => true): DeviceLink {
  const request = async (deviceId: number, message: DeviceRequest) => {
    try {
      await bus.request(deviceSubject(deviceId), message, SEND_TIMEOUT_MS);
    } catch (error) {
      if (!(error instanceof NoResponder)) throw error;
    }
  };
  return {
    async execute(deviceId: number, call: DeviceCall): Promise<SendResult> {
      if (!holds()) throw new Error('This process does not hold its lease');
      try {
        const request = { verb: 'execute', call } as const;
        return (await bus.request(deviceSubject(deviceId), request, SEND_TIMEOUT_MS)) ?? { outcome: 'offline' };
      } catch (error) {
        if (error instanceof NoResponder) return { outcome: 'offline' };
        // Without a response from the gateway it is unknown whether the call was sent. The execution waits for its
        // deadline.
        if (error instanceof RequestTimeout) return { outcome: 'sent' };
        throw error;
      }
    },
    disconnect: (deviceId, reason) => request(deviceId, { verb: 'disconnect', reason }),
    reload: (deviceId) => request(deviceId, { verb: 'reload' }),
  };
}
