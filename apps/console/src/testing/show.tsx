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
import { queryClient } from '../shared/api/query.ts';
import { i18n, loadWords, startWords } from '../shared/i18n/i18n.ts';
import type { Room } from '../shared/i18n/words.ts';
import { session, sessionOf } from '../shared/session/session.ts';
import { AntdProvider } from '../shared/ui/antd-provider.tsx';
import { toast } from '../shared/ui/toast.ts';
import { Toaster } from '../shared/ui/toaster.tsx';
import { type Answers, type StubServer, stubServer } from './stub-server.ts';

interface Options {
  /** English unless another one is given */
  locale?: Locale;
  /** what the server answers; any other request fails the test */
  answers?: Answers;
  /** the address of the page */
  path?: string;
  /** the pattern of that address, where the component reads its parts; other addresses are empty pages */
  route?: string;
  /** what the user is and holds; a vendor's root with every key unless said */
  user?: Partial<UserInfo['user']> & { keys?: PermissionKey[]; level?: Level };
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
}

/** The page that the test itself runs in. */
const own = location.pathname + location.search;
const stages = new Set<StubServer>();

/** Shows a component as the console would: signed in, with words, theme, router and messages, and a stubbed server. */
export async function show(component: ReactNode, options: Options = {}): Promise<Stage> {
  const { locale = 'en-US', answers = {}, path = '/manage/home', route = '*' } = options;
  // biome-ignore lint/suspicious/noDocumentCookie: the console reads its language from a cookie
  document.cookie = `${LOCALE_COOKIE}=${locale}; path=/`;
  if (!i18n.isInitialized) await startWords();
  await i18n.changeLanguage(locale);
  await loadWords(ROOMS);
  session.set(sessionOf(userInfo(options)));
  const server = stubServer(answers);
  stages.add(server);
  history.replaceState(null, '', path);
  const router = createBrowserRouter([
    { path: route, element: component },
    ...(route === '*' ? [] : [{ path: '*', element: null }]),
  ]);
  await render(
    <QueryClientProvider client={queryClient}>
      <AntdProvider>
        <main>
          <RouterProvider router={router} />
        </main>
        <Toaster />
      </AntdProvider>
    </QueryClientProvider>,
  );
  const t: Stage['t'] = (key, values) => {
    if (!i18n.exists(key, values)) throw new Error(`There is no text ${key} in ${locale}`);
    return String(i18n.t(key as never, values as never));
  };
  return {
    ...{ server, t },
    path: () => location.pathname + location.search,
    go: async (to) => await router.navigate(to),
    button: (key, values) => page.getByRole('button', { name: t(key, values), exact: true }),
    field: (key) => page.getByLabelText(t(key), { exact: true }),
    text: (key, values) => page.getByText(t(key, values), { exact: true }),
  };
}

afterEach(async () => {
  await cleanup();
  toast.dismiss();
  queryClient.clear();
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

function userInfo({ user = {}, locale = 'en-US' }: Options): UserInfo {
  const { keys = Object.keys(PERMISSIONS) as PermissionKey[], level = 1, ...more } = user;
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
  };
}
