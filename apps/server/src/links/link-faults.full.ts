import { linkEndpoints } from '@chargehand/contract';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Client, client, openSession } from '../testing/client.ts';
import { eventually } from '../testing/eventually.ts';
import { openDatabaseWay } from '../testing/faults/database-way.ts';
import { type Killable, killable } from '../testing/faults/killable.ts';
import { freePort } from '../testing/free-port.ts';
import { connectPile } from '../testing/gateways/pile.ts';
import { echoService, openLink, SSH_CLIENTS, type SshClient } from '../testing/links/link-device.ts';
import type { Program } from '../testing/program.ts';

const PORT = await freePort();
const LINKS_PORT = await freePort();
const { requestLink, readLink, listLinks, destroyLink } = linkEndpoints;

let ground: Killable;
let session: { token: string; csrf: string };
beforeAll(async () => {
  ground = await killable(PORT, { settings: { CHARGEHAND_LINKS_PORT: String(LINKS_PORT) } });
  await ground.database.pool.query('update device_models set ssh_support = true');
  session = await openSession(ground.database.db, ground.world.users.root);
});
afterAll(() => ground.end());

/** A device with an open link. */
async function open({ url }: Program, sshClient: SshClient) {
  const echo = await echoService();
  const root: Client = client(url, session);
  const { id, sn } = ground.world.devices.northQuay1;
  const pile = await connectPile({ port: PORT }, sn);
  const body = { kind: 'ssh', reason: 'Test', port: echo.port } as const;
  const { data } = await eventually(
    () => root.call(requestLink, { params: { id }, body }),
    ({ code }) => code === 0,
    { what: 'the device to be connected' },
  );
  const control = await pile.call(1);
  pile.answer(control.id, { status: 'Accepted' });
  const device = openLink(sshClient, JSON.parse(String(control.payload.data)));
  onTestFinished(async () => {
    await device.stop();
    await pile.cut();
    echo.close();
    await ground.stop();
  });
  const linkId = (data as { id: number }).id;
  await eventually(
    () => root.data(readLink, { params: { id: linkId } }),
    ({ state }) => state === 'open',
    { what: 'the link to open' },
  );
  return { root, device, linkId };
}

test.each(SSH_CLIENTS)('when the server is killed, %s exits, and its link is lost', async (name) => {
  const killed = await ground.start();
  const { device, linkId } = await open(killed, name);
  await killed.kill();
  await device.exited;
  const root = client((await ground.start()).url, session);
  expect(await root.data(readLink, { params: { id: linkId } })).toMatchObject({ state: 'ended', end: 'lost' });
  expect((await root.data(listLinks, { query: {} })).items).toEqual([]);
});

test('a link stays open while the database does not answer, and can then be ended', async () => {
  const way = await openDatabaseWay(ground.database.url);
  onTestFinished(() => way.close());
  const program = await ground.start(way.url);
  const { root, device, linkId } = await open(program, 'ssh');
  way.freeze();
  const readiness = () => fetch(`${program.url}/readyz`).then(({ ok }) => ok);
  await eventually(readiness, (ready) => !ready, { what: 'the server to notice the outage' });
  way.thaw();
  await eventually(readiness, (ready) => ready, { what: 'the server to be ready' });
  expect(await root.data(readLink, { params: { id: linkId } })).toMatchObject({ state: 'open', end: null });
  expect(await root.data(destroyLink, { params: { id: linkId } })).toMatchObject({ end: 'destroyed' });
  await device.exited;
});
