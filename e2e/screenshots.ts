// `npm run screenshots`: every screen that can be reached, in both languages, light and dark, wide and narrow, into ./screenshots.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CSRF_COOKIE, LOCALE_COOKIE, LOCALES, type Locale, TOKEN_COOKIE } from '@chargehand/contract';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { openSession } from '../apps/server/src/testing/client.ts';
import { type DemoWorld, startDemoWorld } from './demo-world.ts';
import { startChromium } from './harness/chromium.ts';
import { PAGES } from './harness/routes.ts';
import { type Words, wordsOf } from './harness/words.ts';

const FOLDER = join(import.meta.dirname, '../screenshots');
const THEMES = ['light', 'dark'] as const;
const SIZES = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } } as const;

interface Scene {
  name: string;
  path: string;
  signedIn: boolean;
  /** what is done to the world before */
  before?: () => Promise<unknown>;
  /** what is done on the page before the picture is taken */
  act?: (page: Page, t: Words) => Promise<void>;
}

/** `--only TEXT` takes the scenes whose names contain it. */
const only = process.argv.includes('--only') ? (process.argv.at(process.argv.indexOf('--only') + 1) ?? '') : '';

const chromiumServer = await startChromium();
const world = await startDemoWorld();
try {
  rmSync(FOLDER, { recursive: true, force: true });
  const browser = await chromium.connect(chromiumServer.wsEndpoint());
  const scenes = [...(await pages(world)), ...(await dialogs(world))].filter(({ name }) => name.includes(only));
  let count = 0;
  for (const locale of LOCALES) {
    for (const theme of THEMES) {
      for (const [size, viewport] of Object.entries(SIZES)) {
        const folder = join(FOLDER, locale, `${theme}-${size}`);
        mkdirSync(folder, { recursive: true });
        count += await shoot({ browser, locale, theme, viewport, folder, scenes });
        process.stdout.write(`${folder}\n`);
      }
    }
  }
  process.stdout.write(`${count} pictures of ${scenes.length} screens in ${FOLDER}\n`);
} finally {
  await world.stop();
  await chromiumServer.close();
}

interface Shooting {
  browser: Browser;
  locale: Locale;
  theme: (typeof THEMES)[number];
  viewport: { width: number; height: number };
  folder: string;
  scenes: Scene[];
}

async function shoot({ browser, locale, theme, viewport, folder, scenes }: Shooting): Promise<number> {
  const t = wordsOf(locale);
  const contextFor = async (signedIn: boolean): Promise<BrowserContext> => {
    const context = await browser.newContext({
      baseURL: world.url,
      viewport,
      colorScheme: theme,
      reducedMotion: 'reduce',
    });
    const cookies = [[LOCALE_COOKIE, locale]];
    if (signedIn) {
      const { rows } = await world.database.pool.query<{ id: number }>('select id from users where root limit 1');
      await world.database.pool.query(
        'insert into privacy_acceptances (user_id, version) select $1, version from privacy_policies on conflict do nothing',
        [rows[0]!.id],
      );
      const session = await openSession(world.database.db, rows[0]!.id);
      cookies.push([TOKEN_COOKIE, session.token], [CSRF_COOKIE, session.csrf]);
    }
    await context.addCookies(cookies.map(([name = '', value = '']) => ({ name, value, url: world.url })));
    return context;
  };
  for (const signedIn of [false, true]) {
    const context = await contextFor(signedIn);
    const page = await context.newPage();
    for (const scene of scenes.filter((one) => one.signedIn === signedIn)) {
      await scene.before?.();
      await page.goto(scene.path);
      await settled(page);
      await scene.act?.(page, t);
      await settled(page);
      await page.screenshot({ path: join(folder, `${scene.name}.png`), animations: 'disabled' });
    }
    await context.close();
  }
  return scenes.length;
}

/** Waits until the page has been drawn and nothing on it says that it is still on its way. */
async function settled(page: Page): Promise<void> {
  await page.locator('h1, [role=alert]').first().waitFor();
  await page.locator('.skeleton, .progress-line, .splash').first().waitFor({ state: 'hidden' });
  await page.evaluate('document.fonts.ready.then(() => true)');
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
}

/** Every page of the route table, with the first device where a device is asked for. */
async function pages({ database }: DemoWorld): Promise<Scene[]> {
  const { id } = await deviceBySn(database.pool, 'SIM00001');
  const fill = (path: string) =>
    path
      .replace('/:listtype?', '')
      .replace(/:id\b\??/, String(id))
      .replace(/\/:\w+\?/g, '')
      .replace(/:\w+/g, '1');
  const table = PAGES.map(({ path }) => ({
    name: nameOf(path),
    path: fill(path),
    signedIn: path.startsWith('/manage'),
  }));
  const errors = ['404', '403', '500', 'network'].map((type) => ({
    name: `error-${type}`,
    path: `/error?type=${type}`,
    signedIn: false,
  }));
  return [
    ...table,
    ...errors,
    { name: 'unknown-page', path: '/nowhere', signedIn: false },
    { name: 'manage-unknown-page', path: '/manage/nowhere', signedIn: true },
  ];
}

