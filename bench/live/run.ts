// The cost of live updates with 500 active devices: the API requests per minute of six pages that are open at the same
// time, the age of the displayed data on a fast network and at 400 kbit/s with 400 ms round trip, and the CPU time of 20
// open consoles. Each page is also measured alone, because the browsers of six users do not share two cores with the
// server. node bench/live/run.ts [--devices 500] [--seconds 60]
import { setTimeout as pass } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { CSRF_COOKIE, ENDPOINTS, LOCALE_COOKIE, TOKEN_COOKIE } from '@chargehand/contract';
import { type Browser, chromium, type Page } from 'playwright-core';
import { client } from '../../apps/server/src/testing/client.ts';
import { startChromium } from '../../e2e/harness/chromium.ts';
import { type LinkSpeed, type NetworkLink, openLink } from '../../e2e/harness/network-link.ts';
import { SLOW_LINK } from '../../e2e/harness/wire.ts';
import { openConsole, type Request } from './consoles.ts';
import { type LiveWorld, type Session, startLiveWorld } from './world.ts';

const { values: options } = parseArgs({
  options: { devices: { type: 'string', default: '500' }, seconds: { type: 'string', default: '60' } },
});
const SECONDS = Number(options.seconds);
const CONSOLES = 20;
const ROUNDS = 8;
const NEVER_MS = 15_000;
/** Faults of devices while one page is open. */
const ROUNDS_ALONE = 3;
/**
 * Every fourth quiet device uses OCPP 2.0.1 with other alarm codes, so the rounds use the others: one that fails in every
 * round, and on each of two networks three for each of three pages, and eight. They are on the first page of the list.
 */
const QUIET = 48;
const GOALS = { requestsPerMinute: 30, cpuShare: 0.1 };
const NETWORKS = [
  { name: 'fast', network: undefined, goal: 1 },
  { name: '400 kbit/s, 400 ms', network: SLOW_LINK, goal: 5 },
] as const;

interface Screen {
  name: string;
  path: string;
  /** the device of the page */
  deviceId?: number;
  /** what the page shows when a device fails */
  mark(deviceId: number): string;
}

interface OpenPage {
  screen: Screen;
  page: Page;
  /** the network of the page, which also slows down its live stream in a shared worker */
  link: NetworkLink;
  requests: Request[];
  /** seconds from the message of a device to the change on the page */
  ages: number[];
}

const world = await startLiveWorld(Number(options.devices), QUIET);
const chromiumServer = await startChromium({ complete: true });
let missed = false;
try {
  const sessions = await world.sessions(CONSOLES);
  const [watched, ...markers] = world.markers;
  const screens = screensFor(watched!.id);
  const browser = await chromium.connect(chromiumServer.wsEndpoint());
  let recorded: OpenPage[] = [];
  for (const { name, network, goal } of NETWORKS) {
    const alone = [];
    for (const [index, screen] of screens.entries()) {
      const one = await openPage(browser, screen, sessions[index]!, network);
      // The page of a device shows the one that fails in every round.
      const failing = screen.deviceId ? Array(ROUNDS_ALONE).fill(watched!) : markers.splice(0, ROUNDS_ALONE);
      await measureAge(one, [watched!, ...failing], sessions[index]!);
      alone.push(one.ages);
      await close(one);
    }
    const turn = markers.splice(0, ROUNDS);
    if (turn.length < ROUNDS) throw new Error('There are too few quiet devices');
    const pages = await Promise.all(
      screens.map((screen, index) => openPage(browser, screen, sessions[index]!, network)),
    );
    await measure(pages, [watched!, ...turn], sessions[0]!);
    if (!network) recorded = pages;
    console.log(`\n${name}:`);
    for (const [index, { screen, requests, ages }] of pages.entries()) {
      const perMinute = (requests.length / SECONDS) * 60;
      const suffix = perMinute > GOALS.requestsPerMinute || !(Math.max(...alone[index]!) <= goal) ? ' MISSED' : '';
      if (suffix) missed = true;
      console.log(
        `  ${screen.name}: ${perMinute.toFixed(0)} requests a minute (goal ${GOALS.requestsPerMinute}), shown after ` +
          `${summary(alone[index]!)} (goal ${goal} s); with all pages open ${summary(ages)}${suffix}`,
      );
      console.log(`    ${[...countBy(requests)].map(([path, count]) => `${count} ${path}`).join(', ')}`);
    }
    for (const one of pages) await close(one);
  }
  await browser.close();
  await chromiumServer.close();
  if (!(await consolesCost(sessions, recorded))) missed = true;
} finally {
  await chromiumServer.close();
  await world.stop();
}
process.exitCode = missed ? 1 : 0;

function screensFor(deviceId: number): Screen[] {
  const link = (id: number) => `a[href^="/manage/device/"][href$="/detail/${id}"]`;
  const detail = { deviceId, mark: () => 'main .tag-faulted' };
  return [
    { name: 'Home', path: '/manage/home', mark: (id) => `main li:has(${link(id)})` },
    {
      name: 'device list',
      path: '/manage/device/list?sort=sn&pageSize=50',
      mark: (id) => `tr:has(${link(id)}) .tag-faulted`,
    },
    { name: 'device', path: `/manage/device/detail/${deviceId}`, ...detail },
    { name: 'operations', path: `/manage/device/detail/${deviceId}?tab=operations`, ...detail },
    { name: 'charts', path: `/manage/device/detail/${deviceId}?tab=charts`, ...detail },
    { name: 'alarms', path: '/manage/device/alarms', mark: (id) => `tr:has(${link(id)})` },
  ];
}

