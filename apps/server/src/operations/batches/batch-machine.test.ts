import { batchEndpoints, operationsEndpoints } from '@chargehand/contract';
import {
  type Batch,
  type BatchCounts,
  type BatchExecution,
  countOf,
  EXECUTION_RESULTS,
  type Execution,
  type ExecutionResult,
  failuresOf,
  nextBatch,
  TRANSFER_RESULTS,
} from '@chargehand/domain';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { Client } from '../../testing/client.ts';
import {
  addDevices,
  type DeviceConnection,
  type OperationsTest,
  openConnection,
  startOperationsTest,
} from '../../testing/operations-room.ts';

const { createBatch, readBatch, cancelBatch } = batchEndpoints;
const DEVICES = 5;

let room: OperationsTest;
let admin: Client;
let deviceIds: number[];
beforeAll(async () => {
  room = await startOperationsTest();
  deviceIds = await addDevices(room, 'MACHINE', DEVICES);
  admin = await room.as('northAdmin');
});
afterAll(() => room.stop());
afterEach(() => room.reset());

/** One event of a batch, its devices or its server. */
type Step =
  | { type: 'connect' | 'cut' | 'cancelOne'; device: number }
  | { type: 'answer'; device: number; success: boolean; times: number }
  | { type: 'late'; device: number }
  | { type: 'restart' | 'cancelRest' | 'sweep' };

const device = fc.integer({ min: 0, max: DEVICES - 1 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant('connect' as const), device }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constantFrom('cut' as const, 'cancelOne' as const), device }) },
  {
    weight: 5,
    arbitrary: fc.record({
      ...{ type: fc.constant('answer' as const), device, success: fc.boolean() },
      times: fc.integer({ min: 1, max: 2 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('late' as const), device }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constantFrom('restart' as const, 'sweep' as const) }) },
  { weight: 1, arbitrary: fc.constant<Step>({ type: 'cancelRest' }) },
);

interface Row {
  id: string;
  state: Execution['state'];
  result: number;
  reason: Execution['reason'];
  refused: boolean;
}

/** The executions in the database, by device. */
async function rows(): Promise<Row[]> {
  const { rows: found } = await room.database.pool.query<Row>(
    'select id, state, result, reason, refused from executions where device_id = any($1) order by device_id',
    [deviceIds],
  );
  return found;
}

const RESULTS = Object.fromEntries(Object.entries(EXECUTION_RESULTS).map(([name, number]) => [number, name]));
const counted = (found: Row[]): BatchCounts => {
  const counts: BatchCounts = {
    ...{ queued: 0, inFlight: 0, succeeded: 0, failed: 0 },
    ...{ timedOut: 0, offline: 0, cancelled: 0, refused: 0 },
  };
  for (const { state, result, reason, refused } of found) {
    counts[countOf({ state, result: RESULTS[result] as ExecutionResult, reason }, refused)] += 1;
  }
  return counts;
};

