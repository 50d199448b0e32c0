import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { connectAsync } from 'mqtt';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { client, openSession } from '../../../testing/client.ts';
import { createTestDatabase } from '../../../testing/database/database.ts';
import { surviveRestarts } from '../../../testing/faults/restarts.ts';
import { named, registerAll } from '../../../testing/faults/talk.ts';
import { eventually } from '../../../testing/gateways/gateway-testbed.ts';
import { documentedCommands, type Mosquitto, mosquitto, OUR_ACCOUNT } from '../../../testing/gateways/mosquitto.ts';
import {
  connectDevice,
  type MqttTestbed,
  metric,
  PASSWORD,
  sparkplug,
  startMqttTestbed,
} from '../../../testing/gateways/mqtt-testbed.ts';
import { startProgram } from '../../../testing/program.ts';
import { seedWorld } from '../../../testing/world.ts';

// Separate from the other tests, because it needs programs from Debian packages: `npm run test:mqtt`.
const run = promisify(execFile);
const DEVICES = ['DEV-0001', 'DEV-0002', 'DEV-0003'];
const LONG_MS = 60_000;
/** Below the range of ephemeral ports, so that no client socket takes it. */
const PORT = 19_707;

describe('mosquitto_pub and mosquitto_sub as devices at the embedded broker', () => {
  let bed: MqttTestbed;
  const as = (sn: string) => [
    '-h',
    '127.0.0.1',
    '-p',
    new URL(bed.mqttUrl).port,
    '-u',
    sn,
    '-P',
    PASSWORD,
    '-V',
    '311',
  ];
  beforeAll(async () => {
    bed = await startMqttTestbed();
  });
  afterAll(() => bed.stop());

  test('publish, receive commands and answer them', async () => {
    const id = await bed.addDevice('PUB-0001');
    const hearing = run('mosquitto_sub', [
      ...as('PUB-0001'),
      '-t',
      'chargehand/PUB-0001/command',
      '-C',
      '1',
      '-W',
      '30',
    ]);
    await eventually(
      async () => (await bed.link.execute(id, softReset())).outcome,
      (outcome) => outcome === 'sent',
    );
    const { id: executionId, command } = JSON.parse((await hearing).stdout);
    expect(command).toBe('softReset');
    const say = (leaf: string, message: object) =>
      run('mosquitto_pub', [
        ...as('PUB-0001'),
        '-t',
        `chargehand/PUB-0001/${leaf}`,
        '-m',
        JSON.stringify(message),
        '-q',
        '1',
      ]);
    await say('telemetry', { values: { 'Battery/SoC': 33 } });
    expect(await bed.readings(id)).toEqual({ 'Battery/SoC': 33 });
    await say('answer', { id: executionId, status: 'accepted' });
    expect(bed.answers.find((one) => one.executionId === executionId)).toMatchObject({ success: true });
  });

  test('are refused with a wrong password and in topics of other devices', async () => {
    await bed.addDevice('PUB-0002');
    const wrong = [
      '-h',
      '127.0.0.1',
      '-p',
      new URL(bed.mqttUrl).port,
      '-u',
      'PUB-0002',
      '-P',
      'wrong-password-entirely',
    ];
    await expect(run('mosquitto_pub', [...wrong, '-t', 'chargehand/PUB-0002/telemetry', '-m', '{}'])).rejects.toThrow(
      /Bad user ?name or password|not authori/i,
    );
    const crossing = ['-t', 'chargehand/PUB-0001/command', '-C', '1', '-W', '5'];
    expect((await run('mosquitto_sub', [...as('PUB-0002'), ...crossing])).stderr).toMatch(/denied/);
  });
});

