import type { Log } from '../../platform/log.ts';
import type { DeviceLink } from '../../ports/devices/device-link.ts';
import type { Events } from '../../ports/events.ts';

/** The number of connections that are closed at a time. */
const AT_ONCE = 50;

/** Updates connections and screens after a site or customer was enabled or disabled. */
export interface PlaceDevices {
  /**
   * Closes the connections of devices. A connection that could not be closed is logged; the change itself is already
   * committed.
   */
  cutOff(deviceIds: readonly number[]): Promise<void>;
  /** Sends an event to screens that devices changed. */
  publishChanged(deviceIds: readonly number[]): void;
}

export function placeDevices(parts: { link: DeviceLink; events: Events; log: Log }): PlaceDevices {
  const { link, events, log } = parts;
  return {
    async cutOff(deviceIds) {
      for (let start = 0; start < deviceIds.length; start += AT_ONCE) {
        await Promise.all(
          deviceIds.slice(start, start + AT_ONCE).map((deviceId) =>
            link.disconnect(deviceId, 'deviceDisabled').catch((error: unknown) => {
              log.warn(
                { err: error, deviceId },
                'the connection of a device in a disabled site or customer could not be closed',
              );
            }),
          ),
        );
      }
    },
    publishChanged(deviceIds) {
      for (const deviceId of deviceIds) events.publish(['device.details', 'device.state'], { id: deviceId });
    },
  };
}
