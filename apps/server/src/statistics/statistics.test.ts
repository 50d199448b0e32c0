import { ENDPOINTS } from '@chargehand/contract';
import { servedOf } from '@chargehand/domain';
import readExcelFile from 'read-excel-file/node';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Client } from '../testing/client.ts';
import { connectPile } from '../testing/gateways/pile.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { addChanges } from './figures/changes.store.ts';
import { stepOf } from './figures/figures.service.ts';
import { addUpPower } from './figures/power.store.ts';

const { readSiteStatuses, readSiteTraffic, listSiteTrafficDevices, readDeviceTraffic, updateDevice, deleteDevice } =
  ENDPOINTS;

let server: TestServer;
let admin: Client;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.as('northAdmin');
});
afterAll(() => server.stop());

const HOUR_MS = 3_600_000;
const query = (text: string, values: unknown[] = []) => server.database.pool.query(text, values);
/** The hour in which these tests started; another may start while they run. */
const THIS_HOUR = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
/** The start of the hour that is a number of hours before that one. */
const hour = (ago: number) => new Date(THIS_HOUR - ago * HOUR_MS);
/** The steps that start a number of hours before. */
const stepsAt = <S extends { at: string }>(steps: S[], ...ago: number[]) =>
  ago.map((one) => steps.find(({ at: begin }) => begin === hour(one).toISOString()));
const at = (ago: number, minutes: number) => new Date(hour(ago).getTime() + minutes * 60_000);

