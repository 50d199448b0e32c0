import '../shared/theme/tokens.css';
import '../shared/theme/base.css';
import {
  type Branding,
  LOCALE_COOKIE,
  type Locale,
  PERMISSIONS,
  type PermissionKey,
  type UserInfo,
} from '@chargehand/contract';
import { type Level, levelsAll } from '@chargehand/domain';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { expect } from 'vitest';
import { type Locator, page } from 'vitest/browser';
import { cleanup, render } from 'vitest-browser-react';
import type { EndpointName } from '../shared/api/client.ts';
import { queryClient } from '../shared/api/query.ts';
import { branding } from '../shared/branding/branding.ts';
import { i18n, loadWords, startWords } from '../shared/i18n/i18n.ts';
import type { Room } from '../shared/i18n/words.ts';
import { session, sessionOf } from '../shared/session/session.ts';
import { toast } from '../shared/ui/dialogs/toast.ts';
import { Toaster } from '../shared/ui/dialogs/toaster.tsx';
import { AntdProvider } from '../shared/ui/page/antd-provider.tsx';
import { type Answers, type StubServer, stubServer } from './stub-server.ts';

export interface Options {
  /** default: English */
  locale?: Locale;
  /** the responses of the server; any other request fails the test */
  answers?: Answers;
  /** the URL of the page */
  path?: string;
  /** the user and their rights; default: a root account of the vendor with every key; null: nobody is signed in */
  user?: (Partial<UserInfo['user']> & { keys?: PermissionKey[]; level?: Level; allSites?: boolean }) | null;
  /** further properties of the session */
  info?: Partial<UserInfo>;
  /** how the installation differs from the default */
  branding?: Partial<Branding>;
  /** size of the window */
  size?: readonly [width: number, height: number];
}

interface ComponentOptions extends Options {
  /** the route pattern of the URL, when the component reads its parameters; other URLs show empty pages */
  route?: string;
}

export interface Stage {
  server: StubServer;
  /** A text of the console: `room:key`. @throws when there is no such text */
  t(key: string, values?: Record<string, string | number>): string;
  /** the current path and query of the console */
  path(): string;
  /** Navigates to another page of the console, like a link. */
  go(path: string): Promise<void>;
  /** a button by the key of its text */
  button(key: string, values?: Record<string, string | number>): Locator;
  /** a field by the key of its label */
  field(key: string): Locator;
  /** a text by its key */
  text(key: string, values?: Record<string, string | number>): Locator;
  /** an entry of an open menu by the key of its text */
  entry(key: string, values?: Record<string, string | number>): Locator;
  /** what is open on top of the page */
  dialog: Locator;
}

/** The page in which the test runs. */
const own = location.pathname + location.search;
/** The window size of vitest.config.ts. */
const WINDOW = [1280, 800] as const;
/** The version of the server: that of the console, or of a console that was not built. */
const VERSION = import.meta.env.CHARGEHAND_VERSION ?? '0';
const endings: (() => unknown)[] = [];
const stages = new Set<StubServer>();

/** Registers a cleanup after the test. */
export function atEnd(undo: () => unknown): void {
  endings.push(undo);
}

/** Shows a component as in the console: signed in, with texts, theme, router and messages, and a stubbed server. */
export async function show(component: ReactNode, options: ComponentOptions = {}): Promise<Stage> {
  const { route = '*' } = options;
  const stage = await enter(options);
  const router = createBrowserRouter([
    { path: route, element: component },
    ...(route === '*' ? [] : [{ path: '*', element: null }]),
  ]);
  await present(
    router,
    <AntdProvider>
      <main>
        <RouterProvider router={router} />
      </main>
      <Toaster />
    </AntdProvider>,
  );
  return { ...stage, go: (to) => router.navigate(to) };
}

