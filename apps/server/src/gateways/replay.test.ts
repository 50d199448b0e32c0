import { readRecording, replay, startFleet, startStorageFleet } from '@chargehand/simulator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../testing/eventually.ts';
import { connectDevice, type MqttTestbed, PASSWORD, startMqttTestbed } from '../testing/gateways/mqtt-testbed.ts';

let bed: MqttTestbed;
beforeAll(async () => {
  bed = await startMqttTestbed();
});
afterAll(() => bed.stop());

const DIRECTIONS = ['open', 'close', 'receive', 'send'];

interface Row {
  at: Date;
  type: number;
  action: string | null;
  messageId: string | null;
  body: string | null;
}

async function framesOf(id: number): Promise<Row[]> {
  const { rows } = await bed.pool.query<Row>(
    `select at, type, action, message_id as "messageId", body from protocol_frames where device_id = $1 order by id`,
    [id],
  );
  return rows;
}

/** The protocol log of a device as its export writes it. */
function exported(rows: readonly Row[], sn: string, protocol: string): string {
  const lines = rows.map(({ at, type, action, messageId, body }) =>
    JSON.stringify({ ...{ at, sn, protocol, action, messageId }, direction: DIRECTIONS[type], text: body ?? '' }),
  );
  return lines.join('\n');
}

/** The actions that a device sent, and how the server answered. */
function conversation(rows: readonly Row[]): string[] {
  return rows
    .filter(({ type, body }) => body?.startsWith(type === 2 ? '[2' : '[3'))
    .filter(({ type }) => type >= 2)
    .map(({ type, action }) => `${DIRECTIONS[type]} ${action}`);
}

/** Differences of responses. Which requests a server sends depends on what it already knows of a device. */
const ofResponses = ({ differences }: Awaited<ReturnType<typeof replay>>) =>
  differences.filter(({ text }) => !text.includes('request'));

/** Replays a recording as another device. */
async function again(text: string, from: string, to: string, change: (text: string) => string = (one) => one) {
  return await replay(readRecording(change(text)), {
    ...{ url: bed.url, mqtt: bed.mqttUrl, password: PASSWORD },
    ...{ speed: 10_000, sns: { [from]: to }, timeoutMs: 10_000 },
  });
}

test.each([
  ['ocpp1.6', 'RONE', {}],
  ['ocpp2.0.1', 'RTWO', { ocpp201: 1 }],
])('a session of %s is replayed as another device, with the same responses', async (protocol, prefix, more) => {
  const sn = `${prefix}00001`;
  const id = await bed.addDevice(sn);
  const copy = await bed.addDevice(`${prefix}-COPY`);
  const fleet = await startFleet({ url: bed.url, devices: 1, prefix, password: PASSWORD, meterInterval: 0, ...more });
  await fleet.whenAccepted();
  fleet.devices[0]!.plugIn(1, 'CARD');
  const sessions = async (of: number, where = '') =>
    (await bed.pool.query(`select from transactions where device_id = $1 ${where}`, [of])).rows.length;
  await eventually(
    () => sessions(id),
    (count) => count === 1,
  );
  fleet.devices[0]!.unplug(1);
  await eventually(
    () => sessions(id, 'and stopped_at is not null'),
    (count) => count === 1,
  );
  await fleet.stop();
  const recorded = await eventually(
    () => framesOf(id),
    (rows) => rows.at(-1)?.type === 1,
  );
  const text = exported(recorded, sn, protocol);

  const summary = await again(text, sn, `${prefix}-COPY`);
  expect(ofResponses(summary)).toEqual([]);
  expect(summary.compared).toBe(recorded.filter(({ type, body }) => type === 3 && body?.startsWith('[3')).length);
  expect(await sessions(copy, 'and stopped_at is not null')).toBe(1);
  const replayed = await framesOf(copy);
  expect(conversation(replayed)).toEqual(conversation(recorded));
  if (protocol === 'ocpp1.6') {
    const stopped = replayed.find(({ type, action }) => type === 2 && action === 'StopTransaction');
    const { rows } = await bed.pool.query('select id from transactions where device_id = $1', [copy]);
    expect(JSON.parse(stopped!.body!)[3].transactionId).toBe(rows[0].id);
  }

  const changed = await again(text, sn, `${prefix}-COPY`, (one) => one.replace('\\"interval\\":', '\\"interval\\":9'));
  const [difference, ...others] = ofResponses(changed);
  expect([difference?.action, others]).toEqual(['BootNotification', []]);
  expect(difference?.text).toMatch(/^interval was 9\d+, now \d+$/);
});

test('messages of plain JSON are replayed, with the same errors', async () => {
  const id = await bed.addDevice('REPJ-1');
  const copy = await bed.addDevice('REPJ-2');
  const device = await connectDevice(bed.mqttUrl, 'REPJ-1');
  await device.client.subscribeAsync('chargehand/REPJ-1/error');
  await device.say('chargehand/REPJ-1/status', { status: 'online', state: 'charging' });
  await device.say('chargehand/REPJ-1/telemetry', { at: new Date().toISOString(), values: { Power: 5 } });
  await device.say('chargehand/REPJ-1/alarm', { code: '', active: true });
  await device.next();
  await device.client.endAsync();
  const recorded = await eventually(
    () => framesOf(id),
    (rows) => rows.some(({ type }) => type === 3) && rows.at(-1)?.type === 1,
  );
  const text = exported(recorded, 'REPJ-1', 'mqtt-json');
  expect(await again(text, 'REPJ-1', 'REPJ-2')).toMatchObject({ sent: 3, compared: 1, differences: [] });
  expect(await bed.readings(copy)).toEqual({ Power: 5 });
  const changed = await again(text, 'REPJ-1', 'REPJ-2', (one) => one.replace('/code', '/kode'));
  expect(changed.differences).toHaveLength(1);
});

test('messages of Sparkplug are replayed, with the metrics of their aliases', async () => {
  const id = await bed.addDevice('REPS00001');
  const copy = await bed.addDevice('REPS-COPY');
  const storage = { url: bed.mqttUrl, units: 1, prefix: 'REPS', password: PASSWORD, seed: '1', speed: 1 };
  const fleet = startStorageFleet({ ...storage, insecure: false, json: 0, faultEvery: 0, disconnectEvery: 0 });
  await eventually(
    () => framesOf(id),
    (rows) => rows.some(({ action }) => action === 'NDATA'),
  );
  await fleet.stop();
  const recorded = await eventually(
    () => framesOf(id),
    (rows) => rows.at(-1)?.type === 1,
  );
  const summary = await again(exported(recorded, 'REPS00001', 'sparkplug-b'), 'REPS00001', 'REPS-COPY');
  expect(summary.differences).toEqual([]);
  expect(await bed.readings(copy)).toEqual(await bed.readings(id));
});