describe('statuses', () => {
  const statuses = async (client: Client, site: number, step: 'hour' | 'day' = 'hour') =>
    await client.data(readSiteStatuses, { params: { id: site }, query: { step } });
  const span = (device: number, site: number, status: string, from: Date, to: Date) =>
    query(
      'insert into device_status_spans (device_id, site_id, status, began_at, ended_at) values ($1, $2, $3, $4, $5)',
      [device, site, status, from, to],
    );
  beforeEach(async () => {
    await query('delete from device_status_spans');
    await query('delete from server_gaps');
  });

  test('are counted per hour, split where the hour changes, and start with the registration of the device', async () => {
    const { northQuay } = server.world.sites;
    const { northQuay1, northQuay2 } = server.world.devices;
    await span(northQuay1.id, northQuay, 'idle', at(5, 45), at(3, 15));
    await span(northQuay1.id, northQuay, 'working', at(3, 15), at(3, 45));
    await span(northQuay2.id, northQuay, 'faulted', at(4, 0), at(3, 0));
    const { steps, stepSeconds } = await statuses(admin, northQuay);
    expect(stepSeconds).toBe(3_600);
    expect(steps).toHaveLength(24);
    const shown = stepsAt(steps, 5, 4, 3, 2).map((step) => ({
      lasted: step?.lasted,
      idle: step?.seconds.idle,
      working: step?.seconds.working,
      faulted: step?.seconds.faulted,
      unknown: step?.unknown,
    }));
    expect(shown).toEqual([
      { lasted: 3_600, idle: 900, working: 0, faulted: 0, unknown: 0 },
      { lasted: 3_600, idle: 3_600, working: 0, faulted: 3_600, unknown: 0 },
      { lasted: 3_600, idle: 900, working: 1_800, faulted: 0, unknown: 0 },
      { lasted: 3_600, idle: 0, working: 0, faulted: 0, unknown: 0 },
    ]);
  });

  test('are unknown while no server was running, whatever is recorded for that time', async () => {
    const { northQuay } = server.world.sites;
    await span(server.world.devices.northQuay1.id, northQuay, 'working', at(6, 0), at(3, 0));
    await span(server.world.devices.northQuay2.id, northQuay, 'idle', at(6, 0), at(4, 30));
    await query('insert into server_gaps (began_at, ended_at) values ($1, $2), ($3, $4)', [
      at(5, 30),
      at(4, 10),
      // two nodes may report one gap
      at(5, 30),
      at(4, 0),
    ]);
    const { steps } = await statuses(admin, northQuay);
    const shown = stepsAt(steps, 6, 5, 4).map((step) => ({
      working: step?.seconds.working,
      idle: step?.seconds.idle,
      unknown: step?.unknown,
    }));
    expect(shown).toEqual([
      { working: 3_600, idle: 3_600, unknown: 0 },
      { working: 1_800, idle: 1_800, unknown: 3_600 },
      { working: 3_000, idle: 1_200, unknown: 1_200 },
    ]);
  });

  test('are added up per day of the default time zone', async () => {
    const { northQuay } = server.world.sites;
    const days = (await statuses(admin, northQuay, 'day')).steps;
    expect(days).toHaveLength(31);
    expect(days.every(({ at: begin }) => begin.endsWith('T16:00:00.000Z'))).toBe(true);
    // The day may change meanwhile, so steps are found by their start, not by their index.
    const [dayBefore, day] = [days[28]!.at, days[29]!.at];
    const midnight = Date.parse(day);
    await span(
      server.world.devices.northQuay1.id,
      northQuay,
      'idle',
      new Date(midnight - HOUR_MS),
      new Date(midnight + 2 * HOUR_MS),
    );
    const { steps } = await statuses(admin, northQuay, 'day');
    const idleOn = (begin: string) => steps.find((step) => step.at === begin)?.seconds.idle;
    expect(idleOn(dayBefore)).toBe(3_600);
    expect(idleOn(day)).toBe(7_200);
  });

  test('contain nothing of another site, and the history of a device stays with the site where it was', async () => {
    const { northQuay, northMill, southPark } = server.world.sites;
    await span(server.world.devices.southPark1.id, southPark, 'working', at(3, 0), at(2, 0));
    await span(server.world.devices.northQuay1.id, northMill, 'working', at(3, 0), at(2, 30));
    const working = async (client: Client, site: number) =>
      (await statuses(client, site)).steps.reduce((sum, { seconds }) => sum + seconds.working, 0);
    expect(await working(admin, northQuay)).toBe(0);
    expect(await working(admin, northMill)).toBe(5_400);
    expect(await working(await server.as('southAdmin'), southPark)).toBe(3_600);
    expect(await working(await server.as('root'), northQuay)).toBe(0);
  });

  test('are exported as they are shown, in hours', async () => {
    const { northQuay } = server.world.sites;
    await span(server.world.devices.northQuay1.id, northQuay, 'working', at(2, 0), at(2, 45));
    const response = await admin.fetch(`/api/auth/sys/sites/${northQuay}/status-statistics/export?step=hour`);
    expect(response.headers.get('content-disposition')).toMatch(/filename="Device status hours \d{8}-\d{6}\.xlsx"/);
    const [sheet] = await readExcelFile(Buffer.from(await response.arrayBuffer()));
    expect(sheet?.data[0]?.slice(0, 4)).toEqual(['From', 'Faulted (h)', 'Offline (h)', 'Working (h)']);
    expect(sheet?.data.filter((row) => row[3] === 0.75)).toHaveLength(1);
    expect(sheet?.data).toHaveLength(25);
  });
});

