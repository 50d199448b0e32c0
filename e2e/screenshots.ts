// `npm run screenshots`: every page of the console, in both languages, light and dark, wide and narrow, into
// ./screenshots. Options after `--`: `--only TEXT` (scenes whose names contain one of several texts separated by
// commas), `--locale`, `--theme`, `--size`, each with a value from the folder names.
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CSRF_COOKIE, LOCALE_COOKIE, LOCALES, type Locale, TOKEN_COOKIE } from '@chargehand/contract';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { startDemoWorld } from './demo-world.ts';
import { startChromium } from './harness/chromium.ts';
import { everyScene, sessionOfRoot } from './harness/every-scene.ts';
import { type Words, wordsOf } from './harness/words.ts';
import type { Scene } from './scene.ts';

const FOLDER = join(import.meta.dirname, '../screenshots');
const THEMES = ['light', 'dark'] as const;
const SIZES = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } } as const;
const TEXT = { type: 'string' } as const;
const ASSETS = join(import.meta.dirname, '../apps/console/dist/assets');
/** Longer than any page of the demo needs to load. */
const TIMEOUT_MS = 20_000;
/** Maximum height of a screenshot. */
const HIGHEST = 2_400;

/** Lets every page wait for the shipped font, which users have from their second visit on. */
const SHIPPED_FONT = `
  localStorage.setItem('chargehand.font', '/assets/${readdirSync(ASSETS).find((name) => /^inter-.*woff2$/.test(name))}');
  globalThis.FontFace = class extends FontFace {
    constructor(name, source, options) {
      super(name, source, { ...options, display: 'block' });
    }
  };`;

const { values } = parseArgs({ options: { only: TEXT, locale: TEXT, theme: TEXT, size: TEXT } });
const wanted = values.only?.split(',') ?? [''];
const locales = LOCALES.filter((one) => one === (values.locale ?? one));
const themes = THEMES.filter((one) => one === (values.theme ?? one));
const sizes = (['wide', 'narrow'] as const).filter((one) => one === (values.size ?? one));

const world = await startDemoWorld({ history: true });
const chromiumServer = await startChromium();
// Stops all processes when the run is interrupted.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void world.stop().finally(() => process.exit(1)));
}
const problems: string[] = [];
let count = 0;
try {
  if (Object.keys(values).length === 0) rmSync(FOLDER, { recursive: true, force: true });
  const browser = await chromium.connect(chromiumServer.wsEndpoint());
  const all = await everyScene(world);
  const scenes = all.filter(({ name }) => wanted.some((text) => name.includes(text)));
  // Scenes that change the world for everybody run last.
  for (const some of [scenes.filter(({ before }) => !before), scenes.filter(({ before }) => before)]) {
    for (const size of sizes) {
      // One browser page per language, in parallel, because they only read.
      await Promise.all(locales.map((locale) => shootAll(browser, locale, size, some)));
    }
  }
  process.stdout.write(`${count} pictures of ${scenes.length} screens in ${FOLDER}\n`);
} finally {
  await chromiumServer.close();
  await world.stop();
}
if (problems.length > 0) {
  process.stderr.write(`${problems.join('\n')}\n`);
  process.exitCode = 1;
}

async function shootAll(browser: Browser, locale: Locale, size: keyof typeof SIZES, scenes: Scene[]): Promise<void> {
  const t = wordsOf(locale);
  for (const signedIn of [false, true]) {
    // A visitor starts with an empty browser: a draft or an unsent report of one scene would be shown in the next one.
    const shared = signedIn ? await contextFor(browser, locale, size, true) : null;
    for (const scene of scenes.filter((one) => one.signedIn === signedIn)) {
      const context = shared ?? (await contextFor(browser, locale, size, false));
      // A separate browser page: an unfinished action of a scene, such as an edited form, would block the next one.
      const page = await context.newPage();
      try {
        await shoot(page, scene, t, (theme) => join(FOLDER, locale, `${theme}-${size}`, `${scene.name}.png`));
        const width = Number(await page.evaluate('document.documentElement.scrollWidth'));
        // A printed page is as wide as the paper.
        if (!scene.print && width > SIZES[size].width)
          problems.push(`${locale} ${size} ${scene.name}: ${width} px wide`);
      } catch (error) {
        problems.push(
          `${locale} ${size} ${scene.name}: ${error instanceof Error ? error.message.split('\n')[0] : error}`,
        );
      }
      await page.close();
      if (context !== shared) await context.close();
    }
    await shared?.close();
  }
  process.stdout.write(`${locale} ${size}: ${scenes.length} screens\n`);
}

async function contextFor(
  browser: Browser,
  locale: Locale,
  size: keyof typeof SIZES,
  signedIn: boolean,
): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: world.url, viewport: SIZES[size], reducedMotion: 'reduce' });
  context.setDefaultTimeout(TIMEOUT_MS);
  await context.addInitScript(SHIPPED_FONT);
  const cookies = [[LOCALE_COOKIE, locale]];
  if (signedIn) {
    const session = await sessionOfRoot(world);
    cookies.push([TOKEN_COOKIE, session.token], [CSRF_COOKIE, session.csrf]);
  }
  await context.addCookies(cookies.map(([name = '', value = '']) => ({ name, value, url: world.url })));
  return context;
}

/** One page in each theme: opened once, then the theme changes. */
async function shoot(page: Page, scene: Scene, t: Words, fileOf: (theme: string) => string): Promise<void> {
  await scene.before?.();
  await page.emulateMedia({ colorScheme: themes[0] ?? 'light' });
  await page.goto(scene.path);
  await settled(page);
  await scene.act?.(page, t);
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme, media: scene.print ? 'print' : 'screen' });
    await settled(page);
    const path = fileOf(theme);
    mkdirSync(join(path, '..'), { recursive: true });
    // A page without an open dialog is captured to its end, with a window of the necessary height.
    if (scene.act === undefined && theme === themes[0]) await fitViewport(page);
    await page.screenshot({ path, animations: 'disabled' });
    count += 1;
  }
}

/** Makes the window as high as its page, up to a limit. */
async function fitViewport(page: Page): Promise<void> {
  const size = page.viewportSize();
  const wanted = Number(await page.evaluate('document.documentElement.scrollHeight'));
  if (!size || wanted <= size.height) return;
  await page.setViewportSize({ ...size, height: Math.min(wanted, HIGHEST) });
  await settled(page);
}

/** Waits until the page is rendered and shows no loading state. */
async function settled(page: Page): Promise<void> {
  await page.locator(':is(h1, h2, [role=alert], .labels):visible').first().waitFor();
  for (const waiting of ['.splash', '.progress-line', '.skeleton', '.ant-spin-spinning']) {
    await page.locator(waiting).first().waitFor({ state: 'hidden' });
  }
  await page.evaluate('document.fonts.ready.then(() => true)');
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
}
