import { CODES, ENDPOINTS, type QueryOf } from '@chargehand/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../testing/client.ts';
import { textsOfXlsx } from '../testing/files/xlsx.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { readNewestEvents } from './device-events.service.ts';

let server: TestServer;
let admin: Client;
let assigned: Client;
let root: Client;
const ids: Record<string, number> = {};

/** An hour of a past day that the tests use. */
const at = (day: number, hour = 0) => new Date(Date.UTC(2026, 0, day, hour)).toISOString();

beforeAll(async () => {
  server = await startTestServer();
  [admin, assigned, root] = await Promise.all([server.as('northAdmin'), server.as('northAssigned'), server.as('root')]);
  const { devices } = server.world;
  const alarm = async (
    name: string,
    deviceId: number,
    values: { level: string; raised: string; cleared?: string; kind?: string; code?: string; suppressed?: boolean },
  ) => {
    const { rows } = await server.database.pool.query<{ id: number }>(
      `insert into alarms (device_id, connector, code, kind, level, raised_at, last_at, cleared_at, suppressed)
       values ($1, 1, $2, $3, $4, $5, $5, $6, $7) returning id::int`,
      [
        deviceId,
        values.code ?? name,
        values.kind ?? 'fault',
        values.level,
        values.raised,
        values.cleared ?? null,
        values.suppressed ?? false,
      ],
    );
    ids[name] = rows[0]!.id;
  };
  await alarm('first', devices.northQuay1.id, { level: 'OA', raised: at(1), code: 'GroundFailure' });
  await alarm('second', devices.northQuay2.id, { level: 'CA', raised: at(2) });
  await alarm('third', devices.northMill1.id, { level: 'MA', raised: at(3), kind: 'offline' });
  await alarm('over', devices.northQuay1.id, { level: 'CA', raised: at(4), cleared: at(4, 2) });
  await alarm('hushed', devices.northQuay1.id, { level: 'MA', raised: at(5), suppressed: true });
  await alarm('foreign', devices.southPark1.id, { level: 'CA', raised: at(6) });
  for (const [deviceId, type, day] of [
    [devices.northQuay1.id, 0, 1],
    [devices.northQuay2.id, 2, 2],
    [devices.northMill1.id, 2, 3],
    [devices.southPark1.id, 2, 4],
  ] as const) {
    await server.database.pool.query(
      `insert into device_events (device_id, connector, type, at, code) values ($1, 0, $2, $3, 'WeakSignal')`,
      [deviceId, type, at(day)],
    );
  }
});
afterAll(() => server.stop());

type Query = Partial<QueryOf<typeof ENDPOINTS.listAlarms>>;
const idsOf = async (client: Client, query: Query = {}) =>
  (await client.data(ENDPOINTS.listAlarms, { query })).items.map(({ id }) => id);
const named = (...names: string[]) => names.map((name) => ids[name]);

