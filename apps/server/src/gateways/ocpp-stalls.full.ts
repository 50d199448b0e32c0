import type { Socket } from 'node:net';
import { ENDPOINTS } from '@chargehand/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { systemClock } from '../platform/clock.ts';
import { client, openSession } from '../testing/client.ts';
import { freePort } from '../testing/free-port.ts';
import { executionOnce } from '../testing/operations-room.ts';
import { EVERY_CASE } from '../testing/stalls/every-case.ts';
import { hostilePayloads } from '../testing/stalls/hostile-calls.ts';
import { type MeteredServer, startMeteredServer } from '../testing/stalls/metered-server.ts';
import { type Attack, stallsOf } from '../testing/stalls/stalls-of.ts';
import type { Dialect } from './ocpp/dialect.ts';
import { OCPP16 } from './ocpp16/index.ts';
import { OCPP21 } from './ocpp21/index.ts';
import { OCPP201 } from './ocpp201/index.ts';

const PORT = await freePort();
/** The longest frame that the server accepts. Some bytes are left for what surrounds a payload. */
const FRAME_BYTES = 262_144;
const ROOM = 200;
/** Time for hundreds of large frames, each stored, on a busy machine. */
const FRAMES_MS = 600_000;

let server: MeteredServer;
const devices: Record<'strict' | 'tolerant', { id: number; sn: string }> = {} as never;
beforeAll(async () => {
  server = await startMeteredServer(PORT, { CHARGEHAND_MQTT: '0' });
  const { database, world } = server;
  for (const tolerant of [false, true]) {
    const name = tolerant ? 'tolerant' : 'strict';
    const model = await database.pool.query<{ id: number }>(
      'insert into device_models (name, type, tolerant) values ($1, 1, $2) returning id',
      [`A ${name} model`, tolerant],
    );
    const device = await database.pool.query<{ id: number }>(
      `insert into devices (sn, name, site_id, customer_id, device_model_id)
       values ($1, $1, $2, $3, $4) returning id`,
      [`STALL-${name}`, world.sites.northQuay, world.customers.north, model.rows[0]?.id],
    );
    devices[name] = { id: device.rows[0]?.id as number, sn: `STALL-${name}` };
  }
});
afterAll(() => server.stop());

type Answers = (action: string, payload: Record<string, unknown>, socket: WebSocket) => object | null;

/** A station that sends any frames and knows when the server has processed them. */
interface Station {
  socket: WebSocket;
  /** Resolves when the server has processed everything sent before: it answered, or it closed the connection. */
  done(): Promise<unknown>;
}

let ids = 0;

/** @param answers what the station answers to a CALL; null: it does not support the action */
async function connect({ subprotocol }: Dialect, sn: string, answers: Answers = () => null): Promise<Station> {
  const socket = new WebSocket(`${server.program.url.replace('http', 'ws')}/ocpp/${sn}`, [subprotocol], {
    perMessageDeflate: false,
  });
  const answered = new Map<string, () => void>();
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => undefined);
  socket.on('message', (data) => {
    const [type, id, action, payload] = JSON.parse(String(data)) as [number, string, string, Record<string, unknown>];
    if (type !== 2) return answered.get(id)?.();
    const answer = answers(action, payload, socket);
    socket.send(JSON.stringify(answer ? [3, id, answer] : [4, id, 'NotImplemented', '', {}]));
  });
  await new Promise<void>((resolve, reject) => socket.once('open', resolve).once('error', reject));
  return {
    socket,
    done() {
      const id = `end-${++ids}`;
      const answer = new Promise<void>((resolve) => answered.set(id, resolve));
      socket.send(JSON.stringify([2, id, 'Heartbeat', {}]));
      return Promise.race([answer, closed]);
    },
  };
}

/** Sends frames on a separate connection. */
function attack(dialect: Dialect, what: string, send: (socket: WebSocket) => unknown, sn = devices.strict.sn): Attack {
  return {
    what: `${dialect.name}, ${what}`,
    async run() {
      const { socket, done } = await connect(dialect, sn);
      await send(socket);
      await done();
      socket.terminate();
    },
  };
}

const DIALECTS = [OCPP16, OCPP201, OCPP21];
/** OCPP 2.0.1 and 2.1 share the code that reads frames. */
const FRAME_DIALECTS = EVERY_CASE ? DIALECTS : [OCPP16, OCPP21];
/** OCPP 2.0.1 and 2.1 share their code and most schemas, so one of them is enough for each kind of model. */
const CALLS: [Dialect, 'strict' | 'tolerant'][] = EVERY_CASE
  ? DIALECTS.flatMap((dialect): typeof CALLS => [
      [dialect, 'strict'],
      [dialect, 'tolerant'],
    ])
  : [
      [OCPP16, 'strict'],
      [OCPP16, 'tolerant'],
      [OCPP201, 'tolerant'],
      [OCPP21, 'strict'],
    ];
