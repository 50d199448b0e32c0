import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { eventually } from '../../testing/gateways/gateway-testbed.ts';
import {
  connectDevice,
  type MqttDevice,
  type MqttTestbed,
  startMqttTestbed,
} from '../../testing/gateways/mqtt-testbed.ts';

let bed: MqttTestbed;
let id: number;
let device: MqttDevice;
beforeAll(async () => {
  bed = await startMqttTestbed();
  id = await bed.addDevice('SMALL-01');
  device = await connectDevice(bed.mqttUrl, 'SMALL-01');
  await device.client.subscribeAsync(['chargehand/SMALL-01/command', 'chargehand/SMALL-01/error']);
});
afterAll(() => bed.stop());

const rows = async (text: string) => (await bed.pool.query(text, [id])).rows;
const say = (leaf: string, message: unknown) => device.say(`chargehand/SMALL-01/${leaf}`, message);

describe('a small device reports in JSON', () => {
  test('its status', async () => {
    await say('status', { status: 'online', softVersion: '1.2.3', state: 'charging' });
    expect(await rows('select status from connectors where device_id = $1')).toEqual([{ status: 'Charging' }]);
    expect(await rows('select soft_version from devices where id = $1')).toEqual([{ soft_version: '1.2.3' }]);
    await say('status', { status: 'online', state: 'fault', fault: 'E12' });
    expect(await rows('select code, kind from alarms where device_id = $1 and cleared_at is null')).toEqual([
      { code: 'E12', kind: 'fault' },
    ]);
    await say('status', { status: 'online', state: 'idle' });
    expect(await rows('select code from alarms where device_id = $1 and cleared_at is null')).toEqual([]);
  });

  test('its version, which is a restart only if it is another one', async () => {
    const started = async () => (await rows('select booted_at from device_states where device_id = $1'))[0].booted_at;
    await say('status', { status: 'online', softVersion: '1.2.3' });
    const first = await started();
    await say('status', { status: 'online', softVersion: '1.2.3' });
    expect(await started()).toEqual(first);
    await say('status', { status: 'online', softVersion: '1.2.4' });
    expect((await started()).getTime()).toBeGreaterThan(first.getTime());
  });

  test('its readings, one sample or several stored ones', async () => {
    await say('telemetry', {
      values: { 'Battery/SoC': 61.5, on: true, e: { value: 12.5, unit: 'kWh', counter: true } },
    });
    expect(await bed.readings(id)).toEqual({ 'Battery/SoC': 61.5, on: 1, e: 12.5 });
    const old = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
    await say('telemetry', [
      { at: old(48), values: { 'Battery/SoC': 10 } },
      { at: old(47), values: { 'Battery/SoC': 11 } },
    ]);
    expect(await bed.readings(id)).toMatchObject({ 'Battery/SoC': 61.5 });
    expect(
      await rows(`select count(*)::int as n from readings where device_id = $1 and at < now() - interval '1 day'`),
    ).toEqual([{ n: 2 }]);
  });

  test('integers of 32 bits and more keep all their digits', async () => {
    await say('telemetry', { values: { wide: 4_294_967_295, wider: Number.MAX_SAFE_INTEGER, narrow: 12 } });
    expect(await bed.readings(id)).toMatchObject({ wide: 4_294_967_295, wider: 9_007_199_254_740_991, narrow: 12 });
  });

  test('a time without a time zone is read as UTC in every server time zone', async () => {
    const zone = process.env.TZ;
    process.env.TZ = 'Asia/Hong_Kong';
    try {
      expect(new Date('2026-01-10T12:00:00').toISOString()).toBe('2026-01-10T04:00:00.000Z');
      const at = new Date(Date.now() - 600_000);
      await say('telemetry', { at: at.toISOString().slice(0, -1), values: { zoneless: 1 } });
      expect(
        await rows(`select r.at from readings r join reading_layouts l on l.id = r.layout_id
                     where device_id = $1 and l.items @> '[{"key":"zoneless"}]'`),
      ).toEqual([{ at }]);
    } finally {
      if (zone === undefined) delete process.env.TZ;
      else process.env.TZ = zone;
    }
  });

  test('texts, alarms and parameters', async () => {
    await say('texts', { values: { Mode: 'eco' } });
    expect(await rows('select key, value from latest_texts where device_id = $1')).toEqual([
      { key: 'Mode', value: 'eco' },
    ]);
    await say('alarm', { code: 'HOT', active: true, level: 'CA', kind: 'fault', info: '71 °C' });
    expect(await rows('select code, level, info from alarms where device_id = $1 and cleared_at is null')).toEqual([
      { code: 'HOT', level: 'CA', info: '71 °C' },
    ]);
    await say('alarm', { code: 'HOT', active: false });
    expect(await rows('select code from alarms where device_id = $1 and cleared_at is null')).toEqual([]);
    await say('parameters', { complete: true, values: { Limit: 5, Serial: { value: 'x', readonly: true } } });
    expect(await rows('select key, value, readonly from device_parameters where device_id = $1 order by key')).toEqual([
      { key: 'Limit', value: '5', readonly: false },
      { key: 'Serial', value: 'x', readonly: true },
    ]);
  });
});

