import { RouterProvider } from 'react-router/dom';
import { expect } from 'vitest';
import { cleanup } from 'vitest-browser-react';
import { createRouter } from '../app/router.tsx';
import { queryClient } from '../shared/api/query.ts';
import { pageParents, tabLabels } from '../shared/hooks/use-tab-label.ts';
import { session, sessionOf } from '../shared/session/session.ts';
import { sample } from './sample.ts';
import { atEnd, enter, type Options, present, type Stage, userInfo } from './show.tsx';

interface Console extends Stage {
  /** Sends an event through the live stream. */
  stream(type: 'session' | 'resync' | 'error' | 'events', data?: unknown): void;
  /** the addresses of the open streams */
  streamUrls(): string[];
  /** Waits until every request has a response. */
  settled(): Promise<void>;
  /** Starts the console again at the same URL, like a reload: only browser storage is kept. */
  reload(): Promise<void>;
}

/** A live stream that opens immediately and sends the events of the test. */
class StubStream extends EventTarget {
  static open: StubStream[] = [];
  readonly readyState = 1;

  readonly url: string;

  constructor(url: string) {
    super();
    this.url = url;
    StubStream.open.push(this);
    queueMicrotask(() => this.send('ready', { at: new Date().toISOString() }));
  }

  send(type: string, data: unknown): void {
    this.dispatchEvent(new MessageEvent(type, { data: JSON.stringify(data) }));
  }

  close(): void {
    StubStream.open = StubStream.open.filter((one) => one !== this);
  }
}

/**
 * Shows the whole console at a URL, with its shell, routes and guards, and a stubbed server. Read endpoints without a
 * response in the test return the smallest one that the contract allows.
 */
export async function showConsole(path: string, options: Omit<Options, 'path'> = {}): Promise<Console> {
  const real = globalThis.EventSource;
  globalThis.EventSource = StubStream as never;
  // Without Web Locks every tab has its own stream: parallel tests are tabs of one browser.
  Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true });
  forgetAll();
  atEnd(() => {
    globalThis.EventSource = real;
    Reflect.deleteProperty(navigator, 'locks');
    StubStream.open = [];
    forgetAll();
  });
  const stage = await enter({ ...options, path }, (name) =>
    // The page has it already.
    name === 'readBranding' ? undefined : sample(name),
  );
  let router = createRouter();
  const draw = () => present(router, <RouterProvider router={router} />);
  await draw();
  return {
    ...stage,
    streamUrls: () => StubStream.open.map(({ url }) => url),
    go: (to) => router.navigate(to),
    stream(type, data = {}) {
      for (const one of [...StubStream.open]) one.send(type, data);
    },
    async settled() {
      await expect.poll(() => queryClient.isFetching()).toBe(0);
    },
    async reload() {
      await cleanup();
      queryClient.clear();
      tabLabels.set({});
      const signedIn = session.get().status === 'signedIn';
      session.set(signedIn ? sessionOf(userInfo(options)) : { status: 'unknown' });
      router = createRouter();
      await draw();
    },
  };
}

/** Deletes everything that the console stores in the browser. */
function forgetAll(): void {
  sessionStorage.clear();
  localStorage.clear();
  tabLabels.set({});
  pageParents.set({});
  delete document.documentElement.dataset.theme;
}