const times = (count: number) => Array.from({ length: count }, (_, at) => at);

/** Frames that are harmful before their content is parsed. */
function* hostileFrames(dialect: Dialect): Generator<Attack> {
  const texts: Record<string, string> = {
    nested: '['.repeat(FRAME_BYTES),
    'nested objects': '{"a":'.repeat(FRAME_BYTES / 5),
    'nested in a payload': `[2,"1","DataTransfer",{"a":${'['.repeat(FRAME_BYTES / 2 - 100)}${']'.repeat(FRAME_BYTES / 2 - 100)}}]`,
    'strings without end': `[2,"1","Heartbeat",{"a":[${'"",'.repeat(FRAME_BYTES / 3 - 20)}`,
    'a long message id': `[2,"${'x'.repeat(FRAME_BYTES - 100)}","Heartbeat",{}]`,
    'a long action': `[2,"1","${'x'.repeat(FRAME_BYTES - 100)}",{}]`,
    'escapes that do not end': `[2,"1","${'\\'.repeat(FRAME_BYTES - 100)}`,
    'marks on one letter': `[2,"1","DataTransfer",{"vendorId":"v","data":"${'\u0301'.repeat(FRAME_BYTES / 2 - 100)}"}]`,
    'an answer to nothing': `[3,"1",{"a":[${'1,'.repeat(50_000)}1]}]`,
    'an error of nothing': `[4,"1","${'x'.repeat(FRAME_BYTES / 3)}","${'y'.repeat(FRAME_BYTES / 3)}",{}]`,
    'longer than a frame may be': `[2,"1","Heartbeat",{"a":"${'x'.repeat(FRAME_BYTES)}"}]`,
    'many times longer than a frame may be': 'x'.repeat(64 * FRAME_BYTES),
  };
  for (const [what, text] of Object.entries(texts)) yield attack(dialect, what, (socket) => socket.send(text));
  const text = 0x1;
  const many: Record<string, [opcode: number, text: (at: number) => string]> = {
    'many small calls': [text, (at) => `[2,"${at}","Heartbeat",{}]`],
    'many unknown calls': [text, (at) => `[2,"${at}","A${at}",{}]`],
    'many frames that are none': [text, () => '[]'],
    'many empty frames': [text, () => ''],
    'many answers to nothing': [text, (at) => `[3,"${at}",{}]`],
    'many pings': [0x9, () => ''],
    'many pings with a text': [0x9, () => 'x'.repeat(100)],
    'many pongs': [0xa, () => ''],
  };
  for (const [what, [opcode, content]] of Object.entries(many)) {
    // Sent in one piece that is longer than one read of a socket (64 KiB), so that the server reads as much at once as it can.
    const bytes = Buffer.concat(times(opcode === text ? 2_000 : 100_000).map((at) => frame(opcode, content(at))));
    yield attack(dialect, what, (socket) => write(socket, bytes));
  }
  const letters = [...`[2,"1","DataTransfer",{"vendorId":"${'x'.repeat(100_000)}"}]`];
  const parts = letters.map((letter, at) => frame(at === 0 ? text : 0, letter, at === letters.length - 1));
  yield attack(dialect, 'a frame in parts of one byte', (socket) => write(socket, Buffer.concat(parts)));
  const empty = times(200_000).map((at) => frame(at === 0 ? text : 0, '', false));
  yield attack(dialect, 'a frame in empty parts', (socket) => write(socket, Buffer.concat(empty)));
  yield attack(dialect, 'a frame that comes byte by byte', async (socket) => {
    const bytes = frame(text, `[2,"1","DataTransfer",{"vendorId":"${'x'.repeat(1_000)}"}]`);
    for (const byte of bytes) await write(socket, Buffer.of(byte));
  });
}

/** A WebSocket frame as a client writes it (RFC 6455 §5.2), masked with zeros, which do not change its content. */
function frame(opcode: number, text: string, final = true): Buffer {
  const content = Buffer.from(text);
  const length = content.length < 126 ? [content.length] : [126, content.length >> 8, content.length & 0xff];
  const [first = 0, ...more] = length;
  return Buffer.concat([Buffer.of((final ? 0x80 : 0) | opcode, 0x80 | first, ...more, 0, 0, 0, 0), content]);
}

/** Writes bytes below the WebSocket. Resolves when they are written to the socket. */
function write(socket: WebSocket, bytes: Buffer): Promise<void> {
  const { _socket } = socket as unknown as { _socket: Socket };
  return new Promise((resolve) => {
    // An error means that the server has closed the connection.
    _socket.write(bytes, () => resolve());
  });
}

test.each(FRAME_DIALECTS.map((dialect) => [dialect.name, dialect] as const))(
  'no frame in %s keeps the event loop busy',
  async (_, dialect) => {
    expect(await stallsOf(server.program, hostileFrames(dialect))).toEqual([]);
  },
  FRAMES_MS,
);

