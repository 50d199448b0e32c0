import { type Static, Type } from 'typebox';
import { Exact, Id, NullableText, NullableTime, Time, Words } from '../schemas.ts';

export const OpenAlarm = Exact({
  id: Id,
  deviceId: Id,
  siteId: Id,
  code: Type.String(),
  /** the names of the code; null: it has none */
  nameEn: NullableText,
  nameZh: NullableText,
  /** `OA`, `MA` or `CA`, from minor to critical */
  level: Type.String(),
  connector: Type.Integer(),
  raisedAt: Time,
  clearedAt: NullableTime,
  acknowledgedAt: NullableTime,
});

/** Open alarms of a site that belong together, as Home and messages show them. */
export const OpenIncident = Exact({
  /** the alarm that names it */
  alarmId: Id,
  siteId: Id,
  code: Type.String(),
  nameEn: NullableText,
  nameZh: NullableText,
  level: Type.String(),
  /** when the oldest alarm with its code was raised */
  since: Time,
  alarms: Type.Integer(),
  deviceCount: Type.Integer(),
  /** who acknowledged one of its alarms last */
  acknowledgedBy: NullableText,
  /** the open issue about one of its alarms, see `readIssue` */
  issueId: Type.Union([Id, Type.Null()]),
});

export const OpenExecution = Exact({
  id: Type.String({ format: 'uuid' }),
  deviceId: Id,
  kind: Type.String(),
  /** `waiting`, `success`, `failure`, `timeout` or `offline` (spec §4) */
  result: Type.String(),
  /** why, for a result other than success */
  reason: NullableText,
  queuedAt: Time,
  sentAt: NullableTime,
  endedAt: NullableTime,
});

export const OpenIssue = Exact({
  id: Id,
  /** what people call it: the prefix of its customer and its number, such as `HVC-5` */
  key: Type.String(),
  /** counts the issues of its customer */
  number: Type.Integer(),
  title: Type.String(),
  /** `open`, `pending`, `closed` or `reopen` */
  status: Type.String(),
  /** 1 charging problem, 2 software, 3 hardware, 4 without a device, 5 other */
  type: Type.Integer(),
  /** 0 minor, 1 major, 2 critical */
  priority: Type.Integer(),
  customerId: Id,
  siteId: Type.Union([Id, Type.Null()]),
  deviceId: Type.Union([Id, Type.Null()]),
  createdAt: Time,
  updatedAt: Time,
});

/** A device whose status has changed. */
export const OpenStatus = Exact({
  id: Id,
  sn: Type.String(),
  status: Type.String(),
  previousStatus: Type.String(),
  statusSince: Time,
});

/** The types of events, each with the operation that an application must be allowed to call to receive it. */
export const OPEN_EVENTS = {
  'alarm.raised': 'open.listAlarms',
  'alarm.cleared': 'open.listAlarms',
  'device.status': 'open.readDevice',
  'command.finished': 'open.readCommand',
  'issue.created': 'open.readIssue',
  'issue.changed': 'open.readIssue',
} as const;
export type OpenEventType = keyof typeof OPEN_EVENTS;
export const OPEN_EVENT_TYPES = Object.keys(OPEN_EVENTS) as OpenEventType[];

/** What happened to the fleet, as streams and webhooks send it. */
export const OpenEvent = Exact({
  /** the position in the order of all events: the `Last-Event-ID` after which a stream continues */
  id: Type.String(),
  type: Words(OPEN_EVENT_TYPES),
  at: Time,
  customerId: Id,
  siteId: Type.Union([Id, Type.Null()]),
  deviceId: Type.Union([Id, Type.Null()]),
  /** counts the events of the device, so that a receiver finds out about lost and exchanged ones; null without a device */
  sequence: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]),
  /** the alarm, the device, the command or the issue at the time of the event */
  data: Type.Union([OpenAlarm, OpenStatus, OpenExecution, OpenIssue]),
});
export type OpenEvent = Static<typeof OpenEvent>;
