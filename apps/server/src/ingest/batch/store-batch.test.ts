import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { quietConnectors, ruleWatch } from '../../alarms/index.ts';
import { secretParameters } from '../../models/index.ts';
import { createLog } from '../../platform/log.ts';
import type { Confirmations, ExecutionProgress, TransferReport, UplinkEvent } from '../../ports/uplink.ts';
import { layouts } from '../../telemetry/index.ts';
import { steppedClock } from '../../testing/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { startNode, submission } from '../../testing/gateways/ingest-node.ts';
import { seedWorld } from '../../testing/world.ts';
import { type Sink, uplinkSink } from '../sink.ts';
import { type BatchParts, storeBatch } from './store-batch.ts';

let database: TestDatabase;
let deviceId: number;
beforeAll(async () => {
  database = await createTestDatabase();
  deviceId = (await seedWorld(database.db)).devices.northQuay1.id;
});
afterAll(() => database.drop());

const at = new Date();
const executionId = randomUUID();
let sink: Sink;
let confirmations: Confirmations[];
let progress: ExecutionProgress[];
let reports: TransferReport[];
/** the published topics of each batch; not those of derived statuses, which follow later */
let topics: unknown[][];
let stored: unknown[];
beforeEach(() => {
  [confirmations, progress, reports, topics, stored] = [[], [], [], [], []];
  sink = uplinkSink({
    ...{ pool: database.pool, clock: steppedClock(at), log: createLog('silent'), onAnswer: async () => [] },
    events: {
      publish(topic, ..._audience) {
        if (Array.isArray(topic)) topics.push(topic);
      },
    },
    onStored: ({ answered }) => stored.push(answered),
    async onConfirmation(_query, found) {
      confirmations.push(found);
      return found.messages;
    },
    async onProgress(_query, found) {
      progress.push(...found);
    },
    async onReport(_query, found) {
      reports.push(...found);
      return [deviceId];
    },
  });
});
afterEach(() => sink.stop());

const connected = (protocol: string): UplinkEvent => ({
  ...{ kind: 'connected', connectionId: randomUUID(), at, protocol, remoteAddress: '192.0.2.1' },
});
const boot = (triggered: boolean): UplinkEvent => ({
  ...{ kind: 'booted', at, softVersion: null, boot: {}, triggered },
});

test.each<[string, UplinkEvent, boolean]>([
  ['a boot', boot(false), true],
  ['a boot that was only repeated on request', boot(true), false],
  ['a connection over MQTT', connected('sparkplug-b'), true],
  ['a connection over OCPP', connected('ocpp1.6'), false],
])('%s: is the device reported as restarted?', async (_, event, restarted) => {
  await sink.submit(deviceId, [event]);
  expect(confirmations.map((found) => found.restarted)).toEqual([restarted ? [deviceId] : []]);
  expect(confirmations[0]?.connected).toEqual(event.kind === 'connected' ? [deviceId] : []);
});

test('only the event that starts a session tells who started it', async () => {
  const event = (phase: 'started' | 'updated', seqNo: number): UplinkEvent => ({
    ...{ kind: 'transactionEvent', transaction: 'T', phase, seqNo, at, offline: false, connector: 1, idTag: 'CARD' },
    ...{ remoteStartId: 4, meter: null, reason: null, activity: null, clockFault: false },
  });
  await sink.submit(deviceId, [event('started', 0), event('updated', 1)]);
  const session = { deviceId, connector: 1, remoteStartId: 4 };
  expect(confirmations.map(({ started }) => started)).toEqual([
    [
      { ...session, idTag: 'CARD' },
      { ...session, idTag: null },
    ],
  ]);
});

test('executions with evidence or progress are passed on after they are stored', async () => {
  await sink.submit(deviceId, [{ kind: 'messageReceived', executionId, at }]);
  const lost = { executionId, at, state: 'connectionLost', detail: 'gone' } as const;
  await sink.submit(deviceId, [{ kind: 'executionProgress', ...lost }]);
  expect(progress).toEqual([{ deviceId, ...lost }]);
  expect(stored).toEqual([[{ deviceId, executionId }], [{ deviceId, executionId }]]);
});

test('a report that moved a transfer, and one that raised an alarm, are published as such', async () => {
  await sink.submit(deviceId, [{ kind: 'firmwareStatus', at, status: 'Downloading' }]);
  expect(reports).toEqual([{ deviceId, at, kind: 'word', of: 'firmware', word: 'Downloading' }]);
  expect(topics[0]).toContain('device.transfers');
  topics.length = 0;
  await sink.submit(deviceId, [
    {
      ...{ kind: 'connectorStatus', connector: 1, at, status: 'Faulted', errorCode: 'GroundFailure' },
      ...{ vendorErrorCode: null, info: null },
    },
  ]);
  expect(topics[0]).toEqual(expect.arrayContaining(['device.state', 'device.alarms', 'device.events']));
});

test.each<[string, Record<string, Error>, string | undefined]>([
  ['an error of the database', { insert: Object.assign(new Error('a row is missing'), { code: '23503' }) }, undefined],
  ['an error of the network', { insert: new Error('Connection terminated') }, 'Connection terminated'],
  [
    'a rollback that fails',
    { insert: Object.assign(new Error('a row is missing'), { code: '23503' }), rollback: new Error('read ECONNRESET') },
    'read ECONNRESET',
  ],
])('after %s, the connection is used again only if it still works', async (_, failures, reason) => {
  const released: (Error | undefined)[] = [];
  const client = {
    async query(config: string | { text: string }) {
      const text = (typeof config === 'string' ? config : config.text).trim();
      const failure = Object.entries(failures).find(([start]) => text.startsWith(start))?.[1];
      if (failure) throw failure;
      return { rows: [] };
    },
    release: (error?: Error) => released.push(error),
  };
  const parts: BatchParts = {
    pool: { connect: async () => client, query: async () => ({ rows: [] }) } as unknown as Pool,
    ...{ node: 'main', layouts: layouts(), quiet: quietConnectors(), rules: ruleWatch() },
    ...{ secrets: secretParameters(), storeAnswers: async () => [] },
  };
  await expect(storeBatch(parts, randomUUID(), [submission(deviceId, [boot(false)])])).rejects.toThrow(
    failures.insert!.message,
  );
  expect(released.map((error) => error?.message)).toEqual([reason]);
});

test('only the ID of the batch counts as claimed: any other error of one statement reaches the caller', async () => {
  const failing = async (error: object) => {
    const query = async (statement: object | string) => {
      if (JSON.stringify(statement).includes('ingest_batches')) throw error;
      return { rows: [] };
    };
    const parts = { ...startNode(database), pool: { query } as unknown as Pool };
    return await storeBatch(parts, randomUUID(), [submission(deviceId, [])]);
  };
  const claimed = { code: '23505', constraint: 'ingest_batches_pkey' };
  await expect(failing(claimed)).resolves.toMatchObject({ connected: [] });
  const other = { code: '23505', constraint: 'transactions_external_id' };
  await expect(failing(other)).rejects.toBe(other);
  const broken = { code: '22P02' };
  await expect(failing(broken)).rejects.toBe(broken);
});
