import { CODES, ENDPOINTS, MAX_POINTS, type QueryOf, type telemetryEndpoints } from '@chargehand/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Clock, clockAt, systemClock } from '../../platform/clock.ts';
import { createLog } from '../../platform/log.ts';
import type { Client } from '../../testing/client.ts';
import { textsOfXlsx } from '../../testing/files/xlsx.ts';
import { invoke } from '../../testing/invoke.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { readingPacker } from '../packing/packer.ts';
import { countMarks } from '../rollups/rollups.store.ts';
import { rollups } from '../rollups/rollups.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
/**
 * The present, cut to the hour: readings of the last forty days, every ten minutes and recently every two, except for
 * three days of silence.
 */
const NOW = Math.floor(Date.now() / 3_600_000) * 3_600_000;
const SILENCE = { from: NOW - 20 * DAY, to: NOW - 17 * DAY };
/** Readings are stored for five days, five-minute rollups for twenty, hours without limit. */
const KEPT = { raw: 5, rollups: { fiveMinutes: 20, hour: 400, day: 800 } };

let server: TestServer;
let admin: Client;
let device: number;
let other: number;

beforeAll(async () => {
  server = await startTestServer({ readingDays: KEPT });
  admin = await server.as('northAdmin');
  device = server.world.devices.northQuay1.id;
  other = server.world.devices.northMill1.id;
  const { pool } = server.database;
  const items = [
    { key: 'Energy', unit: 'Wh', counter: true },
    { key: 'Power', unit: 'W', counter: false },
    { key: 'Secret,key', unit: '', counter: false },
  ];
  await pool.query('insert into reading_layouts (items) values ($1)', [JSON.stringify(items)]);
  await pool.query(
    `insert into latest_readings (device_id, connector, layout_id, at, analog, counters)
     select d, 1, l.id, now(), '{1, 2}', '{3}' from unnest($1::int[]) d, reading_layouts l where l.items = $2::jsonb`,
    [[device, other], JSON.stringify(items)],
  );
  // The counter increases by one per reading and restarts half way.
  await pool.query(
    `insert into readings (device_id, connector, at, received_at, layout_id, analog, counters)
     select d, 1, t, t, l.id, array[1000 * sin(n / 100.0), n]::real[], array[(n % 4000)::float8]
       from unnest($1::int[]) d, reading_layouts l,
            lateral (select t, row_number() over (order by t) as n
                       from (select generate_series($2::timestamptz, $7, '10 minutes') as t
                             union select generate_series($7::timestamptz, $3, '2 minutes')) times
                      where t < $4 or t >= $5) r
      where l.items = $6::jsonb`,
    [
      [device, other],
      new Date(NOW - 40 * DAY),
      new Date(NOW - MINUTE),
      new Date(SILENCE.from),
      new Date(SILENCE.to),
      JSON.stringify(items),
      new Date(NOW - 7 * DAY),
    ],
  );
  await pool.query('analyze readings');
});
afterAll(() => server.stop());

type Query = Omit<QueryOf<typeof telemetryEndpoints.readSeries>, 'from' | 'to'>;
const rangeOf = (from: number, to: number) => ({ from: new Date(from).toISOString(), to: new Date(to).toISOString() });
const read = async (from: number, to: number, query: Query = { items: '1:Power' }, client = admin) =>
  (await client.data(ENDPOINTS.readSeries, { params: { id: device }, query: { ...query, ...rangeOf(from, to) } }))
    .series;
const call = (query: Query, client = admin) =>
  client.call(ENDPOINTS.readSeries, { params: { id: device }, query: { ...query, ...rangeOf(NOW - DAY, NOW) } });

/** Marks everything as changed and rolls it up. */
async function rollUpAll(): Promise<void> {
  const { pool } = server.database;
  await pool.query(
    `insert into reading_marks (device_id, at)
     select distinct device_id, date_bin('5 minutes', at, '2000-01-01Z') from readings`,
  );
  const worker = rollups({ pool, log: createLog('silent'), clock: clockAt(() => new Date(NOW + 3 * DAY)) });
  await expect
    .poll(
      async () => {
        await worker.rollUp();
        return countMarks(pool);
      },
      { timeout: 60_000 },
    )
    .toBe(0);
}

