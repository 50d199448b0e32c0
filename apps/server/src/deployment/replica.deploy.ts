import { auditEndpoints, systemEndpoints } from '@chargehand/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { connectDatabase, type DatabaseConnection } from '../platform/database/connect.ts';
import { migrate } from '../platform/database/migrate.ts';
import { openReplica, type Replica } from '../platform/database/replica/replica.ts';
import { createLog } from '../platform/log.ts';
import { client, openSession } from '../testing/client.ts';
import { freePort } from '../testing/deployment/free-port.ts';
import { postgresService, replicaService, type Service, serviceFolder } from '../testing/deployment/services.ts';
import { type Program, startProgram } from '../testing/program.ts';
import { seedWorld, type World } from '../testing/world.ts';

let folder: Awaited<ReturnType<typeof serviceFolder>>;
let primary: Service & { url: string; port: number };
let standby: Service & { url: string };
let database: DatabaseConnection;
let onStandby: DatabaseConnection;
let world: World;
let program: Program | undefined;
let replica: Replica | undefined;

beforeAll(async () => {
  folder = await serviceFolder();
  primary = await postgresService(folder.path);
  await primary.start();
  database = connectDatabase(primary.url, { max: 2 });
  await migrate(database.pool);
  world = await seedWorld(database.db);
  standby = await replicaService(folder.path, primary);
  await standby.start();
  onStandby = connectDatabase(standby.url, { max: 1 });
});
afterAll(async () => {
  await program?.stop();
  await replica?.stop();
  await onStandby?.close();
  await database?.close();
  await standby?.stop();
  await primary?.stop();
  await folder?.remove();
});

const log = createLog('silent');
const open = (maxLagSeconds: number) =>
  openReplica({ ...{ url: standby.url, primary: database.pool, connections: 2, maxLagSeconds, log } });
const isStandby = async () =>
  (await sql<{ is: boolean }>`select pg_is_in_recovery() as is`.execute(replica!.db)).rows[0]!.is;
const becomes = (state: string) =>
  vi.waitFor(() => expect(replica!.now().state).toBe(state), { timeout: 20_000, interval: 100 });
const write = () =>
  database.pool.query('create table if not exists noted (at timestamptz); insert into noted values (now())');

test('logs are read from the replica, and the dashboard shows its lag', async () => {
  const port = String(await freePort());
  program = await startProgram({
    ...{ PORT: port, DATABASE_URL: primary.url, DATABASE_REPLICA_URL: standby.url },
    ...{ DATABASE_REPLICA_LAG_SECONDS: '3600', CHARGEHAND_DATA: `${folder.path}/data`, CHARGEHAND_MQTT: 'off' },
  });
  const staff = client(program.url, await openSession(database.db, world.users.vendorStaff));
  const logged = async () => (await staff.data(auditEndpoints.listLoginLogs, { query: {} })).items.length;
  const insert = () =>
    database.pool.query(
      `insert into login_logs (type, succeeded, user_id, user_name, address, user_agent) values (0, true, $1, 'ada', '127.0.0.1', 'Test')`,
      [world.users.vendorStaff],
    );
  const shown = async () => (await staff.data(systemEndpoints.readSystem, {})).processes[0]?.replica;
  await vi.waitFor(async () => expect(await shown()).toMatchObject({ state: 'used' }), { timeout: 20_000 });
  const before = await logged();
  await onStandby.pool.query('select pg_wal_replay_pause()');
  await insert();
  expect(await logged()).toBe(before);
  await onStandby.pool.query('select pg_wal_replay_resume()');
  await expect.poll(logged).toBe(before + 1);
  await program.stop();
  program = undefined;
}, 120_000);

test('a replica that is too late is not used until it has caught up', async () => {
  replica = open(3);
  await becomes('used');
  expect(await isStandby()).toBe(true);
  await onStandby.pool.query('select pg_wal_replay_pause()');
  await write();
  await becomes('late');
  expect(await isStandby()).toBe(false);
  expect(replica.now().lagSeconds).toBeGreaterThan(3);
  await onStandby.pool.query('select pg_wal_replay_resume()');
  await becomes('used');
  expect(await isStandby()).toBe(true);
}, 120_000);

test('without the replica, the next read is answered by the primary', async () => {
  await standby.kill();
  expect(await isStandby()).toBe(false);
  expect(replica!.now().state).toBe('away');
  await standby.start();
  await becomes('used');
  expect(await isStandby()).toBe(true);
}, 120_000);
