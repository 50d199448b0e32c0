import { linkEndpoints, TERMINAL_PATH, TOKEN_COOKIE } from '@chargehand/contract';
import WebSocket from 'ws';
import type { LinkParams } from '../../ports/devices/links.ts';
import { publicKeyOf } from '../cases/ground.ts';
import { client, openSession } from '../client.ts';
import { eventually } from '../eventually.ts';
import { connectPile } from '../gateways/pile.ts';
import type { TestServer } from '../server.ts';
import { seal } from '../sign-in.ts';
import type { Person } from '../world.ts';
import { deviceShell } from './device-shell.ts';
import { openLink } from './link-device.ts';

const { requestLink, readLink, openTerminal } = linkEndpoints;

/** A page with the WebSocket of a terminal. */
export interface TerminalSocket {
  socket: WebSocket;
  /** the output */
  text(): string;
  /** the length of the output */
  bytes(): number;
  /** the text messages */
  messages: Record<string, unknown>[];
  say(message: object | string): void;
  /** the close code, or the status that refused it */
  closed: Promise<number>;
}

/** Opens a WebSocket with a key. */
export function openTerminalSocket(
  server: Pick<TestServer, 'url'>,
  path: string,
  key: string,
  headers: Record<string, string>,
): TerminalSocket {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}${path}/${key}`, {
    headers: { origin: server.url, ...headers },
  });
  let output: Buffer[] = [];
  const messages: Record<string, unknown>[] = [];
  socket.on('message', (data, binary) => {
    if (binary) {
      output.push(data as Buffer);
      return;
    }
    const message = JSON.parse(String(data));
    if (message.screen) output = [];
    messages.push(message);
  });
  let status = 0;
  socket.on('unexpected-response', (_request, response) => {
    status = response.statusCode ?? 0;
    socket.terminate();
  });
  socket.on('error', () => undefined);
  const closed = new Promise<number>((resolve) => socket.on('close', (code) => resolve(status || code)));
  return {
    ...{ socket, messages, closed },
    bytes: () => output.reduce((sum, { length }) => sum + length, 0),
    text: () => String(Buffer.concat(output)),
    say: (message) =>
      typeof message === 'string' ? socket.send(Buffer.from(message)) : socket.send(JSON.stringify(message)),
  };
}

/**
 * Opens a link to a device of the test data with a real `ssh`, for terminals in it. `onTheWay` changes what the device
 * gets with control 7.
 */
export async function openTerminals(
  server: TestServer,
  onTheWay: (params: LinkParams) => Promise<Partial<LinkParams>> = async () => ({}),
) {
  const shell = await deviceShell();
  await server.database.pool.query('update device_models set ssh_support = true');
  const { id, sn } = server.world.devices.northQuay1;
  const pile = await connectPile(server, sn);
  const session = await openSession(server.database.db, server.world.users.root);
  const host = client(server.url, session);
  const body = { kind: 'ssh', reason: 'Test', port: shell.port } as const;
  const link = await host.data(requestLink, { params: { id }, body });
  const control = await pile.call(1);
  pile.answer(control.id, { status: 'Accepted' });
  const params = JSON.parse(String(control.payload.data));
  const device = openLink('ssh', params, await onTheWay(params));
  await eventually(
    () => host.data(readLink, { params: { id: link.id } }),
    ({ state }) => state === 'open',
  );
  return {
    linkId: link.id,
    ...{ pile, device },
    host,
    session,
    /** Opens a terminal of the user who requested the link. */
    async open(): Promise<TerminalSocket & { id: number }> {
      const password = seal(await publicKeyOf(server.database.db), '充电');
      const size = { cols: 80, rows: 24 };
      const opened = await host.data(openTerminal, {
        ...{ params: { id: link.id }, body: { userName: 'admin', password, ...size } },
      });
      const headers = { cookie: `${TOKEN_COOKIE}=${session.token}` };
      const page = openTerminalSocket(server, TERMINAL_PATH, opened.key, headers);
      return { ...page, id: opened.id };
    },
    /** Signs in another person. */
    async as(person: Person) {
      const own = await openSession(server.database.db, server.world.users[person]);
      return { ...client(server.url, own), cookie: `${TOKEN_COOKIE}=${own.token}` };
    },
    async stop() {
      await device.stop();
      await pile.cut();
      shell.close();
    },
  };
}
