import { deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashDevicePassword } from '../ports/devices/device-password.ts';
import { eventually } from '../testing/eventually.ts';
import { freePort } from '../testing/free-port.ts';
import { metric, SPARKPLUG_CODEC, sparkplug } from '../testing/gateways/mqtt-testbed.ts';
import { EVERY_CASE } from '../testing/stalls/every-case.ts';
import { type MeteredServer, startMeteredServer } from '../testing/stalls/metered-server.ts';
import {
  connectAttacker,
  type MqttAttacker,
  number,
  packet,
  publishPacket,
  text,
} from '../testing/stalls/mqtt-attacker.ts';
import { type Attack, stallsOf } from '../testing/stalls/stalls-of.ts';
import { JSON_LEAVES } from './mqtt/topics.ts';

const PORT = await freePort();
const MQTT_PORT = await freePort();
/** The longest message that the broker accepts. Some bytes are left for its topic. */
const MESSAGE_BYTES = 1_048_576 - 200;
/** Time for a hundred large messages, each stored, on a busy machine. */
const MESSAGES_MS = 600_000;
/** Small packets enough for several reads of a socket (64 KiB each), so that the server reads as much at once as it can. */
const MANY = 4_000;
/** The maximum number of metrics in a message, with some room for `bdSeq` and similar metrics. */
const MOST = 9_990;
const SN = 'STALL-UNIT';
const PASSWORD = 'correct-horse-battery';

let server: MeteredServer;
beforeAll(async () => {
  server = await startMeteredServer(PORT, { CHARGEHAND_MQTT_PORT: String(MQTT_PORT) });
  const { database, world } = server;
  await database.pool.query(
    `insert into devices (sn, name, site_id, customer_id, device_model_id, gateway_password_hash)
     values ($1, $1, $2, $3, $4, $5)`,
    [SN, world.sites.northQuay, world.customers.north, world.model, hashDevicePassword(PASSWORD)],
  );
});
afterAll(() => server.stop());

/**
 * Sends packets on a separate connection, and then a message whose acknowledgement shows that the server has processed
 * them.
 */
function attack(what: string, send: (unit: MqttAttacker) => Promise<unknown>): Attack {
  return {
    what,
    async run() {
      const unit = await connectAttacker(MQTT_PORT, SN, PASSWORD);
      await send(unit);
      await unit.publish(`chargehand/${SN}/status`, '{"status":"online"}');
      unit.end();
      // Its alarms become incidents of the messages, up to 500 at a time.
      await eventually(
        () => server.database.pool.query('select from notices limit 1'),
        ({ rowCount }) => rowCount === 0,
        { what: 'the incidents of the alarms', timeoutMs: 120_000 },
      );
    },
  };
}

const times = <T>(count: number, make: (at: number) => T) => Array.from({ length: count }, (_, at) => make(at));

