import {
  ALARM_KINDS,
  ALARM_LEVELS,
  COMMAND_KINDS,
  type CommandKind,
  RESOLUTIONS,
  SESSION_END_CAUSES,
} from '@chargehand/domain';
import { type Static, Type } from 'typebox';
import { COUNTER_VIEWS, MAX_CHART_DEVICES } from '../constants.ts';
import { endpoint } from '../endpoint.ts';
import { DescribedItem } from '../models/device-models.ts';
import {
  CommaList,
  Exact,
  Id,
  IdParams,
  NullableDocumentId,
  NullableNumber,
  NullableText,
  NullableTime,
  Page,
  Paging,
  Time,
  Words,
} from '../schemas.ts';
import { SessionDecision } from '../tokens/session-decision.ts';

/** An item of the device's model at the time its value was reported, at its current position. */
export const RuntimeItem = Exact({ ...DescribedItem.properties, documentId: NullableDocumentId });
export type RuntimeItem = Static<typeof RuntimeItem>;

/** The latest value of one quantity: a number, or a text. */
export const LatestValue = Exact({
  key: Type.String(),
  unit: Type.String(),
  value: NullableNumber,
  text: NullableText,
  at: Time,
  /** index in `items` of the response; null: not in the model */
  item: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]),
  /** the suffix that the device adds to the key of the item: a phase or a location */
  variant: Type.String(),
});
export type LatestValue = Static<typeof LatestValue>;

export const ConnectorRuntime = Exact({
  connector: Type.Integer(),
  status: Type.String(),
  errorCode: Type.String(),
  vendorErrorCode: NullableText,
  /** the name of its alarm in the model of the device; null: no alarm, or the code has no name */
  errorName: Type.Union([Exact({ en: Type.String(), zh: Type.String() }), Type.Null()]),
  info: NullableText,
  since: Time,
  updatedAt: Time,
  transaction: Type.Union([
    Exact({ id: Id, idTag: Type.String(), startedAt: Time, meterStart: Type.Number() }),
    Type.Null(),
  ]),
  readings: Type.Array(LatestValue),
});
export type ConnectorRuntime = Static<typeof ConnectorRuntime>;

/** A config item and its latest reported value; null: the device has the item but does not report its value. */
export const ConfigurationRow = Exact({ item: RuntimeItem, value: NullableText, readAt: Time });
export type ConfigurationRow = Static<typeof ConfigurationRow>;

export const TransactionRow = Exact({
  id: Id,
  connector: Type.Integer(),
  idTag: Type.String(),
  startedAt: Time,
  stoppedAt: NullableTime,
  meterStart: Type.Number(),
  meterStop: NullableNumber,
  stopReason: NullableText,
  /** why it is considered ended although the device did not report its end (`stopReason` is then NotReported) */
  stopCause: Type.Union([Words(SESSION_END_CAUSES), Type.Null()]),
  /** who closed it manually, and their comment */
  closedBy: NullableText,
  closeComment: NullableText,
  /** the clock of the device was wrong: times and duration are unreliable */
  impossibleTimes: Type.Boolean(),
  /** who decided that the token may charge, and why; null: before there were decisions, or without a token */
  decision: Type.Union([SessionDecision, Type.Null()]),
});

const Names = Type.Union([Exact({ en: Type.String(), zh: Type.String() }), Type.Null()]);

/** A quantity that a connector of a device has reported, with its name in the device's model. */
export const ReadingItem = Exact({
  connector: Type.Integer(),
  key: Type.String(),
  unit: Type.String(),
  /** its value only increases */
  counter: Type.Boolean(),
  name: Names,
  /**
   * the suffix that the device adds to the key of the item, such as a phase or a location; empty for the item itself
   */
  part: Type.String(),
  group: Names,
  /** the entries of its item when it is an enumeration, one `label|value|type` per line; otherwise empty */
  entries: Type.String(),
});
export type ReadingItem = Static<typeof ReadingItem>;

/**
 * The points of one quantity: `at[i]` in epoch seconds; a null value is a gap. `low` and `high` are present when points
 * are buckets.
 */
export const Series = Exact({
  deviceId: Id,
  connector: Type.Integer(),
  key: Type.String(),
  unit: Type.String(),
  counter: Type.Boolean(),
  /**
   * the resolution that was read; the latest part, which is not complete at that resolution, always comes from finer
   * ones
   */
  resolution: Words(RESOLUTIONS),
  /** seconds per point; 0 when each point is a single reading */
  step: Type.Number(),
  /** values are the increase of a counter within each step, not its value */
  rise: Type.Boolean(),
  at: Type.Array(Type.Number()),
  value: Type.Array(NullableNumber),
  low: Type.Optional(Type.Array(NullableNumber)),
  high: Type.Optional(Type.Array(NullableNumber)),
});
export type Series = Static<typeof Series>;

/** Events of a device during the time range of a chart. */
export const AlarmMark = Exact({
  id: Id,
  connector: Type.Integer(),
  code: Type.String(),
  nameEn: NullableText,
  nameZh: NullableText,
  kind: Words(ALARM_KINDS),
  level: Words(ALARM_LEVELS),
  raisedAt: Time,
  clearedAt: NullableTime,
});
export type AlarmMark = Static<typeof AlarmMark>;

export const CommandMark = Exact({
  id: Type.String({ format: 'uuid' }),
  kind: Words(Object.keys(COMMAND_KINDS) as CommandKind[]),
  connector: Type.Integer(),
  /** spec §4: waiting 1, success 2, failure 3, timeout 4, offline 5 */
  result: Type.Integer({ minimum: 1, maximum: 5 }),
  requestedBy: Type.String(),
  at: Time,
  endedAt: NullableTime,
});
export type CommandMark = Static<typeof CommandMark>;

