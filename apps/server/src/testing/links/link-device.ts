import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { LinkParams } from '../../ports/devices/links.ts';
import { soon } from '../within.ts';

const SCRIPT = fileURLToPath(new URL('../../../../../docs/remote-links/chargehand-link.sh', import.meta.url));

/** The SSH clients of devices, as Debian has them. */
export const SSH_CLIENTS = ['ssh', 'dbclient'] as const;
export type SshClient = (typeof SSH_CLIENTS)[number];

/** A device that runs the script of the documentation. */
export interface LinkDevice {
  /** Resolves with its exit code. */
  exited: Promise<number>;
  /** what the client wrote */
  output(): string;
  stop(): Promise<void>;
  /** Kills the script, and not its client. */
  kill(): void;
}

/**
 * Runs the script for control 7. Values that a test changes replace those of the server. With a file of keys, the
 * device accepts the key of the link.
 */
export function openLink(
  client: SshClient,
  params: LinkParams,
  changes: Partial<LinkParams> = {},
  keys: { file: string; server: 'openssh' | 'dropbear' } | null = null,
): LinkDevice {
  const { host, port, hostKey, user, ticket, forwards, seconds, authorizedKey = '' } = { ...params, ...changes };
  const script: ChildProcess = spawn('sh', [SCRIPT], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      LINK_HOST: host,
      LINK_PORT: String(port),
      LINK_HOST_KEY: hostKey,
      LINK_USER: user,
      LINK_TICKET: ticket,
      LINK_FORWARDS: forwards.map(({ listen, to }) => `${listen}:${to}`).join(' '),
      ...(keys
        ? {
            ...{ LINK_KEY: authorizedKey, LINK_SECONDS: String(seconds) },
            ...{ LINK_AUTHORIZED_KEYS: keys.file, LINK_SERVER: keys.server },
          }
        : {}),
      // A name that no program has: the script uses dropbear.
      ...(client === 'dbclient' ? { LINK_SSH: 'no-openssh' } : {}),
    },
  });
  let output = '';
  for (const stream of [script.stdout, script.stderr]) {
    stream?.on('data', (data) => {
      output += String(data);
    });
  }
  const exited = soon(
    `the end of ${client}`,
    once(script, 'close').then(([code]) => Number(code ?? -1)),
  );
  return {
    exited,
    output: () => output,
    kill: () => void script.kill('SIGKILL'),
    async stop() {
      if (script.exitCode === null) script.kill('SIGTERM');
      await exited;
    },
  };
}

/** A service on a device that returns what it receives. */
export async function echoService(): Promise<{ port: number; close(): void }> {
  const server: Server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.pipe(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
}
