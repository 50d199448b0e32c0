import { ENDPOINTS, linkEndpoints, operationsEndpoints, streamEndpoints, systemEndpoints } from '@chargehand/contract';
import { JOB_NAMES, RETURN_ROUNDS, runsOnce } from '@chargehand/domain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LinkParams } from '../ports/devices/links.ts';
import type { Client } from '../testing/client.ts';
import { openStream } from '../testing/event-stream.ts';
import { eventually } from '../testing/eventually.ts';
import { connectRaw } from '../testing/gateways/gateway-testbed.ts';
import { connectPile } from '../testing/gateways/pile.ts';
import { openLink } from '../testing/links/link-device.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

let one: TestServer;
let other: Awaited<ReturnType<TestServer['startBeside']>>;
let staff: Client;
let device: { id: number; sn: string };
beforeAll(async () => {
  const links = { port: { number: 0, required: true }, host: undefined, proxyProtocol: false, days: 90 };
  // Only the other process accepts links.
  one = await startTestServer({ captcha: false, links: { ...links, port: null } }, { several: true });
  other = await one.startBeside({ links });
  staff = await one.as('vendorStaff');
  device = one.world.devices.northQuay1;
});
afterAll(() => one.stop());

const rows = async (text: string, values: unknown[] = []) => (await one.database.pool.query(text, values)).rows;
const stateOf = async (id: number) =>
  (await rows('select connected, node::int as node from device_states where device_id = $1', [id]))[0];
const openEvents = () => rows('select code from device_events where device_id = $1 and type = 0', [device.id]);
/** The device is offline, and the event of that is removed. */
async function forgotten(): Promise<void> {
  await eventually(
    () => stateOf(device.id),
    ({ connected }) => !connected,
  );
  await rows('delete from device_events where device_id = $1', [device.id]);
}
/** The epochs of both processes, the first one first. */
const epochs = async () => (await rows('select epoch::int as epoch from nodes order by epoch')).map((row) => row.epoch);

test('both processes are on the dashboard, and each job that runs once has run in one of them', async () => {
  await Promise.all([one.sweep(), other.sweep()]);
  const { processes } = await staff.data(systemEndpoints.readSystem, {});
  expect(processes).toHaveLength(2);
  const names = processes.map(({ name }) => name);
  const { items } = await staff.data(systemEndpoints.listJobs, {});
  const placed = items.filter(({ job }) => runsOnce(job));
  for (const { job, process } of placed) expect([job, names.includes(process ?? '')]).toEqual([job, true]);
  await Promise.all([one.sweep(), other.sweep()]);
  const ran = await rows('select job, count(distinct process)::int as processes from job_runs group by job');
  const twice = ran.filter(({ job, processes: count }) => count > 1 && runsOnce(job));
  expect(ran.length).toBeGreaterThan(0);
  expect(twice).toEqual([]);
  expect(placed.length).toBeLessThan(JOB_NAMES.length);
});

test('a device at one process is live in the consoles of the other, which sends it commands', async () => {
  const stream = await openStream(staff, streamEndpoints.stream.path);
  const point = await connectRaw(`${other.deviceUrl}/${device.sn}`);
  const isState = ({ data }: { data: unknown }) =>
    Object.entries(data as object).some(([topic, events]) => topic === 'device.state' && events[0][0] === device.id);
  for (let event = await stream.next(); !isState(event); event = await stream.next());
  await stream.close();
  const [, own] = await epochs();
  expect(await stateOf(device.id)).toEqual({ connected: true, node: own });

  const sent = staff.call(operationsEndpoints.sendCommand, { params: { id: device.id }, body: { kind: 'softReset' } });
  const [, executionId, action, payload] = await point.next();
  expect([action, payload]).toEqual(['Reset', { type: 'Soft' }]);
  point.send([3, executionId, { status: 'Accepted' }]);
  expect((await sent).code).toBe(0);
  await eventually(
    () => rows('select state from executions where id = $1', [executionId]),
    ([execution]) => execution.state === 'accepted',
  );
  point.socket.terminate();
  await forgotten();
});