/** Packets that are harmful before their content is parsed. */
function* hostilePackets(): Generator<Attack> {
  const own = `chargehand/${SN}/telemetry`;
  const levels = '/'.repeat(65_000);
  const filters = (count: number, filter: (at: number) => string) =>
    Buffer.concat(times(count, (at) => Buffer.concat([text(filter(at)), Buffer.of(0)])));
  const names = (count: number, name: (at: number) => string) => Buffer.concat(times(count, (at) => text(name(at))));
  const packets: Record<string, Buffer> = {
    'many pings': Buffer.concat(times(25 * MANY, () => packet(0xc0))),
    'many acknowledgements of nothing': Buffer.concat(times(12 * MANY, (at) => packet(0x40, number(at & 0xffff)))),
    'many releases of nothing': Buffer.concat(times(12 * MANY, (at) => packet(0x62, number(at & 0xffff || 1)))),
    'many small messages': Buffer.concat(times(MANY, () => publishPacket(own, '{"values":{"a":1}}'))),
    'many empty messages': Buffer.concat(times(MANY, () => publishPacket(own, ''))),
    'many messages to be acknowledged': Buffer.concat(times(MANY, (at) => publishPacket(own, '{}', at + 1))),
    'many messages in topics of nobody': Buffer.concat(times(2 * MANY, (at) => publishPacket(`nobody/${at}`, 'x'))),
    'many messages in topics of others': Buffer.concat(
      times(2 * MANY, (at) => publishPacket(`chargehand/O${at}/status`, 'x', at + 1)),
    ),
    'a topic of many levels': publishPacket(levels, 'x'),
    'many topics of many levels': Buffer.concat(times(30, (at) => publishPacket(`${at}${levels}`, 'x'))),
    'subscriptions to what it may not receive': packet(
      0x82,
      number(1),
      filters(50_000, (at) => `nobody/${at}`),
    ),
    'subscriptions to what it may receive': packet(
      0x82,
      number(1),
      filters(30_000, () => `chargehand/${SN}/command`),
    ),
    'subscriptions of many levels': packet(
      0x82,
      number(1),
      filters(15, (at) => `${at}${levels}`),
    ),
    'many subscriptions': Buffer.concat(
      times(2 * MANY, (at) =>
        packet(
          0x82,
          number(1),
          filters(1, () => `chargehand/${SN}/${at % 2 ? 'error' : 'command'}`),
        ),
      ),
    ),
    'ends of subscriptions': packet(
      0xa2,
      number(1),
      names(80_000, (at) => `nobody/${at}`),
    ),
    'many ends of subscriptions': Buffer.concat(
      times(2 * MANY, () =>
        packet(
          0xa2,
          number(1),
          names(1, () => `chargehand/${SN}/command`),
        ),
      ),
    ),
    'what is no packet': Buffer.alloc(1_000_000, 0xf0),
    zeros: Buffer.alloc(1_000_000),
    'a length that does not end': Buffer.concat([Buffer.of(0x30), Buffer.alloc(1_000_000, 0xff)]),
    'a second sign-in': packet(0x10, text('MQTT'), Buffer.of(4, 2, 0, 0), text('x'.repeat(60_000))),
  };
  for (const [what, bytes] of Object.entries(packets)) yield attack(what, (unit) => unit.write(bytes));
  yield attack('a message that comes byte by byte', async (unit) => {
    for (const byte of publishPacket(own, `{"values":{"a":"${'x'.repeat(1_000)}"}}`)) await unit.write(Buffer.of(byte));
  });
  yield attack('many large messages at once', async (unit) => {
    await unit.write(
      Buffer.concat(times(20, () => publishPacket(own, `{"values":{"a":1},"x":"${'y'.repeat(MESSAGE_BYTES - 100)}"}`))),
    );
  });
}

test(
  'no packet keeps the event loop busy',
  async () => {
    expect(await stallsOf(server.program, hostilePackets())).toEqual([]);
  },
  MESSAGES_MS,
);