/** Prepares language, session, URL and server for the next component. */
export async function enter(options: Options, rest?: (name: EndpointName) => unknown): Promise<Omit<Stage, 'go'>> {
  const { locale = 'en-US', answers = {}, path = '/manage/home', size } = options;
  // biome-ignore lint/suspicious/noDocumentCookie: the console reads its language from a cookie
  document.cookie = `${LOCALE_COOKIE}=${locale}; path=/`;
  if (!i18n.isInitialized) await startWords();
  await i18n.changeLanguage(locale);
  await loadWords(ROOMS);
  session.set(options.user === null ? { status: 'anonymous' } : sessionOf(userInfo(options)));
  if (options.branding) {
    const before = branding.get();
    branding.set({ ...before, ...options.branding });
    atEnd(() => branding.set(before));
  }
  if (size) {
    await page.viewport(...size);
    atEnd(() => page.viewport(...WINDOW));
  }
  const server = stubServer({ info: () => userInfo(options), ...answers }, rest);
  stages.add(server);
  history.replaceState(null, '', path);
  const t: Stage['t'] = (key, values) => {
    if (!i18n.exists(key, values)) throw new Error(`There is no text ${key} in ${locale}`);
    return String(i18n.t(key as never, values as never));
  };
  const named =
    (role: 'button' | 'menuitem') =>
    (key: string, values?: Record<string, string | number>): Locator =>
      page.getByRole(role, { name: t(key, values), exact: true });
  return {
    ...{ server, t },
    path: () => location.pathname + location.search,
    button: named('button'),
    entry: named('menuitem'),
    field: (key) => page.getByLabelText(t(key), { exact: true }),
    text: (key, values) => page.getByText(t(key, values), { exact: true }),
    dialog: page.getByRole('dialog'),
  };
}

/** Renders a router. Resolves when its first page is in the document. */
export async function present(router: ReturnType<typeof createBrowserRouter>, content: ReactNode): Promise<void> {
  atEnd(() => router.dispose());
  const { promise, resolve } = Promise.withResolvers<void>();
  await render(
    <QueryClientProvider client={queryClient}>
      {content}
      <Shown then={resolve} />
    </QueryClientProvider>,
  );
  await promise;
}

/** Calls a function once it is in the document. */
function Shown({ then }: { then(): void }): null {
  useEffect(then, [then]);
  return null;
}

/** Removes what the test has shown, and fails when it sent a request without a response. Runs after every test. */
export async function leave(): Promise<void> {
  await cleanup();
  for (const undo of endings.splice(0)) await undo();
  const unexpected = [...stages].flatMap((server) => server.unexpected);
  for (const server of stages) server.end();
  // A response that arrives later would fill the cache that the next test reads.
  await queryClient.cancelQueries();
  await expect.poll(() => queryClient.isMutating() + queryClient.isFetching()).toBe(0);
  queryClient.clear();
  toast.dismiss();
  history.replaceState(null, '', own);
  for (const server of [...stages].reverse()) server.stop();
  stages.clear();
  expect(unexpected).toEqual([]);
}

/** The texts of all features, from the existing files. */
const ROOMS = Object.keys(import.meta.glob('../locales/en-US/*.json')).map(
  (file) => /([\w-]+)\.json$/.exec(file)?.[1] as Room,
);

/** The signed-in user, in the form of the server's response. */
export function userInfo({ user, info = {}, locale = 'en-US' }: Options): UserInfo {
  const { keys = Object.keys(PERMISSIONS) as PermissionKey[], level = 1, allSites = true, ...more } = user ?? {};
  return {
    user: {
      ...{ id: 1, userName: 'root_user', nickName: '', avatar: null, root: true },
      ...{ customerId: 1, customerName: 'Customer vendor' },
      ...{ platformVendor: true, readOnly: false, locale, passwordGiven: false, secondFactorDue: false, ...more },
    },
    preferences: { locale, theme: null },
    role: { auth: keys, menu: [], levels: levelsAll(level), allSites },
    ...{ csrfToken: 'csrf', tokenId: 'test', viewing: null, livePosition: '', lists: {} },
    privacy: { needConfirm: false, content: '', newPrivacyPolicyVersion: null },
    settings: { captcha: false, languageSwitch: true, version: VERSION, mailsDelivered: true, mapTiles: null },
    ...info,
  };
}
