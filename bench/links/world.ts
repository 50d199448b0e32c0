import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { linkEndpoints } from '@chargehand/contract';
import type { LinkKind } from '@chargehand/domain';
import { type Client, client, openSession } from '../../apps/server/src/testing/client.ts';
import { type Base, startDatabase } from '../side-by-side.ts';

const { requestLink, readLink, destroyLink } = linkEndpoints;
/** Longer than all measurements. Minutes. */
const SESSION_MINUTES = 120;
/** A process that has not ended by itself after this time is killed. */
const END_MS = 10_000;
/** The device of the demo fleet that opens the links. */
const SN = 'SIM00001';

export type Session = Awaited<ReturnType<typeof openSession>>;

/** The product with one device, each in a process of its own. */
export interface LinkWorld {
  url: string;
  linksPort: number;
  base: Base;
  server: Child;
  /** of the root account */
  session: Session;
  root: Client;
  userId: number;
  device: { id: number; sn: string };
  /** the SSH server and the web pages of a device of the same kind, without a link */
  direct: { sshPort: number; webPort: number; keyFile: string };
  /** Requests a link and waits until the device has opened it. */
  open(kind: LinkKind): Promise<number>;
  end(linkId: number): Promise<void>;
  stop(): Promise<void>;
}

/** A process of the benchmark. It answers messages, and ends when it is disconnected. */
export interface Child {
  pid: number;
  /** Sends a message and returns the answer. @throws when the process ends instead */
  ask<T>(message: object): Promise<T>;
  stop(): Promise<void>;
}

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Starts a file of this folder. @returns the process and its first message */
export async function start<T>(
  file: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<{ child: Child; ready: T }> {
  const child = fork(join(import.meta.dirname, file), args, {
    execArgv: ['--expose-gc', ...(process.env.BENCH_NODE_FLAGS?.split(' ') ?? [])],
    env: { ...process.env, NODE_NO_WARNINGS: '1', ...env },
  });
  running.add(child);
  const ended = once(child, 'exit').finally(() => running.delete(child));
  async function answer<T>(): Promise<T> {
    const died = ended.then(([code]) => Promise.reject(new Error(`${file} ended with code ${code}`)));
    const [message] = await Promise.race([once(child, 'message'), died]);
    return message as T;
  }
  const ready = await answer<T>();
  return {
    ready,
    child: {
      pid: child.pid ?? 0,
      ask(message) {
        const answered = answer<never>();
        child.send(message);
        return answered;
      },
      async stop() {
        if (child.connected) child.disconnect();
        const timer = setTimeout(() => child.kill('SIGKILL'), END_MS);
        await ended;
        clearTimeout(timer);
      },
    },
  };
}

/** Starts a database, the product and a device. All end with `stop`, when the start fails, and when it is interrupted. */
export async function startLinkWorld(): Promise<LinkWorld> {
  const stops: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const one of stops.splice(0).reverse()) await one();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void stop().finally(() => process.exit(1)));
  try {
    return await startParts(stops, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startParts(stops: (() => Promise<void>)[], stop: () => Promise<void>): Promise<LinkWorld> {
  const base = await startDatabase();
  stops.push(base.stop);
  const { db, pool } = base.database;
  const server = await start<{ url: string; deviceUrl: string; linksPort: number }>('server.ts', [base.folder], {
    DATABASE_URL: base.url,
  });
  stops.push(server.child.stop);
  const { url, deviceUrl, linksPort } = server.ready;
  const device = await start<{ sshPort: number; webPort: number; privateKey: string }>('device.ts', [deviceUrl]);
  stops.push(device.child.stop);
  const { sshPort, webPort, privateKey } = device.ready;
  const keyFile = join(base.folder, 'key');
  await writeFile(keyFile, privateKey, { mode: 0o600 });
  const { id: userId } = await db.selectFrom('users').select('id').where('root', '=', true).executeTakeFirstOrThrow();
  const accept = 'insert into privacy_acceptances (user_id, version) select $1, version from privacy_policies';
  await pool.query(accept, [userId]);
  const session = await openSession(db, userId, SESSION_MINUTES);
  const root = client(url, session);
  const { id } = await db.selectFrom('devices').select('id').where('sn', '=', SN).executeTakeFirstOrThrow();
  const connected = 'select from device_states where device_id = $1 and connected';
  while ((await pool.query(connected, [id])).rowCount === 0) await pause(10);
  return {
    ...{ url, linksPort, base, session, root, userId, stop },
    server: server.child,
    device: { id, sn: SN },
    direct: { sshPort, webPort, keyFile },
    async open(kind) {
      const { id: linkId } = await root.data(requestLink, { params: { id }, body: { kind, reason: 'Benchmark' } });
      for (;;) {
        const { state, end } = await root.data(readLink, { params: { id: linkId } });
        if (state === 'open') return linkId;
        if (state === 'ended') throw new Error(`the link ended: ${end}`);
        await pause(10);
      }
    },
    async end(linkId) {
      await root.data(destroyLink, { params: { id: linkId } });
    },
  };
}
