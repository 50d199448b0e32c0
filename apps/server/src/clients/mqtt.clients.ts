import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ENDPOINTS } from '@chargehand/contract';
import { newClient } from 'sparkplug-client';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Client } from '../testing/client.ts';
import { type Registered, registerDevice } from '../testing/clients/stations.ts';
import { documentedCommands, type Mosquitto, mosquitto, OUR_ACCOUNT } from '../testing/gateways/mosquitto.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

const PASSWORD = 'a-gateway-password';
const LONG = { timeout: 120_000 };
const run = promisify(execFile);

/** A product with storage units and the address of their broker. */
interface Place {
  server: TestServer;
  admin: Client;
  url: URL;
}

/** Arguments for `mosquitto_pub` to publish as a device. */
const published = (url: URL, sn: string, topic: string, ...more: string[]) =>
  run('mosquitto_pub', [
    ...['-h', url.hostname, '-p', url.port, '-V', '311', '-u', sn, '-P', PASSWORD, '-q', '1', '-t', topic, ...more],
  ]);

/** An edge node of the `sparkplug-client` library that publishes its birth on every request. */
function edgeNode(
  url: URL,
  sn: string,
  metrics: () => Metric[],
  more: { edgeNode?: string; publishDeath?: boolean } = {},
) {
  const options = { serverUrl: url.href, username: sn, password: PASSWORD, groupId: 'plant', clientId: sn };
  const node = newClient({ ...{ ...options, edgeNode: sn, version: 'spBv1.0', publishDeath: true }, ...more });
  let births = 0;
  const birth = () => {
    births += 1;
    node.publishNodeBirth({ timestamp: Date.now(), metrics: metrics() });
  };
  node.on('birth', birth);
  node.on('ncmd', (payload) => {
    if (payload.metrics?.some(({ name }) => name === 'Node Control/Rebirth')) birth();
  });
  node.on('error', () => undefined);
  onTestFinished(() => node.stop());
  return {
    node,
    births: () => births,
    say: (...changed: Metric[]) => node.publishNodeData({ timestamp: Date.now(), metrics: changed }),
  };
}
type Metric = NonNullable<Parameters<ReturnType<typeof newClient>['publishNodeData']>[0]['metrics']>[number];

/** The latest values of a device, of all its connectors, as the API shows them. */
async function valuesOf({ admin }: Place, device: Registered): Promise<Record<string, number | string | null>> {
  const { connectors } = await admin.data(ENDPOINTS.readRuntime, { params: { id: device.id } });
  return Object.fromEntries(
    connectors.flatMap(({ readings }) => readings.map(({ key, value, text }) => [key, value ?? text])),
  );
}

describe('at the embedded broker', () => {
  let place: Place;
  beforeAll(async () => {
    const server = await startTestServer();
    place = { server, admin: await server.as('northAdmin'), url: new URL(server.mqttUrl!) };
  });
  afterAll(() => place.server.stop());

  test('mosquitto_pub with QoS 1 in an unknown topic is acknowledged, and the following messages are accepted', async () => {
    const device = await registerDevice(place.server, place.admin, { password: PASSWORD });
    await published(place.url, device.sn, 'sensors/unknown', '-m', '{"values":{"a":1}}');
    await published(place.url, device.sn, `spBv1.0/plant/NDATA/another`, '-m', 'no protobuf');
    const texts = [
      '{"values":{"n":1}}',
      'no JSON',
      '{"values":{"n":1e400}}',
      '{"at":"2099-01-01T00:00:00Z","values":{"n":3}}',
    ];
    for (const text of [...texts, '{"values":{"n":4294967295,"kept":2}}']) {
      await published(place.url, device.sn, `chargehand/${device.sn}/telemetry`, '-m', text);
    }
    await expect.poll(() => valuesOf(place, device)).toEqual({ n: 4_294_967_295, kept: 2 });
    const notes = await device.notes();
    expect(notes).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/sensors\/unknown/),
        expect.stringMatching(/NDATA\/another/),
        expect.stringMatching(/2099/),
      ]),
    );
  });

  test('a Sparkplug library reports all digits, and an impossible value is rejected alone', async () => {
    const device = await registerDevice(place.server, place.admin, { password: PASSWORD });
    const { say, births } = edgeNode(place.url, device.sn, () => [
      { name: 'Battery/SoC', type: 'Double', value: 50 },
      { name: 'Grid/Energy', type: 'UInt32', value: 4_294_967_295 },
    ]);
    await expect.poll(() => valuesOf(place, device)).toEqual({ 'Battery/SoC': 50, 'Grid/Energy': 4_294_967_295 });
    expect(await device.read()).toMatchObject({ connected: true });
    const wrong: Partial<Metric>[] = [
      { value: Number.NaN },
      { value: Number.POSITIVE_INFINITY },
      { value: 99, timestamp: Date.parse('2099-01-01T00:00:00Z') },
    ];
    for (const one of wrong) say({ name: 'Battery/SoC', type: 'Double', value: 0, ...one });
    say({ name: 'Battery/SoC', type: 'Double', value: 51 });
    await expect.poll(async () => (await valuesOf(place, device))['Battery/SoC']).toBe(51);
    expect(births()).toBe(1);
    const notes = await device.notes();
    for (const word of ['NaN', 'Infinity', '2099']) expect(notes.join('\n')).toContain(word);
  });

  test('a Sparkplug library whose edge node has another name than the device is refused because of its will; the log says so', async () => {
    const device = await registerDevice(place.server, place.admin, { password: PASSWORD });
    edgeNode(place.url, device.sn, () => [{ name: 'A', type: 'Double', value: 1 }], { edgeNode: 'Edge Node 1' });
    await expect
      .poll(device.notes)
      .toContainEqual(expect.stringMatching(/the will is in spBv1\.0\/plant\/NDEATH\/Edge Node 1/));
    expect(await device.read()).toMatchObject({ connected: false });
    expect(await valuesOf(place, device)).toEqual({});
  });
});