test('a range shows the same before and after it is rolled up, with the latest readings either way', async () => {
  await server.database.pool.query(
    `insert into reading_marks select distinct d, $2::timestamptz from unnest($1::int[]) d`,
    [[device, other], new Date(NOW - 41 * DAY)],
  );
  const ranges = [
    [NOW - 6 * 3_600_000, NOW],
    [NOW - 4 * DAY, NOW],
    [NOW - 30 * DAY, NOW],
    [NOW - 731 * DAY, NOW],
  ] as const;
  const before = [];
  for (const [from, to] of ranges) before.push(await read(from, to));
  await rollUpAll();
  for (const [index, [from, to]] of ranges.entries()) {
    const [after] = await read(from, to);
    const [bare] = before[index] ?? [];
    expect(after?.at.length).toBeGreaterThan(30);
    expect(after?.at.length).toBeLessThanOrEqual(MAX_POINTS);
    expect(after?.at).toEqual(bare?.at);
    expect(after?.low).toEqual(bare?.low);
    expect(after?.high).toEqual(bare?.high);
    for (const [place, value] of (after?.value ?? []).entries()) {
      if (value === null) expect(bare?.value[place]).toBeNull();
      else expect(value).toBeCloseTo(bare?.value[place] ?? Number.NaN, 1);
    }
  }
});

describe('the source of a range', () => {
  test.each([
    ['six hours of today', NOW - DAY / 4, NOW, 'raw'],
    ['a week', NOW - 5 * DAY + DAY / 24, NOW, 'fiveMinutes'],
    ['thirty days', NOW - 30 * DAY, NOW, 'hour'],
    ['two years', NOW - 731 * DAY, NOW, 'day'],
    ['an hour whose single readings are no longer stored', NOW - 10 * DAY, NOW - 10 * DAY + 3_600_000, 'fiveMinutes'],
    ['a day whose five-minute rollups are no longer stored', NOW - 30 * DAY, NOW - 29 * DAY, 'hour'],
  ] as const)('%s', async (_, from, to, resolution) => {
    const [series] = await read(from, to);
    expect(series).toMatchObject({ resolution, deviceId: device, connector: 1, key: 'Power', rise: false });
    expect(series?.at.length).toBeGreaterThan(5);
  });

  test('a silence is one gap in every source, and nothing is drawn within it', async () => {
    for (const from of [NOW - 40 * DAY, SILENCE.from - DAY]) {
      const [series] = await read(from, SILENCE.to + 2 * DAY);
      expect(series?.value.filter((value) => value === null)).toHaveLength(1);
      const within = series?.at.filter((at) => at * 1_000 > SILENCE.from && at * 1_000 < SILENCE.to);
      expect(within).toHaveLength(1);
    }
  });
});

describe('counters', () => {
  test('show their values, or the difference, including a restart of the counter', async () => {
    const [level] = await read(NOW - 4 * DAY, NOW, { items: '1:Energy' });
    expect(level).toMatchObject({ counter: true, rise: false });
    expect(level).not.toHaveProperty('low');
    for (const days of [0.25, 4, 39]) {
      const from = NOW - days * DAY;
      const [rise, power] = await read(from, NOW, { items: '1:Energy,1:Power', counters: 'rise' });
      expect(rise).toMatchObject({ counter: true, rise: true });
      expect(power).toMatchObject({ counter: false, rise: false });
      const { rows } = await server.database.pool.query<{ n: number }>(
        'select count(*)::int as n from readings where device_id = $1 and at >= $2',
        [device, new Date(from)],
      );
      const sum = rise?.value.reduce<number>((one, value) => one + (value ?? 0), 0) ?? 0;
      // A bucket may start before the range, and a restart loses the step from the last value to zero.
      expect(Math.abs(sum - (rows[0]?.n ?? 0))).toBeLessThan(days < 5 ? 10 : 800);
      expect(rise?.at.length).toBeLessThanOrEqual(202);
    }
  });
});

describe('several devices', () => {
  test('are read together, each with its own series', async () => {
    const series = await read(NOW - DAY, NOW, { items: '1:Power,1:Energy', also: String(other) });
    expect(series.map(({ deviceId, key }) => [deviceId, key])).toEqual([
      [device, 'Power'],
      [device, 'Energy'],
      [other, 'Power'],
      [other, 'Energy'],
    ]);
  });
  test('one of which is out of scope give the same answer as unknown ones', async () => {
    const hidden = await call({ items: '1:Power', also: String(server.world.devices.southPark1.id) });
    expect(hidden).toMatchObject({ code: CODES.notFound.code });
    expect(await call({ items: '1:Power', also: '2000000000' })).toEqual(hidden);
  });
  test.each([
    [
      'too many devices',
      { items: '1:Power', also: Array.from({ length: 10 }, (_, n) => n + 1000).join(',') },
      'fieldItems',
    ],
    ['a device that is not a number', { items: '1:Power', also: '1;2' }, 'fieldFormat'],
    ['no quantity', { items: ',' }, 'fieldRequired'],
    ['too many quantities', { items: Array.from({ length: 21 }, (_, n) => `1:Q${n}`).join(',') }, 'fieldItems'],
    ['a quantity without a connector', { items: 'Power' }, 'fieldFormat'],
    ['an invalid encoding', { items: '1:%E0%A4%A' }, 'fieldFormat'],
  ] as const)('%s', async (_, query, code) => {
    expect(await call(query)).toMatchObject({ code: CODES[code].code });
  });
});

