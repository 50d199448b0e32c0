import type { DeviceTopic } from '@chargehand/contract';
import { isOverMqtt, withoutSecrets } from '@chargehand/domain';
import type { Pool } from 'pg';
import type { RuleWatch } from '../../alarms/index.ts';
import {
  isQuiet,
  type QuietConnectors,
  storeDeviceAlarms,
  storeReports,
  storeRuleChanges,
} from '../../alarms/index.ts';
import { frameStatements } from '../../audit/index.ts';
import {
  type ConnectionItem,
  connectorStatements,
  lastSeenStatements,
  storeConnections,
  storeStates,
} from '../../fleet/index.ts';
import type { SecretParameters, SecretsOf } from '../../models/index.ts';
import { storeParameters } from '../../operations/index.ts';
import { asOne, runTogether } from '../../platform/database/statement.ts';
import type {
  Confirmations,
  ExecutionAnswer,
  StoreAnswers,
  StoreConfirmations,
  StoreProgress,
  StoreReports,
} from '../../ports/uplink.ts';
import { type Sorted, type Submission, sortEvents } from '../../ports/uplink-items.ts';
import {
  endSessionsByBoot,
  type Layouts,
  layOut,
  readingStatements,
  sessionStatements,
  storeTexts,
  storeTransactionEvents,
  storeTransactions,
} from '../../telemetry/index.ts';
import { claimBatch, isClaimed } from './batches.store.ts';
import { transferReports } from './transfer-reports.ts';

export interface BatchParts {
  pool: Pool;
  node: string;
  /** the lease that must not have ended; undefined: it is not checked */
  epoch?: number | undefined;
  layouts: Layouts;
  quiet: QuietConnectors;
  rules: RuleWatch;
  secrets: SecretParameters;
  storeAnswers: StoreAnswers;
  storeConfirmations?: StoreConfirmations | undefined;
  storeProgress?: StoreProgress | undefined;
  storeReports?: StoreReports | undefined;
}

/** What a stored batch changed. */
export interface BatchEffects {
  changes: Map<number, Set<DeviceTopic>>;
  /** devices whose status may have changed */
  touched: Set<number>;
  /** devices whose connection opened */
  connected: number[];
  /** devices that booted */
  booted: number[];
  /** executions with a response, a reported result or other evidence */
  answered: { deviceId: number; executionId: string }[];
}

/**
 * Stores submissions in one transaction, which also commits `batchId`. If the result of an earlier attempt is unknown,
 * the ID shows whether it was committed; then only the results are read again. If that attempt is still running,
 * inserting the ID waits for it.
 */
export async function storeBatch(
  parts: BatchParts,
  batchId: string,
  submissions: readonly Submission[],
): Promise<BatchEffects> {
  const sorted = sortEvents(submissions);
  const readings = sorted.reading.map((item) => ({ ...layOut(item.event), item }));
  const layoutIds = await parts.layouts.ensure(parts.pool, readings);

  const secretsOf = await parts.secrets.learn(
    parts.pool,
    submissions.map(({ deviceId }) => deviceId),
  );
  const evaluation = await parts.rules.evaluate(parts.pool, sorted);
  const usual = () => [
    ...frameStatements(sorted.frame, secretsOf),
    ...lastSeenStatements(sorted.frame),
    ...sessionStatements(sorted.connectorStatus),
    ...connectorStatements(sorted.connectorStatus),
    ...readingStatements(layoutIds, readings),
  ];
  if (isUsual(sorted) && isQuiet(sorted.connectorStatus, parts.quiet) && evaluation.changes.length === 0) {
    try {
      await parts.pool.query(asOne(usual(), claimBatch(batchId, parts.epoch)));
    } catch (error) {
      if (!isClaimed(error)) throw error;
    }
    evaluation.keep();
    return effects(submissions, new Set());
  }

  const client = await parts.pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('begin');
    await client.query(claimBatch(batchId, parts.epoch));
    for (const { deviceId } of sorted.connected) parts.quiet.forgetDevice(deviceId);
    await storeConnections(client, parts.node, submissions.flatMap(connectionItems));
    await endSessionsByBoot(client, sorted.booted);
    await storeTransactions(client, sorted.transactionStarted, sorted.transactionStopped);
    await storeTransactionEvents(client, sorted.transactionEvent);
    await runTogether(client, usual());
    await storeStates(client, sorted);
    const alarmed = await storeReports(client, sorted.connectorStatus, parts.quiet);
    for (const id of await storeDeviceAlarms(client, sorted.alarm)) alarmed.add(id);
    for (const id of await storeRuleChanges(client, evaluation)) alarmed.add(id);
    await storeParameters(client, sorted.parameters, secretsOf);
    await storeTexts(client, sorted.texts, secretsOf);
    const reports = parts.storeReports ? transferReports(submissions) : [];
    const moved = reports.length > 0 ? await parts.storeReports?.(client, reports) : [];
    if (sorted.answer.length > 0)
      await parts.storeAnswers(
        client,
        sorted.answer.map((item) => toAnswer(item, secretsOf)),
      );
    const confirmed = (await parts.storeConfirmations?.(client, confirmations(sorted))) ?? [];
    if (sorted.executionProgress.length > 0) {
      const progress = sorted.executionProgress.map(({ deviceId, event: { kind: _, ...report } }) => ({
        deviceId,
        ...report,
      }));
      await parts.storeProgress?.(client, progress);
    }
    await client.query('commit');
    parts.quiet.learn(sorted.connectorStatus);
    evaluation.keep();
    return effects(submissions, alarmed, moved, confirmed);
  } catch (error) {
    broken = error as Error;
    await client.query('rollback').catch((failure: Error) => {
      broken = failure;
    });
    if (!isClaimed(error)) throw error;
    evaluation.keep();
    // Reading the transactions again gives the submissions their IDs.
    await storeTransactions(client, sorted.transactionStarted, []);
    return effects(submissions, new Set());
  } finally {
    client.release(broken && isLost(broken) ? broken : undefined);
  }
}