test('a command is sent as JSON; the answer with its id is the result', async () => {
  const executionId = randomUUID();
  const execution = bed.link.execute(id, {
    executionId,
    kind: 'setParameter',
    connector: 0,
    params: { key: 'Limit', value: '6' },
  });
  const { topic, payload } = await device.next();
  expect(await execution).toEqual({ outcome: 'sent' });
  expect([topic, JSON.parse(payload.toString())]).toEqual([
    'chargehand/SMALL-01/command',
    { id: executionId, command: 'setParameter', connector: 0, params: { key: 'Limit', value: '6' } },
  ]);
  await say('answer', { id: executionId, status: 'rejected', detail: 'not while charging' });
  const answer = await eventually(async () => bed.answers.find((one) => one.executionId === executionId), Boolean);
  expect(answer).toMatchObject({ success: false, reason: 'rejected', detail: 'not while charging' });
});

test('control 7 is sent with the ticket of its link, which is not in the log', async () => {
  const link = { link: 7, host: 'links.example', port: 2222, user: 'SMALL-01.7', ticket: 'one-time-ticket' };
  const params = { ...link, hostKey: 'ssh-ed25519 AAAA', forwards: [{ listen: 22, to: '127.0.0.1:22' }] };
  const execution = bed.link.execute(id, { executionId: randomUUID(), kind: 'startVpn', connector: 0, params });
  const { payload } = await device.next();
  expect(await execution).toEqual({ outcome: 'sent' });
  expect(JSON.parse(payload.toString())).toMatchObject({ command: 'startVpn', params });
  const { rows } = await eventually(
    () => bed.pool.query<{ body: string }>(`select body from protocol_frames where body like '%startVpn%'`),
    ({ rowCount }) => rowCount === 1,
  );
  expect(JSON.parse(rows[0]!.body)).toMatchObject({ params: { ...params, ticket: '***' } });
});