describe('the history of statuses', () => {
  const spans = async (device: number) =>
    (
      await query(
        `select status, site_id, ended_at = 'infinity' as present from device_status_spans
          where device_id = $1 order by began_at, ended_at`,
        [device],
      )
    ).rows as { status: string; site_id: number; present: boolean }[];

  test('follows a device from its registration over its connection and its site to its removal', async () => {
    const { northQuay, northMill } = server.world.sites;
    const { id } = await admin.data(ENDPOINTS.createDevice, {
      body: { sn: 'SPAN-0001', name: 'Span 1', siteId: northQuay, deviceModelId: server.world.model },
    });
    const pile = await connectPile(server, 'SPAN-0001');
    await expect.poll(() => spans(id), { timeout: 30_000 }).toHaveLength(2);
    await admin.data(updateDevice, { params: { id }, body: { siteId: northMill } });
    await pile.say('StatusNotification', { connectorId: 1, errorCode: 'NoError', status: 'Charging' });
    await expect.poll(() => spans(id), { timeout: 30_000 }).toHaveLength(4);
    await pile.cut();
    await expect.poll(() => spans(id), { timeout: 30_000 }).toHaveLength(5);
    await admin.data(deleteDevice, { params: { id } });
    expect((await spans(id)).map(({ status, site_id, present }) => [status, site_id, present])).toEqual([
      ['offline', northQuay, false],
      ['idle', northQuay, false],
      ['idle', northMill, false],
      ['working', northMill, false],
      ['offline', northMill, false],
    ]);
  });

  test('has one current span per device, and no overlap with concurrent changes', async () => {
    const { id } = server.world.devices.northMill1;
    await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        query('update devices set status = $2 where id = $1', [id, n % 2 === 0 ? 'idle' : 'working']),
      ),
    );
    await query(`update devices set status = 'offline' where id = $1`, [id]);
    const { rows } = await query(
      `select count(*) filter (where ended_at = 'infinity')::int as present,
              count(*) filter (where ended_at <> next)::int as torn
         from (select ended_at, lead(began_at) over (order by began_at, ended_at) as next
                 from device_status_spans where device_id = $1) s`,
      [id],
    );
    expect(rows).toEqual([{ present: 1, torn: 0 }]);
  });

  test('a restart is a gap, from the last heartbeat to the first', async () => {
    await query('delete from server_gaps');
    await query(`update server_beats set at = now() - interval '2 hours'`);
    const { rows: before } = await query('select at from server_beats');
    // The state after a kill: the last heartbeat is unchanged.
    await query(`create function keep_beat() returns trigger language plpgsql as $$ begin return null; end $$`);
    await query('create trigger keep_beat before update on server_beats for each row execute function keep_beat()');
    const restarted = server.restart();
    await expect
      .poll(async () => (await query('select count(*)::int as n from server_gaps')).rows[0].n, { timeout: 30_000 })
      .toBeGreaterThan(0);
    await restarted;
    await query('drop trigger keep_beat on server_beats');
    const { rows } = await query(
      "select began_at, ended_at > now() - interval '1 minute' as fresh from server_gaps order by id desc limit 1",
    );
    expect(rows).toEqual([{ began_at: before[0].at, fresh: true }]);
    admin = await server.as('northAdmin');
  });
});