async function openPage(browser: Browser, screen: Screen, session: Session, network?: LinkSpeed): Promise<OpenPage> {
  const link = await openLink(() => Number(new URL(world.url).port));
  const url = `http://127.0.0.1:${link.port}`;
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 } });
  await context.addCookies([
    { name: LOCALE_COOKIE, value: 'en-US', url },
    { name: TOKEN_COOKIE, value: session.token, url, httpOnly: true },
    { name: CSRF_COOKIE, value: session.csrf, url },
  ]);
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  await page.goto(screen.path);
  await page.locator('.live-indicator[data-state=on]').waitFor();
  if (network) link.slowDown(network);
  return { screen, page, link, requests: [], ages: [] };
}

/** Counts the requests of the pages while devices fail one after another. The first device fails each time. */
async function measure(
  pages: OpenPage[],
  [watched, ...markers]: LiveWorld['markers'],
  session: Session,
): Promise<void> {
  // Requests at the start of the stream are not counted.
  await pass(10_000);
  const begin = performance.now();
  for (const { page, requests } of pages) {
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (!pathname.startsWith('/api/') || pathname === ENDPOINTS.stream.path) return;
      const after = performance.now() - begin;
      const [method, path, body] = [request.method(), pathname + search, request.postData()];
      if (after < SECONDS * 1_000) requests.push({ after, method, path, body });
    });
  }
  for (const [round, marker] of markers.entries()) {
    await pass(Math.max(0, (round * SECONDS * 1_000) / markers.length - (performance.now() - begin)));
    await fail(pages, watched!, marker, session);
  }
  await pass(Math.max(0, SECONDS * 1_000 - (performance.now() - begin)));
}

/** Measures the age of the data of the only open page, while devices fail one after another. */
async function measureAge(one: OpenPage, [watched, ...markers]: LiveWorld['markers'], session: Session): Promise<void> {
  await pass(5_000);
  for (const marker of markers) {
    await fail([one], watched!, marker, session);
    await pass(2_000);
  }
}

/** Two devices fail, one of them for a moment, and pages show it. The second one may be the same. */
async function fail(
  pages: OpenPage[],
  watched: LiveWorld['markers'][number],
  marker: LiveWorld['markers'][number],
  session: Session,
): Promise<void> {
  const at = Date.now();
  const shown = pages.map((one) => ageOf(one, one.screen.deviceId ?? marker.id, at));
  if (marker !== watched) marker.device.fault(1, 'GroundFailure');
  watched.device.fault(1, 'OtherError', `E-${at}`);
  await client(world.url, session).call(ENDPOINTS.sendCommand, {
    params: { id: watched.id },
    body: { kind: 'triggerMessage', message: 'Heartbeat' },
  });
  for (const [index, { ages }] of pages.entries()) ages.push(await shown[index]!);
  watched.device.clearFault(1);
  for (const { page, screen } of pages) {
    if (screen.deviceId) await page.locator(screen.mark(screen.deviceId)).first().waitFor({ state: 'detached' });
  }
}

async function close({ page, link }: OpenPage): Promise<void> {
  await page.context().close();
  await link.close();
}

/** Seconds from a time until a page shows that a device has failed; infinite after the timeout. */
async function ageOf({ page, screen }: OpenPage, deviceId: number, at: number): Promise<number> {
  const mark = page.locator(screen.mark(deviceId)).first();
  const shown = await mark.waitFor({ state: 'attached', timeout: NEVER_MS }).then(
    () => true,
    () => false,
  );
  return shown ? (Date.now() - at) / 1_000 : Number.POSITIVE_INFINITY;
}

/** Measures the CPU time of the server without consoles and with 20 that repeat the recorded requests. */
async function consolesCost(sessions: Session[], recorded: OpenPage[]): Promise<boolean> {
  const without = await cpuShares();
  const ending = new AbortController();
  const consoles = sessions.map((session, index) => {
    const { screen, requests } = recorded[index % recorded.length]!;
    return openConsole(world.url, { session, deviceId: screen.deviceId, requests }, ending.signal);
  });
  const failed = Promise.all(consoles).catch((error: unknown) => {
    if (!ending.signal.aborted) throw error;
  });
  const withConsoles = await Promise.race([
    cpuShares(),
    failed.then(() => Promise.reject(new Error('A console ended'))),
  ]);
  ending.abort();
  await failed;
  const server = withConsoles.server - without.server;
  const database = withConsoles.database - without.database;
  const suffix = server + database < GOALS.cpuShare ? '' : ' MISSED';
  console.log(
    `\n${CONSOLES} consoles: ${percent(server)} of a core in the server, ${percent(database)} in the database ` +
      `(goal ${percent(GOALS.cpuShare)} together${suffix}); without them ${percent(without.server)} and ` +
      `${percent(without.database)}, ratio ${(withConsoles.server / without.server).toFixed(2)}`,
  );
  return suffix === '';
}

/** The CPU use of the server and its database, in cores. */
async function cpuShares(): Promise<{ server: number; database: number }> {
  const [from, begin] = [world.cpu(), performance.now()];
  await pass(SECONDS * 1_000);
  const [to, seconds] = [world.cpu(), (performance.now() - begin) / 1_000];
  return { server: (to.server - from.server) / seconds, database: (to.database - from.database) / seconds };
}

function countBy(requests: Request[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { path } of requests) {
    const name = path.replace(/\?.*/, '').replace(/\/\d+/g, '/:id');
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return new Map([...counts].sort(([, a], [, b]) => b - a));
}

/** Seconds in words: the median and the maximum. */
function summary(ages: readonly number[]): string {
  return `${median([...ages]).toFixed(2)} s, at most ${Math.max(...ages).toFixed(2)} s`;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