describe('a command without an answer', () => {
  const commanded = async (sn: string, kind: 'setParameter' | 'softReset') => {
    const deviceId = await bed.addDevice(sn);
    const other = await connectDevice(bed.mqttUrl, sn);
    await other.client.subscribeAsync(`chargehand/${sn}/command`);
    await other.say(`chargehand/${sn}/status`, { status: 'online' });
    const executionId = randomUUID();
    const execution = bed.link.execute(deviceId, { executionId, kind, connector: 0, params: {} });
    await other.next();
    expect(await execution).toEqual({ outcome: 'sent' });
    return { deviceId, executionId, other };
  };
  const disconnected = (deviceId: number) =>
    eventually(
      async () =>
        (await bed.pool.query('select connected from device_states where device_id = $1', [deviceId])).rows[0],
      ({ connected }) => !connected,
    );

  test('ends with the connection and its close reason', async () => {
    const { deviceId, executionId, other } = await commanded('LOSES-01', 'setParameter');
    other.client.stream.destroy();
    await disconnected(deviceId);
    const { rows } = await bed.pool.query(
      'select disconnect_detail as detail from device_states where device_id = $1',
      [deviceId],
    );
    expect(bed.progress.filter((report) => report.executionId === executionId)).toMatchObject([
      { deviceId, state: 'connectionLost', detail: rows[0].detail },
    ]);
    await other.client.endAsync(true);
  });

  test('ends when the device announces that it disconnects', async () => {
    const { deviceId, executionId, other } = await commanded('LOSES-02', 'setParameter');
    await other.say('chargehand/LOSES-02/status', { status: 'offline' });
    await other.client.endAsync();
    await disconnected(deviceId);
    expect(bed.progress).toContainEqual(expect.objectContaining({ executionId, state: 'connectionLost' }));
  });

  test('a restart is answered on the next connection', async () => {
    const { deviceId, executionId, other } = await commanded('LOSES-03', 'softReset');
    await other.client.endAsync();
    await disconnected(deviceId);
    expect(bed.progress.filter((report) => report.executionId === executionId)).toEqual([]);
    const again = await connectDevice(bed.mqttUrl, 'LOSES-03');
    await again.say('chargehand/LOSES-03/answer', { id: executionId, status: 'accepted' });
    const answer = await eventually(async () => bed.answers.find((one) => one.executionId === executionId), Boolean);
    expect(answer).toMatchObject({ success: true, reason: 'restarted' });
  });
});

test.each([
  ['telemetry', '{"values":', 'not JSON'],
  ['telemetry', Buffer.from([0xff, 0xfe, 0x7b]), 'not JSON'],
  ['telemetry', '{"values":{"a":"many"}}', '/values/a must be'],
  [
    'telemetry',
    JSON.stringify({ values: Object.fromEntries(Array.from({ length: 501 }, (_, at) => [`k${at}`, at])) }),
    'must NOT have more than 500',
  ],
  ['telemetry', '['.repeat(100_000), 'nested deeper than'],
  ['telemetry', '{"values":{"a":1e400}}', 'a: 1e400 is not a finite number'],
  ['telemetry', '{"values":{"a":NaN}}', 'not JSON'],
  ['telemetry', '{"at":"2099-01-01T00:00:00Z","values":{"future":1}}', '/at 2099-01-01T00:00:00Z is more than a day'],
  [
    'telemetry',
    '[{"at":"2020-01-01T00:00:00Z","values":{"future":1}},{"at":"2099-01-01T00:00:00Z","values":{"future":1}}]',
    '/0/at 2020-01-01T00:00:00Z is more than a year old',
  ],
  [
    'telemetry',
    '{"at":"2020-01-01T00:00:00Z","values":{"past":1}}',
    '/at 2020-01-01T00:00:00Z is more than a year old',
  ],
  [
    'telemetry',
    JSON.stringify({ at: new Date(Date.now() + 8 * 3_600_000), values: { ahead: 1 } }),
    'is more than 5 minutes in the future',
  ],
  ['status', '{"status":"perhaps"}', '/status must be'],
  ['alarm', '{"active":true}', "must have required property 'code'"],
  ['answer', '{"id":"x","status":"fine"}', '/status must be'],
])('bad message %# (%s) is refused on the error topic', async (leaf, message, problem) => {
  await say(leaf, message);
  const { topic, payload } = await device.next();
  expect(topic).toBe('chargehand/SMALL-01/error');
  expect(JSON.parse(payload.toString())).toMatchObject({
    topic: leaf,
    problem: expect.stringContaining(problem.split(' must be')[0]!),
  });
  const frames = await bed.frames(id);
  expect(frames.findLast(({ action }) => action === leaf)?.note).toMatch(/^refused: /);
});