/** True if a batch has only the usual kinds of events. It is then stored with one statement. */
function isUsual(sorted: Sorted): boolean {
  for (const kind in sorted) if (!USUAL.has(kind) && sorted[kind as keyof Sorted].length > 0) return false;
  return true;
}

const USUAL: ReadonlySet<string> = new Set(['frame', 'reading', 'connectorStatus'] satisfies (keyof Sorted)[]);

/** An error without an SQLSTATE did not come from the server: do not use the connection again. */
function isLost(error: Error): boolean {
  return !/^[0-9A-Z]{5}$/.test(String((error as { code?: unknown }).code ?? ''));
}

function connectionItems(submission: Submission): ConnectionItem[] {
  const { deviceId, events } = submission;
  const items: ConnectionItem[] = [];
  for (const event of events) {
    if (event.kind === 'connected') items.push({ deviceId, event, submission });
    else if (event.kind === 'disconnected') items.push({ deviceId, event, submission });
  }
  return items;
}

function toAnswer(
  { deviceId, event }: ReturnType<typeof sortEvents>['answer'][number],
  secretsOf: SecretsOf,
): ExecutionAnswer {
  const { executionId, at, success, reason, detail } = event;
  const answer = withoutSecrets(event.answer, secretsOf(deviceId));
  return { executionId, deviceId, at, success, reason, detail, answer };
}

/** What in a batch may show that a device executed an accepted command. */
function confirmations(sorted: Sorted): Confirmations {
  const { transactionStarted, transactionEvent, messageReceived } = sorted;
  const ending = [
    sorted.transactionStopped,
    transactionStarted,
    transactionEvent,
    sorted.booted,
    sorted.connectorStatus,
  ];
  return {
    started: [
      ...transactionStarted.map(({ deviceId, event: { idTag, connector } }) => ({
        ...{ deviceId, idTag, connector, remoteStartId: null },
      })),
      // A session that was open before the remote start belongs to it if the device reports so.
      ...transactionEvent.map(({ deviceId, event: { idTag, connector, phase, remoteStartId = null } }) => ({
        ...{ deviceId, connector, remoteStartId, idTag: phase === 'started' ? idTag : null },
      })),
    ],
    messages: messageReceived.map(({ deviceId, event: { executionId } }) => ({ deviceId, executionId })),
    sessions: ending.flatMap((items) => items.map(({ deviceId }) => deviceId)),
    restarted: [
      ...sorted.booted.filter(({ event }) => !event.triggered).map(({ deviceId }) => deviceId),
      ...sorted.connected.filter(({ event }) => isOverMqtt(event.protocol)).map(({ deviceId }) => deviceId),
    ],
    connected: sorted.connected.map(({ deviceId }) => deviceId),
    reportedStatus: sorted.connectorStatus.map(({ deviceId }) => deviceId),
  };
}

/** The topics that an event of a kind changes. */
const TOPICS = {
  frame: ['device.frames'],
  reading: ['device.readings'],
  connected: ['device.state', 'device.events', 'device.alarms'],
  disconnected: ['device.state', 'device.events'],
  booted: ['device.state', 'device.details'],
  clock: ['device.state'],
  messageFault: ['device.details'],
  connectorStatus: ['device.state'],
  // reported after storing
  alarm: [],
  transactionEvent: ['device.state'],
  transactionStarted: ['device.state'],
  transactionStopped: ['device.state'],
  texts: ['device.readings'],
  firmwareStatus: ['device.state', 'device.details'],
  diagnosticsStatus: ['device.state', 'device.details'],
  parameters: ['device.parameters'],
  answer: ['device.executions'],
  messageReceived: ['device.executions'],
  executionProgress: ['device.executions'],
} as const satisfies Record<Submission['events'][number]['kind'], readonly DeviceTopic[]>;

const DECIDES_STATUS: ReadonlySet<string> = new Set([
  'connected',
  'disconnected',
  'connectorStatus',
  'transactionEvent',
  'firmwareStatus',
]);

function effects(
  submissions: readonly Submission[],
  alarmed: ReadonlySet<number>,
  moved: readonly number[] = [],
  confirmed: BatchEffects['answered'] = [],
): BatchEffects {
  const changes = new Map<number, Set<DeviceTopic>>();
  const touched = new Set<number>();
  const connected: number[] = [];
  const booted: number[] = [];
  const answered: BatchEffects['answered'] = [...confirmed];
  for (const { deviceId, events } of submissions) {
    const topics = changes.get(deviceId) ?? new Set<DeviceTopic>();
    changes.set(deviceId, topics);
    for (const event of events) {
      for (const topic of TOPICS[event.kind]) topics.add(topic);
      if (DECIDES_STATUS.has(event.kind)) touched.add(deviceId);
      if (event.kind === 'connected') connected.push(deviceId);
      if (event.kind === 'booted') booted.push(deviceId);
      if (event.kind === 'answer' || event.kind === 'executionProgress') {
        answered.push({ deviceId, executionId: event.executionId });
      }
    }
  }
  for (const deviceId of alarmed) changes.get(deviceId)?.add('device.alarms').add('device.events');
  for (const deviceId of moved) changes.get(deviceId)?.add('device.transfers');
  return { changes, touched, connected, booted, answered };
}