describe('the list', () => {
  test('shows each user the alarms of their scope, newest first', async () => {
    expect(await idsOf(admin)).toEqual(named('hushed', 'over', 'third', 'second', 'first'));
    expect(await idsOf(assigned)).toEqual(named('hushed', 'over', 'second', 'first'));
    expect(await idsOf(root)).toHaveLength(6);
    const { items } = await admin.data(ENDPOINTS.listAlarms, { query: { code: 'GroundFailure' } });
    expect(items[0]).toMatchObject({
      deviceName: 'Pile northQuay-1',
      siteName: 'Site northQuay',
      customerName: 'Customer north',
      deviceModelName: 'World pile',
      nameEn: 'Ground fault protection tripped',
      nameZh: '接地故障',
      repeats: 0,
    });
  });

  test('sorts by level when asked, oldest first within a level', async () => {
    expect(await idsOf(admin, { state: 'open', sort: '-level' })).toEqual(named('second', 'hushed', 'third', 'first'));
    expect(await idsOf(admin, { sort: 'raisedAt' })).toEqual(named('first', 'second', 'third', 'over', 'hushed'));
  });

  test.each<[Query | (() => Query), string[]]>([
    [{ state: 'open' }, ['hushed', 'third', 'second', 'first']],
    [{ state: 'cleared' }, ['over']],
    [{ kind: 'offline' }, ['third']],
    [{ level: 'CA' }, ['over', 'second']],
    [{ suppressed: true }, ['hushed']],
    [{ suppressed: false, state: 'open' }, ['third', 'second', 'first']],
    [{ code: 'GroundFailure' }, ['first']],
    [{ from: at(2), to: at(4) }, ['third', 'second']],
    [() => ({ siteId: server.world.sites.northMill }), ['third']],
    [() => ({ deviceId: server.world.devices.northQuay2.id }), ['second']],
    [() => ({ customerId: server.world.customers.south }), []],
    [() => ({ deviceId: server.world.devices.southPark1.id }), []],
    [() => ({ deviceModelId: server.world.model, level: 'OA' }), ['first']],
  ])('is filtered by %j', async (query, names) => {
    expect(await idsOf(admin, typeof query === 'function' ? query() : query)).toEqual(named(...names));
  });

  test.each(['-raisedAt', 'raisedAt', '-level'] as const)(
    'by %s continues where the previous page ended',
    async (sort) => {
      await server.database.pool.query(
        `insert into alarms (device_id, connector, code, kind, level, raised_at, last_at)
       select $1, 9, 'many ' || $3 || n, 'alarm', 'OA', $2::timestamptz + (n / 2) * interval '1 microsecond', $2
         from generate_series(1, 25) n`,
        [server.world.devices.northQuay1.id, at(8), sort],
      );
      const deviceId = server.world.devices.northQuay1.id;
      const whole = await idsOf(admin, { deviceId, sort, limit: 100 });
      const read: number[] = [];
      let after: string | undefined;
      do {
        const page = await admin.data(ENDPOINTS.listAlarms, { query: { deviceId, sort, limit: 10, after } });
        read.push(...page.items.map(({ id }) => id));
        after = page.next ?? undefined;
      } while (after !== undefined);
      expect(read).toEqual(whole);
      await server.database.pool.query('delete from alarms where connector = 9');
    },
  );

  test('is exported with its filters', async () => {
    const response = await admin.fetch('/api/auth/sys/alarms/export?level=CA');
    const texts = textsOfXlsx(Buffer.from(await response.arrayBuffer()));
    expect(texts).toEqual(expect.arrayContaining(['second', 'over', 'Level', 'Fault']));
    expect(texts).not.toContain('foreign');
  });

  test('keeps alarms at the site where they were raised when a device moves', async () => {
    const { sites, model } = server.world;
    const body = { sn: 'MOVING-1', name: 'Moving', siteId: sites.northMill, deviceModelId: model };
    const { id } = await root.data(ENDPOINTS.createDevice, { body });
    const { rows } = await server.database.pool.query<{ id: number }>(
      `insert into alarms (device_id, connector, code, kind, level, raised_at, last_at, cleared_at)
       values ($1, 1, 'Past', 'alarm', 'OA', now(), now(), now()) returning id`,
      [id],
    );
    await root.data(ENDPOINTS.updateDevice, { params: { id }, body: { siteId: sites.northQuay } });
    expect(await idsOf(assigned)).not.toContain(rows[0]?.id);
    expect(await idsOf(admin)).toContain(rows[0]?.id);
    await root.data(ENDPOINTS.deleteDevice, { params: { id } });
  });
});

describe('figures', () => {
  test('open alarms are counted by level and kind, suppressed ones separately', async () => {
    expect(await admin.data(ENDPOINTS.summarizeAlarms)).toEqual({
      total: 3,
      unacknowledged: 3,
      suppressed: 1,
      byLevel: { OA: 1, MA: 1, CA: 1 },
      byKind: { offline: 1, alarm: 0, fault: 2, unavailable: 0 },
    });
    expect(await assigned.data(ENDPOINTS.summarizeAlarms)).toMatchObject({ total: 2, byKind: { offline: 0 } });
  });

  test('rankings and the trend count alarms that were raised in the period and are in scope', async () => {
    const { devices } = server.world;
    await server.database.pool.query(
      `insert into alarms (device_id, connector, code, kind, level, raised_at, last_at, cleared_at, suppressed)
       select d, 8, c, 'fault', 'CA', now() - make_interval(days => ago), now(), now(), hushed
         from (values ($1::int, 'GroundFailure', 0, false), ($1, 'HighTemperature', 1, false), ($2, 'GroundFailure', 20, false),
                      ($1, 'Hushed', 0, true), ($3, 'Foreign', 0, false)) as r (d, c, ago, hushed)`,
      [devices.northQuay1.id, devices.northMill1.id, devices.southPark1.id],
    );
    const ranked = async (
      client: Client,
      by: 'site' | 'device' | 'model' | 'code' | 'kind' | 'level',
      days: 7 | 30,
    ) => {
      const { items, total } = await client.data(ENDPOINTS.rankAlarms, { query: { by, days } });
      return [total, ...items.map(({ name, count }) => `${name} ${count}`)];
    };
    expect(await ranked(admin, 'site', 7)).toEqual([2, 'Site northQuay 2']);
    expect(await ranked(admin, 'site', 30)).toEqual([3, 'Site northQuay 2', 'Site northMill 1']);
    expect(await ranked(assigned, 'site', 30)).toEqual([2, 'Site northQuay 2']);
    expect(await ranked(admin, 'code', 30)).toEqual([3, 'GroundFailure 2', 'HighTemperature 1']);
    expect(await ranked(admin, 'device', 7)).toEqual([2, 'Pile northQuay-1 2']);
    expect(await ranked(admin, 'model', 7)).toEqual([2, 'World pile 2']);
    expect(await ranked(admin, 'kind', 30)).toEqual([3, 'fault 3']);
    expect(await ranked(admin, 'level', 30)).toEqual([3, 'CA 3']);
    const { days } = await admin.data(ENDPOINTS.readAlarmTrend, { query: { days: 7 } });
    expect(days).toHaveLength(7);
    expect(days.map(({ raised }) => raised).slice(-2)).toEqual([1, 1]);
    expect(days.at(-1)?.cleared).toBe(3);
    await server.database.pool.query('delete from alarms where connector = 8');
  });
});

