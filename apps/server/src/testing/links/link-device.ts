import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
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
  /** Resolves with its exit code, or rejects a minute after it was read: a link lasts as long as its test. */
  readonly exited: Promise<number>;
  /** what the client wrote */
  output(): string;
  stop(): Promise<void>;
  /** Kills the script, and not its client. */
  kill(): void;
  /** Kills its client, and not the script. */
  killClient(): void;
}

/**
 * Runs the script for control 7. Values that a test changes replace those of the server. With a file of keys, the
 * device accepts the key of the link. With `aliveSeconds`, it checks the connection more often than each 15 seconds.
 */
export function openLink(
  client: SshClient,
  params: LinkParams,
  changes: Partial<LinkParams> & { ssh?: string } = {},
  keys: { file: string; server: 'openssh' | 'dropbear' } | null = null,
  aliveSeconds: number | null = null,
): LinkDevice {
  const { host, port, hostKey, hostKeys = [hostKey], ...rest } = { ...params, ...changes };
  const { user, ticket, forwards, seconds, authorizedKey = '' } = rest;
  const text = readFileSync(SCRIPT, 'utf8').replace(/(?<=ServerAliveInterval=|-K )15/g, String(aliveSeconds));
  const script: ChildProcess = spawn('sh', aliveSeconds === null ? [SCRIPT] : ['-c', text], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      LINK_HOST: host,
      LINK_PORT: String(port),
      LINK_HOST_KEY: hostKey,
      LINK_HOST_KEYS: hostKeys.join('\n'),
      ...(changes.ssh === undefined ? {} : { LINK_SSH: changes.ssh }),
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
  const closed = once(script, 'close').then(([code]) => Number(code ?? -1));
  const exited = () => soon(`the end of ${client}`, closed);
  return {
    get exited() {
      return exited();
    },
    output: () => output,
    kill: () => void script.kill('SIGKILL'),
    killClient() {
      const children = readFileSync(`/proc/${script.pid}/task/${script.pid}/children`, 'utf8').trim().split(' ');
      const isClient = (pid: string) => readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === client;
      process.kill(Number(children.find(isClient)), 'SIGKILL');
    },
    async stop() {
      if (script.exitCode === null) script.kill('SIGTERM');
      await exited();
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