/** The most expensive calls that the schemas allow, for every action that the server accepts. */
function* hostileCalls(dialect: Dialect, sn: string): Generator<Attack> {
  for (const action of ACTIONS) {
    const schema = dialect.schemas.schemaOf(action, 'req');
    if (!schema || !(dialect.connection(systemClock).takes(action) || dialect.sends)) continue;
    for (const { what, payload } of hostilePayloads(schema, FRAME_BYTES - ROOM)) {
      const text = JSON.stringify([2, 'call', action, payload]);
      yield attack(dialect, `${action}, ${what}, ${text.length}`, (socket) => socket.send(text), sn);
    }
  }
}

const ACTIONS = [
  ...['Authorize', 'BootNotification', 'DataTransfer', 'DiagnosticsStatusNotification', 'FirmwareStatusNotification'],
  ...['Heartbeat', 'LogStatusNotification', 'MeterValues', 'SecurityEventNotification', 'SignCertificate'],
  ...['SignedFirmwareStatusNotification', 'StartTransaction', 'StatusNotification', 'StopTransaction'],
  ...['ClearedChargingLimit', 'Get15118EVCertificate', 'GetCertificateStatus', 'NotifyChargingLimit'],
  ...['NotifyCustomerInformation', 'NotifyDisplayMessages', 'NotifyEVChargingNeeds', 'NotifyEVChargingSchedule'],
  ...['NotifyEvent', 'NotifyMonitoringReport', 'NotifyReport', 'PublishFirmwareStatusNotification'],
  ...['ReportChargingProfiles', 'ReservationStatusUpdate', 'TransactionEvent', 'BatterySwap', 'NotifyDERAlarm'],
  ...['NotifyDERStartStop', 'NotifyPeriodicEventStream', 'NotifyPriorityCharging', 'NotifySettlement'],
  ...['NotifyWebPaymentStarted', 'OpenPeriodicEventStream', 'ReportDERControl', 'VatNumberValidation'],
];

test.each(CALLS.map(([dialect, how]) => [dialect.name, how, dialect] as const))(
  'no call in %s of a %s model keeps the event loop busy',
  async (_, how, dialect) => {
    expect(await stallsOf(server.program, hostileCalls(dialect, devices[how].sn))).toEqual([]);
  },
  FRAMES_MS,
);

/** The longest name of a variable in OCPP 2.0.1 and of a parameter in 1.6. Each number gives a different name. */
const longName = (number: number) => `K${number}`.padEnd(50, 'x');
/** The parts of a report with the maximum number of variables that the server keeps. */
const PARTS = 10;
const IN_A_PART = 1_000;

/** How a station reports all its parameters on request: as many as it can. */
const REPORTING: [Dialect, Answers][] = [
  [
    OCPP16,
    (action) =>
      action === 'GetConfiguration'
        ? { configurationKey: times(2_400).map((at) => ({ key: longName(at), readonly: false, value: `${at}` })) }
        : null,
  ],
  ...[OCPP201, OCPP21].map((dialect): [Dialect, Answers] => [
    dialect,
    (action, { requestId }, socket) => {
      if (action !== 'GetBaseReport') return null;
      for (const part of times(PARTS)) {
        const reportData = times(IN_A_PART).map((at) => ({
          component: { name: 'Ctrlr' },
          variable: { name: longName(part * IN_A_PART + at) },
          variableAttribute: [{ value: `${at}` }],
        }));
        const report = { generatedAt: new Date().toISOString(), requestId, seqNo: part, tbc: part < PARTS - 1 };
        // Runs after the answer, which is sent as soon as this function returns.
        setImmediate(() => socket.send(JSON.stringify([2, `part-${part}`, 'NotifyReport', { ...report, reportData }])));
      }
      return { status: 'Accepted' };
    },
  ]),
];

test.each(REPORTING.map(([dialect, answers]) => [dialect.name, dialect, answers] as const))(
  'a report of all parameters in %s does not keep the event loop busy',
  async (_, dialect, answers) => {
    const { program, database, world } = server;
    const root = client(program.url, await openSession(database.db, world.users.root));
    const { id, sn } = world.devices.northQuay1;
    const report: Attack = {
      what: 'as many parameters as a device can report',
      async run() {
        const { socket } = await connect(dialect, sn, answers);
        const body = { kind: 'refreshConfiguration' as const };
        const { id: executionId } = await root.data(ENDPOINTS.sendCommand, { params: { id }, body });
        const ended = await executionOnce(root, id, executionId, ({ state }) => state === 'ended');
        expect(ended).toMatchObject({ result: 2 });
        socket.terminate();
      },
    };
    expect(await stallsOf(server.program, [report])).toEqual([]);
  },
  FRAMES_MS,
);
