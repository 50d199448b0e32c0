import { ALARM_KINDS, ALARM_LEVELS, ALARM_SOURCES, EXECUTION_STATES, RULE_CONDITIONS } from '@chargehand/domain';
import { type Static, Type } from 'typebox';
import { ALARM_RANKINGS, ALARM_STATES, LOCALES, PAGE_SIZES, STATISTICS_DAYS } from './constants.ts';
import { endpoint } from './endpoint.ts';
import { MatchingRows } from './lists.ts';
import { Exact, Id, IdParams, Lines, Matching, NullableText, NullableTime, Paging, Time, Words } from './schemas.ts';

const NullableId = Type.Union([Id, Type.Null()]);

export const AlarmRow = Exact({
  id: Id,
  deviceId: Id,
  deviceName: Type.String(),
  deviceSn: Type.String(),
  siteId: Id,
  siteName: Type.String(),
  customerName: Type.String(),
  /** the device's model at that time; null when that model no longer exists */
  deviceModelId: NullableId,
  deviceModelName: NullableText,
  connector: Type.Integer(),
  /** the latest protocol of the device, null when it never connected; determines the names of its connectors */
  protocol: NullableText,
  code: Type.String(),
  /** the name of the code, when one is defined */
  nameEn: NullableText,
  nameZh: NullableText,
  kind: Words(ALARM_KINDS),
  level: Words(ALARM_LEVELS),
  info: NullableText,
  raisedAt: Time,
  lastAt: Time,
  /** number of reports after the first */
  repeats: Type.Integer(),
  /** how often it was raised again within minutes after it cleared */
  reopened: Type.Integer(),
  /** raised during maintenance or a firmware update: not counted */
  suppressed: Type.Boolean(),
  clearedAt: NullableTime,
  acknowledgedAt: NullableTime,
  acknowledgedBy: NullableText,
  acknowledgedNote: NullableText,
  comments: Type.Integer(),
  /** what can clear it */
  source: Words(ALARM_SOURCES),
});
export type AlarmRow = Static<typeof AlarmRow>;

const NullableNumber = Type.Union([Type.Number(), Type.Null()]);
const Both = Exact({ en: Type.String(), zh: Type.String() });

/** The rule that raised an alarm, as it was at that time, and the value that triggered it. */
export const AlarmCause = Exact({
  name: Both,
  key: Type.String(),
  itemName: Both,
  unit: Type.String(),
  condition: Words(RULE_CONDITIONS),
  low: NullableNumber,
  high: NullableNumber,
  values: Type.Array(Type.String()),
  hysteresis: Type.Number(),
  durationSeconds: Type.Integer(),
  /** null when a value is missing */
  value: NullableText,
});
export type AlarmCause = Static<typeof AlarmCause>;

export const AlarmDetail = Exact({
  ...AlarmRow.properties,
  /** null when no rule raised it */
  rule: Type.Union([AlarmCause, Type.Null()]),
  /** oldest first */
  conversation: Type.Array(Exact({ id: Id, at: Time, by: Type.String(), text: Type.String() })),
});
export type AlarmDetail = Static<typeof AlarmDetail>;

export const DeviceEventRow = Exact({
  id: Type.Integer(),
  deviceId: Id,
  deviceName: Type.String(),
  deviceModelId: Id,
  siteId: Id,
  siteName: Type.String(),
  /** spec §3: disconnect 0, minor alarm 1, alarm 2, unavailable 3 */
  type: Type.Integer({ minimum: 0, maximum: 3 }),
  connector: Type.Integer(),
  /** the latest protocol of the device, null when it never connected; determines the names of its connectors */
  protocol: NullableText,
  at: Time,
  code: Type.String(),
  nameEn: NullableText,
  nameZh: NullableText,
  detail: NullableText,
  endedAt: NullableTime,
});
export type DeviceEventRow = Static<typeof DeviceEventRow>;

const NamedDevice = Exact({ id: Id, name: Type.String() });

/**
 * The open alarms of a site that belong together: of one cause, each raised soon after the one before, and with those of
 * other causes that followed when the whole site was concerned. Suppressed alarms do not count.
 */
