import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROLLUPS } from '@chargehand/domain';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startChargehand } from '../chargehand.ts';
import { demoFleet } from '../demo.ts';
import { bindNamedCodes } from '../documents/index.ts';
import { DEMO_CUSTOMERS, type DemoDevice } from '../fleet/index.ts';
import { clockAt } from '../platform/clock.ts';
import { readConfig } from '../platform/config/config.ts';
import { createLog } from '../platform/log.ts';
import type { ObjectStore } from '../platform/objects/store.ts';
import { rollups } from '../telemetry/index.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { CHARGER_CODES } from './devices/code-names.ts';
import { loadDemoHistory } from './index.ts';
import { actionsOf } from './people/actions.ts';
import type { Commanded } from './people/commands.ts';
import type { Person } from './people/people.ts';
import { stateOfDemoFleet } from './resume.ts';

const FLEET = demoFleet(24, { storage: true });
const UNTIL = new Date();
const log = createLog('silent');

/** The firmware of the history is the only object. */
const objects = new Map<string, number>();
const store = {
  buckets: { main: 'main', firmware: 'firmware' },
  put: async ({ key }: { key: string }, bytes: Uint8Array) => void objects.set(key, bytes.length),
} as unknown as ObjectStore;

let database: TestDatabase;

/** A database after the first start of a product with the demo, but without its history. */
async function newDatabase(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'chargehand-history-'));
  const fresh = await createTestDatabase({ max: 6 });
  const settings = {
    PORT: '0',
    CHARGEHAND_FTP_PORT: '0',
    CHARGEHAND_LINKS_PORT: '0',
    CHARGEHAND_MQTT_PORT: '0',
    CHARGEHAND_DATA: folder,
  };
  const config = readConfig({ ...settings, CHARGEHAND_DEMO_HISTORY: 'off' });
  const product = await startChargehand(
    { ...config, logLevel: 'silent' },
    { ...fresh, close: async () => undefined },
    log,
  );
  await product.stop();
  await fresh.pool.query('delete from server_beats');
  await rm(folder, { recursive: true, force: true });
  return fresh;
}

const loadInto = (target: TestDatabase, objectStore = store) =>
  loadDemoHistory({ database: target, store: objectStore, log, fleet: FLEET, until: UNTIL });
const rowsOf = async <T extends object>(sql: string): Promise<T[]> => (await database.pool.query<T>(sql)).rows;
const count = async (from: string) => (await rowsOf<{ n: number }>(`select count(*)::int as n from ${from}`))[0]?.n;

beforeAll(async () => {
  database = await newDatabase();
});
afterAll(() => database.drop());

test('all demo devices have terminals and web pages after the first start', async () => {
  const model = 'devices d join device_models m on m.id = d.device_model_id';
  expect(await count(`${model} where ssh_support and web_support`)).toBe(await count(model));
  expect(await count(model)).toBeGreaterThan(0);
});

describe('a history is never added to a database in which', () => {
  const anybody = `insert into users (user_name, password_hash, customer_id, root)
    select 'somebody', 'none', id, true from customers where platform_vendor`;
  test.each([
    [
      'somebody signed in',
      `insert into login_logs (type, succeeded, user_name, address, user_agent) values (0, true, 'a', 'b', 'c')`,
      'delete from login_logs',
    ],
    [
      'somebody added a customer',
      `insert into customers (code, name) values ('MINE', 'My own')`,
      `delete from customers where code = 'MINE'`,
    ],
    ['a server observed devices', `insert into server_beats values ('main', now())`, 'delete from server_beats'],
    ['there is another user', anybody, `delete from users where user_name = 'somebody'`],
  ])('%s', async (_, change, undo) => {
    await database.pool.query(change);
    expect(await loadInto(database)).toBe(false);
    expect(await count('transactions')).toBe(0);
    await database.pool.query(undo);
  });
});

