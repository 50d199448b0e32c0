import {
  ALARM_LEVELS,
  ISSUE_MESSAGE_TYPES,
  ISSUE_TIES,
  MAIL_TIMES,
  MESSAGE_SUBJECTS,
  MESSAGE_TYPES,
  NOTICE_TYPES,
  PUSH_TIMES,
  REFUSALS,
  SETTING_SOURCES,
  SITE_TIES,
} from '@chargehand/domain';
import { type Static, Type } from 'typebox';
import { BULK_LIMIT } from '../constants.ts';
import { endpoint } from '../endpoint.ts';
import { MatchingRows } from '../lists.ts';
import { Exact, Id, IdParams, NullableText, NullableTime, Page, Paging, Time, Words } from '../schemas.ts';

const NullableId = Type.Union([Id, Type.Null()]);
const Count = Type.Integer({ minimum: 0 });
/** Minutes since midnight in the zone of the installation. */
const Minute = Type.Integer({ minimum: 0, maximum: 1_439 });

/** An entry of a dictionary. */
const NullableEntry = Type.Union([
  Exact({ code: Type.String(), nameEn: NullableText, nameZh: NullableText }),
  Type.Null(),
]);

/** A message about an incident: what happened once, from its start to its recovery. */
export const MessageRow = Exact({
  id: Id,
  type: Words(NOTICE_TYPES),
  /** the highest of its open alarms, or the highest so far when it is over; null for a type without levels */
  level: Type.Union([Words(ALARM_LEVELS), Type.Null()]),
  /** of the first event */
  subject: Exact({ kind: Words(MESSAGE_SUBJECTS), id: Type.String() }),
  /** the values of its title, see `messageTitle` */
  data: Type.Record(Type.String(), Type.Unknown()),
  /** the names of the code of the alarm that it is about; null without one */
  nameEn: NullableText,
  nameZh: NullableText,
  /** of the closed issue about its alarm, or of the issue that was closed */
  cause: NullableEntry,
  remedy: NullableEntry,
  customerName: NullableText,
  siteId: NullableId,
  siteName: NullableText,
  /** the devices with open alarms, or all affected ones when it is over: their number, and the first ones that the user still sees */
  deviceCount: Count,
  devices: Type.Array(Exact({ id: Id, name: Type.String() })),
  /** the events that it consists of, and how many of them are still going on */
  events: Count,
  open: Count,
  /** its open alarms that nobody has acknowledged, at most `BULK_SLICE` */
  alarmIds: Type.Array(Id),
  /** who acknowledged one of its open alarms last; null: nobody */
  acknowledgedBy: NullableText,
  /** its connector; null: several, or the device itself */
  connector: Type.Union([Count, Type.Null()]),
  /** what its alarm means, and what to do first; null: no document says so */
  meaningEn: NullableText,
  meaningZh: NullableText,
  stepsEn: NullableText,
  stepsZh: NullableText,
  /** the causes that its title does not name, the worst first */
  others: Type.Array(
    Exact({
      type: Words(NOTICE_TYPES),
      level: Type.Union([Words(ALARM_LEVELS), Type.Null()]),
      code: Type.String(),
      nameEn: NullableText,
      nameZh: NullableText,
      since: Time,
      /** the alarms that are not over */
      open: Count,
      /** the limit of announcements of its site holds it back */
      heldBack: Type.Boolean(),
    }),
  ),
  /** when its alarm was raised, or what it is about began */
  since: Time,
  openedAt: Time,
  lastAt: Time,
  /** null: not recovered, or nothing that recovers */
  recoveredAt: NullableTime,
  /** when the user was last notified */
  updatedAt: Time,
  readAt: NullableTime,
  processedAt: NullableTime,
  /** when it was passed to the substitutes because nobody had processed it */
  escalatedAt: NullableTime,
});
export type MessageRow = Static<typeof MessageRow>;

export const MessageCounts = Exact({ unread: Count, untreated: Count });
export type MessageCounts = Static<typeof MessageCounts>;

const channels = {
  inApp: Type.Boolean(),
  email: Type.Boolean(),
  /** in the browsers that the user registered */
  push: Type.Boolean(),
  /** mails are collected for the daily digest; pushes are not */
  delayed: Type.Boolean(),
};
export const MessageSettingRow = Exact({ type: Words(MESSAGE_TYPES), ...channels });
export type MessageSettingRow = Static<typeof MessageSettingRow>;

/** A daily period; null: none. It may include midnight. */
const Quiet = Type.Union([Exact({ from: Minute, to: Minute }), Type.Null()]);

