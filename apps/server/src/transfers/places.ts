/*
 * The folders of objects for transfers.
 *
 *   firmware bucket   incoming/u<user>/…   written only by that user, read only by the server, swept after a day
 *                     files/…              written only by the server
 *   main bucket       logs/<device>/…      uploaded logs
 */

export const INCOMING_FIRMWARE = 'incoming/';
export const FIRMWARE_FILES = 'files/';
export const DEVICE_LOGS = 'logs/';

/** The folder for uploads of a user's firmware. */
export function incomingFirmwareOf(userId: number): string {
  return `${INCOMING_FIRMWARE}u${userId}/`;
}

/** The folder for logs of one device. */
export function logsOf(deviceId: number): string {
  return `${DEVICE_LOGS}${deviceId}/`;
}
