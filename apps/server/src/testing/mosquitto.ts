import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A Mosquitto of Debian's packages, with the access rules of docs/mqtt.md. */
export interface Mosquitto {
  port: number;
  /** Starts and stops it; what it holds stays. */
  start(): Promise<void>;
  stop(): Promise<void>;
  remove(): Promise<void>;
}

/** The account of the product at the broker. */
export const OUR_ACCOUNT = { user: 'chargehand', password: 'our-own-password' };

/** The rules that docs/mqtt.md gives for Mosquitto. */
const RULES = `user ${OUR_ACCOUNT.user}
topic readwrite #

pattern write spBv1.0/+/NBIRTH/%u
pattern write spBv1.0/+/NDEATH/%u
pattern write spBv1.0/+/NDATA/%u
pattern write spBv1.0/+/DBIRTH/%u/+
pattern write spBv1.0/+/DDEATH/%u/+
pattern write spBv1.0/+/DDATA/%u/+
pattern read spBv1.0/+/NCMD/%u
pattern read spBv1.0/+/DCMD/%u/+
pattern read spBv1.0/STATE/+
pattern write chargehand/%u/status
pattern write chargehand/%u/telemetry
pattern write chargehand/%u/texts
pattern write chargehand/%u/alarm
pattern write chargehand/%u/parameters
pattern write chargehand/%u/answer
pattern read chargehand/%u/command
pattern read chargehand/%u/error
`;

/** @param accounts passwords by user name, beside ours */
export async function mosquitto(accounts: Record<string, string>): Promise<Mosquitto> {
  const folder = await mkdtemp(join(tmpdir(), 'chargehand-mosquitto-'));
  const port = await freePort();
  const passwords = join(folder, 'passwords');
  await writeFile(passwords, '', { mode: 0o600 });
  for (const [user, password] of Object.entries({ ...accounts, [OUR_ACCOUNT.user]: OUR_ACCOUNT.password })) {
    const { status, stderr } = spawnSync('mosquitto_passwd', ['-b', passwords, user, password]);
    if (status !== 0) throw new Error(String(stderr));
  }
  await writeFile(join(folder, 'rules'), RULES, { mode: 0o600 });
  const settings = [
    ...[`listener ${port} 127.0.0.1`, 'allow_anonymous false', `password_file ${passwords}`],
    ...[`acl_file ${join(folder, 'rules')}`, 'persistence true', `persistence_location ${folder}/`],
    ...['max_queued_messages 0', 'log_type error', 'user root'],
  ];
  await writeFile(join(folder, 'settings'), `${settings.join('\n')}\n`);
  let running: ChildProcess | null = null;
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
      running = spawn('mosquitto', ['-c', join(folder, 'settings')], { stdio: ['ignore', 'ignore', 'inherit'] });
      for (let tries = 0; !(await answers(port)); tries += 1) {
        if (tries > 200) throw new Error('Mosquitto did not start');
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    stop,
    async remove() {
      await stop();
      await rm(folder, { recursive: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    // Nobody listens yet.
    return false;
  } finally {
    socket.destroy();
  }
}