describe('two nodes at an external Mosquitto', () => {
  let broker: Mosquitto;
  let bed: MqttTestbed;
  let second: MqttTestbed;
  const ids: number[] = [];
  const url = () => `mqtt://127.0.0.1:${broker.port}`;

  beforeAll(async () => {
    broker = await mosquitto(Object.fromEntries(DEVICES.map((sn) => [sn, PASSWORD])));
    await broker.start();
    const { user, password } = OUR_ACCOUNT;
    const remote = (clientId: string) => ({
      ...{ url: `mqtt://${user}:${password}@127.0.0.1:${broker.port}`, clientId, shareGroup: 'chargehand' },
    });
    bed = await startMqttTestbed({ remote: remote('node-one') });
    second = await startMqttTestbed({ remote: remote('node-two') }, { beside: bed });
    for (const sn of DEVICES) ids.push(await bed.addDevice(sn));
    await hostIsThere(url(), 0);
  });
  afterAll(async () => {
    await second.stop();
    await bed.stop();
    await broker.remove();
  });

  test('the rules of docs/mqtt.md load without a warning', () => {
    expect(broker.log()).not.toMatch(/acl|pattern|topic/i);
  });

  const stored = async (deviceId: number) =>
    (await bed.pool.query('select count(*)::int as n from readings where device_id = $1', [deviceId])).rows[0]
      .n as number;

  test(
    'a device has one conversation: its sequence is correct although its messages arrive at both nodes',
    async () => {
      const [sn, id] = [DEVICES[0]!, ids[0]!];
      const device = await connectDevice(url(), sn);
      await device.client.subscribeAsync(`spBv1.0/site/NCMD/${sn}`);
      let requests = 0;
      device.client.on('message', () => {
        requests += 1;
      });
      await device.say(`spBv1.0/site/NBIRTH/${sn}`, sparkplug([metric('P', 'Double', 0)], { seq: 0, bdSeq: 0 }), 0);
      await eventually(
        () => stored(id),
        (n) => n === 1,
      );
      const begun = Date.now() - 600_000;
      for (let at = 1; at <= 300; at += 1) {
        const data = sparkplug([metric('P', 'Double', at)], { seq: at % 256, timestamp: begun + at * 1_000 });
        await device.say(`spBv1.0/site/NDATA/${sn}`, data, 0);
        // Sequence numbers wrap at 256, so a burst of half of them cannot be put in order again.
        if (at % 50 === 0)
          await eventually(
            () => stored(id),
            (n) => n === at + 1,
          );
      }
      await eventually(
        () => stored(id),
        (n) => n === 301,
        { timeoutMs: 30_000 },
      );
      expect(requests).toBe(0);
      const { rows } = await bed.pool.query('select connected, protocol from device_states where device_id = $1', [id]);
      expect(rows).toEqual([{ connected: true, protocol: 'sparkplug-b' }]);
      await device.say(`spBv1.0/site/NDEATH/${sn}`, sparkplug([], { bdSeq: 0 }));
      await eventually(
        async () =>
          (await bed.pool.query('select connected from device_states where device_id = $1', [id])).rows[0].connected,
        (connected) => connected === false,
      );
      await device.client.endAsync();
    },
    LONG_MS,
  );

  test(
    'a command reaches the device once, and its answer is its result',
    async () => {
      const [sn, id] = [DEVICES[1]!, ids[1]!];
      const device = await connectDevice(url(), sn);
      await device.client.subscribeAsync(`chargehand/${sn}/command`);
      await device.say(`chargehand/${sn}/status`, { status: 'online', state: 'idle' });
      await eventually(
        async () =>
          (await bed.pool.query('select connected from device_states where device_id = $1', [id])).rows[0]?.connected,
        Boolean,
      );
      const call = softReset();
      expect(await second.link.execute(id, call)).toEqual({ outcome: 'sent' });
      expect(JSON.parse(String((await device.next()).payload))).toMatchObject({
        id: call.executionId,
        command: 'softReset',
      });
      await device.say(`chargehand/${sn}/answer`, { id: call.executionId, status: 'accepted' });
      const all = () => [...bed.answers, ...second.answers].filter((one) => one.executionId === call.executionId);
      await eventually(
        async () => all(),
        (answers) => answers.length > 0,
      );
      expect(all()).toMatchObject([{ success: true, deviceId: id }]);
      await device.client.endAsync();
    },
    LONG_MS,
  );

  test(
    'the broker restarts: no acknowledged message is lost',
    async () => {
      const [sn, id] = [DEVICES[2]!, ids[2]!];
      const device = await connectDevice(url(), sn, { clean: false, reconnectPeriod: 200 });
      const begun = Date.now() - 3_600_000;
      const say = (at: number) =>
        device.say(`chargehand/${sn}/telemetry`, { at: new Date(begun + at * 1_000).toISOString(), values: { n: at } });
      await Promise.all(Array.from({ length: 200 }, (_, at) => say(at)));
      const restarted = Date.now();
      await broker.stop();
      await broker.start();
      // This version forgets shared subscriptions when it restarts, so a device should wait for its host.
      await hostIsThere(url(), restarted);
      await Promise.all(Array.from({ length: 200 }, (_, at) => say(200 + at)));
      await eventually(
        () => stored(id),
        (n) => n === 400,
        { timeoutMs: 40_000 },
      );
      await device.client.endAsync();
    },
    LONG_MS,
  );

  test(
    'one node stops: the other one takes over, and the host stays online',
    async () => {
      const [sn, id] = [DEVICES[1]!, ids[1]!];
      await second.mqtt.stop();
      const device = await connectDevice(url(), sn);
      const before = await stored(id);
      for (let at = 1; at <= 20; at += 1) {
        await device.say(`chargehand/${sn}/telemetry`, {
          at: new Date(Date.now() - at * 1_000).toISOString(),
          values: { n: at },
        });
      }
      await eventually(
        () => stored(id),
        (n) => n === before + 20,
      );
      await device.client.subscribeAsync('spBv1.0/STATE/chargehand');
      await eventually(
        async () => JSON.parse(String((await device.next()).payload)).online,
        (online) => online === true,
      );
      await device.client.endAsync();
    },
    LONG_MS,
  );

  test(
    'the access rules of the broker restrict devices to their own topics',
    async () => {
      const [sn, id] = [DEVICES[2]!, ids[1]!];
      const before = await stored(id);
      const crossing = await connectDevice(url(), sn);
      await crossing.say(`chargehand/${DEVICES[1]}/telemetry`, { values: { crossed: 1 } }, 0);
      // A broker drops a denied message, or the connection with it. Either way it has processed the message.
      const seen = crossing.client.subscribeAsync(`chargehand/${sn}/command`).catch(() => undefined);
      await Promise.race([seen, crossing.closed]);
      await crossing.client.endAsync(true);
      const device = await connectDevice(url(), sn);
      const own = await stored(ids[2]!);
      await device.say(`chargehand/${sn}/telemetry`, { values: { n: 1 } });
      await eventually(
        () => stored(ids[2]!),
        (n) => n === own + 1,
      );
      expect(await stored(id)).toBe(before);
      await device.client.endAsync();
    },
    LONG_MS,
  );
});

