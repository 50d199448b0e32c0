// What the pages of the console cost their readers, measured in Chromium and compared with the goals. Run a part at a time
// on a busy machine: node bench/console/run.ts [--part PART,PART] [--size 390|1440] [--axe]
// [--only TEXT,TEXT] [--explain]
//   pages: layout shifts, the longest task while loading, the first row on a phone, and with --axe the findings of axe
//   keyboard: presses of Tab; requests: those of Home in a minute, with 500 active devices
//   network: first visits on a slow mobile network; uploads: 500 small files, with a second tab
import { parseArgs } from 'node:util';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import { type DemoWorld, startDemoWorld } from '../../e2e/demo-world.ts';
import { startChromium } from '../../e2e/harness/chromium.ts';
import { everyScene } from '../../e2e/harness/every-scene.ts';
import { startLiveWorld } from '../live/world.ts';
import { signInRoot } from '../signed-in.ts';
import { readAxe, requestsOf } from './measure.ts';
import { firstVisit } from './network.ts';
import { measurePage, OBSERVE, type PageFigures, pressesTo } from './pages.ts';
import { uploadMany } from './uploads.ts';

const TEXT = { type: 'string' } as const;
const { values } = parseArgs({
  options: { explain: { type: 'boolean' }, axe: { type: 'boolean' }, only: TEXT, part: TEXT, size: TEXT },
});
const PHONE = { width: 390, height: 844 };
const DESK = { width: 1440, height: 900 };
const GOALS = { shift: 0.05, taskMs: 200, firstRow: 300, presses: 10, requests: 15, paintS: 1.5 };
const ACTIVE_DEVICES = 500;

const lines: string[] = [];
let missed = false;

/** Prints a value next to its goal. */
function report(name: string, value: number, goal: number, unit = ''): void {
  const kept = value <= goal;
  if (!kept) missed = true;
  lines.push(`${kept ? 'kept  ' : 'MISSED'} ${name}: ${value}${unit} (goal ${goal}${unit})`);
  console.log(lines.at(-1));
}

const wants = (part: string) => (values.part ?? part).split(',').includes(part);
const chromiumServer = await startChromium({ complete: true });
const browser = await chromium.connect(chromiumServer.wsEndpoint());
try {
  if (['network', 'keyboard', 'uploads', 'pages'].some(wants)) {
    const world = await startDemoWorld({ history: true });
    try {
      if (wants('network')) await onSlowNetwork(browser, world);
      if (wants('keyboard')) await withKeyboard(browser, world);
      if (wants('uploads')) await manyUploads(browser, world);
      if (wants('pages')) await allPages(browser, world);
    } finally {
      await world.stop();
    }
  }
  if (wants('requests')) await requestsOfHome(browser);
} finally {
  await browser.close();
  await chromiumServer.close();
}
console.log(`\n${lines.join('\n')}`);
process.exitCode = missed ? 1 : 0;

async function contextOf(browser: Browser, world: Parameters<typeof signInRoot>[1], viewport: typeof DESK) {
  const context = await browser.newContext({ baseURL: world.url, viewport });
  context.setDefaultTimeout(30_000);
  await signInRoot(context, world);
  await context.addInitScript(OBSERVE);
  return context;
}

/** Every page without an action, wide and narrow. */
async function allPages(browser: Browser, world: DemoWorld): Promise<void> {
  const texts = values.only?.split(',') ?? [''];
  const scenes = (await everyScene(world)).filter(
    ({ act, before, print, signedIn, name }) =>
      signedIn && !act && !before && !print && texts.some((text) => name.includes(text)),
  );
  const axe = values.axe ? readAxe() : null;
  for (const size of [PHONE, DESK].filter(({ width }) => width === Number(values.size ?? width))) {
    const context = await contextOf(browser, world, size);
    const all: PageFigures[] = [];
    for (const { name, path } of scenes) {
      const page = await context.newPage();
      try {
        const figures = await measurePage(page, name, path, axe);
        all.push(figures);
        explain(figures);
      } catch (error) {
        missed = true;
        console.log(`${name} was not measured: ${error instanceof Error ? error.message.split('\n')[0] : error}`);
      }
      await page.close();
    }
    await context.close();
    reportPages(all, size);
  }
}

