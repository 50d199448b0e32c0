import { KeyObject } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type Duplex, Writable } from 'node:stream';
import ssh2, { type AlgorithmList, type CipherAlgorithm, type Connection } from 'ssh2';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLink, SSH_CLIENTS } from '../../testing/links/link-device.ts';
import { soon } from '../../testing/within.ts';
import { newHostKey } from '../index.ts';
import { fastPackets, joinPackets, joinWrites } from './fast-ssh.ts';

const hostKey = newHostKey();
let connection: Connection;
const { promise: shellOfServer, resolve: onShell } = Promise.withResolvers<Duplex>();
// The ciphers of the gateway.
const cipher: AlgorithmList<CipherAlgorithm> = { remove: ['chacha20-poly1305@openssh.com'], append: [], prepend: [] };
const server = new ssh2.Server({ hostKeys: [hostKey], algorithms: { cipher } }, (accepted) => {
  connection = accepted;
  fastPackets(accepted);
  accepted.on('error', () => undefined);
  accepted.on('authentication', (context) => context.accept());
  accepted.on('session', (accept) => accept().on('shell', (acceptShell) => onShell(acceptShell())));
});
let port = 0;

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => server.close());

/** The keys of a connection, by the names that this version of ssh2 gives them. */
function keysOf(one: object): unknown[] {
  const { _cipher, _decipher } = (one as { _protocol: Record<string, Record<string, unknown>> })._protocol;
  const of = (part: Record<string, unknown> = {}) => Object.entries(part).filter(([name]) => /Key$/.test(name));
  return [...of(_cipher), ...of(_decipher)].map(([, key]) => key);
}

test.each(['aes128-gcm@openssh.com', 'aes128-ctr'] as const)(
  '%s: keys are prepared once for all packets',
  async (cipher) => {
    const client = new ssh2.Client();
    fastPackets(client);
    client.connect({ host: '127.0.0.1', port, username: 'one', algorithms: { cipher: [cipher] } });
    await once(client, 'ready');
    for (let exchange = 0; exchange < 2; exchange += 1) {
      for (const side of [client, connection]) {
        expect(keysOf(side)).toHaveLength(2);
        expect(keysOf(side).every((key) => key instanceof KeyObject)).toBe(true);
      }
      await soon('other keys', new Promise((resolve) => connection.rekey(() => resolve(undefined))));
    }
    client.end();
  },
);

test('what is written in one turn is one packet of a channel, and one write of a socket', async () => {
  const client = new ssh2.Client();
  client.connect({ host: '127.0.0.1', port, username: 'one' });
  await once(client, 'ready');
  const shell = await new Promise<Duplex>((resolve, reject) => {
    client.shell(false, (error, channel) => (error ? reject(error) : resolve(channel)));
  });
  const packets: string[] = [];
  shell.on('data', (data) => packets.push(String(data)));
  const channel = joinPackets(await shellOfServer);
  for (const text of ['length', 'content', 'mac']) channel.write(text);
  await soon('the packet', once(shell, 'data'));
  channel.write('next');
  channel.end('end');
  await soon('the end', once(shell, 'end'));
  expect(packets).toEqual(['lengthcontentmac', 'nextend']);
  client.end();

  const writes: number[] = [];
  const socket = new Writable({
    write: (_chunk, _encoding, done) => done(writes.push(1) < 0 ? new Error() : null),
    writev: (chunks, done) => done(writes.push(chunks.length) < 0 ? new Error() : null),
  });
  joinWrites(socket);
  for (const text of ['length', 'content', 'mac']) socket.write(text);
  await soon('the write', once(socket.end(), 'finish'));
  expect(writes).toEqual([3]);
});

test.each(SSH_CLIENTS)('the script opens links of %s with the fastest cipher that it has', async (program) => {
  const key = ssh2.utils.parseKey(hostKey);
  if (key instanceof Error) throw key;
  const negotiated = new Promise((resolve) => {
    server.once('connection', (accepted) =>
      accepted.once('handshake', ({ cs, sc }) => resolve([cs.cipher, sc.cipher])),
    );
  });
  const device = openLink(program, {
    ...{ link: 1, host: '127.0.0.1', port, hostKey: `${key.type} ${key.getPublicSSH().toString('base64')}` },
    ...{ user: 'one', ticket: 'two', forwards: [], endsAt: new Date().toISOString(), seconds: 60 },
  });
  const expected = program === 'ssh' ? 'aes128-gcm@openssh.com' : 'aes128-ctr';
  expect(await soon('the handshake', negotiated)).toEqual([expected, expected]);
  await device.stop();
});
