/*
 * Where objects of this room lie.
 *
 *   firmware bucket   incoming/u<user>/…   put there by that user alone, read by the server alone, swept after a day
 *                     files/…              put there by the server alone
 *   main bucket       logs/<device>/…      logs that devices handed in
 */

export const FIRMWARE_ARRIVALS = 'incoming/';
export const FIRMWARE_FILES = 'files/';
export const DEVICE_LOGS = 'logs/';

/** The folder for uploads of a user's firmware. */
export function firmwareArrivalsOf(userId: number): string {
  return `${FIRMWARE_ARRIVALS}u${userId}/`;
}

/** The folder for logs of one device. */
export function logsOf(deviceId: number): string {
  return `${DEVICE_LOGS}${deviceId}/`;
}
