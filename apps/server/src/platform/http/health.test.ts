import { readFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { CODES, ENDPOINTS } from '@chargehand/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

test('the process is healthy, and ready while its database answers', async () => {
  expect(await (await server.anonymous.fetch('/healthz')).json()).toMatchObject({ code: 0, data: { status: 'ok' } });
  expect((await server.anonymous.fetch('/readyz')).status).toBe(200);
});

test('without all migrations the process is healthy and not ready', async () => {
  const { pool } = server.database;
  const { rows } = await pool.query(`delete from migrations where name like '030%' returning *`);
  const readiness = async () => {
    const response = await server.anonymous.fetch('/readyz');
    return { status: response.status, ...((await response.json()) as object) };
  };
  await expect.poll(readiness).toMatchObject({
    ...{ status: 503, code: CODES.databaseOutdated.code, data: { status: 'notReady', cause: 'databaseOutdated' } },
  });
  expect((await server.anonymous.fetch('/healthz')).status).toBe(200);
  await pool.query('insert into migrations (name, checksum) values ($1, $2)', [rows[0].name, rows[0].checksum]);
  await expect.poll(readiness).toMatchObject({ status: 200, code: 0, data: { status: 'ready', warnings: [] } });
});

test('metrics count requests by route, devices and streams', async () => {
  const admin = await server.as('northAdmin');
  await admin.data(ENDPOINTS.readDevice, { params: { id: server.world.devices.northQuay1.id } });
  const { id } = server.world.devices.northQuay1;
  await server.database.db.updateTable('device_states').set({ connected: true }).where('device_id', '=', id).execute();
  const text = await (await server.anonymous.fetch('/metrics')).text();
  expect(text).toMatch(/duration_seconds_count\{method="GET",route="\/api\/auth\/sys\/devices\/:id",status="200"\} 1/);
  expect(text).toContain('\nchargehand_connected_devices 1\n');
  expect(text).toContain('\nchargehand_live_streams 0\n');
  expect(text).toContain('process_cpu_seconds_total');
  expect(text).not.toContain(`/devices/${id}`);
});

test('a request through a proxy does not count as local', async () => {
  const response = await server.anonymous.fetch('/metrics', { headers: { 'x-forwarded-for': '127.0.0.1' } });
  expect(response.status).toBe(404);
});

test('metrics are answered at the own names of the machine only', async () => {
  const statusAt = (host: string) =>
    new Promise((resolve, reject) => {
      const get = httpRequest(`${server.url}/metrics`, { headers: { host } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      get.on('error', reject).end();
    });
  expect(await Promise.all(['localhost:8080', '127.0.0.1', '[::1]:80'].map(statusAt))).toEqual([200, 200, 200]);
  expect(await Promise.all(['rebound.example', 'localhost.example', '127.0.0.1.example'].map(statusAt))).toEqual([
    ...[404, 404, 404],
  ]);
});

test('pages may not use the devices of the computer', async () => {
  const { headers } = await server.anonymous.fetch('/api/docs/static/index.html');
  expect(headers.get('permissions-policy')).toMatch(/camera=\(\), .*microphone=\(\)/);
});

test('with a configured token, only the token gives access', async () => {
  const guarded = await startTestServer({ metricsToken: 'a-token-of-the-operator' });
  const statusWith = (authorization: string | null) =>
    new Promise<number | undefined>((resolve, reject) => {
      httpRequest(
        `${guarded.url}/metrics`,
        { headers: authorization === null ? {} : { authorization } },
        (response) => {
          response.resume();
          resolve(response.statusCode);
        },
      )
        .on('error', reject)
        .end();
    });
  expect(await statusWith(null)).toBe(404);
  expect(await statusWith('Bearer wrong')).toBe(404);
  expect(await statusWith('Bearer a-token-of-the-operator')).toBe(200);
  await guarded.stop();
});

test('a read-only database is not ready, and a refused change contains the reason', async () => {
  const { pool } = server.database;
  const { rows } = await pool.query<{ name: string }>('select current_database() as name');
  const name = rows[0]!.name;
  // A new connection gets this setting at its start: the current ones are closed, the next ones are read-only.
  await pool.query(`alter database ${name} set default_transaction_read_only = on`);
  const cut = `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()`;
  await pool.query(cut, [name]);
  const readiness = async () => (await (await server.anonymous.fetch('/readyz')).json()) as object;
  await expect.poll(readiness).toMatchObject({ code: CODES.databaseReadOnly.code });
  const own = await pool.connect();
  await own.query('set session characteristics as transaction read write');
  await own.query(`alter database ${name} reset default_transaction_read_only`);
  await own.query(cut, [name]);
  own.release();
  await expect.poll(readiness).toMatchObject({ code: 0 });
});

test('every metric is in the table of docs/operations.md, and named by the conventions of Prometheus', async () => {
  const text = await (await server.anonymous.fetch('/metrics')).text();
  const types = [...text.matchAll(/^# TYPE (chargehand_\S+) (\S+)$/gm)].map(([, name, type]) => ({ name, type }));
  const page = await readFile(join(import.meta.dirname, '../../../../../docs/operations.md'), 'utf8');
  // The lag of a replica exists only with a replica (replica.deploy.ts).
  const listed = [...page.matchAll(/^\| `(chargehand_(?!replica)\w+)` \|/gm)].map(([, name]) => name);
  expect(types.map(({ name }) => name).sort()).toEqual(listed.sort());
  for (const { name, type } of types)
    expect(`${name} ${type}`).toMatch(/_total counter$|(?<!_total) (gauge|histogram)$/);
});

test('metrics show versions, connections and queries of the database, and free disk space', async () => {
  await server.database.pool.query('select 1');
  const text = await (await server.anonymous.fetch('/metrics')).text();
  expect(text).toMatch(/^chargehand_build_info\{version="\d[^"]*",node="\d+\.[^"]*"\} 1$/m);
  expect(text).toMatch(/^chargehand_database_connections\{state="busy"\} \d+$/m);
  expect(text).toMatch(/^chargehand_database_connections_max 8$/m);
  expect(text).toMatch(/^chargehand_database_waiting_requests 0$/m);
  expect(text).toMatch(/^chargehand_database_query_duration_seconds_count [1-9]\d*$/m);
  expect(text).toMatch(/^chargehand_data_folder_free_bytes [1-9]\d{6,}$/m);
});