describe('with a described model', () => {
  beforeAll(async () => {
    const { rows } = await server.database.pool.query<{ latest: number }>(
      'select max(analog[2])::int as latest from readings where device_id = $1',
      [device],
    );
    const item = { dataItemId: 1, type: 2, groupId: 1, range: '', unit: 'W', priority: 1, writeLevel: 1, batch: false };
    const described = {
      configs: [
        {
          ...item,
          type: 4,
          range: `Newest / 最新|${rows[0]!.latest}|number\nOther|0|number`,
          unit: '',
          key: 'Secret,key',
          name: { en: 'Secret', zh: '机密' },
          groupName: { en: 'G', zh: '组' },
          readLevel: 2,
          origin: 1,
        },
        {
          ...item,
          key: 'Energy',
          name: { en: 'Meter', zh: '电表' },
          groupName: { en: 'G', zh: '组' },
          readLevel: 5,
          origin: 1,
        },
      ],
      parameters: [],
      controls: [],
    };
    await server.database.pool.query(
      `insert into device_model_versions (device_model_id, version, at, changed_by, description)
       values ($1, 1, now(), 'test', $2)`,
      [server.world.model, JSON.stringify(described)],
    );
    await server.database.pool.query('update device_models set version = 1 where id = $1', [server.world.model]);
  });

  test('the model names and orders quantities; other quantities follow', async () => {
    const { items } = await admin.data(ENDPOINTS.listReadingItems, { params: { id: device } });
    expect(items.map(({ key, name, group, counter }) => [key, name?.zh, group?.en, counter])).toEqual([
      ['Secret,key', '机密', 'G', false],
      ['Energy', '电表', 'G', true],
      ['Power', undefined, undefined, false],
    ]);
  });

  test('an item above the level of the caller is left out of lists, charts and exports alike', async () => {
    const reader = await server.as('northReader');
    const { items } = await reader.data(ENDPOINTS.listReadingItems, { params: { id: device } });
    expect(items.map(({ key }) => key)).toEqual(['Energy', 'Power']);
    const query = { items: `${encodeURIComponent('1:Secret,key')},1:Power` };
    expect((await read(NOW - DAY, NOW, query)).map(({ key }) => key)).toEqual(['Secret,key', 'Power']);
    expect((await read(NOW - DAY, NOW, query, reader)).map(({ key }) => key)).toEqual(['Power']);
  });
});

test('alarms and commands in the range are marked, including those that started earlier and continued into it', async () => {
  const { pool } = server.database;
  const alarm = (code: string, raised: number, cleared: number | null) =>
    pool.query(
      `insert into alarms (device_id, connector, code, kind, level, raised_at, last_at, cleared_at)
       values ($1, 1, $2, 'fault', 'CA', $3, $3, $4)`,
      [device, code, new Date(raised), cleared === null ? null : new Date(cleared)],
    );
  await alarm('Over', NOW - 9 * DAY, NOW - 8 * DAY);
  await alarm('GroundFailure', NOW - 9 * DAY, NOW - 2 * DAY);
  await alarm('Within', NOW - 2.5 * DAY, null);
  await alarm('After', NOW - DAY, null);
  const command = (at: number, by = 'Ada') =>
    pool.query(
      `with c as (insert into commands (kind, control_type, requested_by_name) values ('softReset', 1, $3) returning id)
       insert into executions (id, command_id, device_id, state, result, queued_at, deadline_at, ended_at)
       select gen_random_uuid(), id, $1, 'ended', 2, $2, $2, $2 from c`,
      [device, new Date(at), by],
    );
  await command(NOW - 9 * DAY);
  await command(NOW - 2.2 * DAY);
  // Nobody sent this one.
  await command(NOW - 2.1 * DAY, '');
  await pool.query(
    'insert into device_boots (device_id, at) values ($1, $2) on conflict (device_id) do update set at = excluded.at',
    [device, [new Date(NOW - 4 * DAY), new Date(NOW - 2.4 * DAY), new Date(NOW - DAY)]],
  );
  const query = rangeOf(NOW - 3 * DAY, NOW - 2 * DAY - MINUTE);
  const marks = await admin.data(ENDPOINTS.listMarks, { params: { id: device }, query });
  expect(marks.alarms.map(({ code, nameEn }) => [code, nameEn])).toEqual([
    ['Within', null],
    ['GroundFailure', 'Ground fault protection tripped'],
  ]);
  expect(marks.commands).toMatchObject([{ kind: 'softReset', result: 2, requestedBy: 'Ada' }]);
  expect(marks.restarts).toEqual([new Date(NOW - 2.4 * DAY).toISOString()]);
  expect(marks.more).toBe(false);
});

