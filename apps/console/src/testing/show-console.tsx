import { RouterProvider } from 'react-router/dom';
import { expect } from 'vitest';
import { cleanup } from 'vitest-browser-react';
import { createRouter } from '../app/router.tsx';
import { queryClient } from '../shared/api/query.ts';
import { tabLabels } from '../shared/hooks/use-tab-label.ts';
import { session, sessionOf } from '../shared/session/session.ts';
import { sample } from './sample.ts';
import { atEnd, enter, type Options, present, type Stage, userInfo } from './show.tsx';

interface Console extends Stage {
  /** Sends an event through the stream of changes. */
  stream(type: 'session' | 'resync' | 'error', data?: unknown): void;
  /** Waits until every request is answered. */
  settled(): Promise<void>;
  /** Begins afresh at the same address, as when the page is loaded again: only what the browser keeps is left. */
  reload(): Promise<void>;
}

/** A stream of changes that opens at once and says what the test has it say. */
class StubStream extends EventTarget {
  static open: StubStream[] = [];
  readonly readyState = 1;

  constructor() {
    super();
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
 * Shows the whole console at an address, with its shell, its routes and who may go where, and a stubbed server. What only
 * reads and has no answer of the test's own gets the smallest one that the contract allows.
 */
export async function showConsole(path: string, options: Omit<Options, 'path'> = {}): Promise<Console> {
  const real = globalThis.EventSource;
  globalThis.EventSource = StubStream as never;
  // Without Web Locks the tab has a stream of its own: tests side by side are tabs of one browser.
  Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true });
  forgetAll();
  atEnd(() => {
    globalThis.EventSource = real;
    Reflect.deleteProperty(navigator, 'locks');
    StubStream.open = [];
    forgetAll();
  });
  const stage = await enter({ ...options, path }, (name) => sample(name));
  let router = createRouter();
  const draw = () => present(router, <RouterProvider router={router} />);
  await draw();
  return {
    ...stage,
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

/** What a browser keeps of the console. */
function forgetAll(): void {
  sessionStorage.clear();
  localStorage.clear();
  tabLabels.set({});
  delete document.documentElement.dataset.theme;
}
