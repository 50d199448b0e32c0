import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as openNats } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { natsBus } from '../platform/bus/nats-bus.ts';
import { createLog } from '../platform/log.ts';
import { busContract } from '../testing/cluster/bus-contract.ts';
import { eventually } from '../testing/eventually.ts';
import { type DatabaseWay, openDatabaseWay } from '../testing/faults/database-way.ts';
import { soon } from '../testing/within.ts';

/** Debian's package, unpacked by scripts/debian.mjs. */
const PROGRAM = join(import.meta.dirname, '../../../../node_modules/.cache/debian/usr/sbin/nats-server');
/** Below the range of ephemeral ports, so that no client socket takes it. */
const PORT = 19_761;
const URL_OF_SERVER = `nats://bus:secret@127.0.0.1:${PORT}`;

const log = createLog('silent');
const ways: DatabaseWay[] = [];
let folder: string;
let server: ChildProcess;
let installations = 0;

async function startServer(): Promise<void> {
  server = spawn(PROGRAM, ['-a', '127.0.0.1', '-p', String(PORT), '--user', 'bus', '--pass', 'secret'], {
    cwd: folder,
    stdio: 'ignore',
  });
  await eventually(
    async () => {
      const connection = await openNats({ port: PORT, user: 'bus', pass: 'secret', reconnect: false }).catch(
        () => null,
      );
      await connection?.close();
      return connection !== null;
    },
    (answers) => answers,
    { what: 'nats-server' },
  );
}
async function stopServer(): Promise<void> {
  server.kill('SIGKILL');
  await once(server, 'exit');
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chargehand-nats-'));
  await startServer();
});
afterAll(async () => {
  for (const way of ways) await way.close();
  await stopServer();
  await rm(folder, { recursive: true, force: true });
});

busContract(
  'NATS',
  async (onError) => {
    const way = await openDatabaseWay(URL_OF_SERVER);
    ways.push(way);
    installations += 1;
    const prefix = `test.${installations}`;
    const one = await natsBus({ urls: [URL_OF_SERVER], prefix, log, onError });
    const other = await natsBus({ urls: [way.url], prefix, log, onError });
    // Subscriptions of both connections are known to the server when a message of one has reached the other.
    const settled = async () => {
      for (const [from, to] of [
        [one, other],
        [other, one],
      ] as const) {
        const arrived = Promise.withResolvers<void>();
        const stop = to.subscribe('test.settled', () => arrived.resolve());
        from.publish('test.settled', null);
        await soon('a message', arrived.promise);
        stop();
      }
    };
    return {
      ...{ one, other, settled },
      async close() {
        await Promise.all([one.close(), other.close()]);
        await way.close();
      },
      faults: {
        async loseOther() {
          way.breakAll();
        },
        killOther: () => way.close(),
        freezeOther() {
          way.freeze();
          return way.thaw;
        },
      },
    };
  },
  { hasFaults: true },
);

test('a restart of NATS lets both processes read again, and requests work afterwards', async () => {
  const onError = (error: unknown) => expect.unreachable(String(error));
  const options = { urls: [URL_OF_SERVER], prefix: 'test.restart', log, onError };
  const [one, other] = [await natsBus(options), await natsBus(options)];
  const gaps = [one, other].map((bus) => {
    const gap = Promise.withResolvers<void>();
    bus.onGap(gap.resolve);
    return gap.promise;
  });
  one.serve('test.echo', async (request) => request);
  await stopServer();
  await startServer();
  await Promise.all(gaps.map((gap) => soon('a gap', gap)));
  await eventually(
    () => other.request('test.echo', 'again', 5_000).catch(() => null),
    (answer) => answer === 'again',
    { what: 'an answer' },
  );
  await Promise.all([one.close(), other.close()]);
});

test('without a server, the start says which setting is wrong', async () => {
  const options = { urls: ['nats://127.0.0.1:1'], prefix: 'test', log, onError: () => undefined };
  await expect(natsBus(options)).rejects.toThrow(/^NATS_URL cannot be reached/);
});
