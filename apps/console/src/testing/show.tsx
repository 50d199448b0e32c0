import '../shared/theme/tokens.css';
import '../shared/theme/base.css';
import { LOCALE_COOKIE, type Locale, PERMISSIONS, type PermissionKey, type UserInfo } from '@chargehand/contract';
import { type Level, levelsAll } from '@chargehand/domain';
import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { afterEach, expect } from 'vitest';
import { type Locator, page } from 'vitest/browser';
import { cleanup, render } from 'vitest-browser-react';
import type { EndpointName } from '../shared/api/client.ts';
import { queryClient } from '../shared/api/query.ts';
import { i18n, loadWords, startWords } from '../shared/i18n/i18n.ts';
import type { Room } from '../shared/i18n/words.ts';
import { session, sessionOf } from '../shared/session/session.ts';
import { toast } from '../shared/ui/dialogs/toast.ts';
import { Toaster } from '../shared/ui/dialogs/toaster.tsx';
import { AntdProvider } from '../shared/ui/page/antd-provider.tsx';
import { type Answers, type StubServer, stubServer } from './stub-server.ts';

export interface Options {
  /** English unless another one is given */
  locale?: Locale;
  /** what the server answers; any other request fails the test */
  answers?: Answers;
  /** the address of the page */
  path?: string;
  /** what the user is and holds; a vendor's root with every key unless said; null: nobody is signed in */
  user?: (Partial<UserInfo['user']> & { keys?: PermissionKey[]; level?: Level }) | null;
  /** more of who is signed in */
  info?: Partial<UserInfo>;
  /** of the window */
  size?: readonly [width: number, height: number];
}

interface ComponentOptions extends Options {
  /** the pattern of that address, where the component reads its parts; other addresses are empty pages */
  route?: string;
}

export interface Stage {
  server: StubServer;
  /** What the console says: `room:key`. @throws when there is no such text */
  t(key: string, values?: Record<string, string | number>): string;
  /** the path and query the console went to */
  path(): string;
  /** Goes to another page of the console, as a link would. */
  go(path: string): Promise<void>;
  /** a button by the key of its words */
  button(key: string, values?: Record<string, string | number>): Locator;
  /** a field by the key of its label */
  field(key: string): Locator;
  /** a text by its key */
  text(key: string, values?: Record<string, string | number>): Locator;
  /** an entry of an open menu by the key of its words */
  entry(key: string, values?: Record<string, string | number>): Locator;
  /** what is open on top of the page */
  dialog: Locator;
}

/** The page that the test itself runs in. */
const own = location.pathname + location.search;
/** The window as vitest.config.ts has it. */
const WINDOW = [1280, 800] as const;
const endings: (() => void)[] = [];
const stages = new Set<StubServer>();

/** What is undone after the test. */
export function atEnd(undo: () => void): void {
  endings.push(undo);
}

/** Shows a component as the console would: signed in, with words, theme, router and messages, and a stubbed server. */
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

/** Prepares language, session, address and server for what is shown next. */
export async function enter(options: Options, rest?: (name: EndpointName) => unknown): Promise<Omit<Stage, 'go'>> {
  const { locale = 'en-US', answers = {}, path = '/manage/home', size } = options;
  // biome-ignore lint/suspicious/noDocumentCookie: the console reads its language from a cookie
  document.cookie = `${LOCALE_COOKIE}=${locale}; path=/`;
  if (!i18n.isInitialized) await startWords();
  await i18n.changeLanguage(locale);
  await loadWords(ROOMS);
  session.set(options.user === null ? { status: 'anonymous' } : sessionOf(userInfo(options)));
  if (size) {
    await page.viewport(...size);
    atEnd(() => void page.viewport(...WINDOW));
  }
  const server = stubServer(answers, rest);
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

/** Draws what a router shows. */
export async function present(router: ReturnType<typeof createBrowserRouter>, content: ReactNode): Promise<void> {
  atEnd(() => router.dispose());
  await render(<QueryClientProvider client={queryClient}>{content}</QueryClientProvider>);
}

afterEach(async () => {
  await cleanup();
  toast.dismiss();
  queryClient.clear();
  for (const undo of endings.splice(0)) undo();
  history.replaceState(null, '', own);
  const unexpected = [...stages].flatMap((server) => server.unexpected);
  for (const server of stages) server.stop();
  stages.clear();
  expect(unexpected).toEqual([]);
});

/** The words of every feature, by the files there are. */
const ROOMS = Object.keys(import.meta.glob('../locales/en-US/*.json')).map(
  (file) => /(\w+)\.json$/.exec(file)?.[1] as Room,
);

/** Who is signed in, as the server tells it. */
export function userInfo({ user, info = {}, locale = 'en-US' }: Options): UserInfo {
  const { keys = Object.keys(PERMISSIONS) as PermissionKey[], level = 1, ...more } = user ?? {};
  return {
    user: {
      ...{ id: 1, userName: 'root_user', nickName: '', avatar: null, customerName: 'Customer vendor', root: true },
      ...{ platformVendor: true, readOnly: false, locale, passwordGiven: false, secondFactorDue: false, ...more },
    },
    preferences: { locale, theme: null },
    role: { auth: keys, menu: [], levels: levelsAll(level) },
    ...{ csrfToken: 'csrf', tokenId: 'test', viewing: null, lists: {} },
    privacy: { needConfirm: false, content: '', newPrivacyPolicyVersion: null },
    settings: { captcha: false, languageSwitch: true, version: '0', mailsDelivered: true },
    ...info,
  };
}
