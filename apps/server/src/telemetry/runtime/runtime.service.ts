import type { ConnectorRuntime, ResultOf, telemetryEndpoints, WithDates } from '@chargehand/contract';
import { alarmOf, type Bilingual, DOCUMENT_TYPES, maskedToken, mayReadTokens } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import { descriptionsAt } from '../../models/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { VisibleDevice } from '../../ports/devices/visible-device.ts';
import type { DocumentFinder } from '../../ports/document-finder.ts';
import { positionsOf } from '../layouts.ts';
import { type DescribedValues, describeValues, type ReportedValue } from './described-values.ts';
import {
  type ConnectorRecord,
  type LatestReading,
  type LatestText,
  listConnectors,
  listLatestReadings,
  listLatestTexts,
  listOpenTransactions,
  listReportedParameters,
  namesOfCodes,
  type OpenTransaction,
} from './runtime.store.ts';

/**
 * The connectors of a device with their open transaction and latest values. A connector that only sent values is
 * included too, so that reports in an unusual order are shown.
 */
export async function readRuntime(
  db: Kysely<Database>,
  documents: DocumentFinder,
  caller: Caller,
  device: VisibleDevice,
): Promise<ResultOf<typeof telemetryEndpoints.readRuntime>> {
  const { id } = device;
  const [connectors, transactions, latest, texts, parameters] = await Promise.all([
    listConnectors(caller.scope, db, id),
    listOpenTransactions(caller.scope, db, id),
    listLatestReadings(caller.scope, db, id),
    listLatestTexts(caller.scope, db, id),
    listReportedParameters(caller.scope, db, id),
  ]);
  const names = await namesOfCodes(db, device.deviceModelId, connectors.flatMap(codesOf));
  const reported = reportedValues(latest, texts);
  const reportedKeys = new Set(parameters.map(({ key }) => key.toLowerCase()));
  const { items, values, never } = await described(db, caller, device, reported, reportedKeys);
  const documentOf = await documents(caller, {
    types: [DOCUMENT_TYPES.runInfo, DOCUMENT_TYPES.config],
    keys: items.map(({ key }) => key),
    deviceModelId: device.deviceModelId,
  });
  const known = new Map(connectors.map((record) => [record.connector, record]));
  const numbers = new Set([...known.keys(), ...reported.map(({ connector }) => connector)]);
  return {
    items: items.map((item) => ({ ...item, documentId: documentOf.get(item.key) ?? null })),
    never,
    connectors: [...numbers]
      .sort((a, b) => a - b)
      .map((number) => ({
        ...stateOf(known.get(number), number, reported, names),
        transaction: transactionOf(
          transactions.find(({ connector }) => connector === number),
          mayReadTokens(caller.levels),
        ),
        readings: values.filter(({ connector }) => connector === number).map(({ connector: _, ...value }) => value),
      })),
  };
}

async function described(
  db: Kysely<Database>,
  caller: Caller,
  device: VisibleDevice,
  reported: readonly ReportedValue[],
  reportedKeys: ReadonlySet<string>,
): Promise<DescribedValues> {
  const times = reported.map(({ at }) => at);
  const descriptions = await descriptionsAt(db, device.deviceModelId, times);
  const reader = { levels: caller.levels, undescribed: device.rights.readParameters };
  return describeValues(reported, descriptions, reader, reportedKeys);
}

/**
 * The newest value of every quantity of every connector: numbers over layouts, which are ordered oldest first, and
 * texts.
 */
function reportedValues(latest: readonly LatestReading[], texts: readonly LatestText[]): ReportedValue[] {
  const values = new Map<string, ReportedValue>();
  for (const { connector, layoutId, items, at, analog, counters } of latest) {
    for (const { key, unit, counter, position } of positionsOf(layoutId, items)) {
      const value = (counter ? counters : analog)[position - 1];
      if (value !== undefined) values.set(`${connector} ${key}`, { connector, key, unit, value, text: null, at });
    }
  }
  for (const { connector, key, value, at } of texts) {
    const former = values.get(`${connector} ${key}`);
    // A quantity may change from number to text or back: the latest value counts.
    if (former && former.at > at) continue;
    values.set(`${connector} ${key}`, { connector, key, unit: '', value: null, text: value, at });
  }
  return [...values.values()];
}

/** The codes of a connector's reported fault: that of its alarm, and the standard code behind a vendor-specific one. */
function codesOf({ status, errorCode, vendorErrorCode }: ConnectorRecord): string[] {
  const alarm = alarmOf({ status, errorCode, vendorErrorCode: vendorErrorCode ?? undefined });
  return alarm === null ? [] : [alarm.code, errorCode];
}

type ConnectorState = Omit<WithDates<ConnectorRuntime>, 'transaction' | 'readings'>;

function stateOf(
  record: ConnectorRecord | undefined,
  connector: number,
  reported: readonly ReportedValue[],
  names: ReadonlyMap<string, Bilingual>,
): ConnectorState {
  if (record) {
    const named = codesOf(record).find((code) => names.has(code));
    const errorName = (named !== undefined && names.get(named)) || null;
    return { ...record, errorName };
  }
  const times = reported.filter((value) => value.connector === connector).map(({ at }) => at.getTime());
  const latestAt = new Date(Math.max(...times)).toISOString();
  return {
    connector,
    status: 'Unknown',
    errorCode: 'NoError',
    vendorErrorCode: null,
    errorName: null,
    info: null,
    since: latestAt,
    updatedAt: latestAt,
  };
}

function transactionOf(
  open: OpenTransaction | undefined,
  readsTokens: boolean,
): WithDates<ConnectorRuntime['transaction']> {
  if (!open) return null;
  const { id, idTag, startedAt, meterStart } = open;
  return { id, idTag: readsTokens ? idTag : maskedToken(idTag), startedAt, meterStart };
}