function reportPages(all: PageFigures[], { width }: typeof DESK): void {
  const worst = (of: (one: PageFigures) => number) => all.toSorted((a, b) => of(b) - of(a))[0]!;
  const shift = worst((one) => one.shift);
  report(`CLS at ${width} px, worst of ${all.length} pages: ${shift.name}`, round(shift.shift, 3), GOALS.shift);
  const task = worst((one) => one.task);
  report(`longest task at ${width} px: ${task.name}`, Math.round(task.task), GOALS.taskMs, ' ms');
  const row = worst((one) => one.firstRow ?? 0);
  if (width === PHONE.width)
    report(`first row of a list, lowest: ${row.name}`, row.firstRow ?? 0, GOALS.firstRow, ' px');
  const findings = all.reduce((sum, one) => sum + one.axe.length, 0);
  if (values.axe) report(`axe findings at ${width} px`, findings, 0);
  report(`pages wider than ${width} px`, all.filter(({ tooWide }) => tooWide > 0).length, 0);
}

function explain({ name, width, shift, moved, task, firstRow, tooWide, axe }: PageFigures): void {
  const low = width === PHONE.width && (firstRow ?? 0) > GOALS.firstRow;
  const bad = shift > GOALS.shift || task > GOALS.taskMs || axe.length > 0 || tooWide > 0 || low;
  if (!values.explain && !bad) return;
  const wide = tooWide > 0 ? `, ${tooWide} px too wide` : '';
  console.log(
    `  ${name} ${width}: CLS ${shift.toFixed(3)}, task ${Math.round(task)} ms, first row ${firstRow ?? '-'}${wide}`,
  );
  for (const line of [...(shift > GOALS.shift ? moved.slice(0, 8) : []), ...axe.slice(0, 4)])
    console.log(`      ${line}`);
}

async function withKeyboard(browser: Browser, world: DemoWorld): Promise<void> {
  const { rows } = await world.database.pool.query(`select id from devices where sn = 'SIM00002'`);
  const context = await contextOf(browser, world, DESK);
  for (const [name, path, target] of [
    ['action of a device', `/manage/device/detail/${rows[0].id}`, '.headline-actions'],
    ['Acknowledge of the alarms', '/manage/device/alarms', 'tbody [aria-keyshortcuts=a]'],
    ['incident of Home', '/manage/home', 'main :is(a, button)'],
  ] as const) {
    const page = await context.newPage();
    await page.goto(path);
    await page.locator(target).first().waitFor();
    await page.waitForLoadState('networkidle');
    const { presses, stops } = await pressesTo(page, target);
    report(`presses to the first ${name}`, presses, GOALS.presses);
    if (values.explain) console.log(stops.map((stop, index) => `      ${index + 3} ${stop}`).join('\n'));
    await page.close();
  }
  await context.close();
}

async function manyUploads(browser: Browser, world: DemoWorld): Promise<void> {
  const context = await contextOf(browser, world, DESK);
  const { perSecond, panels } = await uploadMany(context, world.database);
  lines.push(`${round(perSecond, 1)} small files a second; the panel says in each tab: ${panels.join(' | ')}`);
  console.log(lines.at(-1));
  await context.close();
}

/** Home while many devices charge, fail and reconnect. The requests of its first ten seconds do not count. */
async function requestsOfHome(browser: Browser): Promise<void> {
  const world = await startLiveWorld(ACTIVE_DEVICES, 0);
  let context: BrowserContext | undefined;
  try {
    context = await contextOf(browser, world, DESK);
    const page = await context.newPage();
    await page.goto('/manage/home');
    await page.locator('.live-indicator[data-state=on]').waitFor();
    await page.waitForTimeout(10_000);
    const requests = await requestsOf(page, 60_000);
    report(`requests a minute on Home, ${ACTIVE_DEVICES} devices`, requests.length, GOALS.requests);
    const counts = Map.groupBy(requests, (path) => path);
    for (const [path, { length }] of counts) console.log(`      ${length} ${path}`);
  } finally {
    await context?.close();
    await world.stop();
  }
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
    const { paintMs, usableMs, bytes, requests } = await firstVisit(await context.newPage(), path, usable);
    report(`first paint of ${name}, 400 kbit/s and 400 ms`, round(paintMs / 1000, 2), GOALS.paintS, ' s');
    report(`${name} usable, cold, 400 kbit/s and 400 ms`, round(usableMs / 1000, 1), goal, ' s');
    console.log(`      ${(bytes / 1000).toFixed(1)} kB in ${requests.length} requests until then`);
    if (values.explain) for (const line of requests) console.log(`      ${line}`);
    await context.close();
  }
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
