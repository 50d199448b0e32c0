import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { connectDatabase } from '../platform/database/connect.ts';
import { runningDatabase } from '../platform/database/embedded/embedded.ts';
import { connectRaw } from '../testing/gateways/gateway-testbed.ts';
import { type Program, startProgram } from '../testing/program.ts';

/** Below the range of ephemeral ports, so that no client socket takes it. */
const PORT = '19751';

let folder: string;
let program: Program;
const start = () =>
  startProgram(
    { PORT, CHARGEHAND_PROCESSES: '2', CHARGEHAND_DATA: folder, CHARGEHAND_MQTT: 'off', CHARGEHAND_PROBE: 'off' },
    { built: true },
  );
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chargehand-two-'));
  program = await start();
  const database = connectDatabase((await runningDatabase(folder))!, { max: 1 });
  await database.pool.query(
    `with model as (select id from device_models order by id limit 1),
          customer as (insert into customers (code, name) values ('two', 'Two') returning id),
          site as (insert into sites (customer_id, code, name) select id, 'two', 'Two' from customer returning id, customer_id)
     insert into devices (sn, name, device_model_id, site_id, customer_id)
     select 'TWO-1', 'Two', model.id, site.id, site.customer_id from model, site`,
  );
  await database.close();
  // The console answers before the gateway process runs.
  await vi.waitFor(async () => expect(await pidOf('gateway')).toBeGreaterThan(0), { timeout: 60_000, interval: 200 });
  (await vi.waitFor(connect, { timeout: 60_000, interval: 500 })).socket.terminate();
}, 240_000);
afterAll(async () => {
  if (program?.exitCode() === null) await program.stop().catch(() => undefined);
  await rm(folder, { recursive: true, force: true });
}, 60_000);

/** The process ID of one of the processes, or NaN, with which `process.kill` throws: 0 would be the group of this test. */
const pidOf = async (name: string) =>
  Number(
    await readFile(join(folder, ...(name === 'gateway' ? ['processes', name] : []), 'server.pid'), 'utf8').catch(
      () => 'none',
    ),
  );
const connect = () => connectRaw(`ws://127.0.0.1:${PORT}/ocpp/TWO-1`);
/** The longest time of requests during `work`. Milliseconds. */
async function longest(request: () => Promise<unknown>, work: Promise<void>): Promise<number> {
  let over = false;
  void work.finally(() => {
    over = true;
  });
  let most = 0;
  while (!over) {
    const began = performance.now();
    await request();
    most = Math.max(most, performance.now() - began);
    await wait(20);
  }
  return most;
}
/** Stops a process as a document or a frame would that takes two seconds of CPU. */
async function busy(name: string): Promise<void> {
  const pid = await pidOf(name);
  process.kill(pid, 'SIGSTOP');
  await wait(2_000);
  process.kill(pid, 'SIGCONT');
}

test('devices connect to the port of the console, and neither side waits for the other', async () => {
  const device = await connect();
  expect(await device.call('Heartbeat', {})).toMatchObject([3, expect.any(String), {}]);
  expect(await longest(() => device.call('Heartbeat', {}), busy('api'))).toBeLessThan(1_000);
  const page = async () => expect((await fetch(`http://127.0.0.1:${PORT}/healthz`)).status).toBe(200);
  expect(await longest(page, busy('gateway'))).toBeLessThan(1_000);
  device.socket.terminate();
}, 120_000);

test('a process that is killed runs again', async () => {
  const former = await pidOf('gateway');
  process.kill(former, 'SIGKILL');
  await vi.waitFor(async () => expect(await pidOf('gateway')).not.toBe(former), { timeout: 30_000, interval: 200 });
  const device = await vi.waitFor(connect, { timeout: 60_000, interval: 500 });
  expect(await device.call('Heartbeat', {})).toMatchObject([3, expect.any(String), {}]);
  device.socket.terminate();
}, 120_000);

test('both end with their launcher, and so does the database', async () => {
  await program.stop();
  expect(program.exitCode()).toBe(0);
  const lines = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split('\n');
  expect(lines.filter((line) => line.includes(folder))).toEqual([]);
  for (const name of ['api', 'gateway']) {
    const pid = await pidOf(name);
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  }
}, 120_000);
