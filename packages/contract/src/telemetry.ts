import { type Static, Type } from 'typebox';
import { DescribedItem } from './device-models.ts';
import { endpoint } from './endpoint.ts';
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
} from './schemas.ts';

/** An item of the device's model as it was when a value of it was reported, in the place where it stands now. */
export const RuntimeItem = Exact({ ...DescribedItem.properties, documentId: NullableDocumentId });
export type RuntimeItem = Static<typeof RuntimeItem>;

/** The last value of one quantity: a number, or what the device said in words. */
export const LatestValue = Exact({
  key: Type.String(),
  unit: Type.String(),
  value: NullableNumber,
  text: NullableText,
  at: Time,
  /** its place among the `items` of the answer; null: the model does not name it */
  item: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]),
  /** what the device appends to the key of the item: a phase, a place */
  variant: Type.String(),
});
export type LatestValue = Static<typeof LatestValue>;

export const ConnectorRuntime = Exact({
  connector: Type.Integer(),
  status: Type.String(),
  errorCode: Type.String(),
  vendorErrorCode: NullableText,
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

/** A config item and what the device last told of it; null: it has the item, but does not tell its value. */
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
});

/** The points of one quantity: `at[i]` in epoch seconds, a null value is a gap. `low` and `high` are there when points stand for buckets. */
export const Series = Exact({
  key: Type.String(),
  unit: Type.String(),
  connector: Type.Integer(),
  at: Type.Array(Type.Number()),
  value: Type.Array(NullableNumber),
  low: Type.Optional(Type.Array(NullableNumber)),
  high: Type.Optional(Type.Array(NullableNumber)),
});
export type Series = Static<typeof Series>;

/** At most this many points are drawn of a series, whatever the range. */
export const MAX_POINTS = 2_000;

export const telemetryEndpoints = {
  readRuntime: endpoint({
    id: 'runtime.read',
    method: 'GET',
    path: '/api/auth/sys/devices/:id/runtime',
    access: { keys: ['auth_device_detail', 'auth_device_info'] },
    effect: 'read',
    summary: 'The connectors of a device with their state, open transaction and last values, in the order of its model',
    params: IdParams,
    answer: Exact({
      connectors: Type.Array(ConnectorRuntime),
      items: Type.Array(RuntimeItem),
      /** what the model lets one read and the device has never told, by their places among the `items` */
      never: Type.Array(Type.Integer({ minimum: 0 })),
    }),
  }),
  readConfiguration: endpoint({
    id: 'configuration.read',
    method: 'GET',
    path: '/api/auth/sys/devices/:id/configuration',
    access: { keys: ['auth_device_detail', 'auth_device_info'] },
    effect: 'read',
    summary:
      'The config items of a device as it last told them, in the order of its model, as far as the reader’s level goes',
    params: IdParams,
    answer: Exact({ items: Type.Array(ConfigurationRow) }),
  }),
  listReadingItems: endpoint({
    id: 'readingItems.list',
    method: 'GET',
    path: '/api/auth/sys/devices/:id/reading-items',
    access: { keys: ['auth_device_detail', 'auth_device_info'] },
    effect: 'list',
    summary: 'The quantities a device has reported, by connector',
    params: IdParams,
    answer: Exact({ items: Type.Array(Exact({ connector: Type.Integer(), key: Type.String(), unit: Type.String() })) }),
  }),
  readSeries: endpoint({
    id: 'readings.read',
    method: 'GET',
    path: '/api/auth/sys/devices/:id/readings',
    access: { keys: ['auth_device_detail', 'auth_device_info'] },
    effect: 'read',
    summary: 'The course of some quantities over a range, thinned to at most 2,000 points each; gaps stay gaps',
    params: IdParams,
    query: Exact({ keys: CommaList, connector: Type.Integer({ minimum: 0, maximum: 32_767 }), from: Time, to: Time }),
    answer: Exact({ series: Type.Array(Series) }),
  }),
  listTransactions: endpoint({
    id: 'transactions.list',
    method: 'GET',
    path: '/api/auth/sys/devices/:id/transactions',
    access: { keys: ['auth_device_detail'] },
    effect: 'list',
    summary: 'Charging sessions of a device, newest first',
    params: IdParams,
    query: Exact(Paging(['startedAt'])),
    answer: Page(TransactionRow),
  }),
};
