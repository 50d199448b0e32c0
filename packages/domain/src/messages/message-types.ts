/** What a notice is about. Users decide for each type how they are notified. */
export const NOTICE_TYPES = [
  'deviceOffline',
  'alarmOA',
  'alarmMA',
  'alarmCA',
  'fault',
  'unavailable',
  'commandFinished',
  'firmwareRollout',
  'issueCreated',
  'issueAssigned',
  'issueAnswered',
  'issueDue',
  'shareLocked',
  'waitingDevice',
  'accountSecurity',
  'system',
] as const;
export type NoticeType = (typeof NOTICE_TYPES)[number];

/** What users can set: every type of notice, and the recovery of what an earlier message was about. */
export const MESSAGE_TYPES = [...NOTICE_TYPES, 'recovery'] as const;
export type MessageType = (typeof MESSAGE_TYPES)[number];

/** The kinds of object that a message links to. */
export const MESSAGE_SUBJECTS = [
  'alarm',
  'device',
  'site',
  'execution',
  'commandBatch',
  'issue',
  'share',
  'waitingDevice',
  'user',
  'system',
] as const;
export type MessageSubject = (typeof MESSAGE_SUBJECTS)[number];

/** The types that are about a fault of a device. They recover, and those of a site are grouped. */
export const FAULT_TYPES = ['deviceOffline', 'alarmOA', 'alarmMA', 'alarmCA', 'fault', 'unavailable'] as const;
export type FaultType = (typeof FAULT_TYPES)[number];

/** The types that are about what happens to an issue later. They are for the users who take part in it. */
export const ISSUE_MESSAGE_TYPES = ['issueAssigned', 'issueAnswered', 'issueDue'] as const;
export type IssueMessageType = (typeof ISSUE_MESSAGE_TYPES)[number];

/** True for a type that is about a fault of a device. */
export function isFaultType(type: string): type is FaultType {
  return (FAULT_TYPES as readonly string[]).includes(type);
}

/** True for a type about a state that ends: a fault, a device that waits, a condition of the installation. */
export function isStateType(type: string): boolean {
  return isFaultType(type) || type === 'waitingDevice' || type === 'system';
}