describe('traffic', () => {
  const count = (device: number, site: number, begin: Date, received: number, sent: number) =>
    query('insert into traffic_hours (device_id, site_id, at, received, sent) values ($1, $2, $3, $4, $5)', [
      device,
      site,
      begin,
      received,
      sent,
    ]);
  beforeEach(() => query('delete from traffic_hours'));

  test('is returned per hour and per day, and the devices with the most come first', async () => {
    const { northQuay, southPark } = server.world.sites;
    const { northQuay1, northQuay2, southPark1 } = server.world.devices;
    await count(northQuay1.id, northQuay, hour(3), 1_000, 200);
    await count(northQuay1.id, northQuay, hour(46), 50, 5);
    await count(northQuay1.id, northQuay, hour(48), 7, 7);
    await count(northQuay2.id, northQuay, hour(3), 5_000_000_000, 1);
    await count(southPark1.id, southPark, hour(3), 9_999, 9_999);
    const params = { id: northQuay };
    const hours = await admin.data(readSiteTraffic, { params, query: { step: 'hour' } });
    expect(hours.steps).toHaveLength(48);
    expect(stepsAt(hours.steps, 3, 46)).toEqual([
      { at: hour(3).toISOString(), received: 5_000_001_000, sent: 201 },
      { at: hour(46).toISOString(), received: 50, sent: 5 },
    ]);
    const days = await admin.data(readSiteTraffic, { params, query: { step: 'day' } });
    expect(days.steps).toHaveLength(60);
    expect(days.steps.reduce((sum, { received }) => sum + received, 0)).toBe(5_000_001_057);
    const devices = await admin.data(listSiteTrafficDevices, { params, query: { step: 'hour', pageSize: 10 } });
    expect(devices).toEqual({
      total: 2,
      items: [
        { id: northQuay2.id, name: 'Pile northQuay-2', sn: 'northQuay-2', received: 5_000_000_000, sent: 1 },
        { id: northQuay1.id, name: 'Pile northQuay-1', sn: 'northQuay-1', received: 1_050, sent: 205 },
      ],
    });
    const later = await admin.data(listSiteTrafficDevices, { params, query: { step: 'hour', page: 2, pageSize: 10 } });
    expect(later).toEqual({ total: 2, items: [] });
    const file = await admin.fetch(`/api/auth/sys/sites/${northQuay}/traffic/export?step=hour`);
    const [sheet] = await readExcelFile(Buffer.from(await file.arrayBuffer()));
    expect(sheet?.data.map((row) => row.slice(1))).toContainEqual([5_000_001_000, 201]);
  });

  test('of a device that moved to another customer stays, without its current place and name', async () => {
    const { northQuay, southPark } = server.world.sites;
    const { southPark1 } = server.world.devices;
    await count(southPark1.id, northQuay, hour(2), 300, 30);
    await count(southPark1.id, southPark, hour(1), 500, 50);
    const { items } = await admin.data(listSiteTrafficDevices, { params: { id: northQuay }, query: { step: 'hour' } });
    expect(items).toEqual([{ id: southPark1.id, name: null, sn: null, received: 300, sent: 30 }]);
    const south = await server.as('southAdmin');
    const own = await south.data(readDeviceTraffic, { params: { id: southPark1.id }, query: { step: 'hour' } });
    expect(own.steps.reduce((sum, { received }) => sum + received, 0)).toBe(500);
    const all = await (await server.as('root')).data(readDeviceTraffic, {
      params: { id: southPark1.id },
      query: { step: 'hour' },
    });
    expect(all.steps.reduce((sum, { received }) => sum + received, 0)).toBe(800);
  });
});

