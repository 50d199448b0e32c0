import { Agent, get } from 'node:http';
import { linkEndpoints } from '@chargehand/contract';
import { at } from '../side-by-side.ts';
import { goal, ratio, spread } from './figures.ts';
import type { LinkWorld } from './world.ts';

const WARM_UP = 20;
const REQUESTS = 200;
const GOAL_MS = 10;

/** The first byte of a page of a device through a link, in turns with the same page without a link. */
export async function measureWeb(world: LinkWorld): Promise<void> {
  const linkId = await world.open('web');
  const agent = new Agent({ keepAlive: true });
  try {
    const { url } = await world.root.data(linkEndpoints.openPages, { params: { id: linkId }, body: {} });
    const opened = await firstByte(agent, new URL(url));
    const cookie = opened.cookies.map((one) => one.split(';')[0]).join('; ');
    const [page, direct] = [new URL('/', url), new URL(`http://127.0.0.1:${world.direct.webPort}/`)];
    const [product, floor]: [number[], number[]] = [[], []];
    for (let count = 0; count < WARM_UP + REQUESTS; count += 1) {
      const through = await firstByte(agent, page, cookie);
      const without = await firstByte(agent, direct);
      if (through.status !== 200 || without.status !== 200) throw new Error(`a page answered ${through.status}`);
      if (count < WARM_UP) continue;
      product.push(through.ms);
      floor.push(without.ms);
    }
    const slower = (share: number) => at(product, share) - at(floor, share);
    console.log(
      `first byte of a page, ${REQUESTS} times: ${spread(product)}; without a link ${spread(floor)}; ` +
        `${goal('p50 of the difference', slower(0.5), GOAL_MS, 'ms')}, ` +
        `${goal('p95 of the difference', slower(0.95), GOAL_MS, 'ms')}; ${ratio(at(product, 0.5), at(floor, 0.5))}`,
    );
  } finally {
    agent.destroy();
    await world.end(linkId);
  }
}

/** Requests a page of this machine, whatever its name, and reads it to the end. */
function firstByte(
  agent: Agent,
  { host, port, pathname }: URL,
  cookie?: string,
): Promise<{ ms: number; status: number; cookies: string[] }> {
  return new Promise((resolve, reject) => {
    const from = performance.now();
    const headers = { host, ...(cookie === undefined ? {} : { cookie }) };
    get({ agent, host: '127.0.0.1', port, path: pathname, headers }, (response) => {
      const { statusCode: status = 0 } = response;
      let ms = Number.NaN;
      response.once('data', () => {
        ms = performance.now() - from;
      });
      response.on('data', () => undefined);
      response.on('end', () => resolve({ ms, status, cookies: response.headers['set-cookie'] ?? [] }));
    }).on('error', reject);
  });
}