test('a load that fails leaves nothing', async () => {
  const broken = { ...store, put: () => Promise.reject(new Error('the disk is full')) };
  await expect(loadInto(database, broken)).rejects.toThrow('the disk is full');
  expect([await count('users'), await count('transactions'), await count('readings')]).toEqual([1, 0, 0]);
});

test('a history is added once, also after a load that failed', async () => {
  expect(await loadInto(database)).toBe(true);
  const before = await count('transactions');
  expect(await loadInto(database)).toBe(false);
  expect(await count('transactions')).toBe(before);
});

test('every alarm of the history has a document', async () => {
  await bindNamedCodes(database.db, CHARGER_CODES);
  expect(
    await rowsOf(`
      select distinct a.code from alarms a
       where not exists (select from document_bindings b where b.type = 100 and b.key = a.code
                            and (b.device_model_id is null or b.device_model_id = a.device_model_id))`),
  ).toEqual([]);
});

test.each([0, 3, 6, 9, 12, 15, 18, 21])(
  'administrators did nothing after the end of the history at %s:30 UTC',
  (hour) => {
    const to = Date.UTC(2026, 2, 15, hour, 30);
    const sites = DEMO_CUSTOMERS.flatMap(({ code, sites }) => sites.map((site) => ({ ...site, customer: code })));
    const devices = new Map(
      sites.map(({ code }, id) => [id, { siteCode: code, siteId: id, customerId: 1 } as DemoDevice]),
    );
    const people = DEMO_CUSTOMERS.map(
      ({ code }, id) => ({ id, customerCode: code, role: 'Administrator' }) as unknown as Person,
    );
    const plan = { commands: [], works: [], rollout: null, interruptions: new Map() };
    const commanded = { commands: [], rounds: [] } as unknown as Commanded;
    const actions = actionsOf({
      ...{ plan, people, devices, alarms: [], alarmIds: [], commanded, span: { from: to - 14 * 86_400_000, to } },
    });
    expect(actions.length).toBeGreaterThan(4);
    expect(actions.filter(({ at }) => at.getTime() > to)).toEqual([]);
  },
);

test('nothing of the history lies in the future', async () => {
  const { rows: columns } = await database.pool.query<{ table: string; column: string }>(
    `select c.table_name as table, c.column_name as column
       from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.data_type in ('timestamp with time zone', 'date')
      order by 1, 2`,
  );
  // What must happen later.
  const later = /deadline|expires|until|due|next_a/;
  const checked = columns.filter(({ column }) => !later.test(column));
  expect(checked.length).toBeGreaterThan(100);
  const future = await Promise.all(
    checked.map(async ({ table, column }) => [
      `${table}.${column}`,
      await count(`"${table}" where isfinite("${column}") and "${column}" > now()`),
    ]),
  );
  expect(future.filter(([, rows]) => rows !== 0)).toEqual([]);
});

test('the history fills charts, statistics, alarms, commands and logs with a limited number of rows', async () => {
  const least = {
    ...{ transactions: 1_000, readings: 20_000, alarms: 200, device_events: 300, device_status_spans: 2_000 },
    ...{ traffic_hours: 5_000, commands: 30, transfers: 6, protocol_frames: 2_000, login_logs: 50, sessions: 20 },
    ...{ action_logs: 100, device_maintenances: 3, alarm_comments: 5, users: 6, customers: 4, sites: 8 },
  };
  for (const [table, rows] of Object.entries(least)) {
    const found = await count(table);
    expect(found, table).toBeGreaterThanOrEqual(rows);
    expect(found, table).toBeLessThan(60_000);
  }
  const [span] = await rowsOf<{ days: number }>(
    'select extract(epoch from max(at) - min(at))::float8 / 86400 as days from readings',
  );
  expect(span?.days).toBeGreaterThan(13.5);
  expect(span?.days).toBeLessThanOrEqual(14);
});