/** A setting, and what decides about it: the user, their role, … */
export const DecidedSetting = Exact({ ...MessageSettingRow.properties, source: Words(SETTING_SOURCES) });

export const OwnMessageSettings = Exact({
  types: Type.Array(
    Exact({
      ...DecidedSetting.properties,
      /** what applies, and what decides, when the user sets nothing */
      usual: Exact({ ...channels, source: Words(SETTING_SOURCES) }),
    }),
  ),
  /** the user's shifts of now and next, the first ten; their setting does not apply to faults there meanwhile */
  shifts: Type.Array(Exact({ place: Type.String(), from: Time, to: Time, substitute: Type.Boolean() })),
  /** the sites whose notification receiver the user is, the first ten by name, and their number */
  receiverOf: Exact({ sites: Type.Array(Type.String()), total: Count }),
  quiet: Quiet,
  digestAt: Minute,
  /** null: mails cannot be received */
  email: NullableText,
  /** the number of browsers registered for pushes; with 0 pushes cannot be received */
  browsers: Count,
});
export type OwnMessageSettings = Static<typeof OwnMessageSettings>;

/** Whether and how a user would be notified now, and why. */
export const MessageReason = Exact({
  /** null: there is a message */
  refusal: Type.Union([Words(REFUSALS), Type.Null()]),
  source: Type.Union([Words(SETTING_SOURCES), Type.Null()]),
  inApp: Type.Boolean(),
  mail: Words(MAIL_TIMES),
  mailAt: NullableTime,
  push: Words(PUSH_TIMES),
  pushAt: NullableTime,
});
export type MessageReason = Static<typeof MessageReason>;

/** Why the caller has a message: the decision of now about what it is about. */
export const OwnMessageReason = Exact({
  ...MessageReason.properties,
  /** the message is only for users that it names, such as the assignee of an issue */
  named: Type.Boolean(),
  /** it was passed to the substitutes on duty */
  escalated: Type.Boolean(),
});
export type OwnMessageReason = Static<typeof OwnMessageReason>;

/** Whether and how a user would be notified now about a site, and what connects them with it. */
export const SiteMessageReason = Exact({ ...MessageReason.properties, ties: Type.Array(Words(SITE_TIES)) });
export type SiteMessageReason = Static<typeof SiteMessageReason>;

/** Whether and how a user would be notified now about an issue, and how they take part in it. */
export const IssueMessageReason = Exact({ ...MessageReason.properties, ties: Type.Array(Words(ISSUE_TIES)) });
export type IssueMessageReason = Static<typeof IssueMessageReason>;

export const MessageMute = Exact({
  id: Id,
  deviceId: NullableId,
  siteId: NullableId,
  /** of the device or site */
  name: Type.String(),
  until: Time,
});
export type MessageMute = Static<typeof MessageMute>;

const path = '/api/auth/sys/messages';
const KEYS = ['auth_message_list'] as const;
const own = { route: { keys: KEYS }, row: 'own' } as const;
const settings = { route: { keys: ['auth_message_setting'] }, row: 'own' } as const;
const inboxFilters = {
  type: Type.Optional(Words(NOTICE_TYPES)),
  siteId: Type.Optional(Id),
  read: Type.Optional(Type.Boolean()),
  processed: Type.Optional(Type.Boolean()),
  recovered: Type.Optional(Type.Boolean()),
};