describe('the export', () => {
  const query = { items: '1:Power,1:Energy', also: '', ...rangeOf(NOW - 6 * DAY, NOW) };
  const exported = async (client: Client) =>
    invoke(client, ENDPOINTS.exportReadings, { params: { id: device }, query });

  test('contains every stored reading, and five-minute rollups where readings are no longer stored', async () => {
    const { bytes } = await exported(await server.as('northAdmin', 'zh-CN'));
    const texts = textsOfXlsx(bytes);
    expect(texts.slice(0, 7)).toEqual(['时间', '设备', 'SN', '枪号', '均值时长（秒）', 'Power (W)', '电表 (Wh)']);
    const rawFrom = Math.floor(Date.now() / DAY) * DAY - KEPT.raw * DAY;
    const rows = texts.filter((text) => text === server.world.devices.northQuay1.sn).length;
    expect(rows).toBe((NOW - rawFrom) / (2 * MINUTE) + (rawFrom - (NOW - 6 * DAY)) / (5 * MINUTE));
  });

  test('has the labels of an enumeration, in the language of the user', async () => {
    const labelled = async (locale: 'en-US' | 'zh-CN') => {
      const { bytes } = await invoke(await server.as('northAdmin', locale), ENDPOINTS.exportReadings, {
        params: { id: device },
        query: { items: encodeURIComponent('1:Secret,key'), also: '', ...rangeOf(NOW - DAY, NOW) },
      });
      return textsOfXlsx(bytes).filter((text) => /Newest|最新/.test(text));
    };
    expect(await labelled('en-US')).toEqual(['Newest']);
    expect(await labelled('zh-CN')).toEqual(['最新']);
  });

  test('is refused without the download level', async () => {
    expect(await exported(await server.as('northReader'))).toMatchObject({ code: CODES.noPermission.code });
  });
});

test('charts and exports show the same when readings are packed', async () => {
  const { db, pool } = server.database;
  const reader = await server.as('northReader');
  const exported = async () => {
    const query = { items: '1:Power,1:Energy', also: '', ...rangeOf(NOW - 5 * DAY, NOW) };
    const { bytes } = await invoke(admin, ENDPOINTS.exportReadings, { params: { id: device }, query });
    return textsOfXlsx(bytes);
  };
  const shown = async () => {
    const series = [];
    for (const [from, to] of [
      [NOW - 6 * 3_600_000, NOW],
      [NOW - 3 * DAY - 17 * MINUTE, NOW - 2 * DAY - 5 * MINUTE],
      [NOW - 30 * DAY, NOW],
    ] as const) {
      series.push(...(await read(from, to)), ...(await read(from, to, { items: '1:Energy' }, reader)));
      series.push(...(await read(from, to, { items: '1:Energy', counters: 'rise' })));
    }
    return series;
  };
  await pool.query('delete from readings where at < $1 or device_id <> $2', [new Date(NOW - 6 * DAY), device]);
  // A late reading: everything since then is read from single readings.
  await pool.query('insert into reading_marks values ($1, $2)', [device, new Date(NOW - 5.5 * DAY)]);
  const before = [await shown(), await exported()] as const;
  const clock: Clock = {
    ...systemClock,
    after(_, work) {
      work();
      return () => undefined;
    },
  };
  const packer = readingPacker({ db, clock, log: createLog('silent') });
  await packer.start();
  await packer.stop();
  const { rows } = await pool.query('select at from readings where device_id = $1 order by at', [device]);
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.length).toBeLessThan(120);
  const after = [await shown(), await exported()] as const;
  for (const [index, series] of after[0].entries()) {
    const { value, ...rest } = before[0][index]!;
    expect({ ...series, value: null }).toEqual({ ...rest, value: null });
    for (const [place, one] of series.value.entries()) {
      if (one === null) expect(value[place]).toBeNull();
      else expect(one).toBeCloseTo(value[place]!, 6);
    }
  }
  expect(after[1]).toEqual(before[1]);
});
