import { type Bus, type Message, NoResponder, RequestTimeout } from '../platform/bus/bus.ts';
import type { DeviceCall, DeviceLink, Handover } from '../ports/devices/device-link.ts';

/** How long the gateway that holds a device may take to write a call to its line. */
const HANDOVER_TIMEOUT_MS = 5_000;

/** Subject under which the gateway that holds a device's line answers. */
export function deviceSubject(deviceId: number): string {
  return `device.${deviceId}`;
}

/** The way down to devices over the bus: whoever holds the line of `deviceId` serves its subject; nobody does when it is offline. */
export function busDeviceLink(bus: Bus): DeviceLink {
  return {
    async execute(deviceId: number, call: DeviceCall): Promise<Handover> {
      try {
        const message = { verb: 'execute', call: { ...call, params: { ...call.params } as Message } };
        return (await bus.request(deviceSubject(deviceId), message, HANDOVER_TIMEOUT_MS)) as Handover;
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
