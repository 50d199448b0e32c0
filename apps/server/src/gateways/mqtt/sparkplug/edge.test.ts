import { Registry } from 'prom-client';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Bus } from '../../../platform/bus/bus.ts';
import { createLog } from '../../../platform/log.ts';
import type { KnownDevice } from '../../../ports/devices/device-directory.ts';
import type { UplinkEvent } from '../../../ports/uplink.ts';
import { type SteppedClock, steppedClock } from '../../../testing/clock.ts';
import { metric, sparkplug } from '../../../testing/gateways/mqtt-testbed.ts';
import { type Host, type MqttParts, mqttHost } from '../broker/host.ts';
import { Plain } from '../json/plain.ts';
import type { EdgeArrival } from './arrival.ts';
import { Edge } from './edge.ts';

const device = (deviceId: number, sn: string, more: Partial<KnownDevice> = {}): KnownDevice => ({
  ...{ deviceId, sn, siteId: 1, enabled: true, passwordHash: null, newPasswordHashes: [] },
  ...{ tolerant: false, silenceSeconds: null, lastAddress: null, heartbeatSeconds: null },
  ...{ connectors: [], connectorCount: null, ...more },
});
const NODE = 1;
const UNIT = 2;
const SOC = metric('SoC', 'Float', 40);

let clock: SteppedClock;
let metrics: Registry;
let registered: Map<string, KnownDevice>;
let unknown: string[];
let submitted: [deviceId: number, event: UplinkEvent][];
let published: string[];
let traffic: string[];
let host: Host;
let edge: Edge;
beforeEach(() => {
  clock = steppedClock();
  metrics = new Registry();
  registered = new Map([device(NODE, 'EDGE'), device(UNIT, 'UNIT')].map((one) => [one.sn, one]));
  [unknown, submitted, published, traffic] = [[], [], [], []];
  const parts: Partial<MqttParts> = {
    sink: {
      async submit(deviceId, events) {
        for (const event of events) submitted.push([deviceId, event]);
        return { transactionId: null };
      },
    },
    traffic: {
      received: (deviceId, bytes) => traffic.push(`${deviceId} received ${bytes}`),
      sent: () => undefined,
      ended: () => undefined,
    },
    directory: {
      find: async (sn) => registered.get(sn) ?? null,
      reportUnknown: async ({ sn, mac }) => void unknown.push(mac === null ? sn : `${sn} ${mac}`),
      usedNewPassword: async () => undefined,
      missingReports: async () => new Map(),
    },
    bus: { serve: () => () => undefined, publish: () => undefined, offsetMs: () => 0 } as unknown as Bus,
    ...{ clock, log: createLog('silent'), metrics },
  };
  host = mqttHost(parts as MqttParts, {
    messageBytes: 1_000_000,
    stopping: () => false,
    async publish({ topic }) {
      published.push(topic);
      return true;
    },
  });
  edge = new Edge(host, 'site', 'EDGE');
});

function receive(type: EdgeArrival['type'], bytes: Buffer, behind: string | null = null, more = {}): Promise<void> {
  const from = { acknowledged: false, connection: null, remoteAddress: '192.0.2.1' };
  return edge.receive({ type, device: behind, bytes, receivedAt: clock.now(), ...from, ...more });
}
const payload = (seq: number, ...values: ReturnType<typeof metric>[]) =>
  sparkplug(values, { seq, timestamp: clock.now().getTime() });
/** The birth of the node; a new `session` of it, or the same again. */
const born = (session: number, ...values: ReturnType<typeof metric>[]) =>
  receive('NBIRTH', sparkplug(values, { seq: 0, bdSeq: session, timestamp: clock.now().getTime() }));
const eventsOf = (id: number) => submitted.filter(([deviceId]) => deviceId === id).map(([, event]) => event);
const kindsOf = (id: number) => eventsOf(id).map(({ kind }) => kind);
const notesOf = (id: number) => eventsOf(id).flatMap((event) => (event.kind === 'frame' ? [event.note] : []));
const counted = async (name: string) => {
  const { values } = (await metrics.getSingleMetric(`chargehand_mqtt_${name}`)?.get()) ?? { values: [] };
  return values.map(({ value, labels }) => [...Object.values(labels), value]);
};