/** The most expensive JSON that the broker accepts. */
function* hostileJson(leaf: string): Generator<[what: string, payload: string]> {
  const bytes = MESSAGE_BYTES;
  yield ['nested', '['.repeat(bytes)];
  yield ['nested objects', '{"a":'.repeat(bytes / 5)];
  yield ['nested and closed', `{"values":${'['.repeat(bytes / 2 - 20)}${']'.repeat(bytes / 2 - 20)}}`];
  yield [
    'nested as deeply as may be',
    `{"values":${times(1_500, () => `${'['.repeat(28)}1${']'.repeat(28)}`).join(',')}}`,
  ];
  yield ['strings without end', `{"a":[${'"",'.repeat(bytes / 3 - 10)}`];
  yield ['escapes', `{"a":"${'\\u0301'.repeat(bytes / 6 - 10)}"}`];
  yield ['a long number', `{"values":{"a":${'9'.repeat(bytes - 100)}}}`];
  yield ['many long numbers', `{"values":{${times(400, (at) => `"k${at}":${'9'.repeat(2_500)}`).join(',')}}}`];
  yield [
    'unknown fields',
    JSON.stringify({ ...valid(leaf), ...Object.fromEntries(times(900, (at) => [`u${at}`, 'x'.repeat(1_100)])) }),
  ];
  yield ['an unknown list', JSON.stringify({ ...valid(leaf), unknown: times(59_000, (at) => at) })];
  yield ['a long unknown text', JSON.stringify({ ...valid(leaf), unknown: 'x'.repeat(bytes - 200) })];
  yield ['a list', JSON.stringify(times(500, () => valid(leaf)))];
  yield ['a list of what is wrong', JSON.stringify(times(50_000, () => 1))];
  const values = (value: (at: number) => unknown) => Object.fromEntries(times(500, (at) => [`Key/${at}`, value(at)]));
  yield ['many values', JSON.stringify({ values: values((at) => at) })];
  yield ['many texts', JSON.stringify({ values: values((at) => `${at}`.padEnd(2_000, 'x')) })];
  yield [
    'many values with units',
    JSON.stringify({ values: values((at) => ({ value: at + 0.1, unit: 'kWh', counter: true })) }),
  ];
  yield ['many wrong values', JSON.stringify({ values: values(() => []) })];
  const samples = (count: number, keys: number) =>
    times(count, (at) => ({
      at: new Date(Date.now() - at * 1_000).toISOString(),
      values: Object.fromEntries(times(keys, (key) => [`K${key}`, key])),
    }));
  yield ['many samples of many values', JSON.stringify(samples(500, 100))];
  yield [
    'many samples of other values',
    JSON.stringify(times(500, (at) => ({ values: Object.fromEntries(times(100, (key) => [`K${at}-${key}`, key])) }))),
  ];
}

function valid(leaf: string): object {
  return {
    status: { status: 'online', softVersion: '1' },
    telemetry: { values: { Power: 1 } },
    texts: { values: { Word: 'x' } },
    alarm: { code: 'A', active: true },
    parameters: { values: { A: 1 } },
    answer: { id: 'x', status: 'done' },
  }[leaf] as object;
}

test.each(JSON_LEAVES)(
  'no JSON in the topic %s keeps the event loop busy',
  async (leaf) => {
    const attacks = hostileJson(leaf).map(([what, payload]) =>
      attack(`${what}, ${payload.length}`, (unit) => unit.publish(`chargehand/${SN}/${leaf}`, payload)),
    );
    expect(await stallsOf(server.program, attacks)).toEqual([]);
  },
  MESSAGES_MS,
);

/** A whole number in the encoding of Protocol Buffers: seven bits in each byte. */
function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let left = value; ; left >>= 7) {
    bytes.push((left & 0x7f) | (left > 0x7f ? 0x80 : 0));
    if (left <= 0x7f) return Buffer.from(bytes);
  }
}

/** The tag and the length that come before the content of a field. */
const fieldHead = (tag: number, length: number) => Buffer.concat([varint((tag << 3) | 2), varint(length)]);

/** A metric with templates nested as deeply as a number of bytes allows (metric: 2, template_value: 18). */
function nestedTemplates(bytes: number): Buffer {
  // Built from the inside out: each head contains the length of everything inside it.
  const heads: Buffer[] = [];
  for (let length = 0; length < bytes; ) {
    const template = fieldHead(18, length);
    const metric = fieldHead(2, template.length + length);
    heads.push(template, metric);
    length += template.length + metric.length;
  }
  return Buffer.concat(heads.reverse());
}