test('a link that one process requests opens at another one with its key, outlives others, and ends from any of them', async () => {
  const root = await one.as('root');
  await rows('update device_models set ssh_support = true');
  const pile = await connectPile(one, device.sn);
  const [first, second] = await epochs();
  const requested = await eventually(
    () =>
      root.call(linkEndpoints.requestLink, {
        params: { id: device.id },
        body: { kind: 'ssh', reason: 'Test', port: 9 },
      }),
    // Until the process knows where links are accepted.
    ({ code }) => code === 0,
  );
  const { id } = requested.data as { id: number };
  const control = await pile.call(1);
  pile.answer(control.id, { status: 'Accepted' });
  const params = JSON.parse(String(control.payload.data)) as LinkParams;
  const linkOf = async () => (await rows('select state, node::int as node from links where id = $1', [id]))[0];
  // A process that starts or ends does not end links of others, nor those that wait for their device.
  await (await one.startBeside()).stop();
  expect([(await linkOf()).state === 'ended', (await linkOf()).node]).toEqual([false, null]);

  const connection = openLink('ssh', params);
  expect(await eventually(linkOf, ({ state }) => state === 'open')).toEqual({ state: 'open', node: second });
  expect(first).not.toBe(second);
  await other.sweep('linkCheck', 'lostLinks');
  await one.sweep('lostLinks');
  expect((await linkOf()).state).toBe('open');
  await root.data(linkEndpoints.destroyLink, { params: { id } });
  await other.sweep('linkCheck');
  await connection.exited;
  await pile.cut();
  await forgotten();
});

test('a device that waits at one process is in the list of the other one, and is admitted where it waits', async () => {
  const stranger = await connectRaw(`${other.deviceUrl}/WAIT-0001`);
  await stranger.call('BootNotification', { chargePointVendor: 'Vendor', chargePointModel: 'Model' });
  const root = await one.as('root');
  const { items } = await root.data(ENDPOINTS.listWaitingDevices, { query: { search: 'WAIT-0001' } });
  expect(items).toMatchObject([{ sn: 'WAIT-0001', vendor: 'Vendor' }]);
  const [registered] = await rows(
    `insert into devices (sn, name, device_model_id, site_id, customer_id)
     select 'WAIT-0001', 'Registered', device_model_id, site_id, customer_id from devices where id = $1 returning id`,
    [device.id],
  );
  await other.sweep('waitingDevices');
  const [, second] = await epochs();
  expect(
    await eventually(
      () => stateOf(registered.id),
      (state) => state?.connected === true,
    ),
  ).toEqual({ connected: true, node: second });
  stranger.socket.terminate();
});

test('a process whose lease was ended stores nothing any more and stops; its devices return without an event, and jobs move', async () => {
  const point = await connectRaw(`${other.deviceUrl}/${device.sn}`);
  await point.call('Heartbeat', {});
  const away = one.world.devices.northQuay2;
  const lost = await connectRaw(`${other.deviceUrl}/${away.sn}`);
  await lost.call('Heartbeat', {});
  const [first, second] = await epochs();
  // As another process does when it sees no renewals.
  await rows(`update nodes set ended_at = clock_timestamp(), end_reason = 'expired' where epoch = $1`, [second]);
  point.send([2, 'fenced', 'Heartbeat', {}]);
  expect(await other.lost).toBe('another process has ended it');
  const stored = await rows(`select from protocol_frames where message_id = 'fenced'`);
  expect(stored).toEqual([]);

  const back = await connectRaw(`${one.deviceUrl}/${device.sn}`);
  expect((await back.call('Heartbeat', {}))[0]).toBe(3);
  expect(await stateOf(device.id)).toEqual({ connected: true, node: first });
  for (let round = 0; round < RETURN_ROUNDS; round += 1) await one.sweep();
  // The other device had a minute, and did not return.
  expect([await stateOf(device.id), await stateOf(away.id)]).toEqual([
    { connected: true, node: first },
    { connected: false, node: second },
  ]);
  expect(await openEvents()).toEqual([]);
  await eventually(
    () => rows('select from job_leases where epoch = $1', [second]),
    (left) => left.length === 0,
  );
  for (const each of [point, lost, back]) each.socket.terminate();
});