describe('births', () => {
  test('start a session once: the same birth again is not a restart', async () => {
    const starts = () => kindsOf(NODE).filter((kind) => kind === 'connected' || kind === 'booted');
    await born(3);
    await born(3);
    expect(starts()).toEqual(['connected', 'booted']);
    await born(4);
    expect(starts()).toEqual(['connected', 'booted', 'booted']);
    expect(await counted('messages_total')).toEqual([['NBIRTH', 3]]);
  });

  test('of the node after a restart end the connections of the devices behind it', async () => {
    await born(3);
    await receive('DBIRTH', payload(1, SOC), 'UNIT');
    await receive('DBIRTH', payload(2, SOC), 'UNIT');
    expect(kindsOf(UNIT).filter((kind) => kind === 'booted')).toHaveLength(1);
    expect(kindsOf(UNIT).filter((kind) => kind === 'connected')).toHaveLength(1);
    await born(3);
    expect(kindsOf(UNIT)).not.toContain('disconnected');
    await born(4);
    expect(eventsOf(UNIT).at(-1)).toMatchObject({ kind: 'disconnected', detail: 'its edge node restarted' });
  });

  test('must start their sequence with 0', async () => {
    const unusual = sparkplug([SOC], { seq: 7, bdSeq: 1, timestamp: clock.now().getTime() });
    await receive('NBIRTH', unusual);
    expect(notesOf(NODE).at(-1)).toContain('the sequence of a birth starts with 0');
  });

  test('of a disabled device open no connection', async () => {
    registered.set('UNIT', device(UNIT, 'UNIT', { enabled: false }));
    await born(1);
    await receive('DBIRTH', payload(1, SOC), 'UNIT');
    expect(notesOf(UNIT)).toEqual(['refused: the device is disabled']);
    expect(host.connectionOf(UNIT)).toBeNull();
  });

  test('of at most a thousand devices are accepted; further births of these are too', async () => {
    await born(1);
    let seq = 0;
    const next = () => {
      seq = (seq + 1) % 256;
      return payload(seq, SOC);
    };
    for (let n = 1; n <= 1_000; n += 1) await receive('DBIRTH', next(), `P${n}`);
    expect(notesOf(NODE).filter(Boolean)).toEqual(['sparkplug-b from 192.0.2.1 (edge node site/EDGE)']);
    await receive('DBIRTH', next(), 'P1001');
    expect(notesOf(NODE).at(-1)).toContain('an edge node has at most 1000 devices');
    await receive('DBIRTH', next(), 'P1');
    expect(notesOf(NODE).at(-1)).toBeNull();
    await receive('DDEATH', next(), 'P2');
    await receive('DBIRTH', next(), 'P1001');
    expect(notesOf(NODE).at(-1)).toBeNull();
  });

  test('of at most 50,000 metrics are accepted', async () => {
    await born(1);
    const many = (count: number) => Array.from({ length: count }, (_, n) => metric(`V/${n}`, 'Int32', n));
    for (let n = 1; n <= 9; n += 1) await receive('DBIRTH', payload(n, ...many(5_000)), `P${n}`);
    await receive('DBIRTH', payload(10, ...many(5_001)), 'P10');
    expect(notesOf(NODE).at(-1)).toContain('with 50000 metrics in total');
    await receive('DBIRTH', payload(11, ...many(5_000)), 'P10');
    expect(notesOf(NODE).at(-1)).toBeNull();
  });
});

describe('deaths', () => {
  test('of the node end its connection and those of the devices behind it', async () => {
    await born(1);
    await receive('DBIRTH', payload(1, SOC), 'UNIT');
    expect(edge.idle).toBe(false);
    await receive('NDEATH', sparkplug([], { bdSeq: 1 }));
    for (const id of [NODE, UNIT]) {
      expect(eventsOf(id).at(-1)).toMatchObject({
        ...{ kind: 'disconnected', reason: 'networkTimeout', detail: 'the death of edge node EDGE was published' },
      });
      expect(host.connectionOf(id)).toBeNull();
    }
    expect(edge.idle).toBe(true);
  });

  test('of a device behind it end only the connection of that device', async () => {
    await born(1);
    await receive('DBIRTH', payload(1, SOC), 'UNIT');
    await receive('DDEATH', payload(2), 'UNIT');
    expect(eventsOf(UNIT).at(-1)).toMatchObject({
      ...{ kind: 'disconnected', detail: 'its edge node reported that it disconnected' },
    });
    expect(host.connectionOf(NODE)).not.toBeNull();
    // Its next birth is a new connection.
    await receive('DBIRTH', payload(3, SOC), 'UNIT');
    expect(kindsOf(UNIT).filter((kind) => kind === 'booted')).toHaveLength(2);
  });
});

test('a node that is silent for too long ends with all devices behind it', async () => {
  registered.set('EDGE', device(NODE, 'EDGE', { silenceSeconds: 60 }));
  registered.set('UNIT', device(UNIT, 'UNIT', { silenceSeconds: 60 }));
  await born(1, SOC);
  await receive('DBIRTH', payload(1, SOC), 'UNIT');
  await clock.advance(50_000);
  await receive('NDATA', payload(2, SOC));
  await clock.advance(60_000);
  host.connectionOf(NODE)?.tick(clock.now().getTime());
  expect(kindsOf(NODE)).not.toContain('disconnected');
  await clock.advance(1_000);
  host.connectionOf(NODE)?.tick(clock.now().getTime());
  await edge.lost('over');
  for (const id of [NODE, UNIT]) {
    expect(eventsOf(id).at(-1)).toMatchObject({ kind: 'disconnected', detail: 'no message for 60 seconds' });
  }
});

