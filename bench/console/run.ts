// What the pages of the console cost their readers, measured in Chromium with the demo fleet and compared with the goals:
// layout shifts, the longest task, the first row on a phone, axe, presses of Tab, requests a minute, and a first visit on a
// slow mobile network. `node bench/console/run.ts [--explain] [--only TEXT]`
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import { type DemoWorld, startDemoWorld } from '../../e2e/demo-world.ts';
import { startChromium } from '../../e2e/harness/chromium.ts';
import { SLOW_NETWORK } from '../../e2e/harness/wire.ts';
import { scenesOf } from '../../e2e/scenes.ts';
import { signInRoot } from '../signed-in.ts';
import { measurePage, OBSERVE, type PageFigures, pressesTo } from './pages.ts';

const { values } = parseArgs({ options: { explain: { type: 'boolean' }, only: { type: 'string' } } });
const PHONE = { width: 390, height: 844 };
const DESK = { width: 1440, height: 900 };
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const GOALS = { shift: 0.05, taskMs: 200, firstRow: 300, presses: 10, requests: 15, paintS: 1.5 };

const lines: string[] = [];
let missed = false;

/** Prints a value next to its goal. */
function report(name: string, value: number, goal: number, unit = ''): void {
  const kept = value <= goal;
  if (!kept) missed = true;
  lines.push(`${kept ? 'kept  ' : 'MISSED'} ${name}: ${value}${unit} (goal ${goal}${unit})`);
  console.log(lines.at(-1));
}

const world = await startDemoWorld({ history: true });
const chromiumServer = await startChromium({ complete: true });
const browser = await chromium.connect(chromiumServer.wsEndpoint());
try {
  await allPages(browser, world);
  if (values.only === undefined) {
    await withKeyboard(browser, world);
    await requestsOfHome(browser, world);
    await onSlowNetwork(browser, world);
  }
} finally {
  await browser.close();
  await chromiumServer.close();
  await world.stop();
}
console.log(`\n${lines.join('\n')}`);
process.exitCode = missed ? 1 : 0;

async function contextOf(browser: Browser, world: DemoWorld, viewport: typeof DESK): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: world.url, viewport });
  await signInRoot(context, world);
  await context.addInitScript(OBSERVE);
  return context;
}

/** Every page without an action, wide and narrow. */
async function allPages(browser: Browser, world: DemoWorld): Promise<void> {
  const scenes = (await scenesOf(world, 1)).filter(
    ({ act, before, print, signedIn, name }) =>
      signedIn && !act && !before && !print && name.includes(values.only ?? ''),
  );
  for (const size of [PHONE, DESK]) {
    const context = await contextOf(browser, world, size);
    const all: PageFigures[] = [];
    for (const { name, path } of scenes) {
      const page = await context.newPage();
      try {
        const figures = await measurePage(page, name, path, AXE);
        all.push(figures);
        explain(figures);
      } catch (error) {
        console.log(`${name}: ${error instanceof Error ? error.message.split('\n')[0] : error}`);
      }
      await page.close();
    }
    await context.close();
    const worst = (of: (one: PageFigures) => number) => all.toSorted((a, b) => of(b) - of(a))[0]!;
    const shift = worst((one) => one.shift);
    report(`CLS at ${size.width} px, worst of ${all.length} pages: ${shift.name}`, round(shift.shift, 3), GOALS.shift);
    const task = worst((one) => one.task);
    report(`longest task at ${size.width} px: ${task.name}`, Math.round(task.task), GOALS.taskMs, ' ms');
    const row = worst((one) => one.firstRow ?? 0);
    if (size === PHONE) report(`first row on a phone, lowest: ${row.name}`, row.firstRow ?? 0, GOALS.firstRow, ' px');
    report(
      `axe findings at ${size.width} px`,
      all.reduce((sum, one) => sum + one.axe.length, 0),
      0,
    );
    report(`pages wider than ${size.width} px`, all.filter(({ tooWide }) => tooWide > 0).length, 0);
  }
}

function explain({ name, width, shift, moved, task, firstRow, tooWide, axe }: PageFigures): void {
  const bad =
    shift > GOALS.shift || axe.length > 0 || tooWide > 0 || (width === PHONE.width && (firstRow ?? 0) > GOALS.firstRow);
  if (!values.explain && !bad) return;
  console.log(
    `  ${name} ${width}: CLS ${shift.toFixed(3)}, task ${Math.round(task)} ms, first row ${firstRow ?? '-'}${tooWide > 0 ? `, ${tooWide} px too wide` : ''}`,
  );
  for (const line of [...(shift > GOALS.shift ? moved.slice(0, 6) : []), ...axe.slice(0, 4)])
    console.log(`      ${line}`);
}

async function withKeyboard(browser: Browser, world: DemoWorld): Promise<void> {
  const { rows } = await world.database.pool.query(`select id from devices where sn = 'SIM00002'`);
  const context = await contextOf(browser, world, DESK);
  for (const [name, path, target] of [
    ['action of a device', `/manage/device/detail/${rows[0].id}`, '.headline-actions'],
    ['Acknowledge of the alarms', '/manage/device/alarms', 'tbody td button'],
    ['incident of Home', '/manage/home', 'main :is(a, button)'],
  ] as const) {
    const page = await context.newPage();
    await page.goto(path);
    await page.locator(target).first().waitFor();
    await page.waitForLoadState('networkidle');
    report(`presses to the first ${name}`, await pressesTo(page, target), GOALS.presses);
    await page.close();
  }
  await context.close();
}

async function requestsOfHome(browser: Browser, world: DemoWorld): Promise<void> {
  const context = await contextOf(browser, world, DESK);
  const page = await context.newPage();
  await page.goto('/manage/home');
  await page.waitForLoadState('networkidle');
  const requests: string[] = [];
  page.on('request', (request) => request.url().includes('/api/') && requests.push(new URL(request.url()).pathname));
  await page.waitForTimeout(60_000);
  report('requests a minute on Home', requests.length, GOALS.requests);
  if (values.explain) console.log(requests.toSorted().join('\n'));
  await context.close();
}

/** First visits with an empty cache. The seconds count until the element is there that makes the page usable. */
async function onSlowNetwork(browser: Browser, world: DemoWorld): Promise<void> {
  const { rows } = await world.database.pool.query('select id from devices order by id limit 1');
  for (const { name, path, usable, goal } of [
    { name: 'device list', path: '/manage/device/list', usable: 'tr[data-row-key]', goal: 6 },
    { name: 'Home', path: '/manage/home', usable: 'main .home', goal: 5 },
    { name: 'device', path: `/manage/device/detail/${rows[0].id}`, usable: '[role=tabpanel]', goal: 6 },
  ]) {
    const context = await contextOf(browser, world, DESK);
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.setCacheDisabled', { cacheDisabled: true });
    await devtools.send('Network.emulateNetworkConditions', SLOW_NETWORK);
    await page.goto(path, { waitUntil: 'commit' });
    await page.locator(usable).first().waitFor();
    const [paint, now] = (await page.evaluate(
      `[performance.getEntriesByName('first-paint')[0]?.startTime ?? Infinity, performance.now()]`,
    )) as [number, number];
    report(`first paint of ${name}, 400 kbit/s and 400 ms`, round(paint / 1000, 1), GOALS.paintS, ' s');
    report(`${name} usable, cold, 400 kbit/s and 400 ms`, round(now / 1000, 1), goal, ' s');
    await context.close();
  }
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
