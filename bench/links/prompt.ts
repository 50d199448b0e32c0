import { at } from '../side-by-side.ts';
import { type Browser, linkOf, requestTerminal } from './browser.ts';
import { goal, ratio, spread } from './figures.ts';
import { openSsh } from './terminal.ts';
import type { LinkWorld } from './world.ts';

const TERMINALS = 20;
const GOAL_MS = 2_000;

/** From the click that requests a link to the prompt in Chromium, in turns with the prompt of a bare `ssh`. */
export async function measurePrompt(world: LinkWorld, browser: Browser): Promise<void> {
  const [product, floor]: [number[], number[]] = [[], []];
  // The first one fills the caches of the browser.
  for (let count = 0; count <= TERMINALS; count += 1) {
    const page = await browser.newPage();
    const time = await requestTerminal(page, world.device.id);
    await world.end(linkOf(page));
    await page.close();
    const from = performance.now();
    const bare = openSsh(world.direct.sshPort, world.direct.keyFile);
    await bare.shows('$ ');
    if (count > 0) floor.push(performance.now() - from);
    if (count > 0) product.push(time);
    bare.close();
  }
  const p95 = at(product, 0.95);
  console.log(
    `click to prompt in Chromium, ${TERMINALS} times: ${spread(product)}: ` +
      `${goal('p95 of click to prompt', p95, GOAL_MS, 'ms')}; bare ssh ${spread(floor)}; ` +
      `${ratio(at(product, 0.5), at(floor, 0.5))}`,
  );
}