test('samples with an implausible time or unit are left out, and the others are stored', async () => {
  const at = new Date(Date.now() - 60_000);
  await say('telemetry', [
    { at: '2020-01-01T00:00:00Z', values: { plausible: 1 } },
    { at, values: { plausible: 2, Voltage: { value: 3, unit: 'A' } } },
  ]);
  const { rows } = await bed.pool.query(
    `select r.at, r.analog from readings r join reading_layouts l on l.id = r.layout_id
      where r.device_id = $1 and l.items @> '[{"key":"plausible"}]'`,
    [id],
  );
  expect(rows).toEqual([{ at, analog: [2] }]);
  const problem =
    'the time 2020-01-01T00:00:00Z is more than a year old; its readings are left out; A is not a unit of Voltage; left out';
  const { payload } = await device.next();
  expect(JSON.parse(payload.toString()).problem).toBe(`refused values: ${problem}`);
  const faults = await bed.pool.query(
    `select reason from device_message_faults where device_id = $1 and outcome = 'partial' and action = 'telemetry'`,
    [id],
  );
  expect(faults.rows).toEqual([{ reason: problem }]);
});

test('a field without a value does not discard a message', async () => {
  await say('alarm', { code: 'NULL-1', active: true, level: null, info: null });
  const { payload } = await device.next();
  expect(JSON.parse(payload.toString()).problem).toBe('refused values: level is null; info is null');
  const { rows } = await bed.pool.query(
    `select level from alarms where device_id = $1 and code = 'NULL-1' and cleared_at is null`,
    [id],
  );
  expect(rows).toEqual([{ level: 'OA' }]);
});

test('the good values of a message are stored, and the refused ones are named on the error topic', async () => {
  await say('telemetry', '[{"values":{"SoC":null,"V":51.2,"Mode":"eco","Serial":9007199254740993}},null,{"at":1}]');
  const { payload } = await device.next();
  const problem =
    "refused values: SoC is null; Mode is not valid; sample 1: the message must be object; sample 2: the message must have required property 'values'";
  expect(JSON.parse(payload.toString())).toMatchObject({ topic: 'telemetry', problem });
  const { rows } = await bed.pool.query(
    `select l.items -> 0 ->> 'key' as key, r.analog from readings r join reading_layouts l on l.id = r.layout_id
      where r.device_id = $1 and l.items @> '[{"key":"V"}]'`,
    [id],
  );
  expect(rows).toEqual([{ key: 'V', analog: [51.2] }]);
  const texts = await bed.pool.query(`select value from latest_texts where device_id = $1 and key = 'Serial'`, [id]);
  expect(texts.rows).toEqual([{ value: '9007199254740993' }]);
  await say('parameters', '{"values":{"Serial":12345678901234567890}}');
  await vi.waitFor(async () => {
    const parameters = await bed.pool.query(
      `select value from device_parameters where device_id = $1 and key = 'Serial'`,
      [id],
    );
    expect(parameters.rows).toEqual([{ value: '12345678901234567890' }]);
  });
});

test('a connector beyond the limit is refused on the error topic', async () => {
  await bed.addDevice('PARTS-01');
  const parts = await connectDevice(bed.mqttUrl, 'PARTS-01');
  await parts.client.subscribeAsync('chargehand/PARTS-01/error');
  const samples = Array.from({ length: 128 }, (_, index) => ({ connector: index + 1, values: { a: 1 } }));
  await parts.say('chargehand/PARTS-01/telemetry', samples.slice(0, 64));
  await parts.say('chargehand/PARTS-01/telemetry', samples.slice(64));
  await parts.say('chargehand/PARTS-01/telemetry', { connector: 129, values: { a: 1 } });
  const { payload } = await parts.next();
  expect(JSON.parse(payload.toString())).toMatchObject({
    problem: 'connector 129 exceeds the limit: a device may have 128 at most',
  });
});
