import { TERMINAL_PATH } from '@chargehand/contract';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FakeSocket } from '../../../testing/fake-socket.ts';
import { type ConnectionState, openConnection } from './connection.ts';

const listeners = new Map<string, () => void>();

beforeEach(() => {
  vi.useFakeTimers();
  FakeSocket.all = [];
  vi.stubGlobal('WebSocket', FakeSocket);
  vi.stubGlobal('location', { origin: 'https://console.example' });
  vi.stubGlobal('addEventListener', (name: string, listener: () => void) => listeners.set(name, listener));
  vi.stubGlobal('removeEventListener', (name: string) => listeners.delete(name));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  listeners.clear();
});

function open() {
  const states: ConnectionState[] = [];
  const shown: string[] = [];
  const pending: (() => void)[] = [];
  const connection = openConnection('k1', {
    onOutput(data, done) {
      shown.push(new TextDecoder().decode(data));
      pending.push(done);
    },
    onPeople: () => undefined,
    onState: (state) => states.push(state),
  });
  return { connection, states, shown, pending, socket: () => FakeSocket.all.at(-1)! };
}

it('continues after a lost connection where the output stopped, with the current size', () => {
  const { connection, states, shown, socket } = open();
  expect(socket().url).toBe(`wss://console.example${TERMINAL_PATH}/k1?from=0`);
  socket().open();
  socket().output('hello');
  socket().fail();
  connection.resize({ cols: 90, rows: 30 });
  connection.send(new Uint8Array([1]));
  vi.advanceTimersByTime(250);
  expect(FakeSocket.all).toHaveLength(2);
  expect(socket().url).toMatch(/\?from=5$/);
  socket().open();
  socket().output(' again');
  expect(shown.join('')).toBe('hello again');
  expect(states.map(({ kind }) => kind)).toEqual(['connecting', 'open', 'lost', 'open']);
  expect(socket().sent).toEqual([JSON.stringify({ size: { cols: 90, rows: 30 } })]);
});

it('acknowledges output when it is shown: in steps while more of it waits', () => {
  const { pending, socket } = open();
  socket().open();
  for (let part = 0; part < 3; part += 1) socket().output('x'.repeat(20_000));
  expect(socket().sent).toEqual([]);
  for (const done of pending) done();
  expect(socket().sent).toEqual([JSON.stringify({ ack: 40_000 }), JSON.stringify({ ack: 60_000 })]);
});

it('ends after a minute without a connection', () => {
  const { states, socket } = open();
  socket().open();
  const opened = FakeSocket.all.length;
  socket().fail();
  for (let second = 0; second < 70; second += 1) {
    vi.advanceTimersByTime(1_000);
    if (socket().readyState === 0) socket().fail();
  }
  expect(states.at(-1)).toEqual({ kind: 'ended', end: 'away' });
  const tries = FakeSocket.all.length - opened;
  expect(tries).toBeGreaterThan(10);
  vi.advanceTimersByTime(60_000);
  expect(FakeSocket.all).toHaveLength(opened + tries);
});

it.each([
  ['a message of the server', (socket: FakeSocket) => socket.onmessage({ data: '{"end":"exited"}' }), 'exited'],
  ['output that is not available any more', (socket: FakeSocket) => socket.fail(1008), 'lost'],
])('ends with %s', (_, happen, end) => {
  const { states, socket } = open();
  socket().open();
  happen(socket());
  expect(states.at(-1)).toEqual({ kind: 'ended', end });
  vi.advanceTimersByTime(10_000);
  expect(FakeSocket.all).toHaveLength(1);
});

it('reconnects immediately when the browser has a network again', () => {
  const { states, socket } = open();
  socket().open();
  listeners.get('offline')?.();
  expect(states.at(-1)).toEqual({ kind: 'lost' });
  vi.advanceTimersByTime(100);
  listeners.get('online')?.();
  expect(FakeSocket.all).toHaveLength(2);
});

it('closes the terminal on the server', () => {
  const { connection, states, socket } = open();
  socket().open();
  connection.close();
  expect(socket().sent).toEqual([JSON.stringify({ close: true })]);
  expect(states.at(-1)).toEqual({ kind: 'ended', end: 'closed' });
  expect(listeners.size).toBe(0);
});