/** The most expensive births and data messages that the broker accepts. */
function* hostileBirths(): Generator<[what: string, metrics: Buffer]> {
  const many = (
    name: (at: number) => string,
    type: Parameters<typeof metric>[1] = 'Int32',
    more: (at: number) => object = () => ({}),
  ) =>
    sparkplug(
      times(MOST, (at) =>
        metric(name(at), type, type === 'String' ? 'x'.repeat(20) : type === 'Boolean' ? true : at, more(at)),
      ),
      { seq: 0, bdSeq: 0 },
    );
  yield ['many metrics in one topic', many((at) => `Topic/${at}`)];
  yield ['many metrics in topics of their own', many((at) => `${at}/Value`)];
  yield ['many metrics of the same name', many(() => 'Same')];
  yield ['many nameless metrics', many(() => '')];
  yield ['many texts', many((at) => `Text/${at}`, 'String')];
  yield ['many parameters', many((at) => `Settings/${at}`)];
  yield ['many alarms', many((at) => `Alarms/${at}`, 'Boolean')];
  // They take half of the time of all births, and do the work of alarms and of topics again.
  if (EVERY_CASE) yield ['many faults', many((at) => `${at}/Fault`)];
  yield [
    'many aliases',
    many(
      (at) => `Alias/${at}`,
      'Int32',
      (at) => ({ alias: at + 1 }),
    ),
  ];
  yield [
    'one alias for all',
    many(
      (at) => `Alias/${at}`,
      'Int32',
      () => ({ alias: 1 }),
    ),
  ];
  yield ['long numbers', many((at) => `Long/${at}`, 'UInt64')];
  yield ['floats', many((at) => `Float/${at}`, 'Float')];
  yield [
    'metrics of an unknown kind',
    many(
      (at) => `Odd/${at}`,
      'Int32',
      () => ({ type: 'DataSet', value: { numOfColumns: 1, types: ['Int32'], columns: ['a'], rows: [[1]] } }),
    ),
  ];
  const long = times(60, (at) => metric(`Long/${at}`, 'String', 'x'.repeat(16_000)));
  yield ['long texts', sparkplug(long, { seq: 0, bdSeq: 0 })];
  yield [
    'long names',
    sparkplug(
      times(60, (at) => metric(`${at}`.padEnd(16_000, 'x'), 'Int32', 1)),
      { seq: 0, bdSeq: 0 },
    ),
  ];
  yield ['deep templates', Buffer.concat(times(60, () => nestedTemplates(16_000)))];
  yield ['one deep template', nestedTemplates(16_000)];
  yield ['a template deeper than a metric may be', nestedTemplates(900_000)];
  yield ['empty metrics', Buffer.concat(times(10_000, () => fieldHead(2, 0)))];
  yield ['too many empty metrics', Buffer.concat(times(500_000, () => fieldHead(2, 0)))];
  yield ['unknown fields', Buffer.concat(times(500_000, () => Buffer.of(0x78, 1)))];
  yield ['no protobuf', Buffer.alloc(MESSAGE_BYTES, 0xff)];
  const properties = (count: number) => ({
    properties: Object.fromEntries(times(count, (at) => [`p${at}`, { type: 'String' as const, value: 'x' }])),
  });
  yield [
    'many properties',
    sparkplug(
      times(60, (at) => metric(`P/${at}`, 'Int32', 1, properties(700))),
      { seq: 0, bdSeq: 0 },
    ),
  ];
  const compressed = (body: Buffer, algorithm: string) =>
    Buffer.from(
      SPARKPLUG_CODEC.encodePayload({
        timestamp: Date.now(),
        seq: 0,
        uuid: 'SPBV1.0_COMPRESSED',
        body,
        metrics: [metric('algorithm', 'String', algorithm)],
      }),
    );
  yield ['compressed zeros', compressed(deflateSync(Buffer.alloc(200_000_000)), 'DEFLATE')];
  yield ['a compressed birth', compressed(gzipSync(many((at) => `Topic/${at}`)), 'GZIP')];
  yield [
    'compressed empty metrics',
    compressed(gzipSync(Buffer.concat(times(500_000, () => fieldHead(2, 0)))), 'GZIP'),
  ];
}

const topicOf = (type: string, device?: string) =>
  `spBv1.0/Stalls/${type}/${SN}${device === undefined ? '' : `/${device}`}`;

