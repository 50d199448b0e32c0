import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEMO_OCPP201_EVERY, DEMO_PREFIX } from '../../apps/server/src/demo.ts';
import { connectDatabase, type DatabaseConnection } from '../../apps/server/src/platform/database/connect.ts';
import { startEmbeddedPostgres } from '../../apps/server/src/platform/database/embedded/embedded.ts';
import { migrate } from '../../apps/server/src/platform/database/migrate.ts';
import { createLog } from '../../apps/server/src/platform/log.ts';
import { openSession } from '../../apps/server/src/testing/client.ts';
import { type ChargePoint, prepareFleet } from '../../apps/simulator/src/index.ts';
import { cpuSeconds } from '../gateway/servers.ts';

export type Session = Awaited<ReturnType<typeof openSession>>;

export interface LiveWorld {
  url: string;
  database: DatabaseConnection;
  /** quiet devices, the first of the fleet by SN, with their ids: the benchmark controls them */
  markers: { id: number; device: ChargePoint }[];
  /** sessions of this many users, each of whom sees all devices */
  sessions(count: number): Promise<Session[]>;
  /** CPU seconds used so far */
  cpu(): { server: number; database: number };
  stop(): Promise<void>;
}

/** The product, its database, active devices and quiet ones, each in a separate process. */
export async function startLiveWorld(active: number, quiet: number): Promise<LiveWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'chargehand-bench-'));
  const postgres = await startEmbeddedPostgres({ folder, log: createLog('warn') });
  const database = connectDatabase(postgres.url, { max: 2 });
  await migrate(database.pool);
  const devices = active + quiet;
  const server = fork(join(import.meta.dirname, 'server.ts'), [String(devices), folder], {
    env: { ...process.env, DATABASE_URL: postgres.url },
  });
  const [{ url, deviceUrl }] = (await once(server, 'message')) as [{ url: string; deviceUrl: string }];
  const fleet = fork(join(import.meta.dirname, 'fleet.ts'), [deviceUrl, DEMO_PREFIX, `${devices}`, `${quiet}`]);
  await once(fleet, 'message');
  const { devices: all } = await prepareFleet({ url: deviceUrl, prefix: DEMO_PREFIX, devices: quiet });
  // The others are registered with a model of OCPP 2.0.1.
  const silent = all.filter((_, index) => (index + 1) % DEMO_OCPP201_EVERY !== 0);
  for (const device of silent) await device.start();
  await Promise.all(silent.map((device) => device.whenAccepted()));
  const { rows } = await database.pool.query<{ sn: string; id: number }>('select sn, id from devices');
  const ids = new Map(rows.map(({ sn, id }) => [sn, id]));
  return {
    url,
    database,
    markers: silent.map((device) => ({ id: ids.get(device.sn)!, device })),
    sessions: (count) => openSessions(database, count),
    cpu: () => ({ server: cpuSeconds(server.pid ?? 0), database: cpuSeconds(postgres.pid() ?? 0) }),
    async stop() {
      await Promise.all(silent.map((device) => device.stop()));
      for (const child of [fleet, server]) {
        const ended = once(child, 'exit');
        child.kill('SIGKILL');
        await ended;
      }
      await database.close();
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const AREA = { read: 1, write: 1, download: 1 };
const LEVELS = { user: AREA, device: AREA, params: AREA, wiki: AREA, attachment: AREA };

async function openSessions({ pool, db }: DatabaseConnection, count: number): Promise<Session[]> {
  const { rows } = await pool.query<{ id: number }>(
    `with role as (
       insert into roles (name, customer_access, site_access, levels) values ('Bench', 0, 0, $2) returning id
     ), menus as (insert into role_menus (role_id, menu_key) select role.id, key from role, menus),
     people as (
       insert into users (user_name, password_hash, customer_id, role_id)
       select 'bench' || n, 'none', (select min(id) from customers), role.id from role, generate_series(1, $1) n returning id
     ), accepted as (
       insert into privacy_acceptances (user_id, version) select people.id, version from people, privacy_policies
     )
     select id from people`,
    [count, JSON.stringify(LEVELS)],
  );
  return await Promise.all(rows.map(({ id }) => openSession(db, id)));
}