describe('lost devices at an external broker', () => {
  const SN = 'TEST00002';
  const DOCUMENTED_PASSWORD = 'a-gateway-password';
  let broker: Mosquitto;
  let bed: MqttTestbed;
  let id: number;
  beforeAll(async () => {
    broker = await mosquitto({ [SN]: DOCUMENTED_PASSWORD });
    await broker.start();
    const { user, password } = OUR_ACCOUNT;
    const url = `mqtt://${user}:${password}@127.0.0.1:${broker.port}`;
    bed = await startMqttTestbed({ remote: { url, clientId: 'ghosts' } });
    id = await bed.addDevice(SN);
    await hostIsThere(`mqtt://127.0.0.1:${broker.port}`, 0);
  });
  afterAll(async () => {
    await bed.stop();
    await broker.remove();
  });
  const state = async () =>
    (
      await bed.pool.query('select connected, disconnect_detail as detail from device_states where device_id = $1', [
        id,
      ])
    ).rows[0] as { connected: boolean; detail: string | null } | undefined;
  const connected = (wanted: boolean) =>
    eventually(state, (one) => (one?.connected ?? false) === wanted, { timeoutMs: LONG_MS });
  const publish = (...more: string[]) =>
    run('mosquitto_pub', [
      ...['-h', '127.0.0.1', '-p', String(broker.port), '-u', SN, '-P', DOCUMENTED_PASSWORD, '-q', '1'],
      ...['-t', `chargehand/${SN}/status`, ...more],
    ]);

  test('the commands of docs/mqtt.md work at the same time, and the will reports immediately that the device disconnected', async () => {
    const commands = documentedCommands().map((one) => one.replace('127.0.0.1', `127.0.0.1 -p ${broker.port}`));
    expect(commands.map((one) => one.split(' ')[0])).toEqual(['mosquitto_sub', 'mosquitto_pub']);
    const hearing = spawn('sh', ['-c', `exec ${commands[0]}`]);
    let output = '';
    hearing.stdout.on('data', (chunk) => {
      output += String(chunk);
    });
    await run('sh', ['-c', commands[1]!]);
    await eventually(
      () => bed.readings(id),
      (readings) => readings['Battery/SoC'] === 51.5,
    );
    await eventually(
      async () => {
        await bed.link.execute(id, softReset());
        return output;
      },
      (text) => text.includes('softReset'),
    );
    expect(hearing.exitCode).toBeNull();
    await connected(true);
    hearing.kill('SIGKILL');
    await connected(false);
    expect((await state())?.detail).toBe('its status is offline');
  });

  test(
    'one message makes a device online, and it goes offline after the silence timeout of its model',
    async () => {
      await bed.pool.query('update device_models set silence_seconds = 30');
      await publish('-m', '{"status":"online","state":"charging"}');
      await connected(true);
      const command = { executionId: randomUUID(), kind: 'setParameter' as const, connector: 0, params: {} };
      expect(await bed.link.execute(id, command)).toEqual({ outcome: 'sent' });
      await connected(false);
      expect((await state())?.detail).toBe('no message for 30 seconds');
      const [report] = bed.progress.filter(({ executionId }) => executionId === command.executionId);
      expect(report).toMatchObject({ deviceId: id, state: 'connectionLost', detail: 'no message for 30 seconds' });
      const status = async () =>
        (await bed.pool.query('select status from devices where id = $1', [id])).rows[0].status as string;
      await eventually(status, (word) => word === 'offline');
    },
    LONG_MS * 2,
  );

  test('a retained message connects nobody', async () => {
    await publish('-r', '-m', '{"status":"online","state":"charging"}');
    await connected(true);
    await publish('-m', '{"status":"offline"}');
    await connected(false);
    await bed.mqtt.stop();
    const { user, password } = OUR_ACCOUNT;
    const url = `mqtt://${user}:${password}@127.0.0.1:${broker.port}`;
    const again = await startMqttTestbed({ remote: { url, clientId: 'ghosts-again' } }, { beside: bed });
    const frames = await eventually(
      () => bed.frames(id),
      (all) => all.some(({ note }) => note?.startsWith('ignored: a retained message')),
    );
    expect(frames.at(-1)?.action).toBe('status');
    expect((await state())?.connected).toBe(false);
    await publish('-r', '-n');
    await again.stop();
  });
});

