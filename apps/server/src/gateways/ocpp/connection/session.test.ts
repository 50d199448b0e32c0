import { EventEmitter } from 'node:events';
import { Registry } from 'prom-client';
import { beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '../../../platform/log.ts';
import { ACCEPTS_EVERYONE } from '../../../ports/devices/authorizer.ts';
import type { KnownDevice } from '../../../ports/devices/device-directory.ts';
import { SinkOverloaded, type Stored, type UplinkEvent } from '../../../ports/uplink.ts';
import { type SteppedClock, steppedClock } from '../../../testing/clock.ts';
import { OCPP16 } from '../../ocpp16/index.ts';
import { OCPP21 } from '../../ocpp21/index.ts';
import { gatewayMetrics } from '../metrics.ts';
import type { ConnectionSocket } from './connection-socket.ts';
import { Session, type SessionHost } from './session.ts';

const AT = new Date('2026-03-01T12:00:00.000Z');
const DEVICE: KnownDevice = {
  ...{ deviceId: 7, sn: 'PILE-7', siteId: 1, enabled: true, passwordHash: null, newPasswordHashes: [] },
  ...{ tolerant: false, silenceSeconds: null, lastAddress: null, heartbeatSeconds: null },
  ...{ connectors: [], connectorCount: null },
};
const EXECUTION = '00000000-0000-4000-8000-000000000001';
const PING_SECONDS = 10;
const HEARTBEAT_SECONDS = 60;

/** The network side of a connection: records what the session does with it. */
class Socket extends EventEmitter {
  readonly protocol = 'ocpp';
  readonly OPEN = 1;
  readyState = 1;
  isPaused = false;
  readonly sent: unknown[] = [];
  readonly done: string[] = [];
  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
  pause(): void {
    this.isPaused = true;
    this.done.push('pause');
  }
  resume(): void {
    this.isPaused = false;
    this.done.push('resume');
  }
  close(code: number, detail: string): void {
    this.done.push(`close ${code} ${detail}`);
  }
  terminate(): void {
    this.done.push('terminate');
  }
  ping(): void {
    this.done.push('ping');
  }
}

let clock: SteppedClock;
let socket: Socket;
let metrics: Registry;
let submitted: UplinkEvent[][];
/** what the sink does with a submission */
let store: (events: readonly UplinkEvent[]) => Promise<void>;
let traffic: string[];
let ended: Session[];
beforeEach(() => {
  clock = steppedClock(AT);
  socket = new Socket();
  metrics = new Registry();
  submitted = [];
  store = async () => undefined;
  traffic = [];
  ended = [];
});

function open(options: Partial<SessionHost['options']> & { dialect?: typeof OCPP16; leaves?: boolean } = {}): Session {
  const { dialect = OCPP16, leaves = false, ...rest } = options;
  const host: SessionHost = {
    authorizer: ACCEPTS_EVERYONE,
    sink: {
      async submit(deviceId, events): Promise<Stored> {
        expect(deviceId).toBe(7);
        submitted.push(events);
        await store(events);
        return { transactionId: 1 };
      },
    },
    traffic: {
      received: (_, bytes) => traffic.push(`received ${bytes}`),
      sent: (_, bytes) => traffic.push(`sent ${bytes}`),
      ended: () => traffic.push('ended'),
    },
    clock,
    log: createLog('silent'),
    metrics: gatewayMetrics(metrics),
    missingReports: async () => ({ connectors: [1], updating: false, uploading: null }),
    certificates: null,
    leaves: () => leaves,
    options: {
      ...{ heartbeatSeconds: HEARTBEAT_SECONDS, pingSeconds: PING_SECONDS, frameLimitBytes: 1_000 },
      ...{ requestAfterMs: null, ...rest },
    },
    onEnd: (session) => ended.push(session),
  };
  const session = new Session(host, {
    ...{ dialect, socket: socket as unknown as ConnectionSocket, device: DEVICE, proven: false },
    ...{ connectionId: '00000000-0000-4000-8000-0000000000aa', remoteAddress: '192.0.2.1' },
  });
  submitted.length = 0;
  return session;
}

/** The device sends a frame. */
const send = (frame: unknown) => socket.emit('message', Buffer.from(JSON.stringify(frame)), false);
const heartbeat = (id: string) => send([2, id, 'Heartbeat', {}]);
/** Lets all pending callbacks run. */
const settled = () => new Promise((resolve) => setImmediate(resolve));
const sentIds = () => socket.sent.map((frame) => (frame as unknown[])[1]);
const counted = async (name: string) => {
  const { values } = (await metrics.getSingleMetric(`chargehand_ocpp_${name}`)?.get()) ?? { values: [] };
  return values.map(({ value, labels }) => [...Object.values(labels), value]);
};
/** A sink that stores nothing until it is allowed to. */
function slowSink(): () => void {
  const gate = Promise.withResolvers<void>();
  store = () => gate.promise;
  return gate.resolve;
}
const kinds = () => submitted.flat().map(({ kind }) => kind);

describe('frames that arrive while one is being stored', () => {
  test('wait in their order, and are answered only once they are stored', async () => {
    open();
    const allow = slowSink();
    for (const id of ['a', 'b', 'c']) heartbeat(id);
    await settled();
    expect([submitted.length, socket.sent]).toEqual([1, []]);
    allow();
    await settled();
    expect(sentIds()).toEqual(['a', 'b', 'c']);
    heartbeat('d');
    await settled();
    expect(sentIds()).toEqual(['a', 'b', 'c', 'd']);
  });

  test('are at most sixteen; then the connection is not read until half of them are stored', async () => {
    open();
    const allow = slowSink();
    for (let n = 0; n <= 15; n += 1) heartbeat(`m${n}`);
    expect(socket.done).toEqual([]);
    heartbeat('m16');
    expect(socket.done).toEqual(['pause']);
    allow();
    await settled();
    expect(socket.done).toEqual(['pause', 'resume']);
    expect(socket.sent).toHaveLength(17);
  });

  test('are not processed after the end of the connection', async () => {
    const session = open();
    const allow = slowSink();
    for (const id of ['a', 'b']) heartbeat(id);
    session.end('loggedOut', 'enough', 1000);
    heartbeat('c');
    allow();
    await settled();
    expect(socket.sent).toEqual([]);
    expect(kinds()).toEqual(['frame', 'frame', 'frame', 'disconnected']);
  });
});

test('a connection that a load balancer closes while the process leaves has no end that is stored', async () => {
  open({ leaves: true });
  socket.emit('close', 1006, Buffer.alloc(0));
  await settled();
  expect(kinds()).toEqual(['frame']);
});

describe('a repeated CALL', () => {
  test('gets the same answer if it was one of the last two, and only its frames are stored', async () => {
    open();
    for (const id of ['a', 'b']) heartbeat(id);
    await settled();
    await clock.advance(1_000);
    for (const id of ['a', 'b']) heartbeat(id);
    await settled();
    expect(socket.sent.slice(2)).toEqual(socket.sent.slice(0, 2));
    expect(submitted.slice(2).map((events) => events.map(({ kind }) => kind))).toEqual([
      ['frame', 'frame'],
      ['frame', 'frame'],
    ]);
    expect(await counted('repeated_calls_total')).toEqual([[2]]);
    for (const id of ['c', 'a']) heartbeat(id);
    await settled();
    expect(await counted('repeated_calls_total')).toEqual([[2]]);
  });

  test('is another CALL if only its id is the same', async () => {
    open();
    heartbeat('a');
    send([2, 'a', 'Authorize', { idTag: 'T' }]);
    await settled();
    expect(socket.sent[1]).toEqual([3, 'a', { idTagInfo: { status: 'Accepted' } }]);
  });

  test('is answered again if it could not be stored before', async () => {
    open();
    store = () => Promise.reject(new SinkOverloaded('Too much is waiting to be stored'));
    heartbeat('a');
    await settled();
    store = () => Promise.reject(new Error('the device was deleted'));
    heartbeat('a');
    await settled();
    store = async () => undefined;
    heartbeat('a');
    await settled();
    const refusal = [4, 'a', 'InternalError', 'The message could not be stored; try again later', {}];
    expect(socket.sent).toEqual([refusal, refusal, [3, 'a', { currentTime: AT.toISOString() }]]);
    expect(await counted('shed_calls_total')).toEqual([['Heartbeat', 1]]);
  });
});

test('a message without an answer that was shed is not counted as processed', async () => {
  open({ dialect: OCPP21 });
  const readings = (id: string) =>
    send([
      6,
      id,
      'NotifyPeriodicEventStream',
      { id: 1, pending: 0, basetime: AT.toISOString(), data: [{ t: 0, v: '1' }] },
    ]);
  store = () => Promise.reject(new SinkOverloaded('Too much is waiting to be stored'));
  readings('a');
  await settled();
  expect(await counted('shed_calls_total')).toEqual([['NotifyPeriodicEventStream', 1]]);
  expect(await counted('calls_total')).toEqual([]);
  store = async () => undefined;
  readings('b');
  await settled();
  expect(await counted('calls_total')).toEqual([['NotifyPeriodicEventStream', 1]]);
  expect(socket.sent).toEqual([]);
});

describe('a connection that the server ends', () => {
  test('is read again, closed with the reason, and cut off when the device does not answer for three seconds', async () => {
    const session = open();
    session.end('loggedOut', 'x'.repeat(200), 1008);
    session.end('loggedOut', 'again', 1008);
    expect(socket.done).toEqual(['resume', `close 1008 ${'x'.repeat(120)}`]);
    await clock.advance(2_999);
    expect(socket.done).toHaveLength(2);
    await clock.advance(1);
    expect(socket.done).toEqual(['resume', `close 1008 ${'x'.repeat(120)}`, 'terminate']);
    expect(ended).toEqual([session]);
    expect(traffic).toEqual(['ended']);
    expect(await counted('ended_connections_total')).toEqual([['loggedOut', 1]]);
  });

  test('is stored once, whatever the socket reports afterwards', async () => {
    const session = open();
    const allow = slowSink();
    session.end('replaced', 'a newer connection', 1000);
    socket.emit('close', 1006, Buffer.alloc(0));
    let isStored = false;
    const stored = session.ended.then(() => {
      isStored = true;
    });
    await settled();
    expect(isStored).toBe(false);
    allow();
    await stored;
    expect(kinds()).toEqual(['frame', 'disconnected']);
    expect(ended).toHaveLength(1);
  });

  test.each([
    [false, ['frame', 'disconnected', 'executionProgress']],
    [true, ['frame']],
  ])(
    'is stored, and its command as lost, unless the device comes back to another process (%s)',
    async (returns, expected) => {
      const session = open();
      await session.execute({ executionId: EXECUTION, kind: 'softReset', connector: 0, params: {} });
      submitted.length = 0;
      session.end('replaced', 'a newer connection', 1000, returns);
      expect(kinds()).toEqual(expected);
      expect(await session.execute({ executionId: EXECUTION, kind: 'softReset', connector: 0, params: {} })).toEqual({
        outcome: 'offline',
      });
    },
  );
});

test.each<[string, () => void, string]>([
  ['binary', () => socket.emit('message', Buffer.from('[]'), true), '1003 OCPP frames are text, not binary'],
  ['too long', () => socket.emit('message', Buffer.alloc(1_001, 32), false), '1009 a frame is longer than 1000 bytes'],
])('a frame that is %s ends the connection', (_, receive, close) => {
  open();
  receive();
  expect(socket.done).toEqual(['resume', `close ${close}`]);
});

test('a frame of the maximum length is read', async () => {
  open();
  socket.emit('message', Buffer.from(JSON.stringify([2, 'a', 'Heartbeat', {}]).padEnd(1_000)), false);
  await settled();
  expect([sentIds(), socket.done]).toEqual([['a'], []]);
});

test('traffic counts the bytes of all frames in both directions', async () => {
  open();
  send([2, 'ä', 'Heartbeat', {}]);
  await settled();
  const answer = JSON.stringify([3, 'ä', { currentTime: AT.toISOString() }]);
  expect(traffic).toEqual([`received ${Buffer.byteLength('[2,"ä","Heartbeat",{}]')}`, `sent ${answer.length + 1}`]);
});

describe('a silent device', () => {
  const tickAfter = async (session: Session, seconds: number) => {
    await clock.advance(seconds * 1_000);
    session.tick(clock.now().getTime());
  };

  test('is pinged, and disconnected after three heartbeat intervals', async () => {
    const session = open();
    await tickAfter(session, PING_SECONDS - 1);
    expect(socket.done).toEqual([]);
    await tickAfter(session, 1);
    expect(socket.done).toEqual(['ping']);
    await tickAfter(session, 3 * HEARTBEAT_SECONDS - PING_SECONDS);
    expect(socket.done).toEqual(['ping', 'ping']);
    await tickAfter(session, 1);
    expect(socket.done).toEqual(['ping', 'ping', 'terminate']);
    expect(submitted.flat().at(-1)).toMatchObject({ kind: 'disconnected', reason: 'networkTimeout' });
    await tickAfter(session, 1_000);
    expect(socket.done).toHaveLength(3);
  });

  test('is not disconnected for silence while the server is still storing its message', async () => {
    const session = open();
    const allow = slowSink();
    heartbeat('a');
    await tickAfter(session, 10 * HEARTBEAT_SECONDS);
    expect(socket.done).toEqual(['ping']);
    allow();
    await settled();
    await tickAfter(session, 3 * HEARTBEAT_SECONDS);
    expect(socket.done).not.toContain('terminate');
    await tickAfter(session, 1);
    expect(socket.done).toContain('terminate');
  });

  test.each<[string, () => unknown]>([
    [
      'reported',
      () => send([3, EXECUTION, { configurationKey: [{ key: 'HeartbeatInterval', readonly: false, value: '600' }] }]),
    ],
  ])('has the interval that it has %s', async (_, report) => {
    const session = open();
    await session.execute({ executionId: EXECUTION, kind: 'refreshConfiguration', connector: 0, params: {} });
    report();
    await settled();
    await tickAfter(session, 3 * 600);
    expect(socket.done).not.toContain('terminate');
    await tickAfter(session, 1);
    expect(socket.done).toContain('terminate');
  });

  test('has the default interval again after a boot', async () => {
    const session = open();
    await session.execute({ executionId: EXECUTION, kind: 'refreshConfiguration', connector: 0, params: {} });
    send([3, EXECUTION, { configurationKey: [{ key: 'HeartbeatInterval', readonly: false, value: '600' }] }]);
    send([2, 'a', 'BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' }]);
    await settled();
    await tickAfter(session, 3 * HEARTBEAT_SECONDS + 1);
    expect(socket.done).toContain('terminate');
  });
});

