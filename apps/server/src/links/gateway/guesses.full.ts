import { randomBytes } from 'node:crypto';
import { linkEndpoints } from '@chargehand/contract';
import ssh2 from 'ssh2';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { client, openSession } from '../../testing/client.ts';
import { eventually } from '../../testing/eventually.ts';
import { freePort } from '../../testing/free-port.ts';
import { connectPile } from '../../testing/gateways/pile.ts';
import { openLink } from '../../testing/links/link-device.ts';
import { type MeteredServer, startMeteredServer } from '../../testing/stalls/metered-server.ts';

const { requestLink, readLink } = linkEndpoints;
const PORT = await freePort();
const LINKS_PORT = await freePort();
/** From one address, from 250 others, and again from those. */
const GUESSES = { one: 1_000, many: 2_000, further: 7_000 };
const STALL_MS = 50;
/** Growth while the same attack goes on. */
const GROWTH_BYTES = 128 * 1024 * 1024;
const LOG_LINES = 100;

let server: MeteredServer;
beforeAll(async () => {
  server = await startMeteredServer(PORT, { CHARGEHAND_LINKS_PORT: String(LINKS_PORT) });
  await server.database.pool.query('update device_models set ssh_support = true');
});
afterAll(() => server.stop());

/** Guesses in one connection until the server closes it. Resolves with the number of guesses. */
function guess(localAddress: string, username: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  let sent = 0;
  const guesser = new ssh2.Client();
  guesser.on('error', () => undefined);
  guesser.on('ready', () => reject(new Error('a guess was right')));
  guesser.on('close', () => resolve(sent));
  guesser.connect({
    ...{ host: '127.0.0.1', port: LINKS_PORT, localAddress, username, readyTimeout: 60_000 },
    authHandler(_left, _partial, next) {
      sent += 1;
      next({ type: 'password', username, password: randomBytes(24).toString('base64url') });
    },
  });
  return promise;
}

/** Guesses in several connections at a time. */
async function attack(count: number, connections: number, next: (number: number) => [from: string, user: string]) {
  let [sent, number] = [0, 0];
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (sent < count) {
        number += 1;
        const guessed = await guess(...next(number));
        sent += guessed;
      }
    }),
  );
  return sent;
}

test('10,000 guesses are refused, and a device gets in meanwhile', async () => {
  const { program, database, world } = server;
  const root = client(program.url, await openSession(database.db, world.users.root));
  const { id: deviceId, sn } = world.devices.northQuay1;
  const pile = await connectPile({ port: PORT }, sn);
  const request = () => root.call(requestLink, { params: { id: deviceId }, body: { kind: 'ssh', reason: 'Test' } });
  const { data } = await eventually(request, ({ code }) => code === 0, { what: 'the device to be connected' });
  const { id } = data as { id: number };
  const control = await pile.call(1);
  pile.answer(control.id, { status: 'Accepted' });
  const params = JSON.parse(String(control.payload.data));
  const rows = async () => (await database.pool.query('select count(*)::int as n from action_logs')).rows[0].n;
  const before = await rows();
  await program.stalls();

  // The name of the link, and of others that do not exist.
  const fromMany = (count: number) =>
    attack(count, 60, (number) => [`127.0.2.${1 + (number % 250)}`, `${sn}.${id + (number % 7)}`]);
  const attacks = [attack(GUESSES.one, 20, (number) => ['127.0.3.1', `${sn}.${number}`]), fromMany(GUESSES.many)];
  const device = openLink('ssh', params);
  const state = async () => (await root.data(readLink, { params: { id } })).state;
  await eventually(state, (now) => now === 'open', { what: 'the link to open during the attack' });
  let sent = 0;
  for (const count of await Promise.all(attacks)) sent += count;
  const memory = await program.memoryDuring(async () => {
    sent += await fromMany(GUESSES.further);
  });
  expect(await state()).toBe('open');
  await device.stop();

  expect(sent).toBeGreaterThanOrEqual(GUESSES.one + GUESSES.many + GUESSES.further);
  expect((await program.stalls()).p99).toBeLessThan(STALL_MS);
  expect(memory.peak - memory.before).toBeLessThan(GROWTH_BYTES);
  const lines = program.output().split('\n').length;
  expect(program.output()).toContain('the ticket or key of a link was refused');
  expect(lines).toBeLessThan(LOG_LINES);
  // The end of the link is in the log of actions, and no guess.
  expect((await rows()) - before).toBeLessThan(5);
  await pile.cut();
}, 180_000);