describe('acknowledging', () => {
  test('an alarm is acknowledged once, by the first user, and the log records who', async () => {
    const body = { ids: named('first') as number[], note: '  on my way ' };
    const answers = await Promise.all(
      [admin, assigned, root, admin].map((client) => client.data(ENDPOINTS.acknowledgeAlarms, { body })),
    );
    expect(answers.map(({ acknowledged }) => acknowledged).toSorted()).toEqual([0, 0, 0, 1]);
    const [alarm] = (await admin.data(ENDPOINTS.listAlarms, { query: { acknowledged: true } })).items;
    expect(alarm).toMatchObject({ id: ids.first, acknowledgedNote: 'on my way' });
    const { rows } = await server.database.pool.query(
      `select user_name, object_id from action_logs where object_type = 'alarm'`,
    );
    expect(rows).toEqual([{ user_name: alarm!.acknowledgedBy, object_id: String(ids.first) }]);
  });

  test('several are acknowledged at once, but none when the caller cannot see one of them', async () => {
    const some = await admin.call(ENDPOINTS.acknowledgeAlarms, {
      body: { ids: named('second', 'foreign') as number[] },
    });
    expect(some.code).toBe(CODES.notFound.code);
    expect(await idsOf(admin, { acknowledged: false, state: 'open' })).toContain(ids.second);
    const body = { ids: named('first', 'second', 'third') as number[] };
    expect(await admin.data(ENDPOINTS.acknowledgeAlarms, { body })).toEqual({ acknowledged: 2, already: 1 });
    expect((await admin.data(ENDPOINTS.summarizeAlarms)).unacknowledged).toBe(0);
  });

  test('comments on an alarm are listed in order of time', async () => {
    const params = { id: ids.second! };
    await admin.data(ENDPOINTS.commentAlarm, { params, body: { comment: ' Is it the cable? ' } });
    await root.data(ENDPOINTS.commentAlarm, { params, body: { comment: 'It is.' } });
    const empty = await admin.call(ENDPOINTS.commentAlarm, { params, body: { comment: '  ' } });
    expect(empty).toMatchObject({ code: CODES.fieldRequired.code, field: 'comment' });
    const alarm = await assigned.data(ENDPOINTS.readAlarm, { params });
    expect(alarm.conversation.map(({ by, text }) => `${by}: ${text}`)).toEqual([
      'north_admin: Is it the cable?',
      'root_user: It is.',
    ]);
    expect(alarm.comments).toBe(2);
  });
});

test('events are those of the scope, newest first, and can be filtered', async () => {
  const events = async (client: Client, query: object = {}) =>
    (await client.data(ENDPOINTS.listDeviceEvents, { query })).items.map(({ deviceName }) => deviceName.slice(5));
  expect(await events(admin)).toEqual(['northMill-1', 'northQuay-2', 'northQuay-1']);
  expect(await events(assigned)).toEqual(['northQuay-2', 'northQuay-1']);
  expect(await events(admin, { type: 0 })).toEqual(['northQuay-1']);
  expect(await events(admin, { siteId: server.world.sites.northMill })).toEqual(['northMill-1']);
  expect(await events(admin, { deviceId: server.world.devices.southPark1.id })).toEqual([]);
});

