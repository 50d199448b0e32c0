import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../deployment/free-port.ts';
import { eventually } from '../eventually.ts';

/** A Mosquitto from Debian packages, with the access rules of docs/mqtt.md. */
export interface Mosquitto {
  port: number;
  /** Starts and stops it. Its stored messages are kept. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** its errors and warnings */
  log(): string;
  remove(): Promise<void>;
}

/** The account of the product at the broker. */
export const OUR_ACCOUNT = { user: 'chargehand', password: 'our-own-password' };

/** The rules for Mosquitto in docs/mqtt.md: the documented rules are tested. */
function documentedRules(): string {
  const text = readFileSync(new URL('../../../../../docs/mqtt.md', import.meta.url), 'utf8');
  const [, block] = /^Mosquitto \(`acl_file`\)[^\n]*\n\n((?: {4}[^\n]*\n|\n)+)/m.exec(text) ?? [];
  if (!block?.includes(`user ${OUR_ACCOUNT.user}\n`)) throw new Error('docs/mqtt.md holds no rules for Mosquitto');
  return block.replaceAll(/^ {4}/gm, '');
}

/** The commands for a device at an external broker in docs/mqtt.md, one per line. */
export function documentedCommands(): string[] {
  const text = readFileSync(new URL('../../../../../docs/mqtt.md', import.meta.url), 'utf8');
  const external = text.slice(text.indexOf('## External brokers'));
  const commands = external.match(/^ {4}mosquitto_(?:sub|pub) (?:[^\n]*\\\n)*[^\n]*$/gm) ?? [];
  return commands.map((command) => command.replaceAll(/\\\n\s*/g, '').trim());
}

/** @param accounts passwords by user name, in addition to the product's */
export async function mosquitto(accounts: Record<string, string>): Promise<Mosquitto> {
  const folder = await mkdtemp(join(tmpdir(), 'chargehand-mosquitto-'));
  const port = await freePort();
  const passwords = join(folder, 'passwords');
  await writeFile(passwords, '', { mode: 0o600 });
  for (const [user, password] of Object.entries({ ...accounts, [OUR_ACCOUNT.user]: OUR_ACCOUNT.password })) {
    const { status, stderr } = spawnSync('mosquitto_passwd', ['-b', passwords, user, password]);
    if (status !== 0) throw new Error(String(stderr));
  }
  // Devices that subscribe to the host's state, as docs/mqtt.md describes.
  const watching = Object.keys(accounts).map((user) => `user ${user}\ntopic read spBv1.0/STATE/+\n`);
  await writeFile(join(folder, 'rules'), `${documentedRules()}\n${watching.join('')}`, { mode: 0o600 });
  const settings = [
    ...[`listener ${port} 127.0.0.1`, 'allow_anonymous false', `password_file ${passwords}`],
    ...[`acl_file ${join(folder, 'rules')}`, 'persistence true', `persistence_location ${folder}/`],
    ...['max_queued_messages 0', 'log_type error', 'log_type warning', 'user root'],
  ];
  await writeFile(join(folder, 'settings'), `${settings.join('\n')}\n`);
  let running: ChildProcess | null = null;
  let log = '';
  const stop = async () => {
    if (!running) return;
    const ended = once(running, 'exit');
    running.kill('SIGTERM');
    await ended;
    running = null;
  };

  return {
    port,
    async start() {
      running = spawn('mosquitto', ['-c', join(folder, 'settings')], { stdio: ['ignore', 'ignore', 'pipe'] });
      running.stderr?.setEncoding('utf8').on('data', (text: string) => {
        log += text;
      });
      await eventually(() => answers(port), Boolean, { what: 'Mosquitto to start' });
    },
    stop,
    log: () => log,
    async remove() {
      await stop();
      await rm(folder, { recursive: true });
    },
  };
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    // The port is not open yet.
    return false;
  } finally {
    socket.destroy();
  }
}