export const IncidentRow = Exact({
  /** the alarm that names it: the worst of the cause that `byName` puts first, then the oldest */
  alarmId: Id,
  siteId: Id,
  siteName: Type.String(),
  customerName: Type.String(),
  code: Type.String(),
  nameEn: NullableText,
  nameZh: NullableText,
  kind: Words(ALARM_KINDS),
  /** of the worst alarm; decides which document explains the code */
  deviceModelId: NullableId,
  level: Words(ALARM_LEVELS),
  /** when the oldest open alarm with the cause that names it was raised */
  since: Time,
  lastAt: Time,
  alarms: Type.Integer(),
  deviceCount: Type.Integer(),
  /** some of them */
  devices: Type.Array(NamedDevice),
  /** further causes by code */
  others: Type.Array(Exact({ code: Type.String(), nameEn: NullableText, nameZh: NullableText })),
  /** the short answer of the document that explains the code; null: there is none, or the caller may not read it */
  remedy: Type.Union([Exact({ text: Type.String(), locale: Words(LOCALES) }), Type.Null()]),
  /** alarms that nobody has acknowledged, at most 100 */
  unacknowledged: Type.Array(Id),
  /** who acknowledged one of its alarms last */
  acknowledgedBy: NullableText,
  /** the newest open issue about one of its alarms */
  issue: Type.Union([Exact({ id: Id, number: Type.Integer(), title: Type.String() }), Type.Null()]),
  /** the newest command to one of its devices since it began */
  tried: Type.Union([
    Exact({ kind: Type.String(), at: Time, state: Words(EXECUTION_STATES), outcome: Type.Integer() }),
    Type.Null(),
  ]),
});
export type IncidentRow = Static<typeof IncidentRow>;

/** Numbers of open alarms by level. Suppressed alarms are counted separately. */
export const AlarmSummary = Exact({
  total: Type.Integer(),
  unacknowledged: Type.Integer(),
  suppressed: Type.Integer(),
  byLevel: Exact({ OA: Type.Integer(), MA: Type.Integer(), CA: Type.Integer() }),
  byKind: Exact({
    offline: Type.Integer(),
    alarm: Type.Integer(),
    fault: Type.Integer(),
    unavailable: Type.Integer(),
  }),
});
export type AlarmSummary = Static<typeof AlarmSummary>;

/** A row of a ranking: the number of alarms of a site, device, model, code, kind or level. */
export const RankedRow = Exact({
  /** of the site, device or model; null for codes, kinds and levels */
  id: NullableId,
  /** the code, kind or level itself, or the name of the site, device or model */
  name: Type.String(),
  nameEn: NullableText,
  nameZh: NullableText,
  /** the site of a device, or the customer of a site */
  place: NullableText,
  count: Type.Integer(),
});
export type RankedRow = Static<typeof RankedRow>;

/** A calendar day in the time zone of the installation. */
export const TrendDay = Exact({ day: Type.String(), raised: Type.Integer(), cleared: Type.Integer() });

/** The name and level of a code on a model. */
export const AlarmCodeRow = Exact({
  id: Id,
  code: Type.String(),
  nameEn: Type.String(),
  nameZh: Type.String(),
  /** null: as reported by the device */
  kind: Type.Union([Words(['alarm', 'fault', 'unavailable']), Type.Null()]),
  level: Type.Union([Words(ALARM_LEVELS), Type.Null()]),
  /** defined for all models, not for this one */
  shared: Type.Boolean(),
});
export type AlarmCodeRow = Static<typeof AlarmCodeRow>;

/** Where the next rows of alarms begin: the `next` of the rows before. */
export const AlarmPosition = Matching('^[0-9]_[0-9]{1,17}_[0-9]{1,16}$', 'data.next', { maxLength: 60 });
const After = Type.Optional(AlarmPosition);
const Limit = Type.Unsafe<(typeof PAGE_SIZES)[number]>({ type: 'integer', enum: [...PAGE_SIZES], default: 20 });
const Next = Type.Union([Type.String(), Type.Null()]);

