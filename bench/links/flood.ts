import { setTimeout as pause } from 'node:timers/promises';
import { type Browser, collectGarbage, linkOf, promptAfter, requestTerminal } from './browser.ts';
import { goal, MB } from './figures.ts';
import { openSsh } from './terminal.ts';
import type { LinkWorld } from './world.ts';

const SECONDS = 30;
/** Ctrl-C so many times, each after a second of output. */
const STOPS = 5;
const GOALS = { stopMs: 300, browserMb: 100 };

/** Endless output in Chromium: the memory of the browser, and the time from Ctrl-C to the prompt. */
export async function measureFlood(world: LinkWorld, browser: Browser): Promise<void> {
  const page = await browser.newPage();
  await requestTerminal(page, world.device.id);
  const linkId = linkOf(page);
  const { pool } = world.base.database;
  const received = async () => {
    const { rows } = await pool.query<{ bytes: number }>('select bytes_in::float8 as bytes from links where id = $1', [
      linkId,
    ]);
    return (rows[0]?.bytes ?? 0) / MB;
  };
  const run = async (seconds: number, each: () => void = () => undefined) => {
    await page.keyboard.type('yes');
    await page.keyboard.press('Enter');
    await page.evaluate('window.promptGone()');
    for (let second = 0; second < seconds; second += 1) {
      await pause(1_000);
      each();
    }
    await page.keyboard.press('Control+c');
    return await promptAfter(page, 'keydown');
  };
  await pause(2_000);
  const before = browser.memory();
  const first = await received();
  const sizes: number[] = [];
  const stops = [
    await run(SECONDS, () => {
      sizes.push(browser.memory());
    }),
  ];
  const speed = ((await received()) - first) / SECONDS;
  for (let count = 0; count < STOPS; count += 1) stops.push(await run(1));
  sizes.push(browser.memory());
  const grown = sizes.map((one) => (one - before).toFixed(0));
  await collectGarbage(page);
  const kept = browser.memory() - before;
  await world.end(linkId);
  await page.close();

  const bare = openSsh(world.direct.sshPort, world.direct.keyFile);
  await bare.shows('$ ');
  bare.type('yes\r');
  await pause(2_000);
  const bytes = bare.bytes();
  await pause(3_000);
  const bareSpeed = (bare.bytes() - bytes) / MB / 3;
  const from = performance.now();
  bare.type('\x03');
  await bare.shows('$ ');
  const bareStop = performance.now() - from;
  bare.close();
  console.log(
    `${SECONDS} s of yes in Chromium: ${speed.toFixed(1)} MB/s; ` +
      `${goal('growth of the browser at most', Math.max(...sizes) - before, GOALS.browserMb, 'MB')}, ` +
      `by second ${grown.join(' ')}, ${kept.toFixed(0)} after a garbage collection; ` +
      `Ctrl-C to the prompt ${stops.map((one) => one.toFixed(0)).join(', ')} ms: ` +
      `${goal('Ctrl-C at most', Math.max(...stops), GOALS.stopMs, 'ms')}; bare ssh ${bareSpeed.toFixed(1)} MB/s, ${bareStop.toFixed(0)} ms`,
  );
}