describe('key figures', () => {
  const { readKeyFigures, readDeviceFigures, countDevices } = ENDPOINTS;
  const figures = async (client: Client, place: { siteId?: number } = {}) => {
    while ((await addChanges(server.database.pool, stepOf, 100)) > 0);
    return await client.data(readKeyFigures, { query: place });
  };
  const forget = async () => {
    for (const table of ['figure_changes', 'site_figures', 'site_figure_hours', 'site_figure_days'])
      await query(`delete from ${table}`);
    await query('delete from device_status_spans');
    await query('delete from server_gaps');
  };
  const change = (sql: string, values: unknown[]) => query(sql, values);

  test('are those of the devices as they are, for each scope', async () => {
    await forget();
    await query(
      `insert into device_status_spans (device_id, site_id, status, began_at)
       select id, site_id, status, now() - interval '1 hour' from devices`,
    );
    await change("update devices set status = 'working' where id = $1", [server.world.devices.northQuay1.id]);
    await change("update devices set status = 'faulted' where id = $1", [server.world.devices.northQuay2.id]);
    for (const client of [admin, await server.as('northAssigned'), await server.as('root')]) {
      const { byStatus } = await client.data(countDevices, { query: {} });
      const { now } = await figures(client);
      expect(now).toEqual({ ...servedOf(byStatus), charging: byStatus.working, powerW: null });
    }
    const { southPark } = server.world.sites;
    expect((await figures(admin, { siteId: southPark })).now.served).toBe(0);

    // The power of those that charge now, by their latest values.
    await query(
      `insert into reading_layouts (items) values ('[{"key":"Voltage","unit":"V","counter":false},{"key":"Power.Active.Import","unit":"kW","counter":false}]')`,
    );
    await query('delete from latest_readings');
    const value = `insert into latest_readings (device_id, connector, layout_id, at, analog, counters)
      select $1, $2, max(id), now() - $3::interval, '{230,7.5}', '{}' from reading_layouts`;
    await query(value, [server.world.devices.northQuay1.id, 1, '1 minute']);
    await query(value, [server.world.devices.northQuay1.id, 2, '1 day']);
    await query(value, [server.world.devices.northMill1.id, 1, '1 minute']);
    await addUpPower(server.database.pool);
    expect((await figures(admin)).now).toMatchObject({ charging: 1, powerW: 7_500 });
  });

  test('of the past follow from changes: availability by time, energy and outcomes of sessions by their end', async () => {
    await forget();
    const { northQuay1, northQuay2 } = server.world.devices;
    const { northQuay } = server.world.sites;
    const now = Date.now();
    const ago = (hours: number) => new Date(now - hours * HOUR_MS);
    const span = `insert into device_status_spans (device_id, site_id, status, began_at, ended_at) values ($1, $2, $3, $4, $5)`;
    // Four days ago one of two devices begins to fail. It is maintained for the last two days.
    await query(span, [northQuay1.id, northQuay, 'idle', ago(200), 'infinity']);
    await query(span, [northQuay2.id, northQuay, 'idle', ago(200), ago(96)]);
    await query(span, [northQuay2.id, northQuay, 'offline', ago(96), ago(48)]);
    await query(span, [northQuay2.id, northQuay, 'maintain', ago(48), 'infinity']);
    await query('delete from transactions');
    const session = async (start: Date, stop: Date | null, energy: number, reason: string | null) =>
      await query(
        `insert into transactions (device_id, connector, id_tag, meter_start, started_at, meter_stop, stopped_at, stop_reason, recorded_at)
         values ($1, 1, 'A', 100, $2, $3, $4, $5, now())`,
        [northQuay1.id, start, stop && 100 + energy, stop, reason],
      );
    await session(ago(73), ago(72), 4_000, 'Local');
    await session(ago(72), ago(71.9), 0, 'DeAuthorized');
    await session(ago(0.2), ago(0.1), 1_000, 'PowerLoss');
    await session(ago(0.05), null, 0, null);
    // The end is reported after all.
    await query(
      "update transactions set meter_stop = 600, stopped_at = $1, stop_reason = 'Local' where stopped_at is null",
      [new Date(now - 60_000)],
    );
    const { steps: days } = await figures(admin, { siteId: northQuay });
    expect(days).toHaveLength(7);
    expect(days[0]?.availability).toBe(1);
    expect(days[6]?.availability).toBe(1);
    const worst = Math.min(...days.map(({ availability }) => availability ?? 1));
    expect(worst).toBeCloseTo(0.5, 5);
    const sum = (read: (day: (typeof days)[number]) => number) => days.reduce((total, day) => total + read(day), 0);
    expect([sum((day) => day.energyWh), sum((day) => day.sessions), sum((day) => day.failed)]).toEqual([5_500, 3, 1]);

    const byHour = await admin.data(readKeyFigures, { query: { siteId: northQuay, step: 'hour' } });
    expect(byHour.steps).toHaveLength(24);
    expect(byHour.steps.reduce((total, hour) => total + hour.energyWh, 0)).toBe(1_500);
    expect(byHour.steps.every(({ availability }) => availability === 1)).toBe(true);

    // A day in which no server was running is unknown.
    await query('insert into server_gaps (began_at, ended_at) values ($1, $2)', [days[1]!.at, days[2]!.at]);
    const unseen = (await figures(admin, { siteId: northQuay })).steps;
    expect(unseen.map(({ availability }) => availability === null)).toEqual([
      false,
      true,
      false,
      false,
      false,
      false,
      false,
    ]);

    const { hours } = await admin.data(readDeviceFigures, { params: { id: northQuay1.id } });
    expect(hours).toHaveLength(24);
    expect(hours.every(({ availability }) => availability === 1)).toBe(true);
    expect(hours.reduce((total, one) => total + one.energyWh, 0)).toBe(1_500);
    const maintained = await admin.data(readDeviceFigures, { params: { id: northQuay2.id } });
    expect(maintained.hours.every(({ availability }) => availability === null)).toBe(true);
  });
});
