import { linkEndpoints, TERMINAL_PATH, TOKEN_COOKIE } from '@chargehand/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import WebSocket from 'ws';
import { publicKeyOf } from '../../testing/cases/ground.ts';
import { client, openSession } from '../../testing/client.ts';
import { eventually } from '../../testing/eventually.ts';
import { type Killable, killable } from '../../testing/faults/killable.ts';
import { freePort } from '../../testing/free-port.ts';
import { connectPile } from '../../testing/gateways/pile.ts';
import { deviceShell } from '../../testing/links/device-shell.ts';
import { openLink } from '../../testing/links/link-device.ts';
import { seal } from '../../testing/sign-in.ts';

const PORT = await freePort();
const LINKS_PORT = await freePort();
const { requestLink, readLink, openTerminal, listRecordings, checkRecording } = linkEndpoints;

let ground: Killable;
let shell: Awaited<ReturnType<typeof deviceShell>>;

beforeAll(async () => {
  ground = await killable(PORT, { settings: { CHARGEHAND_LINKS_PORT: String(LINKS_PORT) } });
  shell = await deviceShell();
});
afterAll(async () => {
  shell.close();
  await ground.end();
});

test('the recording of a terminal is complete up to the second in which the server was killed, and its link is lost', async () => {
  const { database, world } = ground;
  let program = await ground.start();
  const session = await openSession(database.db, world.users.root);
  const root = client(program.url, session);
  await database.pool.query('update device_models set ssh_support = true');
  const { id, sn } = world.devices.northQuay1;
  const pile = await connectPile({ port: PORT }, sn);
  const body = { kind: 'ssh', reason: 'Test', port: shell.port } as const;
  const link = await root.data(requestLink, { params: { id }, body });
  const control = await pile.call(1);
  pile.answer(control.id, { status: 'Accepted' });
  const device = openLink('ssh', JSON.parse(String(control.payload.data)));
  const params = { id: link.id };
  await eventually(
    () => root.data(readLink, { params }),
    ({ state }) => state === 'open',
  );
  const password = seal(await publicKeyOf(database.db), '充电');
  const { key } = await root.data(openTerminal, {
    params,
    body: { userName: 'admin', password, cols: 80, rows: 24 },
  });
  const socket = new WebSocket(`${program.url.replace('http', 'ws')}${TERMINAL_PATH}/${key}`, {
    headers: { origin: program.url, cookie: `${TOKEN_COOKIE}=${session.token}` },
  });
  socket.on('error', () => undefined);
  socket.on('open', () => socket.send(Buffer.from('reboot now\n')));
  const [begun] = (await root.data(listRecordings, { params })).items;
  const path = `/api/auth/sys/links/${link.id}/recordings/${begun!.id}/output`;
  const output = async () => await (await root.fetch(path)).text();
  await eventually(output, (text) => text.includes('reboot now'), { what: 'the stored output' });
  await program.kill();
  await device.exited;
  await pile.cut();
  program = await ground.start();

  expect(await root.data(readLink, { params })).toMatchObject({ state: 'ended', end: 'lost' });
  const [recording] = (await root.data(listRecordings, { params })).items;
  expect(recording).toMatchObject({ id: begun!.id, userName: 'admin', endedAt: null, end: null });
  const of = { params: { ...params, recordingId: begun!.id } };
  expect(await output()).toContain('reboot now');
  expect(await root.data(checkRecording, of)).toEqual({ seal: 'unchanged' });
});