function nameOf(path: string): string {
  return path
    .slice(1)
    .replace(/[/:?]+/g, '-')
    .replace(/-+$/, '');
}

async function deviceBySn(pool: DemoWorld['database']['pool'], sn: string): Promise<{ id: number; name: string }> {
  const { rows } = await pool.query<{ id: number; name: string }>('select id::int, name from devices where sn = $1', [
    sn,
  ]);
  return rows[0]!;
}

/** What opens on top of pages, and the parts of the device page. */
async function dialogs({ database }: DemoWorld): Promise<Scene[]> {
  const charging = await deviceBySn(database.pool, 'SIM00001');
  const faulted = await deviceBySn(database.pool, 'SIM00002');
  const silent = await deviceBySn(database.pool, 'SIM00024');
  const list = '/manage/device/list';
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first();
  const scene = (name: string, path: string, act?: Scene['act']): Scene => ({ name, path, signedIn: true, act });
  const choose = (key: string) => async (page: Page, t: Words) => {
    await button(page, t('fleet:action.more', { name: charging.name })).click();
    await page.getByRole('menuitem', { name: t(`fleet:action.${key}`), exact: true }).click();
    await page.getByRole('dialog').waitFor();
  };
  const detail = (id: number, place: string) => `/manage/device/detail/${id}?${place}`;
  return [
    scene('device-list-filtered', `${list}?status=faulted,working&search=SIM&sort=-name`),
    scene('device-list-nothing', `${list}?search=nothing%20at%20all`),
    scene('device-list-menu', list, async (page, t) => {
      await page
        .getByRole('button', { name: new RegExp(t('fleet:action.more', { name: '' }).trim()) })
        .first()
        .click();
      await page.getByRole('menu').last().waitFor();
    }),
    ...['config', 'alarms', 'charts', 'events', 'sessions', 'protocol'].map((section) =>
      scene(`device-detail-${section}`, detail(charging.id, `tab=details&section=${section}`)),
    ),
    scene('device-detail-faulted', detail(faulted.id, 'tab=details')),
    scene('device-detail-faulted-alarms', detail(faulted.id, 'tab=details&section=alarms')),
    scene('device-detail-never-connected', detail(silent.id, 'tab=details')),
    scene('device-detail-operations-offline', detail(silent.id, 'tab=operations')),
    scene('device-detail-issues', detail(charging.id, 'tab=issues')),
    scene('device-detail-unknown', '/manage/device/detail/999999'),
    scene('device-soft-reset', detail(charging.id, 'tab=operations'), async (page, t) => {
      await button(page, t('operations:kinds.softReset.do')).click();
      await page.getByRole('dialog').waitFor();
    }),
    scene('device-parameters', detail(charging.id, 'tab=operations'), async (page, t) => {
      await button(page, t('operations:kinds.refreshConfiguration.do')).click();
      await page.getByRole('dialog').getByRole('button').last().click();
      await page.locator('.progress[data-result="success"]').waitFor();
      await page.keyboard.press('Escape');
    }),
    scene('device-protocol-frame', detail(charging.id, 'tab=details&section=protocol'), async (page) => {
      await page.getByRole('option').nth(3).click();
    }),
    scene('device-disable', detail(charging.id, 'tab=details'), choose('disable')),
    scene('device-delete', detail(charging.id, 'tab=details'), choose('delete')),
    scene('device-register-from-blacklist', '/manage/device/add/UNKNOWN-00001'),
    scene('device-register-incomplete', '/manage/device/add', async (page, t) => {
      await button(page, t('fleet:register')).click();
    }),
    scene('device-edit', `/manage/device/update/${charging.id}`),
    scene('menu-more', '/manage/welcome', async (page, t) => {
      await button(page, t('common:shell.more')).click();
      await page.getByRole('menu').last().waitFor();
    }),
    scene('menu-account', '/manage/welcome', async (page) => {
      await page.locator('.header-user').click();
      await page.getByRole('menu').last().waitFor();
    }),
    scene('log-sign-ins', '/manage/logs/action?tab=logins'),
    {
      ...scene('privacy', '/manage/welcome', (page) => page.getByRole('dialog').waitFor()),
      before: () => database.pool.query('delete from privacy_acceptances'),
    },
  ].sort((one, other) => Number(one.name === 'privacy') - Number(other.name === 'privacy'));
}
