import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { LOG } from './commands.ts';
import { type RemoteDevice, SHELL_USER } from './device.ts';
import { Disk } from './disk.ts';
import { type LocalServer, startSshServer } from './ssh-server.ts';
import { startWebPage } from './web-page.ts';

/** The script that the documentation gives to manufacturers. */
const SCRIPT = fileURLToPath(new URL('../../../../docs/remote-links/chargehand-link.sh', import.meta.url));
const SSH_PORT = 22;
const WEB_PORT = 80;
const MAX_LINKS = 20;
/**
 * Runs the script until standard input ends. The pipe ends with this process, also when it is killed: nothing would
 * end its SSH clients otherwise.
 */
const UNTIL_INPUT_ENDS = `exec 3<&0
sh "$0" 3<&- &
script=$!
(read -r _; kill "$script") <&3 2>/dev/null &
wait "$script"
kill "$!" 2>/dev/null`;

/** The fields of control 7. */
interface LinkCommand {
  link: number;
  host: string;
  port: number;
  hostKey: string;
  hostKeys?: string[];
  user: string;
  ticket: string;
  forwards: { listen: number; to: string }[];
  authorizedKey?: string;
}

interface OpenLink {
  client: ChildProcessByStdio<Writable, null, null>;
  key: string | null;
}

/** Whether this computer has an SSH client, which devices need for links. */
export function hasSshClient(): boolean {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return ['ssh', 'dbclient'].some((name) =>
    folders.some((folder) => {
      try {
        accessSync(join(folder, name), constants.X_OK);
        return true;
      } catch {
        return false;
      }
    }),
  );
}

/** The links of a simulated device: an SSH client of this computer for each, and servers that only it reaches. */
export class RemoteLinks {
  readonly #device: RemoteDevice;
  readonly #links = new Map<number, OpenLink>();
  #disk: Disk | null = null;
  #servers: Promise<Record<number, LocalServer>> | null = null;

  constructor(device: RemoteDevice) {
    this.#device = device;
  }

  /** Why it cannot open the link of a command; null when it can, or when the command is for no link. */
  refusal(data: unknown): string | null {
    const command = readCommand(data);
    if (!command) return null;
    if (!hasSshClient()) return 'NoSshClient';
    if (this.#links.size >= MAX_LINKS) return 'TooManyLinks';
    return command.forwards.every(({ to }) => [SSH_PORT, WEB_PORT].includes(portOf(to))) ? null : 'PortClosed';
  }

  /** Opens the link of control 7. Commands for no link have no effect. */
  async open(data: unknown): Promise<void> {
    const command = readCommand(data);
    if (!command || this.refusal(data) !== null) return;
    this.#servers ??= this.#serve();
    const servers = await this.#servers;
    const { link, host, port, hostKey, hostKeys = [hostKey], user, ticket, authorizedKey } = command;
    const forwards = command.forwards.map(({ listen, to }) => `${listen}:127.0.0.1:${servers[portOf(to)]?.port}`);
    const client = spawn('sh', ['-c', UNTIL_INPUT_ENDS, SCRIPT], {
      stdio: ['pipe', 'ignore', 'ignore'],
      env: {
        PATH: process.env.PATH,
        ...{
          LINK_HOST: host,
          LINK_PORT: String(port),
          LINK_HOST_KEY: hostKey,
          LINK_HOST_KEYS: hostKeys.join('\n'),
          LINK_TICKET: ticket,
        },
        // The server then signs in with the key instead of a password.
        LINK_USER: authorizedKey === undefined ? user : `${user}+${SHELL_USER}`,
        LINK_FORWARDS: forwards.join(' '),
      },
    });
    this.#links.set(link, { client, key: authorizedKey ?? null });
    const ended = () => {
      if (this.#links.get(link)?.client === client) this.#links.delete(link);
      if (this.#links.size === 0) void this.#closeServers();
    };
    client.once('error', ended);
    client.stdin.once('error', () => undefined);
    client.once('exit', ended);
  }

  /** Ends the link of control 8. */
  close(data: unknown): void {
    const { link } = (data ?? {}) as { link?: unknown };
    if (typeof link === 'number') this.#links.get(link)?.client.stdin.end();
  }

  /** Ends all links. */
  closeAll(): void {
    for (const { client } of this.#links.values()) client.stdin.end();
  }

  async #serve(): Promise<Record<number, LocalServer>> {
    this.#disk ??= new Disk(filesOf(this.#device));
    const device: RemoteDevice = {
      ...this.#device,
      reboot: () => {
        this.closeAll();
        this.#device.reboot();
      },
    };
    const keys = () => [...this.#links.values()].flatMap(({ key }) => key ?? []);
    const [ssh, web] = await Promise.all([startSshServer(device, this.#disk, keys), startWebPage(device)]);
    return { [SSH_PORT]: ssh, [WEB_PORT]: web };
  }

  async #closeServers(): Promise<void> {
    const servers = await this.#servers;
    if (this.#links.size > 0 || !servers) return;
    this.#servers = null;
    for (const server of Object.values(servers)) server.close();
  }
}

function readCommand(data: unknown): LinkCommand | null {
  const command = (data ?? {}) as Partial<LinkCommand>;
  const { link, host, port, hostKey, user, ticket, forwards } = command;
  const isLink =
    [link, port].every((value) => typeof value === 'number') &&
    [host, hostKey, user, ticket].every((value) => typeof value === 'string') &&
    Array.isArray(forwards) &&
    forwards.every((one) => typeof one?.listen === 'number' && typeof one.to === 'string');
  return isLink ? (command as LinkCommand) : null;
}

function portOf(address: string): number {
  return Number(address.split(':').at(-1));
}

function filesOf(device: RemoteDevice): Record<string, string> {
  const lines = device.status().map(([name, value]) => `${new Date().toISOString()} info ${name}=${value}`);
  return {
    '/home/readme.txt': `Simulated device ${device.sn}\n模拟设备 ${device.sn}\n`,
    '/etc/charger.conf': `sn=${device.sn}\nmodel=${device.model}\nfirmware=${device.firmware()}\n`,
    [LOG]: `${new Date().toISOString()} info started\n${lines.join('\n')}\n`,
  };
}
