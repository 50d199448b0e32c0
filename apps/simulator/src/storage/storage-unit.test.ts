import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';
import { Aedes } from 'aedes';
import { get } from 'sparkplug-payload';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { Random } from '../behaviour/random.ts';
import { newStorageState, stepStorage } from './battery.ts';
import { startStorageFleet } from './storage-fleet.ts';
import type { StorageUnit } from './storage-unit.ts';

const codec = get('spBv1.0')!;
const SN = 'ESS00001';
const TIMEOUT = { timeout: 30_000 };

let broker: Aedes;
let server: Server;
let url: string;
beforeAll(async () => {
  broker = await Aedes.createBroker();
  server = createServer((socket) => broker.handle(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `mqtt://127.0.0.1:${(server.address() as { port: number }).port}`;
});
afterAll(async () => {
  await new Promise<void>((resolve) => broker.close(resolve));
  server.close();
});

type Published = { type: string; seq: number | null; values: Map<string, unknown>; aliases: Map<number, unknown> };

/** A storage unit after its birth, and its messages. */
async function setStorage(more: object = {}): ReturnType<typeof startStorage> {
  const storage = await startStorage(more);
  await expect.poll(() => births(storage.published).length, TIMEOUT).toBeGreaterThan(0);
  return storage;
}

/** A storage unit that is connecting, and its messages. */
async function startStorage(
  more: object = {},
): Promise<{ unit: StorageUnit; published: Published[]; command: Command }> {
  const published: Published[] = [];
  const receive = (packet: { topic: string; payload: string | Buffer }, done: () => void) => {
    const { seq, metrics = [] } = codec.decodePayload(Buffer.from(packet.payload as Buffer));
    published.push({
      type: packet.topic.split('/')[2] ?? '',
      seq: seq === undefined || seq === null ? null : Number(seq),
      values: new Map((metrics ?? []).map(({ name, value }) => [name ?? '', value])),
      aliases: new Map((metrics ?? []).map(({ alias, value }) => [Number(alias ?? 0), value])),
    });
    done();
  };
  const topic = 'spBv1.0/storage/+/+';
  await new Promise<void>((resolve) => broker.subscribe(topic, receive, resolve));
  const fleet = startStorageFleet({ url, units: 1, password: 'x', reportInterval: 1, speed: 60, ...more });
  onTestFinished(async () => {
    await fleet.stop();
    await new Promise<void>((resolve) => broker.unsubscribe(topic, receive, resolve));
  });
  const [unit] = fleet.units;
  const command: Command = (name, type, value) => {
    const payload = Buffer.from(codec.encodePayload({ timestamp: Date.now(), metrics: [{ name, type, value }] }));
    const packet = { cmd: 'publish' as const, topic: `spBv1.0/storage/NCMD/${SN}`, payload, qos: 0 as const };
    broker.publish({ ...packet, retain: false, dup: false }, () => undefined);
  };
  return { unit: unit!, published, command };
}
type Command = (name: string, type: 'Boolean' | 'Int32' | 'String', value: boolean | number | string) => void;
const births = (published: Published[]) => published.filter(({ type }) => type === 'NBIRTH');

/** A restart takes some seconds, as with real devices. */
const LONG_MS = 90_000;

describe('a storage unit', { timeout: LONG_MS }, () => {
  test('sends all metrics in its birth, and then changes, in order', async () => {
    const { published } = await setStorage();
    const [birth] = births(published);
    expect([birth?.seq, Number(birth?.values.get('bdSeq'))]).toEqual([0, 0]);
    expect([...(birth?.values.keys() ?? [])]).toEqual(
      expect.arrayContaining([
        'Battery/SoC',
        'Battery/Power',
        'Battery/Temperature',
        'Inverter/Fault',
        'Settings/Mode',
      ]),
    );
    await expect.poll(() => published.filter(({ type }) => type === 'NDATA').length, TIMEOUT).toBeGreaterThan(1);
    const data = published.filter(({ type }) => type === 'NDATA');
    expect(data.map(({ seq }) => seq)).toEqual(data.map((_, index) => index + 1));
    expect(data[0]!.aliases.size).toBeLessThan(birth!.aliases.size);
  });

  test('sends nothing before its birth, however slow the broker confirms the subscription to commands', async () => {
    const { promise: requested, resolve: ask } = Promise.withResolvers<() => void>();
    const allow = broker.authorizeSubscribe;
    onTestFinished(() => {
      broker.authorizeSubscribe = allow;
    });
    broker.authorizeSubscribe = (_client, subscription, done) => ask(() => done(null, subscription));
    const { unit, published } = await startStorage();
    const letIt = await requested;
    unit.fault(41);
    letIt();
    await expect.poll(() => published[0]?.type, TIMEOUT).toBe('NBIRTH');
    expect(published[0]!.values.get('Inverter/Fault')).toBe(41);
  });

  test('accepts a valid setting, and otherwise reports the current value', async () => {
    const { published, command } = await setStorage({ reportInterval: 3_600 });
    const alias = [...births(published)[0]!.values.keys()].indexOf('Settings/SoC Min');
    const reported = () =>
      published.flatMap(({ type, aliases }) => (type === 'NDATA' && aliases.has(alias) ? [aliases.get(alias)] : []));
    command('Settings/SoC Min', 'Int32', 25);
    await expect.poll(reported, TIMEOUT).toEqual([25]);
    command('Settings/SoC Min', 'Int32', 250);
    await expect.poll(reported, TIMEOUT).toEqual([25, 25]);
  });

  test('sends a new birth on request, starts a new session after a restart, and leaves its death message when the connection is lost', async () => {
    const { unit, published, command } = await setStorage();
    command('Node Control/Rebirth', 'Boolean', true);
    await expect.poll(() => births(published).length, TIMEOUT).toBe(2);
    expect(Number(births(published)[1]!.values.get('bdSeq'))).toBe(0);
    command('Node Control/Reboot', 'Boolean', true);
    await expect.poll(() => births(published).length, TIMEOUT).toBe(3);
    expect(Number(births(published)[2]!.values.get('bdSeq'))).toBe(1);
    unit.lose();
    await expect.poll(() => births(published).length, TIMEOUT).toBe(4);
    const deaths = () =>
      published.filter(({ type }) => type === 'NDEATH').map(({ values }) => Number(values.get('bdSeq')));
    await expect.poll(deaths, TIMEOUT).toEqual([0, 1]);
  });

  test('a fault stops it and is reported', async () => {
    const { unit, published } = await setStorage();
    unit.fault(41);
    const alias = [...births(published)[0]!.values.keys()].indexOf('Inverter/Fault');
    await expect.poll(() => published.some(({ aliases }) => aliases.get(alias) === 41), TIMEOUT).toBe(true);
    expect(unit.faulted).toBe(true);
  });

  test('downloads firmware and reconnects with its version', async () => {
    const files = createHttpServer((_request, response) => response.end('firmware')).listen(0, '127.0.0.1');
    await once(files, 'listening');
    onTestFinished(() => void files.close());
    const { published, command } = await setStorage();
    const location = `http://127.0.0.1:${(files.address() as { port: number }).port}/fw.bin`;
    command('Node Control/UpgradeSoftware', 'String', JSON.stringify({ id: 'a', location, version: '2.0.0', size: 8 }));
    await expect.poll(() => births(published).at(-1)?.values.get('Properties/Firmware'), TIMEOUT).toBe('2.0.0');
    expect(births(published).at(-1)?.values.get('Firmware/Status')).toBe('Installed');
  });
});

test('a battery stays within its limits and settings, whatever the solar power', () => {
  const random = new Random(3);
  const settings = { mode: 0, socMin: 20, socMax: 90, chargePowerMax: 5, dischargePowerMax: 5, setpoint: 0 };
  let state = newStorageState(random);
  for (let minute = 0; minute < 3 * 24 * 60; minute += 1) {
    const before = state;
    state = stepStorage(state, settings, { seconds: 60, hour: (minute / 60) % 24, random });
    expect(state.power).toBeLessThanOrEqual(5);
    expect(state.power).toBeGreaterThanOrEqual(-5);
    expect(state.soc).toBeLessThanOrEqual(Math.max(before.soc, 91));
    expect(state.soc).toBeGreaterThanOrEqual(Math.min(before.soc, 19));
    expect(state.charged).toBeGreaterThanOrEqual(before.charged);
  }
});