describe('at a Mosquitto', () => {
  const SNS = ['TEST00002', 'GHOST-1', 'GHOST-2'];
  let place: Place;
  let broker: Mosquitto;
  beforeAll(async () => {
    broker = await mosquitto(Object.fromEntries(SNS.map((sn) => [sn, PASSWORD])));
    await broker.start();
    const { user, password } = OUR_ACCOUNT;
    const address = `127.0.0.1:${broker.port}`;
    const mqtt = {
      ...{ embedded: false, port: 0, tlsPort: 0, messageBytes: 1_048_576, connections: 100, hostId: 'chargehand' },
      remote: { url: `mqtt://${user}:${password}@${address}`, clientId: 'clients', shareGroup: undefined },
    };
    const server = await startTestServer({ mqtt }, { sweeps: true });
    // The minimum silence timeout of a model, so that the tests are fast.
    await server.database.pool.query('update device_models set silence_seconds = 30');
    place = { server, admin: await server.as('northAdmin'), url: new URL(`mqtt://${address}`) };
  });
  afterAll(async () => {
    await place.server.stop();
    await broker.remove();
  });

  test('the rules of docs/mqtt.md load without a warning', () => {
    expect(broker.log()).not.toMatch(/acl|pattern|topic/i);
  });

  test(
    'when a Sparkplug library disconnects without a message, its will ends the connection immediately',
    LONG,
    async () => {
      const device = await registerDevice(place.server, place.admin, { sn: 'GHOST-1', password: PASSWORD });
      const metrics = (): Metric[] => [{ name: 'Battery/SoC', type: 'Double', value: 50 }];
      const { node } = edgeNode(place.url, device.sn, metrics, { publishDeath: false });
      const connected = async () => (await device.read()).connected;
      await expect.poll(connected).toBe(true);
      cutMqtt(node);
      await expect.poll(connected).toBe(false);
      // The library reconnects by itself, with the same will.
      await expect.poll(connected).toBe(true);
      cutMqtt(node);
      await expect.poll(connected).toBe(false);
    },
  );

  test(
    'one mosquitto_pub makes a device online; after the silence timeout its connectors are unknown',
    LONG,
    async () => {
      const device = await registerDevice(place.server, place.admin, { sn: 'GHOST-2', password: PASSWORD });
      const topic = `chargehand/${device.sn}/status`;
      await published(place.url, device.sn, topic, '-m', '{"status":"online","state":"charging"}');
      await expect.poll(device.read).toMatchObject({ connected: true, status: 'working' });
      await expect
        .poll(device.read, { timeout: 90_000, interval: 500 })
        .toMatchObject({ connected: false, status: 'offline', disconnectDetail: 'no message for 30 seconds' });
      // Retained messages do not describe the present.
      await published(place.url, device.sn, topic, '-r', '-m', '{"status":"offline"}');
      await published(place.url, device.sn, topic, '-r', '-n');
    },
  );

  test('the commands of docs/mqtt.md work at the same time', async () => {
    const device = await registerDevice(place.server, place.admin, { sn: 'TEST00002', password: PASSWORD });
    const commands = documentedCommands().map((one) => one.replace('127.0.0.1', `127.0.0.1 -p ${broker.port}`));
    const [subscription, reporting] = commands as [string, string];
    const output = run('sh', ['-c', `exec ${subscription} -C 1 -W 60`]);
    await run('sh', ['-c', reporting]);
    await expect.poll(() => valuesOf(place, device)).toMatchObject({ 'Battery/SoC': 51.5 });
    await device.command({ kind: 'softReset' });
    expect(JSON.parse((await output).stdout)).toMatchObject({ command: 'softReset' });
  });
});

/** Ends the TCP connection of the library without a message, like a power cut. */
function cutMqtt(node: ReturnType<typeof newClient>): void {
  const { client } = node as unknown as { client: { stream: { destroy(): void } } };
  client.stream.destroy();
}