test(
  'no birth of an edge node keeps the event loop busy',
  async () => {
    const attacks = hostileBirths().map(([what, payload]) =>
      attack(`${what}, ${payload.length}`, (unit) => unit.publish(topicOf('NBIRTH'), payload)),
    );
    expect(await stallsOf(server.program, attacks)).toEqual([]);
  },
  MESSAGES_MS,
);

test(
  'thousands of new alarms at once do not keep the event loop busy, nor do their incidents',
  async () => {
    let round = 0;
    const alarms = attack('alarms of new codes', (unit) => {
      round += 1;
      const metrics = times(4_000, (at) => metric(`Alarms/${round}-${at}`, 'Boolean', true));
      return unit.publish(topicOf('NBIRTH'), sparkplug(metrics, { seq: 0, bdSeq: 0 }));
    });
    expect(await stallsOf(server.program, [alarms])).toEqual([]);
  },
  MESSAGES_MS,
);

test(
  'neither data of an edge node nor many devices behind it keep the event loop busy',
  async () => {
    const born = (more: (at: number) => object = () => ({})) =>
      sparkplug(
        times(MOST, (at) => metric(`Topic/${at}`, 'Int32', at, more(at))),
        { seq: 0, bdSeq: 0 },
      );
    const data = (metrics: Parameters<typeof sparkplug>[0]) => sparkplug(metrics, { seq: 1 });
    const after = (what: string, birth: Buffer, message: Buffer) =>
      attack(what, async (unit) => {
        await unit.publish(topicOf('NBIRTH'), birth);
        await unit.publish(topicOf('NDATA'), message);
      });
    const aliased = born((at) => ({ alias: at }));
    const unnamed = (alias: number, value: number) => ({
      ...metric('', 'Int32', value),
      alias,
      name: undefined as unknown as string,
    });
    const attacks = [
      after('all changed', born(), data(times(MOST, (at) => metric(`Topic/${at}`, 'Int32', at + 1)))),
      after('one changed, over and over', born(), data(times(MOST, (at) => metric('Topic/1', 'Int32', at)))),
      after(
        'values of the past',
        born(),
        data(
          times(MOST, (at) =>
            metric(`Topic/${at}`, 'Int32', at, { isHistorical: true, timestamp: Date.now() - at * 1_000 }),
          ),
        ),
      ),
      after('unknown names', born(), data(times(MOST, (at) => metric(`Other/${at}`, 'Int32', at)))),
      after('unknown aliases', aliased, data(times(MOST, (at) => unnamed(100_000 + at, at)))),
      after('known aliases', aliased, data(times(MOST, (at) => unnamed(at, at + 1)))),
      after('values of other types', born(), data(times(MOST, (at) => metric(`Topic/${at}`, 'String', 'x')))),
      attack('many devices with many aliases each', async (unit) => {
        await unit.publish(topicOf('NBIRTH'), sparkplug([], { seq: 0, bdSeq: 0 }));
        for (let device = 0; device < 30; device += 1) {
          const metrics = times(MOST, (at) => metric(`V/${at}`, 'Int32', at, { alias: device * 10_000 + at }));
          await unit.publish(topicOf('DBIRTH', `D${device}`), sparkplug(metrics, { seq: device + 1 }));
        }
        await unit.publish(topicOf('DBIRTH', 'D0'), sparkplug([], { seq: 31 }));
        await unit.publish(topicOf('NBIRTH'), sparkplug([], { seq: 0, bdSeq: 1 }));
      }),
      attack('many devices', async (unit) => {
        await unit.publish(topicOf('NBIRTH'), sparkplug([], { seq: 0, bdSeq: 0 }));
        const births = times(3_000, (at) =>
          publishPacket(topicOf('DBIRTH', `D${at}`), sparkplug([metric('V', 'Int32', 1)], { seq: (at + 1) % 256 })),
        );
        await unit.write(Buffer.concat(births));
      }),
    ];
    expect(await stallsOf(server.program, attacks)).toEqual([]);
  },
  MESSAGES_MS,
);