test('live events carry rows like those of the list, none from a former site, and none if there are too many', async () => {
  const { db, pool } = server.database;
  const { northQuay1, northQuay2 } = server.world.devices;
  // As a console receives them.
  const carried = async (id: number) =>
    JSON.parse(JSON.stringify((await readNewestEvents(db, [id])).get(id))) as unknown;
  const listed = await admin.data(ENDPOINTS.listDeviceEvents, { query: { deviceId: northQuay2.id } });
  expect(await carried(northQuay2.id)).toEqual(listed.items);
  await pool.query('update device_events set site_id = $2 where device_id = $1', [
    northQuay2.id,
    server.world.sites.northMill,
  ]);
  expect(await carried(northQuay2.id)).toBeNull();
  const { rows } = await pool.query(
    `insert into device_events (device_id, connector, type, at, code, ended_at)
     select $1, 0, 2, '2026-01-09', 'Code' || n, now() from generate_series(1, 6) n returning id`,
    [northQuay1.id],
  );
  expect(await carried(northQuay1.id)).toBeNull();
  await pool.query('delete from device_events where id = any ($1)', [rows.map(({ id }) => id)]);
  expect(await carried(northQuay1.id)).toHaveLength(1);
});

test('a model may give a code its own name and level', async () => {
  const params = { id: server.world.model };
  const body = { code: 'GroundFailure', nameEn: 'Leak', nameZh: '漏电', kind: null, level: 'MA' } as const;
  const { id } = await root.data(ENDPOINTS.saveAlarmCode, { params, body });
  expect(await root.data(ENDPOINTS.saveAlarmCode, { params, body: { ...body, nameEn: 'Leakage' } })).toEqual({ id });
  const codes = async () => (await root.data(ENDPOINTS.listAlarmCodes, { params })).items;
  expect((await codes()).filter(({ code }) => code === 'GroundFailure')).toEqual([
    { id, ...body, nameEn: 'Leakage', shared: false },
  ]);
  const { items } = await admin.data(ENDPOINTS.listAlarms, { query: { code: 'GroundFailure' } });
  expect(items[0]?.nameEn).toBe('Leakage');
  await root.data(ENDPOINTS.deleteAlarmCode, { params: { id } });
  expect((await codes()).find(({ code }) => code === 'GroundFailure')).toMatchObject({ shared: true, level: null });
  const shared = (await codes()).find((one) => one.shared)!;
  const refused = await root.call(ENDPOINTS.deleteAlarmCode, { params: { id: shared.id } });
  expect(refused.code).toBe(CODES.notFound.code);
});

describe('incidents', () => {
  const incidents = async (client: Client, query: QueryOf<typeof ENDPOINTS.listIncidents> = {}) =>
    await client.data(ENDPOINTS.listIncidents, { query });
  const codes = async (client: Client) => (await incidents(client)).items.map(({ code }) => code);

  test('are the open alarms that count, by site and cause, the worst first', async () => {
    const { items, total } = await incidents(admin);
    expect(total).toBe(items.length);
    expect(items.map(({ alarmId }) => alarmId)).toEqual(named('second', 'third', 'first'));
    expect(items[2]).toMatchObject({
      ...{ siteName: 'Site northQuay', code: 'GroundFailure', nameEn: 'Ground fault protection tripped', level: 'OA' },
      ...{ since: at(1), alarms: 1, deviceCount: 1, unacknowledged: [] },
      ...{ devices: [{ id: server.world.devices.northQuay1.id, name: 'Pile northQuay-1' }], issue: null, others: [] },
    });
    expect(await codes(assigned)).toEqual(['second', 'GroundFailure']);
    expect(await codes(root)).toContain('foreign');
    expect((await incidents(admin, { siteId: server.world.sites.northMill })).items).toHaveLength(1);
    expect(await incidents(admin, { limit: 1 })).toMatchObject({ total: 3, items: [{ code: 'second' }] });
  });

  test('take up alarms of a cause within ten minutes, have the age of the first, and say who has them', async () => {
    const add = async (deviceId: number, minute: number, level = 'MA') =>
      await server.database.pool.query(
        `insert into alarms (device_id, connector, code, kind, level, raised_at, last_at)
         values ($1, 2, 'Fan', 'fault', $3, $2, $2)`,
        [deviceId, new Date(Date.parse(at(10)) + minute * 60_000), level],
      );
    const { northQuay1, northQuay2 } = server.world.devices;
    await add(northQuay1.id, 0);
    await add(northQuay2.id, 9, 'CA');
    const fans = async () => (await incidents(admin)).items.filter(({ code }) => code === 'Fan');
    expect(await fans()).toMatchObject([
      { since: at(10), alarms: 2, deviceCount: 2, level: 'CA', acknowledgedBy: null },
    ]);
    const [{ unacknowledged } = { unacknowledged: [] }] = await fans();
    await admin.data(ENDPOINTS.acknowledgeAlarms, { body: { ids: unacknowledged } });
    expect(await fans()).toMatchObject([{ unacknowledged: [], acknowledgedBy: 'north_admin' }]);
  });
});
