import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { quietConnectors, ruleWatch } from '../alarms/index.ts';
import { secretParameters } from '../models/index.ts';
import { systemClock } from '../platform/clock.ts';
import { createLog } from '../platform/log.ts';
import type { UplinkEvent } from '../ports/uplink.ts';
import { layouts } from '../telemetry/index.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { startTestbed } from '../testing/gateways/gateway-testbed.ts';
import { storeBatch } from './batch/store-batch.ts';
import { uplinkSink } from './index.ts';

describe('stored events', () => {
  let database: TestDatabase;
  let deviceId: number;
  beforeEach(async () => {
    database = await createTestDatabase();
    const bed = await startTestbed({}, { database });
    deviceId = await bed.addDevice('SINK-1');
    await bed.stop();
  });
  afterEach(() => database.drop());

  const frame = (note: string, body = ''): UplinkEvent => ({
    kind: 'frame',
    type: 'receive',
    connectionId: null,
    at: new Date(),
    action: null,
    messageId: null,
    body,
    bytes: body.length,
    note,
  });
  const sinkOf = (queueBytes?: number) =>
    uplinkSink({
      clock: systemClock,
      pool: database.pool,
      log: createLog('silent'),
      events: { publish: () => undefined },
      onAnswer: async () => [],
      queueBytes,
    });
  const notes = async () =>
    (await database.pool.query<{ note: string }>('select note from protocol_frames order by id')).rows.map(
      (row) => row.note,
    );

  test('the order of events of one device is kept', async () => {
    const sink = sinkOf();
    const all = Array.from({ length: 200 }, (_, number) => String(number));
    await Promise.all(all.map((note) => sink.submit(deviceId, [frame(note)])));
    expect(await notes()).toEqual(all);
    await sink.stop();
  });

  test('the latest text of a quantity is kept, in whatever order texts arrive', async () => {
    const sink = sinkOf();
    const reading = (at: string, value: string): UplinkEvent => ({
      kind: 'texts',
      connector: 0,
      at: new Date(at),
      receivedAt: new Date(at),
      values: [{ key: 'Properties/Firmware', value }],
    });
    await sink.submit(deviceId, [
      reading('2026-01-01T00:00:02Z', 'second'),
      reading('2026-01-01T00:00:01Z', 'first\0'),
    ]);
    await sink.submit(deviceId, [reading('2026-01-01T00:00:01Z', 'late')]);
    const { rows } = await database.pool.query('select key, value from latest_texts');
    expect(rows).toEqual([{ key: 'Properties/Firmware', value: 'second' }]);
    await sink.stop();
  });

  test('a value with a future time does not remain the latest', async () => {
    const sink = sinkOf();
    const reported = (value: string, watts: number, at = new Date()): UplinkEvent[] => [
      { kind: 'texts', connector: 0, at, receivedAt: at, values: [{ key: 'State', value }] },
      {
        ...{ kind: 'reading', connector: 1, at, receivedAt: at, transactionId: null },
        values: [{ key: 'Power', unit: 'W', counter: false, value: watts }],
      },
    ];
    const latest = async () => {
      const texts = await database.pool.query('select value from latest_texts where key = $1', ['State']);
      const readings = await database.pool.query('select analog from latest_readings where connector = 1');
      return [texts.rows[0]?.value, readings.rows[0]?.analog[0]];
    };
    // The clock of the server was three days ahead.
    await sink.submit(deviceId, reported('ahead', 1, new Date(Date.now() + 3 * 86_400_000)));
    expect(await latest()).toEqual(['ahead', 1]);
    await sink.submit(deviceId, reported('now', 2));
    expect(await latest()).toEqual(['now', 2]);
    await sink.submit(deviceId, reported('late', 3, new Date(Date.now() - 60_000)));
    expect(await latest()).toEqual(['now', 2]);
    await sink.stop();
  });

  test('changed parameter values become history, for many devices at once', async () => {
    const sink = sinkOf();
    const { rows: devices } = await database.pool.query<{ id: number }>('select id from devices order by id limit 3');
    const report = (
      values: Record<string, string | null>,
      complete: boolean,
      unknownKeys: string[] = [],
    ): UplinkEvent => ({
      kind: 'parameters',
      at: new Date(),
      entries: Object.entries(values).map(([key, value]) => ({ key, value, readonly: false })),
      unknownKeys,
      complete,
    });
    const submitAll = (event: UplinkEvent) => Promise.all(devices.map(({ id }) => sink.submit(id, [event])));
    await submitAll(report({ A: '1', B: '2', Password: 'hush' }, true));
    await submitAll(report({ A: '1', B: '3' }, false));
    await submitAll(report({ A: '1' }, true));
    await submitAll(report({}, false, ['A']));
    await submitAll(report({ A: '1', C: null }, false));
    const { rows } = await database.pool.query(
      'select device_id, key, value, source, changed_by from parameter_history order by device_id, id',
    );
    const expected = [
      ['A', '1'],
      ['B', '2'],
      ['B', '3'],
      ['A', '1'],
    ].map(([key, value]) => ({ key, value, source: 'boot', changed_by: null }));
    expect(rows).toEqual(devices.flatMap(({ id }) => expected.map((row) => ({ device_id: id, ...row }))));
    const { rows: kept } = await database.pool.query('select distinct key, value from device_parameters order by key');
    expect(kept).toEqual([
      { key: 'A', value: '1' },
      { key: 'C', value: null },
    ]);
    await sink.stop();
  });

  describe('texts of devices that the database refuses', () => {
    const at = new Date('2026-01-01T00:00:00Z');
    const AS = { at, connector: 1, receivedAt: at };
    /** an event of each kind that contains texts of a device, with a text in each place */
    const KINDS: Record<string, (text: string, id: string) => UplinkEvent> = {
      frame: (text) => ({ ...frame(text, text), action: text, messageId: text }) as UplinkEvent,
      connected: (text, id) => ({
        ...{ kind: 'connected', connectionId: id, at, protocol: text, remoteAddress: text },
      }),
      disconnected: (text, id) => ({
        kind: 'disconnected',
        connectionId: id,
        at,
        reason: 'networkTimeout',
        detail: text,
      }),
      booted: (text) => ({ kind: 'booted', at, softVersion: text, boot: { [text]: text, deep: [{ [text]: [text] }] } }),
      reading: (text) => ({
        ...{ kind: 'reading', ...AS, transactionId: null },
        values: [{ key: text, unit: text, counter: false, value: 1 }],
      }),
      connectorStatus: (text) => ({
        ...{ kind: 'connectorStatus', ...AS, status: text, errorCode: text, vendorErrorCode: text, info: text },
      }),
      alarm: (text) => ({
        ...{ kind: 'alarm', ...AS, code: text, alarmKind: 'alarm', level: 'OA', info: text, active: true },
      }),
      transactionEvent: (text) => ({
        ...{ kind: 'transactionEvent', transaction: text, phase: 'ended', seqNo: 1, at, offline: false, connector: 1 },
        ...{ idTag: text, meter: null, reason: text, activity: text, clockFault: false },
      }),
      transactionStarted: (text) => ({
        ...{ kind: 'transactionStarted', connector: 1, at, idTag: text, meterStart: 0, clockFault: false },
      }),
      transactionStopped: (text) => ({
        ...{ kind: 'transactionStopped', transactionId: 1, at, clockFault: false, idTag: text, meterStop: 1 },
        reason: text,
      }),
      texts: (text) => ({ kind: 'texts', ...AS, values: [{ key: text, value: text }] }),
      firmwareStatus: (text) => ({ kind: 'firmwareStatus', at, status: text, requestId: text }),
      diagnosticsStatus: (text) => ({ kind: 'diagnosticsStatus', at, status: text, requestId: text }),
      parameters: (text) => ({
        ...{ kind: 'parameters', at, unknownKeys: [text], complete: true },
        entries: [{ key: text, value: text, readonly: false }],
      }),
      answer: (text, executionId) => ({
        ...{ kind: 'answer', executionId, at, success: true, reason: 'accepted', detail: text },
        answer: { [text]: [text, { [text]: text }] },
      }),
      executionProgress: (text, executionId) => ({
        ...{ kind: 'executionProgress', executionId, at, state: 'working', detail: text },
      }),
    };
    const noise = Array.from({ length: 20_000 }, (_, index) =>
      String.fromCodePoint(0x4e00 + ((index * 7_919) % 20_000)),
    );
    const POISON = ['\0', 'a\0b', '\uD83D', '\uDE00\uD83D', '{"a":"\\u0000"}', '\uFFFF', '\\', '"}', noise.join('')];

    test('are made storable in each kind of event', async () => {
      const sink = uplinkSink({
        ...{ clock: systemClock, pool: database.pool, log: createLog('silent'), events: { publish: () => undefined } },
        async onAnswer(client, answers) {
          for (const { answer, detail } of answers)
            await client.query({ text: 'select $1::jsonb, $2::text', values: [JSON.stringify(answer), detail] });
        },
        async onProgress(client, progress) {
          for (const { detail } of progress) await client.query({ text: 'select $1::text', values: [detail] });
        },
      });
      const refused: string[] = [];
      for (const [kind, eventOf] of Object.entries(KINDS)) {
        for (const [index, text] of POISON.entries()) {
          const event = eventOf(text, randomUUID());
          await sink.submit(deviceId, [event]).catch((error) => refused.push(`${kind} ${index}: ${error}`));
        }
      }
      expect(refused).toEqual([]);
      await sink.stop();
    });
  });

  test('a submission that cannot be stored is refused alone; others in the batch are stored', async () => {
    const sink = sinkOf();
    const impossible: UplinkEvent = {
      kind: 'connectorStatus',
      connector: 99_999,
      at: new Date(),
      status: 'x',
      errorCode: 'NoError',
      vendorErrorCode: null,
      info: null,
    };
    const results = await Promise.allSettled([
      sink.submit(deviceId, [frame('a')]),
      sink.submit(deviceId, [impossible]),
      sink.submit(deviceId, [frame('b')]),
      sink.submit(deviceId + 1_000, [{ ...impossible, connector: 1 }]),
      sink.submit(deviceId, [frame('c')]),
    ]);
    expect(results.map((result) => result.status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    expect(await notes()).toEqual(['a', 'b', 'c']);
    await sink.stop();
  });

  test('when too much is waiting, telemetry is refused first and status reports never are', async () => {
    const sink = sinkOf(1_000);
    const status: UplinkEvent = {
      kind: 'connectorStatus',
      connector: 1,
      at: new Date(),
      status: 'Available',
      errorCode: 'NoError',
      vendorErrorCode: null,
      info: null,
    };
    const first = sink.submit(deviceId, [frame('fits')]);
    const shed = sink.submit(deviceId, [frame('too much', 'x'.repeat(500))]);
    const kept = sink.submit(deviceId, [frame('status', 'x'.repeat(500)), status]);
    await expect(shed).rejects.toThrow('Too much is waiting');
    await Promise.all([first, kept]);
    expect(await notes()).toEqual(['fits', 'status']);
    await sink.stop();
  });

  test('a device may have 1 MiB waiting: then its telemetry is refused, but not its status reports or other devices', async () => {
    const sink = sinkOf();
    const other = (
      await database.pool.query<{ id: number }>(
        `insert into devices (sn, name, site_id, customer_id, device_model_id)
         select 'SINK-2', 'SINK-2', site_id, customer_id, device_model_id from devices where id = $1 returning id`,
        [deviceId],
      )
    ).rows[0]!.id;
    const status: UplinkEvent = {
      kind: 'connectorStatus',
      connector: 1,
      at: new Date(),
      status: 'Available',
      errorCode: 'NoError',
      vendorErrorCode: null,
      info: null,
    };
    // A frame counts for 400 bytes and two for each character of its body.
    const rest = 1024 * 1024 - (400 + 2 * 400_000);
    const sizedFrame = (note: string, bytes: number) => frame(note, 'x'.repeat((bytes - 400) / 2));
    const fills = [
      sink.submit(deviceId, [sizedFrame('most of it', 400 + 2 * 400_000)]),
      sink.submit(deviceId, [sizedFrame('the rest', rest)]),
    ];
    const oneMore = sink.submit(deviceId, [frame('one more')]);
    const besides = [sink.submit(deviceId, [frame('status'), status]), sink.submit(other, [frame('other')])];
    await expect(oneMore).rejects.toThrow('Too much is waiting');
    await Promise.all([...fills, ...besides]);
    // Stored events no longer count.
    const again = sink.submit(deviceId, [sizedFrame('again', 1024 * 1024 - 400)]);
    await expect(sink.submit(deviceId, [sizedFrame('too large', 400 + 2)])).rejects.toThrow('Too much');
    await again;
    // Alone, a submission may be larger: a device that sends it again would never get it stored.
    await sink.submit(deviceId, [sizedFrame('alone', 4 * 1024 * 1024)]);
    expect((await notes()).sort()).toEqual(['again', 'alone', 'most of it', 'other', 'status', 'the rest']);
    await sink.stop();
  });

  test('a batch whose commit was not confirmed is recognized and not stored again', async () => {
    const parts = {
      pool: database.pool,
      node: 'main',
      layouts: layouts(),
      quiet: quietConnectors(),
      rules: ruleWatch(),
      secrets: secretParameters(),
      storeAnswers: async () => [],
    };
    const start: UplinkEvent = {
      kind: 'transactionStarted',
      connector: 1,
      at: new Date(),
      idTag: 'T',
      meterStart: 1,
      clockFault: false,
    };
    const submission = () => ({
      deviceId,
      events: [frame('once'), start],
      bytes: 0,
      stored: { transactionId: null },
      resolve: () => undefined,
      reject: () => undefined,
    });
    const batchId = randomUUID();
    const first = submission();
    await storeBatch(parts, batchId, [first]);
    const again = submission();
    await storeBatch(parts, batchId, [again]);
    expect(again.stored.transactionId).toBe(first.stored.transactionId);
    expect(await notes()).toEqual(['once']);
  });
});