const place = { customerId: Type.Optional(Id), siteId: Type.Optional(Id), deviceId: Type.Optional(Id) };
const period = { from: Type.Optional(Time), to: Type.Optional(Time) };
const alarmPlace = {
  ...place,
  deviceModelId: Type.Optional(Id),
  code: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
};
const alarmFilters = {
  ...alarmPlace,
  ...period,
  state: Type.Optional(Words(ALARM_STATES)),
  kind: Type.Optional(Words(ALARM_KINDS)),
  level: Type.Optional(Words(ALARM_LEVELS)),
  acknowledged: Type.Optional(Type.Boolean()),
  suppressed: Type.Optional(Type.Boolean()),
};
const alarmSort = Paging(['raisedAt', 'level']).sort;
const Days = Type.Unsafe<(typeof STATISTICS_DAYS)[number]>({ type: 'integer', enum: [...STATISTICS_DAYS], default: 7 });
const Note = Lines({ maxLength: 500 });

/** Home, the device list and the device and site pages show alarms. */
const READERS = ['auth_home', 'auth_device_list', 'auth_device_detail', 'auth_site_detail'] as const;
/** Requires the permission to work on devices. */
const WORKERS = ['auth_device_list', 'auth_device_detail'] as const;

export const alarmEndpoints = {
  listAlarms: endpoint({
    id: 'alarms.list',
    method: 'GET',
    path: '/api/auth/sys/alarms',
    policy: { route: { keys: READERS }, row: 'scope' },
    effect: 'list',
    summary: 'List alarms, newest first. `-level` sorts by severity, `after` continues a list',
    nameZh: '查询设备告警',
    query: Exact({ ...alarmFilters, sort: alarmSort, after: After, limit: Limit }),
    answer: Exact({ items: Type.Array(AlarmRow), next: Next }),
  }),
  selectAlarms: endpoint({
    id: 'alarms.select',
    method: 'GET',
    path: '/api/auth/sys/alarms/selection',
    policy: { route: { keys: READERS }, row: 'scope' },
    effect: 'list',
    summary: 'List the IDs and names of all alarms that match the filters, at most 10,000',
    nameZh: '按筛选条件选择告警',
    query: Exact(alarmFilters),
    answer: MatchingRows,
  }),
  exportAlarms: endpoint({
    id: 'alarms.export',
    method: 'GET',
    path: '/api/auth/sys/alarms/export',
    policy: {
      route: { keys: ['auth_device_list', 'auth_device_detail', 'auth_site_detail'] },
      row: 'scope',
      level: 'download',
    },
    effect: 'export',
    summary: "Export the filtered alarms as .xlsx. Headings are in the caller's language",
    nameZh: '导出告警列表',
    query: Exact({ ...alarmFilters, sort: alarmSort }),
    answer: null,
  }),
  summarizeAlarms: endpoint({
    id: 'alarms.summary',
    method: 'GET',
    path: '/api/auth/sys/alarms/summary',
    policy: { route: { keys: READERS }, row: 'scope' },
    effect: 'read',
    summary: 'Count open alarms by level and type. Suppressed alarms are counted separately',
    nameZh: '统计未恢复告警',
    query: Exact(alarmPlace),
    answer: AlarmSummary,
  }),
  listIncidents: endpoint({
    id: 'alarms.incidents',
    method: 'GET',
    path: '/api/auth/sys/alarms/incidents',
    policy: { route: { keys: READERS }, row: 'scope' },
    effect: 'list',
    summary: 'List what is wrong now: the open alarms grouped by site and cause, the worst first',
    nameZh: '查询当前事件',
    query: Exact({
      customerId: Type.Optional(Id),
      siteId: Type.Optional(Id),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 10 })),
    }),
    answer: Exact({ items: Type.Array(IncidentRow), total: Type.Integer() }),
  }),
  rankAlarms: endpoint({
    id: 'alarms.ranking',
    method: 'GET',
    path: '/api/auth/sys/alarms/ranking',
    policy: { route: { keys: READERS }, row: 'scope' },
    effect: 'read',
    summary:
      'Rank sites, devices, models or codes by alarms raised in the last days. Suppressed alarms are not counted',
    nameZh: '查询告警排行',
    query: Exact({ by: Words(ALARM_RANKINGS), days: Days, ...alarmPlace }),
    answer: Exact({ items: Type.Array(RankedRow), total: Type.Integer() }),
  }),
  readAlarmTrend: endpoint({
    id: 'alarms.trend',
    method: 'GET',
    path: '/api/auth/sys/alarms/trend',
    policy: { route: { keys: READERS }, row: 'scope' },
    effect: 'read',
    summary: 'Count alarms raised and cleared on each of the last days. Suppressed alarms are not counted',
    nameZh: '查询告警趋势',
    query: Exact({ days: Days, ...place }),
    answer: Exact({ days: Type.Array(TrendDay) }),
  }),
  readAlarm: endpoint({
    id: 'alarms.read',
    method: 'GET',
    path: '/api/auth/sys/alarms/:id',
    policy: { route: { keys: READERS }, row: { object: 'alarm', from: 'params.id' } },
    effect: 'read',
    summary: 'Get an alarm with its comments',
    nameZh: '查看告警',
    params: IdParams,
    answer: AlarmDetail,
  }),
  acknowledgeAlarms: endpoint({
    id: 'alarms.acknowledge',
    method: 'POST',
    path: '/api/auth/sys/alarms/acknowledge',
    policy: { route: { keys: WORKERS }, row: { object: 'alarm', from: 'body.ids' }, level: 'edit' },
    effect: 'update',
    summary: 'Acknowledge alarms. The first acknowledgement stays; one alarm out of scope rejects the request',
    nameZh: '确认告警',
    body: Exact({
      ids: Type.Array(Id, { minItems: 1, maxItems: 100, uniqueItems: true }),
      note: Type.Optional(Note),
    }),
    answer: Exact({ acknowledged: Type.Integer(), already: Type.Integer() }),
  }),
  commentAlarm: endpoint({
    id: 'alarms.comment',
    method: 'POST',
    path: '/api/auth/sys/alarms/:id/comments',
    policy: { route: { keys: WORKERS }, row: { object: 'alarm', from: 'params.id' }, level: 'edit' },
    effect: 'create',
    summary: 'Comment on an alarm',
    nameZh: '评论告警',
    params: IdParams,
    body: Exact({ comment: Lines({ minLength: 1, maxLength: 2_000 }) }),
    answer: Exact({ id: Id }),
  }),
  listDeviceEvents: endpoint({
    id: 'deviceEvents.list',
    method: 'GET',
    path: '/api/auth/sys/device-events',
    policy: { route: { keys: READERS }, row: 'scope' },
    effect: 'list',
    summary: 'List device events, newest first. `after` continues a list',
    nameZh: '查询设备事件',
    query: Exact({
      ...place,
      ...period,
      type: Type.Optional(Type.Integer({ minimum: 0, maximum: 3 })),
      after: After,
      limit: Limit,
    }),
    answer: Exact({ items: Type.Array(DeviceEventRow), next: Next }),
  }),
  listAlarmCodes: endpoint({
    id: 'alarmCodes.list',
    method: 'GET',
    path: '/api/auth/sys/device-models/:id/alarm-codes',
    policy: { route: { keys: ['auth_deviceModel'] }, row: 'shared' },
    effect: 'list',
    summary: 'List the alarm codes of a device model, its own before the shared ones',
    nameZh: '查询型号告警码',
    params: IdParams,
    answer: Exact({ items: Type.Array(AlarmCodeRow) }),
  }),
  saveAlarmCode: endpoint({
    id: 'alarmCodes.save',
    method: 'PUT',
    path: '/api/auth/sys/device-models/:id/alarm-codes',
    policy: { route: { keys: ['auth_deviceModel'] }, who: 'vendor', row: 'shared' },
    effect: 'update',
    summary: 'Set the name and level of an alarm code for a device model; platform vendor only',
    nameZh: '设置型号告警码',
    params: IdParams,
    body: Exact({
      code: Type.String({ minLength: 1, maxLength: 64 }),
      nameEn: Type.String({ minLength: 1, maxLength: 100 }),
      nameZh: Type.String({ minLength: 1, maxLength: 100 }),
      kind: AlarmCodeRow.properties.kind,
      level: AlarmCodeRow.properties.level,
    }),
    answer: Exact({ id: Id }),
  }),
  deleteAlarmCode: endpoint({
    id: 'alarmCodes.delete',
    method: 'DELETE',
    path: '/api/auth/sys/alarm-codes/:id',
    policy: { route: { keys: ['auth_deviceModel'] }, who: 'vendor', row: 'shared' },
    effect: 'delete',
    summary: 'Restore the shared name and level of an alarm code for a device model; platform vendor only',
    nameZh: '恢复通用告警码',
    params: IdParams,
    answer: Type.Null(),
  }),
};
