import { type EventsMessage, STREAM_HEARTBEAT_MS } from '@chargehand/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type EventConnection, followStream, type Live } from './stream.ts';

/** A connection whose events the test sends. */
class TestConnection implements EventConnection {
  readonly listeners = new Map<string, (event: MessageEvent<string>) => void>();
  closed = false;
  readyState = 0;
  addEventListener(type: string, listener: (event: MessageEvent<string>) => void): void {
    this.listeners.set(type, listener);
  }
  close(): void {
    this.closed = true;
  }
  say(type: string, data: unknown = type === 'ready' ? { complete: false } : {}, lastEventId = ''): void {
    this.listeners.get(type)?.({ data: JSON.stringify(data), lastEventId } as MessageEvent<string>);
  }
}

function follow() {
  const connections: TestConnection[] = [];
  const states: Live[] = [];
  const received: EventsMessage[] = [];
  const missed: string[] = [];
  const ends: unknown[] = [];
  const refusals: number[] = [];
  const identities: number[] = [];
  const positions: string[] = [];
  const close = followStream({
    open: () => {
      const connection = new TestConnection();
      connections.push(connection);
      return connection;
    },
    events: (message) => received.push(message),
    reached: (position) => positions.push(position),
    missed: (what) => missed.push(what),
    sessionEnded: (end) => ends.push(end),
    identityChanged: () => identities.push(connections.length),
    refused: () => refusals.push(connections.length),
    onChange: (live) => states.push(live),
  });
  const connection = () => connections.at(-1) as TestConnection;
  return {
    lines: connections,
    line: connection,
    states,
    received,
    missed,
    positions,
    ends,
    refusals,
    identities,
    close,
  };
}

/** An open stream that has fetched possible missed changes. */
function followOpen() {
  const stream = follow();
  stream.line().say('ready');
  stream.missed.length = 0;
  return stream;
}

/** Lets some intervals pass, with an `alive` event in each. */
function beat(connection: () => TestConnection, times: number): void {
  for (let count = 0; count < times; count += 1) {
    vi.advanceTimersByTime(STREAM_HEARTBEAT_MS);
    connection().say('alive');
  }
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the live stream', () => {
  it('requests the reason when the server does not stream, but not when the connection is down', () => {
    const { line: connection, refusals } = follow();
    connection().say('error');
    expect(refusals).toEqual([]);
    vi.advanceTimersByTime(2_000);
    connection().readyState = 2;
    connection().say('error');
    expect(refusals).toEqual([2]);
  });

  it('closes with a notification when the identity of the session changes', () => {
    const { line: connection, lines: connections, identities } = follow();
    connection().say('identity');
    expect(identities).toEqual([1]);
    expect(connection().closed).toBe(true);
    vi.advanceTimersByTime(60_000);
    expect(connections).toHaveLength(1);
  });

  it('fetches nothing again when the stream continues where the page was loaded', () => {
    const { line: connection, missed, positions } = follow();
    connection().say('ready', { complete: true }, 'run.4');
    connection().say('events', {}, 'run.5');
    connection().say('alive');
    expect(missed).toEqual([]);
    expect(positions).toEqual(['run.4', 'run.5']);
  });

  it('refetches everything when the server dropped events', () => {
    const { line: connection, missed } = followOpen();
    connection().say('resync', null);
    expect(missed).toEqual(['everything']);
  });

  it('passes on events immediately', () => {
    const { line: connection, received, missed } = followOpen();
    connection().say('events', { 'device.state': [[7, null]] });
    expect(received).toEqual([{ 'device.state': [[7, null]] }]);
    expect(missed).toEqual([]);
  });

  it('is live once the server confirms it, and refetches what may have changed before', () => {
    const { line: connection, states, missed } = follow();
    connection().say('ready');
    expect(states.at(-1)).toEqual({ state: 'live' });
    expect(missed).toEqual(['followed']);
  });

  it('polls every 30 s while it is down, and reports since when', () => {
    const { line: connection, states, missed } = followOpen();
    connection().say('error');
    expect(states.at(-1)).toMatchObject({ state: 'polling', since: new Date() });
    vi.advanceTimersByTime(60_000);
    expect(missed).toHaveLength(2);
    expect(missed[0]).toBe('everything');
  });

  it('treats a connection that becomes silent, or never starts, as lost', () => {
    const { line: connection, lines: connections, states } = followOpen();
    beat(connection, 10);
    expect(connections).toHaveLength(1);
    expect(states.at(-1)).toEqual({ state: 'live' });
    vi.advanceTimersByTime(3 * STREAM_HEARTBEAT_MS);
    expect(connections[0]?.closed).toBe(true);
    expect(states.at(-1)).toMatchObject({ state: 'polling' });
    expect(connections).toHaveLength(2);
    vi.advanceTimersByTime(4 * STREAM_HEARTBEAT_MS);
    expect(connections[1]?.closed).toBe(true);
    expect(connections).toHaveLength(3);
    connection().say('ready');
    expect(states.at(-1)).toEqual({ state: 'live' });
  });

  it('retries with growing delays, and keeps the time since when it is down', () => {
    const { line: connection, lines: connections, states } = follow();
    connection().say('error');
    const since = states.at(-1);
    const waits: number[] = [];
    for (let attempt = 0; attempt < 6; attempt += 1) {
      const before = Date.now();
      const count = connections.length;
      while (connections.length === count) vi.advanceTimersByTime(100);
      waits.push(Date.now() - before);
      connection().say('error');
    }
    expect(waits[0]).toBeLessThan(1_500);
    expect(waits[5]).toBeGreaterThan(20_000);
    expect(states.at(-1)).toBe(since);
  });

  it('refetches everything after a reconnect, because events may be missing, and stops polling', () => {
    const { line: connection, lines: connections, missed, states } = follow();
    connection().say('error');
    vi.advanceTimersByTime(2_000);
    expect(connections).toHaveLength(2);
    connection().say('ready');
    expect(states.at(-1)).toEqual({ state: 'live' });
    expect(missed).toEqual(['restart']);
    beat(connection, 8);
    expect(missed).toHaveLength(1);
  });

  it('passes on the end of the session and does not reconnect', () => {
    const { line: connection, lines: connections, ends } = follow();
    connection().say('session', { code: 20003, message: 'elsewhere' });
    vi.advanceTimersByTime(120_000);
    expect(ends).toEqual([{ code: 20003, message: 'elsewhere' }]);
    expect(connections).toHaveLength(1);
    expect(connection().closed).toBe(true);
  });

  it('releases everything when it is closed', () => {
    const { line: connection, lines: connections, missed, close } = followOpen();
    connection().say('events', { 'device.state': [[1, null]] });
    close();
    vi.advanceTimersByTime(120_000);
    expect(connections).toHaveLength(1);
    expect(missed).toHaveLength(0);
  });
});
