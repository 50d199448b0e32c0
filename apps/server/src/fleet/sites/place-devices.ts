import type { Log } from '../../platform/log.ts';
import type { DeviceLink } from '../../ports/devices/device-link.ts';
import type { Events } from '../../ports/events.ts';

/** So many connections are ended at a time. */
const AT_ONCE = 50;

/** What follows on connections and screens once a place was switched on or off. */
export interface PlaceDevices {
  /**
   * Ends the connections of devices. A connection that could not be ended is logged: the change itself stands by then.
   */
  cutOff(deviceIds: readonly number[]): Promise<void>;
  /** Tells screens that devices changed. */
  tell(deviceIds: readonly number[]): void;
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
                'the connection of a device whose site or customer was disabled did not end',
              );
            }),
          ),
        );
      }
    },
    tell(deviceIds) {
      for (const deviceId of deviceIds) events.publish(['device.details', 'device.state'], { id: deviceId });
    },
  };
}
