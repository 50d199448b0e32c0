import { type Static, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import {
  CommaList,
  Exact,
  Id,
  IdParams,
  NullableNumber,
  NullableText,
  NullableTime,
  Page,
  Paging,
  Time,
} from './schemas.ts';

/** The last value of one quantity. */
export const LatestValue = Exact({ key: Type.String(), unit: Type.String(), value: Type.Number(), at: Time });

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
    summary: 'The connectors of a device with their state, open transaction and last readings',
    params: IdParams,
    answer: Exact({ connectors: Type.Array(ConnectorRuntime) }),
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
