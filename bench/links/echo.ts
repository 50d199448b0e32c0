import { setTimeout as pause } from 'node:timers/promises';
import { linkEndpoints } from '@chargehand/contract';
import { publicKeyOf } from '../../apps/server/src/testing/cases/ground.ts';
import { seal } from '../../apps/server/src/testing/sign-in.ts';
import { at } from '../side-by-side.ts';
import { goal, ratio, spread } from './figures.ts';
import { openPage, openSsh } from './terminal.ts';
import type { LinkWorld } from './world.ts';

const WARM_UP = 100;
const KEYS = 500;
/** People press keys with pauses. Milliseconds. */
const BETWEEN_MS = 10;
/** A line has at most 1,000 characters. */
const LINE = 100;
const GOALS = { p50: 3, p95: 10 };

/** The echo of a key press, in turns with a bare `ssh` to the same shell. */
export async function measureEcho(world: LinkWorld): Promise<void> {
  const { root, base, url, session, direct } = world;
  const linkId = await world.open('ssh');
  const password = seal(await publicKeyOf(base.database.db), 'demo');
  const body = { userName: 'demo', password, cols: 80, rows: 24 };
  const { key } = await root.data(linkEndpoints.openTerminal, { params: { id: linkId }, body });
  const terminal = openPage(url, session.token, key);
  const bare = openSsh(direct.sshPort, direct.keyFile);
  try {
    await Promise.all([terminal.shows('$ '), bare.shows('$ ')]);
    const [product, floor]: [number[], number[]] = [[], []];
    for (let count = 0; count < WARM_UP + KEYS; count += 1) {
      for (const [side, times] of [
        [terminal, product],
        [bare, floor],
      ] as const) {
        if (count % LINE === 0) {
          side.type('\x15');
          await side.shows('$ ');
        }
        const from = performance.now();
        side.type('x');
        await side.shows('x');
        if (count >= WARM_UP) times.push(performance.now() - from);
        await pause(BETWEEN_MS);
      }
    }
    const p50 = at(product, 0.5);
    console.log(
      `echo of ${KEYS} keys: ${goal('p50 of the echo', p50, GOALS.p50, 'ms')}, ` +
        `${goal('p95 of the echo', at(product, 0.95), GOALS.p95, 'ms')}; ` +
        `bare ssh ${spread(floor)}; ${ratio(p50, at(floor, 0.5))}`,
    );
  } finally {
    terminal.close();
    bare.close();
    await world.end(linkId);
  }
}