test(
  'a single node needs no shared subscription: messages that arrive while broker and node are down are not lost',
  async () => {
    const broker = await mosquitto({ 'LONE-001': PASSWORD });
    await broker.start();
    const { user, password } = OUR_ACCOUNT;
    const url = `mqtt://127.0.0.1:${broker.port}`;
    const remote = {
      url: `mqtt://${user}:${password}@127.0.0.1:${broker.port}`,
      clientId: 'lone',
    };
    const bed = await startMqttTestbed({ remote });
    const id = await bed.addDevice('LONE-001');
    await hostIsThere(url, 0);
    const device = await connectDevice(url, 'LONE-001', { clean: false, reconnectPeriod: 100 });
    const acknowledged: Promise<void>[] = [];
    const begun = Date.now() - 3_600_000;
    for (let at = 0; at < 300; at += 1) {
      const message = { at: new Date(begun + at * 1_000).toISOString(), values: { n: at } };
      acknowledged.push(device.say('chargehand/LONE-001/telemetry', message));
      if (at % 100 === 50) await Promise.all(acknowledged);
      if (at === 200) {
        await broker.stop();
        await broker.start();
      }
    }
    await Promise.all(acknowledged);
    await eventually(
      async () =>
        (await bed.pool.query('select count(*)::int as n from readings where device_id = $1', [id])).rows[0].n,
      (n) => n === 300,
      { timeoutMs: 40_000 },
    );
    await device.client.endAsync();
    await bed.stop();
    await broker.remove();
  },
  LONG_MS,
);

test(
  'with repeated restarts of Mosquitto under load, no acknowledged message is lost and no command runs twice',
  async () => {
    const sns = named('UNIT', 8);
    const broker = await mosquitto(Object.fromEntries(sns.map((sn) => [sn, PASSWORD])));
    await broker.start();
    const database = await createTestDatabase({ max: 4 });
    const dataFolder = await mkdtemp(join(tmpdir(), 'chargehand-mosquitto-'));
    const world = await seedWorld(database.db);
    const { user, password } = OUR_ACCOUNT;
    const program = await startProgram({
      ...{ PORT: String(PORT), HOST: '127.0.0.1', DATABASE_URL: database.url, CHARGEHAND_DATA: dataFolder },
      MQTT_URL: `mqtt://${user}:${password}@127.0.0.1:${broker.port}`,
    });
    const mqttUrl = `mqtt://127.0.0.1:${broker.port}`;
    await hostIsThere(mqttUrl, 0);
    try {
      await surviveRestarts({
        ...{ database, prefix: 'UNIT', sns, devices: await registerAll(database, world, sns), mqttUrl },
        person: client(program.url, await openSession(database.db, world.users.vendorStaff)),
        async restart() {
          await broker.stop();
          await broker.start();
        },
        times: 3,
      });
    } finally {
      await program.stop();
      await broker.remove();
      await database.drop();
      await rm(dataFolder, { recursive: true, force: true });
    }
  },
  3 * LONG_MS,
);

/** Resolves when the host has published that it is online, later than `since` (ms since the epoch). */
async function hostIsThere(url: string, since: number): Promise<void> {
  const watcher = await connectAsync(url, { username: OUR_ACCOUNT.user, password: OUR_ACCOUNT.password });
  const there = new Promise<void>((resolve) => {
    watcher.on('message', (_topic, payload) => {
      const { online, timestamp } = JSON.parse(String(payload));
      if (online === true && timestamp >= since) resolve();
    });
  });
  await watcher.subscribeAsync('spBv1.0/STATE/chargehand');
  await there;
  await watcher.endAsync();
}

function softReset() {
  return { executionId: randomUUID(), kind: 'softReset' as const, connector: 0, params: {} };
}
