import { isFaultType, type MessageType } from './message-types.ts';

const READS_ALARMS = ['auth_home', 'auth_device_list', 'auth_device_detail', 'auth_site_detail'] as const;

/**
 * The permission keys with which users read what a type of message is about; one of them suffices, and none is needed
 * for an empty list. Nobody gets a message about something that they may not open.
 */
export function keysOfMessage(type: MessageType): readonly string[] {
  if (isFaultType(type) || type === 'recovery') return READS_ALARMS;
  if (type === 'commandFinished' || type === 'firmwareRollout') return ['auth_device_detail'];
  if (type === 'waitingDevice') return ['auth_black_device'];
  if (type === 'system') return ['auth_system'];
  return [];
}

/** True when only users of the platform vendor read what a type of message is about. */
export function isForVendor(type: MessageType): boolean {
  return type === 'waitingDevice' || type === 'system';
}
