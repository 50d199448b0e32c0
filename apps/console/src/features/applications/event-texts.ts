import type { OpenEventType } from '@chargehand/contract';

/** The text of each type of event, in the order in which they are chosen. */
export const EVENT_TEXTS = {
  'alarm.raised': 'alarmRaised',
  'alarm.cleared': 'alarmCleared',
  'device.status': 'deviceStatus',
  'command.finished': 'commandFinished',
  'issue.created': 'issueCreated',
  'issue.changed': 'issueChanged',
} as const satisfies Record<OpenEventType, string>;
