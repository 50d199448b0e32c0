// What applications cost while a fleet reports: CPU of the server and the database for each value, without applications
// and with five that have a webhook for every type of event, in turns. node bench/ingest/applications.ts [--piles 1000]
// [--items 40] [--interval 6] [--seconds 20] [--rounds 3]
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { OPEN_EVENT_TYPES, OPEN_OPERATIONS } from '@chargehand/contract';
import { secretBox } from '../../apps/server/src/platform/secret-box.ts';
import { cpuSeconds, startBench } from '../gateway/servers.ts';
import { BENCH_KEY } from './key.ts';

const { values: options } = parseArgs({
  options: {
    piles: { type: 'string', default: '1000' },
    items: { type: 'string', default: '40' },
    interval: { type: 'string', default: '6' },
    seconds: { type: 'string', default: '20' },
    rounds: { type: 'string', default: '3' },
  },
});
const APPLICATIONS = 5;
/** The most CPU for each value with applications, compared with none. */
const GOAL = 1.05;

let received = 0;
const receiver = createServer((request, response) => {
  received += 1;
  request.resume().on('end', () => response.end());
});
receiver.listen(0, '127.0.0.1');
await once(receiver, 'listening');
const hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;

const bench = await startBench(Number(options.piles));
await bench.query(`
  insert into users (user_name, email, password_hash, customer_id, root)
  select 'bench', 'bench@example.org', 'none', id, true from customers where code = 'bench'`);
const server = fork(join(import.meta.dirname, 'server.ts'), ['0'], {
  env: { ...process.env, DATABASE_URL: bench.urls.product },
  execArgv: ['--expose-gc'],
});
let missed = true;
try {
  const [{ port }] = (await once(server, 'message')) as [{ port: number }];
  const address = `ws://127.0.0.1:${port}/ocpp`;
  const fleet = fork(join(import.meta.dirname, 'simulator.ts'), [address, options.piles, options.items]);
  await once(fleet, 'message');
  const interval = Number(options.interval) * 1_000;
  fleet.send({ interval });
  await wait(2 * interval);

  const costs: Record<'none' | 'some', number[]> = { none: [], some: [] };
  for (let round = 0; round < Number(options.rounds); round += 1) {
    costs.none.push(await measure());
    await addApplications();
    const before = received;
    costs.some.push(await measure());
    const { rows } = await bench.query<{ events: number; waiting: number }>(`
      select (select count(*)::int from open_events) as events,
             (select count(*)::int from webhook_deliveries where state = 'waiting') as waiting`);
    const [{ events, waiting } = { events: 0, waiting: 0 }] = rows;
    console.log(`  round ${round + 1}: ${events} events, ${received - before} deliveries, ${waiting} wait`);
    await bench.query('delete from applications; delete from open_events');
  }
  const [none, some] = [Math.min(...costs.none), Math.min(...costs.some)];
  const shown = (cost: number) => `${(cost * 1_000).toFixed(3)} CPU s per 1,000 values`;
  console.log(`no applications: ${shown(none)}; ${APPLICATIONS} with webhooks: ${shown(some)}`);
  console.log(`  ratio ${(some / none).toFixed(3)} (goal ${GOAL})`);
  missed = some / none > GOAL;
  fleet.kill('SIGTERM');
  await once(fleet, 'exit');
} finally {
  server.kill('SIGKILL');
  receiver.closeAllConnections();
  receiver.close();
  await bench.stop();
}
process.exit(missed ? 1 : 0);

/** CPU seconds of the server and the database for each stored value. */
async function measure(): Promise<number> {
  const now = async () => {
    const answer = once(server, 'message');
    server.send('figures');
    const [{ values }] = (await answer) as [{ values: number }];
    return { values, cpu: cpuSeconds(server.pid ?? 0) + bench.databaseCpu() };
  };
  const before = await now();
  await wait(Number(options.seconds) * 1_000);
  const after = await now();
  return (after.cpu - before.cpu) / (after.values - before.values);
}

async function addApplications(): Promise<void> {
  const list = (texts: readonly string[]) => `'{${texts.join(',')}}'`;
  await bench.query(`
    with added as (
      insert into applications (name, name_key, app_id, user_id, rate_limit, allowed_operations)
      select 'Bench ' || n, 'bench ' || n, 'app_' || n, u.id, 600, ${list(Object.keys(OPEN_OPERATIONS))}
        from users u, generate_series(1, ${APPLICATIONS}) n where u.user_name = 'bench' returning id
    )
    insert into application_webhooks (application_id, url, events, secret)
    select id, '${hook}', ${list(OPEN_EVENT_TYPES)}, '${secretBox(BENCH_KEY).close('whsec_YmVuY2g=')}' from added`);
}