describe('answers', () => {
  test('to no call are counted, those to a command are not', async () => {
    const session = open();
    await session.execute({ executionId: EXECUTION, kind: 'softReset', connector: 0, params: {} });
    send([3, EXECUTION, { status: 'Accepted' }]);
    await settled();
    expect(kinds()).toEqual(['frame', 'frame', 'answer']);
    expect(await counted('unexpected_answers_total')).toEqual([[0]]);
    send([3, 'x', {}]);
    await settled();
    expect(await counted('unexpected_answers_total')).toEqual([[1]]);
  });

  test.each([
    ['OCPP 1.6', OCPP16, []],
    ['OCPP 2.1', OCPP21, [[5, EXECUTION]]],
  ])(
    'with an invalid format are reported to the device only in %s, which defines that',
    async (_, dialect, expected) => {
      const session = open({ dialect: dialect as typeof OCPP16 });
      await session.execute({ executionId: EXECUTION, kind: 'softReset', connector: 0, params: {} });
      socket.sent.length = 0;
      send([3, EXECUTION, { status: 17 }]);
      await settled();
      expect(socket.sent.map((frame) => (frame as unknown[]).slice(0, 2))).toEqual(expected);
    },
  );
});

test('invalid frames are counted', async () => {
  open();
  socket.emit('message', Buffer.from('nonsense'), false);
  await settled();
  expect(await counted('malformed_frames_total')).toEqual([[1]]);
});

test('a wrong clock is reported when the difference changes, not with every message', async () => {
  open();
  const status = (id: string, time: number) =>
    send([
      ...[2, id, 'StatusNotification'],
      { connectorId: 1, errorCode: 'NoError', status: 'Available', timestamp: new Date(time).toISOString() },
    ]);
  for (const id of ['a', 'b']) status(id, AT.getTime() - 3_600_000);
  await settled();
  expect(submitted.map((events) => events.filter(({ kind }) => kind === 'clock'))).toEqual([
    [{ kind: 'clock', skewMs: -3_600_000 }],
    [],
  ]);
});

test('a message that a command requested is evidence for it', async () => {
  const session = open();
  const params = { message: 'Heartbeat' } as const;
  await session.execute({ executionId: EXECUTION, kind: 'triggerMessage', connector: 0, params });
  send([3, EXECUTION, { status: 'Accepted' }]);
  heartbeat('a');
  await settled();
  expect(submitted.flat()).toContainEqual({ kind: 'messageReceived', executionId: EXECUTION, at: AT });
});
