import { once } from 'node:events';
import { connect } from 'node:net';
import { CODES } from '@chargehand/contract';
import ssh2, { type AuthContext, type ServerConfig } from 'ssh2';
import { afterEach, expect, test } from 'vitest';
import { systemClock } from '../../platform/clock.ts';
import { newHostKey } from '../index.ts';
import { signInToDevice } from './device-sign-in.ts';

const servers: ssh2.Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** An SSH server, and the attempts to sign in to it. */
async function device(
  decide: (context: AuthContext) => void,
  settings: Partial<ServerConfig> = {},
  shells = true,
): Promise<{ port: number; attempts: string[] }> {
  const attempts: string[] = [];
  const server = new ssh2.Server({ hostKeys: [newHostKey()], ...settings }, (client) => {
    client.on('error', () => undefined);
    client.on('authentication', (context) => {
      attempts.push(context.method);
      decide(context);
    });
    client.on('session', (accept) => {
      const session = accept();
      session.on('pty', (acceptPty) => acceptPty());
      session.on('shell', (acceptShell) => shells && acceptShell());
    });
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as { port: number }).port, attempts };
}

async function signIn(port: number, clock = systemClock) {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const user = { userName: 'admin', password: 'right', size: { cols: 80, rows: 24 } };
  const signedIn = await signInToDevice(socket, user, { clock, port });
  signedIn.client.end();
  return signedIn.banner;
}

const codeOf = (port: number, clock = systemClock) =>
  signIn(port, clock).catch((error) => error.envelope('en-US').code as number);

/** Asks for user name and password, as PAM does. */
const asks = (answers: string[]) => (context: AuthContext) => {
  if (context.method !== 'keyboard-interactive') return context.reject(['keyboard-interactive']);
  const questions = [
    { prompt: 'User: ', echo: true },
    { prompt: 'Password: ', echo: false },
  ];
  context.prompt(questions, (given) => {
    answers.push(...given);
    if (given.join() === 'admin,right') context.accept();
    else context.reject(['keyboard-interactive']);
  });
};

test('a device that asks questions gets user name and password, and shows its banner', async () => {
  const answers: string[] = [];
  const { port, attempts } = await device(asks(answers), { banner: 'Authorized users only' });
  expect(await signIn(port)).toContain('Authorized users only');
  expect([answers, attempts]).toEqual([
    ['admin', 'right'],
    ['none', 'keyboard-interactive'],
  ]);
});

test('a wrong password is one attempt', async () => {
  const { port, attempts } = await device((context) => context.reject(['keyboard-interactive', 'password']));
  expect(await codeOf(port)).toBe(CODES.terminalSignIn.code);
  expect(attempts).toEqual(['none', 'password']);
});

test('a device with an old SSH server is accepted', async () => {
  const algorithms = {
    kex: ['diffie-hellman-group1-sha1'],
    cipher: ['aes128-cbc'],
    hmac: ['hmac-md5'],
  } as unknown as NonNullable<ServerConfig['algorithms']>;
  const { port } = await device((context) => context.accept(), { algorithms });
  expect(await signIn(port)).toBe('');
});

test('a device that accepts the sign-in and never starts a shell is given up', async () => {
  const { port } = await device((context) => context.accept(), {}, false);
  const clock = {
    ...systemClock,
    after: (_ms: number, work: () => void) => {
      queueMicrotask(work);
      return () => undefined;
    },
  };
  expect(await codeOf(port, clock)).toBe(CODES.terminalFailed.code);
});
