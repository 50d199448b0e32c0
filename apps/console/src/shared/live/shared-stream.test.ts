import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { sharedStream } from './shared-stream.ts';
import type { EventConnection } from './stream.ts';

/** A browser stream that the test controls. */
class Source implements EventConnection {
  readonly listeners = new Map<string, (event: MessageEvent<string>) => void>();
  readyState = 1;
  closed = false;
  readonly deviceIds: readonly number[];
  readonly since: string;
  constructor(deviceIds: readonly number[], since: string) {
    this.deviceIds = deviceIds;
    this.since = since;
  }
  addEventListener(type: string, listener: (event: MessageEvent<string>) => void): void {
    this.listeners.set(type, listener);
  }
  close(): void {
    this.closed = true;
  }
  send(type: string, data = '', lastEventId = ''): void {
    this.listeners.get(type)?.({ data, lastEventId } as MessageEvent<string>);
  }
}

let sources: Source[] = [];
const opened: EventConnection[] = [];
afterEach(async () => {
  for (const connection of opened.splice(0)) connection.close();
  sources = [];
  await wait(20);
});

/** A tab that follows some devices and records what it receives. */
function tab(deviceIds: readonly number[], { secure = true, position = 'run.1' } = {}) {
  const received: string[] = [];
  const connect = sharedStream({
    ...{ deviceIds, most: 3, locks: secure ? navigator.locks : undefined },
    position: () => position,
    open(ids, since) {
      const source = new Source(ids, since);
      sources.push(source);
      return source;
    },
  });
  const reconnect = () => {
    const connection = connect();
    opened.push(connection);
    for (const type of ['ready', 'events', 'error']) {
      connection.addEventListener(type, ({ data, lastEventId }) => {
        if (lastEventId) position = lastEventId;
        received.push(`${type} ${data}`.trim());
      });
    }
    return connection;
  };
  return { received, reconnect, connection: reconnect() };
}

const openSources = () => sources.filter(({ closed }) => !closed);
const lastSource = () => openSources().at(-1) as Source;

describe('one stream for all tabs', () => {
  it('contains the devices of all tabs and reaches all tabs', async () => {
    const tabs = [tab([1]), tab([]), tab([2])];
    await vi.waitFor(() => expect(openSources().map(({ deviceIds }) => deviceIds)).toEqual([[1, 2]]));
    lastSource().send('ready', '{}');
    lastSource().send('events', 'e');
    await vi.waitFor(() => {
      for (const { received } of tabs) expect(received).toEqual(['ready {}', 'events e']);
    });
  });

  it('is ready for a tab that opens later, and reopened for its devices', async () => {
    tab([1]);
    await vi.waitFor(() => expect(openSources()).toHaveLength(1));
    lastSource().send('ready', '{"complete":false}');
    const same = tab([1]);
    // The tab was loaded at the position of the stream: it has missed nothing.
    await vi.waitFor(() => expect(same.received).toEqual(['ready {"complete":true}']));
    tab([2]);
    await vi.waitFor(() => expect(lastSource().deviceIds).toEqual([1, 2]));
    expect(openSources()).toHaveLength(1);
  });

  it('is taken over by the next tab when its tab closes', async () => {
    const [first, second] = [tab([1]), tab([2])];
    await vi.waitFor(() => expect(openSources()).toHaveLength(1));
    first.connection.close();
    first.connection.close();
    await vi.waitFor(() => expect(openSources().map(({ deviceIds }) => deviceIds)).toEqual([[2]]));
    lastSource().send('ready', '{}');
    await vi.waitFor(() => expect(second.received).toEqual(['ready {}']));
  });

  it('continues where its tabs have got to', async () => {
    tab([1]);
    await vi.waitFor(() => expect(openSources()).toHaveLength(1));
    const first = lastSource();
    expect(first.since).toBe('run.1');
    first.send('ready', '{}');
    first.send('events', 'e', 'run.9');
    tab([1], { position: 'run.10' });
    tab([2], { position: 'run.11' });
    await vi.waitFor(() => expect(lastSource().deviceIds).toEqual([1, 2]));
    expect(lastSource().since).toBe('run.9');
  });

  it('is reopened for a tab that was loaded before the newest events', async () => {
    tab([1]);
    await vi.waitFor(() => expect(openSources()).toHaveLength(1));
    lastSource().send('ready', '{}');
    lastSource().send('events', 'e', 'run.10');
    const late = tab([1], { position: 'run.9' });
    await vi.waitFor(() => expect(lastSource().since).toBe('run.9'));
    expect(late.received).toEqual([]);
    lastSource().send('ready', '{}');
    lastSource().send('events', 'e', 'run.10');
    await vi.waitFor(() => expect(late.received).toEqual(['ready {}', 'events e']));
  });

  it('is lost for all tabs when it is lost', async () => {
    const tabs = [tab([1]), tab([2])];
    await vi.waitFor(() => expect(openSources()).toHaveLength(1));
    lastSource().send('error');
    await vi.waitFor(() => {
      for (const { received } of tabs) expect(received).toEqual(['error']);
    });
  });
});

describe('a tab opens its own stream', () => {
  it('without web locks', () => {
    tab([1], { secure: false });
    tab([2], { secure: false });
    expect(openSources().map(({ deviceIds }) => deviceIds)).toEqual([[1], [2]]);
  });

  it('after the shared one was rejected', async () => {
    const refused = tab([1]);
    await vi.waitFor(() => expect(openSources()).toHaveLength(1));
    lastSource().readyState = 2;
    lastSource().send('error');
    refused.connection.close();
    refused.reconnect();
    expect(openSources().map(({ deviceIds }) => deviceIds)).toEqual([[1]]);
  });

  it('after the shared one became silent', async () => {
    tab([1]);
    await vi.waitFor(() => expect(openSources()).toHaveLength(1));
    const silent = tab([2]);
    silent.connection.close();
    silent.reconnect();
    expect(lastSource().deviceIds).toEqual([2]);
  });

  it('when its devices exceed the limit of the shared one', async () => {
    tab([1, 2]);
    const more = tab([3, 4]);
    await vi.waitFor(() => expect(more.received).toEqual(['error']));
    more.connection.close();
    more.reconnect();
    expect(lastSource().deviceIds).toEqual([3, 4]);
  });
});