export const messageEndpoints = {
  listInbox: endpoint({
    id: 'inbox.list',
    method: 'GET',
    path,
    policy: own,
    effect: 'list',
    summary: "List the caller's messages, the newest first. Messages about places that they no longer see are left out",
    nameZh: '查询消息列表',
    query: Exact({
      ...Paging(['updatedAt']),
      ...inboxFilters,
    }),
    answer: Page(MessageRow),
  }),
  selectInbox: endpoint({
    id: 'inbox.select',
    method: 'GET',
    path: `${path}/selection`,
    policy: own,
    effect: 'list',
    summary: "List the IDs and titles of all the caller's messages that match the filters, at most 10,000",
    nameZh: '按筛选条件选择消息',
    query: Exact(inboxFilters),
    answer: MatchingRows,
  }),
  countInbox: endpoint({
    id: 'inbox.count',
    method: 'GET',
    path: `${path}/count`,
    policy: own,
    effect: 'read',
    summary: "Count the caller's messages that are unread, or not processed",
    nameZh: '统计未读和未处理消息',
    answer: MessageCounts,
  }),
  markInbox: endpoint({
    id: 'inbox.mark',
    method: 'POST',
    path: `${path}/marks`,
    policy: own,
    effect: 'session',
    summary: "Mark some or all of the caller's messages as read or processed, or not. Processed messages are read",
    nameZh: '标记消息',
    body: Exact({
      /** without it, all of them up to `until` */
      ids: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: BULK_LIMIT, uniqueItems: true })),
      read: Type.Optional(Type.Boolean()),
      processed: Type.Optional(Type.Boolean()),
      /** later messages are not marked, because the user has not seen them */
      until: Type.Optional(Time),
    }),
    answer: MessageCounts,
  }),
  explainInbox: endpoint({
    id: 'inbox.explain',
    method: 'GET',
    path: `${path}/reasons`,
    policy: { route: { keys: KEYS }, row: { object: 'device', from: 'query.deviceId' } },
    effect: 'read',
    summary: 'Explain whether and how the caller is notified of a type of message about a device, and why or why not',
    nameZh: '查看消息通知原因',
    query: Exact({ deviceId: Id, type: Words(MESSAGE_TYPES) }),
    answer: MessageReason,
  }),
  explainSite: endpoint({
    id: 'inbox.explainSite',
    method: 'GET',
    path: '/api/auth/sys/sites/:id/message-reason',
    policy: { route: { keys: KEYS }, row: { object: 'site', from: 'params.id' } },
    effect: 'read',
    summary: 'Explain whether and how the caller is notified of a type of message about a site, and why or why not',
    nameZh: '查看站点消息通知原因',
    params: IdParams,
    query: Exact({ type: Words(MESSAGE_TYPES) }),
    answer: SiteMessageReason,
  }),
  explainIssue: endpoint({
    id: 'inbox.explainIssue',
    method: 'GET',
    path: '/api/auth/sys/issues/:id/message-reason',
    policy: { route: { keys: KEYS }, row: { object: 'issue', from: 'params.id' } },
    effect: 'read',
    summary: 'Explain whether and how the caller is notified of a type of message about an issue, and why or why not',
    nameZh: '查看问题消息通知原因',
    params: IdParams,
    query: Exact({ type: Words(ISSUE_MESSAGE_TYPES) }),
    answer: IssueMessageReason,
  }),
  explainMessage: endpoint({
    id: 'inbox.reason',
    method: 'GET',
    path: `${path}/:id/reason`,
    policy: own,
    effect: 'read',
    summary: 'Explain why the caller got a message, and how they would be notified of it now',
    nameZh: '查看收到消息的原因',
    params: IdParams,
    answer: OwnMessageReason,
  }),
  readMessageSettings: endpoint({
    id: 'messageSettings.read',
    method: 'GET',
    path: '/api/auth/sys/message-settings',
    policy: settings,
    effect: 'read',
    summary: 'Get how the caller is notified of each type of message, and what decides about it',
    nameZh: '查看消息设置',
    answer: OwnMessageSettings,
  }),
  saveMessageSettings: endpoint({
    id: 'messageSettings.save',
    method: 'PUT',
    path: '/api/auth/sys/message-settings',
    policy: settings,
    effect: 'session',
    summary: 'Save how the caller is notified. Types that are not named follow the default again',
    nameZh: '保存消息设置',
    body: Exact({
      types: Type.Array(MessageSettingRow, { maxItems: MESSAGE_TYPES.length }),
      quiet: Quiet,
      digestAt: Minute,
    }),
    answer: OwnMessageSettings,
  }),
  listMessageMutes: endpoint({
    id: 'messageMutes.list',
    method: 'GET',
    path: '/api/auth/sys/message-mutes',
    policy: settings,
    effect: 'list',
    summary: 'List the devices and sites about which the caller gets no messages for some time',
    nameZh: '查询消息静音',
    answer: Exact({ items: Type.Array(MessageMute) }),
  }),
  muteDevice: endpoint({
    id: 'messageMutes.device',
    method: 'PUT',
    path: '/api/auth/sys/devices/:id/message-mute',
    policy: { route: settings.route, row: { object: 'device', from: 'params.id' } },
    effect: 'session',
    summary: 'Mute the messages about a device for the caller until a time; null ends it',
    nameZh: '设置设备消息静音',
    params: IdParams,
    body: Exact({ until: NullableTime }),
    answer: Type.Null(),
  }),
  muteSite: endpoint({
    id: 'messageMutes.site',
    method: 'PUT',
    path: '/api/auth/sys/sites/:id/message-mute',
    policy: { route: settings.route, row: { object: 'site', from: 'params.id' } },
    effect: 'session',
    summary: 'Mute the messages about a site for the caller until a time; null ends it',
    nameZh: '设置站点消息静音',
    params: IdParams,
    body: Exact({ until: NullableTime }),
    answer: Type.Null(),
  }),
};