describe('sessions', () => {
  test('never overlap on a connector, and their energy registers only grow', async () => {
    expect(
      await rowsOf(`
        select * from (
          select device_id, connector, started_at, meter_start, meter_stop,
                 lag(stopped_at) over place as former_stop, lag(meter_stop) over place as former_meter
            from transactions window place as (partition by device_id, connector order by started_at)) t
         where started_at < former_stop or meter_start < former_meter or meter_stop < meter_start`),
    ).toEqual([]);
  });

  test('agree with their readings', async () => {
    expect(
      await rowsOf(`
        select t.id from transactions t join readings r on r.transaction_id = t.id
         group by t.id
        having min(r.at) < t.started_at or max(r.at) <> t.stopped_at or max(r.counters[1]) <> t.meter_stop
            or min(r.counters[1]) < t.meter_start`),
    ).toEqual([]);
    expect(await count('transactions t where not exists (select from readings r where r.transaction_id = t.id)')).toBe(
      0,
    );
  });

  test('are numbered in the order of their starts, and all have ended', async () => {
    expect(
      await rowsOf(
        'select id from (select id, lag(id) over (order by started_at, id) as former from transactions) t where id < former',
      ),
    ).toEqual([]);
    expect(await count(`transactions where stopped_at is null or stopped_at > '${UNTIL.toISOString()}'`)).toBe(0);
  });

  test('follow the day: more vehicles come by day than at night', async () => {
    const [hours] = await rowsOf<{ day: number; night: number }>(`
      select count(*) filter (where h between 8 and 19)::int as day, count(*) filter (where h < 5)::int as night
        from (select extract(hour from started_at at time zone 'Asia/Hong_Kong') as h from transactions) t`);
    expect(hours!.day).toBeGreaterThan(3 * hours!.night);
  });
});

test('the rollups of the history equal its readings', async () => {
  const clock = clockAt(() => new Date(UNTIL.getTime() + 2 * ROLLUPS.day * 1_000));
  await rollups({ pool: database.pool, log, clock }).rollUp();
  const sums = (table: string, parts: string) =>
    rowsOf(`select device_id, connector, layout_id, ${parts} from ${table} group by 1, 2, 3 order by 1, 2, 3`);
  const raw = await sums('readings', 'count(*)::int as readings, max(counters[1]) as last');
  for (const table of ['readings_5m', 'readings_1h', 'readings_1d']) {
    expect(await sums(table, 'sum(readings)::int as readings, max(counter_high[1]) as last')).toEqual(raw);
  }
});

test('the statuses of a device have no gaps, and end where the present one begins', async () => {
  expect(
    await rowsOf(`
      select * from (
        select device_id, began_at, lag(ended_at) over (partition by device_id order by began_at, ended_at) as former_end
          from device_status_spans) t
       where former_end is distinct from began_at and former_end is not null`),
  ).toEqual([]);
  expect(await count(`device_status_spans where ended_at = 'infinity' and status = 'offline'`)).toBe(
    FLEET.chargers.length + FLEET.storage.length + 2,
  );
});

test('a device is offline exactly while its connection is lost', async () => {
  const [seconds] = await rowsOf<{ offline: number; lost: number }>(`
    select (select sum(extract(epoch from ended_at - began_at)) from device_status_spans
             where status = 'offline' and ended_at < 'infinity')::float8 as offline,
           (select sum(extract(epoch from ended_at - at)) from device_events where type = 0)::float8 as lost`);
  expect(Math.abs(seconds!.offline - seconds!.lost)).toBeLessThan(60);
});

test('only devices that are still offline have open alarms, and every alarm but the offline one has its event', async () => {
  const open = await rowsOf(`
    select d.sn, a.code from alarms a join devices d on d.id = a.device_id where a.cleared_at is null order by 1`);
  expect(open).toEqual([
    { sn: 'CP-20417', code: 'Offline' },
    { sn: 'CP-77160', code: 'Offline' },
  ]);
  expect(
    await count(`alarms a where source <> 'line' and not exists (
      select from device_events e where e.device_id = a.device_id and e.connector = a.connector and e.code = a.code
         and e.at = a.raised_at and e.ended_at is not distinct from a.cleared_at)`),
  ).toBe(0);
  expect(await count('alarms where reopened > 0')).toBeGreaterThan(5);
  expect(await count('alarms where acknowledged_at not between raised_at and coalesce(cleared_at, now())')).toBe(0);
});

