import type { AnswerOf, ConnectorRuntime, telemetryEndpoints } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import { requireDevice } from '../platform/http/visible-device.ts';
import type { Caller } from '../ports/caller.ts';
import { positionsOf } from './layouts.ts';
import {
  type ConnectorRecord,
  type LatestReading,
  listConnectors,
  listLatestReadings,
  listOpenTransactions,
  type OpenTransaction,
} from './runtime.store.ts';

/**
 * The connectors of a device with their open transaction and last values. A connector that only ever sent readings
 * appears, too: what a device says is shown even when it says it in an unusual order.
 */
export async function readRuntime(
  db: Kysely<Database>,
  caller: Caller,
  deviceId: number,
): Promise<AnswerOf<typeof telemetryEndpoints.readRuntime>> {
  const { id } = await requireDevice(db, caller, deviceId);
  const [connectors, transactions, latest] = await Promise.all([
    listConnectors(caller.scope, db, id),
    listOpenTransactions(caller.scope, db, id),
    listLatestReadings(caller.scope, db, id),
  ]);
  const known = new Map(connectors.map((record) => [record.connector, record]));
  const numbers = new Set([...known.keys(), ...latest.map(({ connector }) => connector)]);
  return {
    connectors: [...numbers]
      .sort((a, b) => a - b)
      .map((number) => ({
        ...stateOf(known.get(number), number, latest),
        transaction: transactionOf(transactions.find(({ connector }) => connector === number)),
        readings: latestValues(latest.filter(({ connector }) => connector === number)),
      })),
  };
}

/** The quantities a device has reported, by connector and key. */
export async function readReadingItems(
  db: Kysely<Database>,
  caller: Caller,
  deviceId: number,
): Promise<AnswerOf<typeof telemetryEndpoints.listReadingItems>> {
  const { id } = await requireDevice(db, caller, deviceId);
  const items = new Map<string, { connector: number; key: string; unit: string }>();
  for (const { connector, items: quantities } of await listLatestReadings(caller.scope, db, id)) {
    for (const { key, unit } of quantities) items.set(`${connector} ${key} ${unit}`, { connector, key, unit });
  }
  return { items: [...items.values()].sort((a, b) => a.connector - b.connector || (a.key < b.key ? -1 : 1)) };
}

/** The newest value of every quantity over some layouts, which come oldest first. */
function latestValues(readings: readonly LatestReading[]): ConnectorRuntime['readings'] {
  const values = new Map<string, ConnectorRuntime['readings'][number]>();
  for (const { layoutId, items, at, analog, counters } of readings) {
    for (const { key, unit, counter, position } of positionsOf(layoutId, items)) {
      const value = (counter ? counters : analog)[position - 1];
      if (value !== undefined) values.set(key, { key, unit, value, at: at.toISOString() });
    }
  }
  return [...values.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}

type ConnectorState = Omit<ConnectorRuntime, 'transaction' | 'readings'>;

function stateOf(
  record: ConnectorRecord | undefined,
  connector: number,
  latest: readonly LatestReading[],
): ConnectorState {
  if (record) return { ...record, since: record.since.toISOString(), updatedAt: record.updatedAt.toISOString() };
  const heard = latest.findLast((reading) => reading.connector === connector)!.at.toISOString();
  return {
    connector,
    status: 'Unknown',
    errorCode: 'NoError',
    vendorErrorCode: null,
    info: null,
    since: heard,
    updatedAt: heard,
  };
}

function transactionOf(open: OpenTransaction | undefined): ConnectorRuntime['transaction'] {
  if (!open) return null;
  const { id, idTag, startedAt, meterStart } = open;
  return { id, idTag, startedAt: startedAt.toISOString(), meterStart };
}