describe('what is not registered', () => {
  test('is reported: a node, and a device behind an unregistered node', async () => {
    registered.clear();
    await born(1);
    await receive('DBIRTH', payload(1, SOC), 'UNIT');
    await receive('DDATA', payload(2, SOC), 'UNIT');
    expect(unknown).toEqual(['EDGE', 'UNIT']);
    expect([submitted, traffic]).toEqual([[], []]);
  });

  test('is reported with its MAC address when a later message names it', async () => {
    registered.clear();
    await receive('NDATA', payload(5, SOC));
    await born(1, metric('Properties/MAC Address', 'String', '00-1a-2b-3c-4d-5e'));
    await born(1, metric('Properties/MAC Address', 'String', '00-1a-2b-3c-4d-5f'));
    expect(unknown).toEqual(['EDGE', 'EDGE 00:1A:2B:3C:4D:5E']);
    const arrival = { acknowledged: false, connection: null, remoteAddress: '192.0.2.1', receivedAt: clock.now() };
    const bytes = Buffer.from('{"status":"online","mac":"001A2B3C4D60"}');
    await new Plain(host).receive({ sn: 'JSON-1', leaf: 'status', bytes, ...arrival });
    expect(unknown.at(-1)).toBe('JSON-1 00:1A:2B:3C:4D:60');
  });

  test('is reported if it starts with data', async () => {
    registered.clear();
    await receive('NDATA', payload(5, SOC));
    await clock.advance(10_000);
    expect(unknown).toEqual(['EDGE']);
  });
});

describe('messages that cannot be used', () => {
  test('are counted when they are malformed, and keep the conversation as it is', async () => {
    await receive('NBIRTH', Buffer.from('nonsense'));
    expect(await counted('malformed_messages_total')).toEqual([[1]]);
    expect(traffic).toEqual(['1 received 8']);
    expect(notesOf(NODE)).toHaveLength(1);
    expect(edge.idle).toBe(true);
  });

  test('are refused when they are retained', async () => {
    await receive('NBIRTH', sparkplug([SOC], { seq: 0, bdSeq: 1 }), null, { retained: true });
    expect(kindsOf(NODE)).toEqual(['frame']);
    expect(notesOf(NODE)[0]).toContain('a retained message');
    expect(edge.idle).toBe(true);
  });
});

describe('births that are needed', () => {
  /** Data with an alias that no birth has defined. */
  const puzzling = (seq: number) => receive('NDATA', payload(seq, metric('', 'Float', 1, { alias: 99 })));

  test('are requested at most every ten seconds', async () => {
    await born(1, metric('Node Control/Rebirth', 'Boolean', false));
    await puzzling(1);
    await puzzling(2);
    expect(published).toEqual(['spBv1.0/site/NCMD/EDGE']);
    await clock.advance(9_999);
    await puzzling(3);
    expect(published).toHaveLength(1);
    await clock.advance(1);
    await puzzling(4);
    expect(published).toHaveLength(2);
    expect(await counted('rebirths_requested_total')).toEqual([[2]]);
    expect(notesOf(NODE).filter((note) => note === 'the births are requested')).toHaveLength(2);
  });

  test('are requested for data of several devices in one step, whichever of them is unknown', async () => {
    await born(1, metric('Node Control/Rebirth', 'Boolean', false), SOC);
    // Two messages wait for an earlier one: the first of them is puzzling, the second is not.
    await receive('NDATA', payload(2, metric('', 'Float', 1, { alias: 99 })));
    await receive('NDATA', payload(3, SOC));
    expect([published, edge.idle]).toEqual([[], false]);
    await receive('NDATA', payload(1, SOC));
    expect(published).toHaveLength(1);
  });

  test('are requested when a missing message does not arrive within two seconds', async () => {
    await born(1, SOC);
    await receive('NDATA', payload(2, SOC));
    await clock.advance(2_000);
    await edge.receive({
      ...{ type: 'NDATA', device: null, bytes: Buffer.from('nonsense'), receivedAt: clock.now() },
      ...{ acknowledged: false, connection: null, remoteAddress: '192.0.2.1' },
    });
    expect(published).toEqual([]);
    await clock.advance(50);
    await receive('NDATA', Buffer.from('nonsense'));
    expect(published).toHaveLength(1);
  });

  test('are not requested when the missing message arrived in time', async () => {
    await born(1, SOC);
    await receive('NDATA', payload(2, SOC));
    await clock.advance(1_000);
    await receive('NDATA', payload(1, SOC));
    await clock.advance(60_000);
    await receive('NDATA', payload(3, SOC));
    expect(published).toEqual([]);
  });
});