/** Quantities as `connector:key`, each percent-encoded, separated by commas. */
const Items = Type.String({ maxLength: 4_000 });
/** Further devices to read in addition to the one in the path. */
const Also = Type.Optional(CommaList);
const READERS = { keys: ['auth_device_detail', 'auth_device_info'] } as const;

export const telemetryEndpoints = {
  readRuntime: endpoint({
    id: 'runtime.read',
    method: 'GET',
    path: '/api/auth/sys/devices/:id/runtime',
    policy: {
      route: { keys: ['auth_device_detail', 'auth_device_info'] },
      row: { object: 'device', from: 'params.id' },
    },
    effect: 'read',
    summary:
      'Get the connectors of a device. Each with its state, open transaction and latest values, in the order of the model',
    nameZh: '查看设备运行信息',
    params: IdParams,
    answer: Exact({
      connectors: Type.Array(ConnectorRuntime),
      items: Type.Array(RuntimeItem),
      /** readable items of the model that the device has never reported, as indexes in `items` */
      never: Type.Array(Type.Integer({ minimum: 0 })),
    }),
  }),
  readConfiguration: endpoint({
    id: 'configuration.read',
    method: 'GET',
    path: '/api/auth/sys/devices/:id/configuration',
    policy: {
      route: { keys: ['auth_device_detail', 'auth_device_info'] },
      row: { object: 'device', from: 'params.id' },
    },
    effect: 'read',
    summary: "List the config items a device last reported. In the order of its model, limited to the caller's level",
    nameZh: '查看设备配置信息',
    params: IdParams,
    answer: Exact({ items: Type.Array(ConfigurationRow) }),
  }),
  listReadingItems: endpoint({
    id: 'readingItems.list',
    method: 'GET',
    path: '/api/auth/sys/devices/:id/reading-items',
    policy: { route: READERS, row: { object: 'device', from: 'params.id' } },
    effect: 'list',
    summary: 'List the quantities a device has reported; by connector, in the order of its model',
    nameZh: '查询设备数据项',
    params: IdParams,
    answer: Exact({ items: Type.Array(ReadingItem) }),
  }),
  readSeries: endpoint({
    id: 'readings.read',
    method: 'GET',
    path: '/api/auth/sys/devices/:id/readings',
    policy: { route: READERS, row: { object: 'device', from: ['params.id', 'query.also'], most: MAX_CHART_DEVICES } },
    effect: 'read',
    summary:
      'Get the readings of devices over a range. Up to 20 quantities of 10 devices over two years, reduced to at most 2,000 points each; gaps are kept',
    nameZh: '查询设备历史数据',
    params: IdParams,
    query: Exact({
      items: Items,
      also: Also,
      from: Time,
      to: Time,
      /** the value of a counter, or its increase in intervals of equal length */
      counters: Type.Optional(Words(COUNTER_VIEWS)),
    }),
    answer: Exact({ series: Type.Array(Series) }),
  }),
  exportReadings: endpoint({
    id: 'readings.export',
    method: 'GET',
    path: '/api/auth/sys/devices/:id/readings/export',
    policy: {
      route: READERS,
      row: { object: 'device', from: ['params.id', 'query.also'], most: MAX_CHART_DEVICES },
      level: 'download',
    },
    effect: 'export',
    summary: 'Export readings over a range as .xlsx; some quantities at the stored resolution',
    nameZh: '导出设备历史数据',
    params: IdParams,
    query: Exact({ items: Items, also: Also, from: Time, to: Time }),
    answer: null,
  }),
  listMarks: endpoint({
    id: 'readingMarks.list',
    method: 'GET',
    path: '/api/auth/sys/devices/:id/reading-marks',
    policy: { route: { keys: ['auth_device_detail'] }, row: { object: 'device', from: 'params.id' } },
    effect: 'list',
    summary: 'List the alarms, commands and restarts to mark on a chart; the newest 200 alarms and commands',
    nameZh: '查询曲线标记',
    params: IdParams,
    query: Exact({ from: Time, to: Time }),
    answer: Exact({
      alarms: Type.Array(AlarmMark),
      commands: Type.Array(CommandMark),
      /** of the newest 100 restarts of the device, those in the range */
      restarts: Type.Array(Time),
      /** older ones exist and were left out */
      more: Type.Boolean(),
    }),
  }),
  listTransactions: endpoint({
    id: 'transactions.list',
    method: 'GET',
    path: '/api/auth/sys/devices/:id/transactions',
    policy: { route: { keys: ['auth_device_detail'] }, row: { object: 'device', from: 'params.id' } },
    effect: 'list',
    summary: 'List charging sessions of a device, newest first',
    nameZh: '查询充电记录',
    params: IdParams,
    query: Exact(Paging(['startedAt'])),
    answer: Page(TransactionRow),
  }),
  closeTransaction: endpoint({
    id: 'transactions.close',
    method: 'POST',
    path: '/api/auth/sys/devices/:id/transactions/:transactionId/close',
    policy: { route: { keys: ['auth_device_detail'] }, row: { object: 'device', from: 'params.id' }, level: 'control' },
    effect: 'control',
    summary:
      'Close an open charging session that the device no longer reports. A later report of the device still completes it',
    nameZh: '手动关闭充电会话',
    params: Exact({ id: Id, transactionId: Id }),
    body: Exact({ comment: Type.String({ minLength: 1, maxLength: 500 }) }),
    answer: Type.Null(),
  }),
};
