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
  constructor(deviceIds: readonly number[]) {
    this.deviceIds = deviceIds;
  }
  addEventListener(type: string, listener: (event: MessageEvent<string>) => void): void {
    this.listeners.set(type, listener);
  }
  close(): void {
    this.closed = true;
  }
  send(type: string, data = ''): void {
    this.listeners.get(type)?.({ data } as MessageEvent<string>);
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
function tab(deviceIds: readonly number[], { secure = true } = {}) {
  const received: string[] = [];
  const connect = sharedStream({
    ...{ deviceIds, most: 3, locks: secure ? navigator.locks : undefined },
    open(ids) {
      const source = new Source(ids);
      sources.push(source);
      return source;
    },
  });
  const reconnect = () => {
    const connection = connect();
    opened.push(connection);
    for (const type of ['ready', 'events', 'error']) {
      connection.addEventListener(type, ({ data }) => received.push(`${type} ${data}`.trim()));
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
    lastSource().send('ready', 'r');
    lastSource().send('events', 'e');
    await vi.waitFor(() => {
      for (const { received } of tabs) expect(received).toEqual(['ready r', 'events e']);
    });
  });

  it('is ready for a tab that opens later, and reopened for its devices', async () => {
    tab([1]);
    await vi.waitFor(() => expect(openSources()).toHaveLength(1));
    lastSource().send('ready', 'first');
    const same = tab([1]);
    await vi.waitFor(() => expect(same.received).toEqual(['ready first']));
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
    lastSource().send('ready', 'again');
    await vi.waitFor(() => expect(second.received).toEqual(['ready again']));
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