test('whatever order devices connect, disconnect, answer and time out in, with restarts: each is sent the command at most once, within the limit, and the counts are right', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 3 }),
      fc.option(fc.integer({ min: 1, max: 3 }), { nil: null }),
      fc.array(step, { minLength: 4, maxLength: 14 }),
      async (parallel, stopAfter, steps) => {
        await room.reset();
        admin = await room.as('northAdmin');
        const connections: DeviceConnection[] = [];
        const open: (DeviceConnection | undefined)[] = [];
        const finals = new Map<string, string>();
        const connect = async (place: number) => {
          if (open[place]) return;
          const connection = await openConnection(room, deviceIds[place]!);
          open[place] = connection;
          connections.push(connection);
        };
        const { id } = await admin.data(createBatch, {
          body: {
            ...{ kind: 'clearCache', deviceIds, parallel, whenOffline: 'queue', queueMinutes: 60 },
            ...(stopAfter === null ? {} : { stopAfter }),
          },
        });
        const holds = async () => {
          const found = await rows();
          const { counts } = await admin.data(readBatch, { params: { id } });
          // They are read at different times, so executions that ended in between are compared at the end.
          expect(counts.inFlight).toBeLessThanOrEqual(parallel);
          for (const { id: executionId, state, result, reason } of found) {
            const seen = finals.get(executionId);
            if (seen) expect(`${result} ${reason}`).toBe(seen);
            if (state === 'ended') finals.set(executionId, `${result} ${reason}`);
          }
        };
        for (const one of steps) {
          const found = await rows();
          switch (one.type) {
            case 'connect':
              await connect(one.device);
              break;
            case 'cut':
              await open[one.device]?.close();
              open[one.device] = undefined;
              break;
            case 'cancelOne':
              await admin.call(operationsEndpoints.cancelExecution, {
                params: { executionId: found[one.device]!.id },
                body: {},
              });
              break;
            case 'answer': {
              const sent = connections.some(({ calls }) =>
                calls.some((call) => call.executionId === found[one.device]!.id),
              );
              const connection = open[one.device] ?? connections.find(Boolean);
              for (let time = 0; sent && connection && open[one.device] && time < one.times; time += 1) {
                const reason = one.success ? 'accepted' : 'rejected';
                await connection.answer(found[one.device]!.id, { success: one.success, reason });
              }
              break;
            }
            case 'late':
              await room.database.pool.query(
                `update executions set deadline_at = now() - interval '1 ms' where id = $1 and state = 'sent'`,
                [found[one.device]!.id],
              );
              break;
            case 'restart':
              await room.restart();
              admin = await room.as('northAdmin');
              break;
            case 'sweep': {
              const node = room.anotherNode();
              await node.start();
              await node.stop();
              break;
            }
            case 'cancelRest':
              await admin.call(cancelBatch, { params: { id }, body: {} });
          }
          await holds();
        }
        // At the end all devices are online and execute their commands.
        for (let place = 0; place < DEVICES; place += 1) await connect(place);
        await vi.waitFor(
          async () => {
            for (const { id: executionId, state } of await rows()) {
              const connection = connections.findLast(({ calls }) =>
                calls.some((call) => call.executionId === executionId),
              );
              if (state === 'sent' && connection) await connection.answer(executionId);
            }
            await room.sweep();
            expect((await admin.data(readBatch, { params: { id } })).endedAt).not.toBeNull();
          },
          { timeout: 30_000, interval: 20 },
        );
        await holds();
        const { counts, stopped } = await admin.data(readBatch, { params: { id } });
        const { total, accepted: _, same: __, ...rest } = counts;
        expect(rest).toEqual(counted(await rows()));
        expect(total).toBe(DEVICES);
        if (stopAfter !== null && failuresOf(rest) >= stopAfter) expect(stopped).not.toBeNull();
        const sentIds = connections.flatMap(({ calls }) => calls.map(({ executionId }) => executionId));
        expect(new Set(sentIds).size).toBe(sentIds.length);
      },
    ),
    { numRuns: 8, endOnFailure: true },
  );
}, 240_000);

test('the database changes the counts of a batch as the rule does, or refuses what the rule refuses', async () => {
  const { pool } = room.database;
  // No batch runner runs here: what it cancels would hide what the triggers count.
  await room.room.stop();
  const event = fc.record({
    device,
    to: fc.constantFrom<Execution>(
      { state: 'sent', result: 'waiting', reason: null },
      { state: 'sent', result: 'waiting', reason: null },
      { state: 'queued', result: 'waiting', reason: null },
      { state: 'ended', result: 'success', reason: 'accepted' },
      { state: 'ended', result: 'failure', reason: 'rejected' },
      { state: 'ended', result: 'timeout', reason: 'noAnswer' },
      { state: 'ended', result: 'offline', reason: 'deviceOffline' },
      { state: 'ended', result: 'failure', reason: 'cancelled' },
    ),
    // Most commands transfer no file.
    file: fc.option(fc.constantFrom(...TRANSFER_RESULTS), { nil: null, freq: 2 }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 2 }),
      fc.option(fc.integer({ min: 1, max: 3 }), { nil: null }),
      fc.array(event, { maxLength: 20 }),
      async (parallel, stopAfter, events) => {
        await room.reset();
        const { id } = await admin.data(createBatch, {
          body: {
            ...{ kind: 'clearCache', deviceIds, parallel, whenOffline: 'queue' },
            ...(stopAfter === null ? {} : { stopAfter }),
          },
        });
        const executions: BatchExecution[] = Array(DEVICES).fill({ state: 'queued', result: 'waiting', reason: null });
        const ids = (await rows()).map((row) => row.id);
        let batch: Batch = { parallel, stopAfter, stopped: null, counts: counted(await rows()) };
        for (const { device: place, to: execution, file } of events) {
          const before = executions[place]!;
          const to = { ...execution, file };
          const moved = nextBatch(batch, before, to);
          const written = await pool
            .query(
              `update executions set state = $2, result = $3, reason = $4, sent_at = now(), file = $5,
                      ended_at = case when $2 = 'ended' then now() end where id = $1`,
              [ids[place], to.state, EXECUTION_RESULTS[to.result], to.reason, file],
            )
            .then(
              () => true,
              () => false,
            );
          expect(written).toBe(moved !== null);
          if (!moved) continue;
          batch = moved;
          executions[place] = to;
          const { counts, stopped } = await admin.data(readBatch, { params: { id } });
          const { total: _, accepted: __, same: ___, ...rest } = counts;
          expect({ counts: rest, stopped }).toEqual({ counts: batch.counts, stopped: batch.stopped });
          if (stopped) break;
        }
      },
    ),
    { numRuns: 20, endOnFailure: true },
  );
}, 240_000);