test('issues are in every status, closed ones with their end, and one was reported without an account', async () => {
  const statuses = await rowsOf<{ status: string }>('select distinct status from issues order by 1');
  expect(statuses.map(({ status }) => status)).toEqual(['closed', 'open', 'pending', 'reopen']);
  expect(
    await count(`issues where (status = 'closed') is distinct from (cause is not null and remedy is not null)`),
  ).toBe(0);
  expect(await count(`issues where status <> 'open' and response_ms is null`)).toBe(0);
  expect(await count(`issues where status = 'closed' and resolution_ms is null`)).toBe(0);
  expect(await count('issue_reports r join issues i on i.id = r.issue_id where i.created_by is null')).toBe(1);
  expect(
    await count(`issues where created_at > '${UNTIL.toISOString()}' or updated_at > '${UNTIL.toISOString()}'`),
  ).toBe(0);
  expect(await count(`issue_evidence e join issues i on i.id = e.issue_id where e.taken_at <> i.created_at`)).toBe(0);
  expect(await count('issue_evidence')).toBeGreaterThan(0);
});

test('the devices of a site without power are offline at the same time', async () => {
  const dark = await rowsOf<{ n: number }>(`
    select count(*)::int as n from alarms a join sites s on s.id = a.site_id
     where a.code = 'Offline' and s.code = 'SG-TAM' and a.cleared_at - a.raised_at > interval '2 hours'
       and a.acknowledged_note = 'Power failure at the site'`);
  expect(dark[0]?.n).toBeGreaterThanOrEqual(2);
});

test('a rollout has failures, and its repetition brings the new version to every device', async () => {
  const batches = await rowsOf(`
    select succeeded, failed, timed_out, queued, in_flight, rerun_of is not null as again from command_batches order by id`);
  expect(batches).toEqual([
    { succeeded: 3, failed: 1, timed_out: 1, queued: 0, in_flight: 0, again: false },
    { succeeded: 2, failed: 0, timed_out: 0, queued: 0, in_flight: 0, again: true },
  ]);
  expect(await count(`devices where soft_version = '5.4.0'`)).toBe(5);
  expect(await count(`alarms where coalesce(soft_version, '') = ''`)).toBe(0);
  const upgraded = `alarms a join transfers t on t.device_id = a.device_id and t.kind = 'software' and t.state = 'verified'`;
  const version = 'case when a.raised_at < t.ended_at then t.former_version else t.version end';
  expect(await count(upgraded)).toBeGreaterThan(0);
  expect(await count(`${upgraded} where a.soft_version <> ${version}`)).toBe(0);
  const [file] = await rowsOf<{ object_key: string; size: number }>('select object_key, size from firmware_files');
  expect(objects.get(file!.object_key)).toBe(file!.size);
});

test('nobody knows the passwords of the demo users, and their sessions have ended', async () => {
  expect(await count(`users where not root and password_hash not like '$argon2id$%'`)).toBe(0);
  expect(await count('sessions where ended_at is null')).toBe(0);
});

test('simulated devices continue with the last meters and versions', async () => {
  const { stations, storage } = await stateOfDemoFleet(database.db, FLEET);
  const meters = await rowsOf<{ sn: string; connector: number; meter: number }>(`
    select d.sn, t.connector, max(t.meter_stop)::float8 as meter from transactions t join devices d on d.id = t.device_id
     where d.sn like 'SIM%' group by 1, 2`);
  expect(meters.length).toBeGreaterThan(30);
  for (const { sn, connector, meter } of meters) expect(stations[sn]?.registersWh?.[connector - 1]).toBe(meter);
  expect(Object.values(stations).filter(({ firmwareVersion }) => firmwareVersion === '5.4.0')).toHaveLength(5);
  expect(storage.states.SIMESS00001).toMatchObject({ charged: expect.any(Number), soc: expect.any(Number) });
});
