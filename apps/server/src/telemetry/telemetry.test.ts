import { CODES, ENDPOINTS, MAX_POINTS } from '@chargehand/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../testing/client.ts';
import { addExplanation } from '../testing/database/documents.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import type { Person } from '../testing/world.ts';

let server: TestServer;
let admin: Client;
let device: number;
let layouts: { power: number; mixed: number };

/** Long enough ago to be rolled up when it is marked, and recent enough to be stored. */
const START = Math.floor(Date.now() / 86_400_000 - 40) * 86_400_000;
const at = (seconds: number) => new Date(START + seconds * 1000);
const iso = (seconds: number) => at(seconds).toISOString();

beforeAll(async () => {
  server = await startTestServer();
  admin = await server.as('northAdmin');
  device = server.world.devices.northQuay1.id;
  const { db } = server.database;
  const layout = async (items: object[]) =>
    (
      await db
        .insertInto('reading_layouts')
        .values({ items: JSON.stringify(items) })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id;
  const power = { key: 'Power', unit: 'W', counter: false };
  layouts = {
    power: await layout([power]),
    mixed: await layout([
      { key: 'Energy', unit: 'Wh', counter: true },
      power,
      { key: 'Voltage', unit: 'V', counter: false },
    ]),
  };
  const latest = { device_id: device, connector: 1 };
  await db
    .insertInto('latest_readings')
    .values([
      { ...latest, layout_id: layouts.mixed, at: at(10), analog: [7000, 230], counters: [1234.5] },
      { ...latest, layout_id: layouts.power, at: at(20), analog: [6500], counters: [] },
    ])
    .execute();
  await db
    .insertInto('connectors')
    .values({ device_id: device, connector: 1, status: 'Charging', since: at(0), updated_at: at(20) } as never)
    .execute();
  await db
    .insertInto('transactions')
    .values([
      {
        device_id: device,
        connector: 1,
        id_tag: 'OLD',
        meter_start: 1,
        started_at: at(-100),
        stopped_at: at(-50),
        meter_stop: 9,
      },
      { device_id: device, connector: 1, id_tag: 'NOW', meter_start: 1000, started_at: at(0) },
    ] as never)
    .execute();
});
afterAll(() => server.stop());

async function addReadings(connector: number, seconds: number[], value: (index: number) => number): Promise<void> {
  await server.database.pool.query(
    `with added as (
       insert into readings (device_id, connector, at, received_at, layout_id, analog, counters)
       select $1, $2, t, t, $3, array[v]::real[], '{}' from unnest($4::timestamptz[], $5::float8[]) as r (t, v)
       returning device_id, at
     )
     insert into reading_marks (device_id, at)
     select distinct device_id, date_bin('5 minutes', at, '2000-01-01Z') from added`,
    [device, connector, layouts.power, seconds.map(at), seconds.map((_, index) => value(index))],
  );
  await server.database.db
    .insertInto('latest_readings')
    .values({ device_id: device, connector, layout_id: layouts.power, at: at(0), analog: [0], counters: [] })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function seriesOf(connector: number, from: number, to: number, keys = ['Power']) {
  const items = keys.map((key) => encodeURIComponent(`${connector}:${key}`)).join(',');
  const query = { items, from: iso(from), to: iso(to) };
  return (await admin.data(ENDPOINTS.readSeries, { params: { id: device }, query })).series;
}

test('a connector shows its state, its open transaction, and the newest value of each quantity over all layouts', async () => {
  const { connectors } = await admin.data(ENDPOINTS.readRuntime, { params: { id: device } });
  expect(connectors).toHaveLength(1);
  expect(connectors[0]).toMatchObject({
    connector: 1,
    status: 'Charging',
    errorCode: 'NoError',
    transaction: { idTag: 'NOW', meterStart: 1000, startedAt: iso(0) },
    readings: [
      { key: 'Energy', unit: 'Wh', value: 1234.5, at: iso(10) },
      { key: 'Power', unit: 'W', value: 6500, at: iso(20) },
      { key: 'Voltage', unit: 'V', value: 230, at: iso(10) },
    ],
  });
});

test('the fault of a connector has the name from its model, else the name for all models', async () => {
  const { id } = server.world.devices.northQuay2;
  const { pool } = server.database;
  await pool.query(
    `insert into connectors (device_id, connector, status, error_code, vendor_error_code, since, updated_at) values
       ($1, 1, 'Faulted', 'GroundFailure', 'E-17', now(), now()), ($1, 2, 'Faulted', 'OtherError', 'E-17', now(), now()),
       ($1, 3, 'Faulted', 'OtherError', 'E-18', now(), now()), ($1, 4, 'Available', 'Odd', null, now(), now()),
       ($1, 5, 'Available', 'NoError', null, now(), now())`,
    [id],
  );
  await pool.query(
    `insert into alarm_codes (device_model_id, code, name_en, name_zh)
     select device_model_id, 'E-17', 'Fan stuck', '风扇卡死' from devices where id = $1`,
    [id],
  );
  const { connectors } = await admin.data(ENDPOINTS.readRuntime, { params: { id } });
  await pool.query('delete from connectors where device_id = $1', [id]);
  expect(connectors.map(({ errorName }) => errorName)).toEqual([
    { en: 'Ground fault protection tripped', zh: '接地故障' },
    { en: 'Fan stuck', zh: '风扇卡死' },
    expect.objectContaining({ en: expect.stringMatching(/./), zh: expect.stringMatching(/./) }),
    null,
    null,
  ]);
});

test('a device that never sent a message has no connectors', async () => {
  const { id } = server.world.devices.northQuay2;
  expect(await admin.data(ENDPOINTS.readRuntime, { params: { id } })).toEqual({
    connectors: [],
    items: [],
    never: [],
  });
});

describe('with a described model', () => {
  const MODEL = 'Generic OCPP 1.6 pile';
  let id: number;
  beforeAll(async () => {
    ({ id } = server.world.devices.northMill1);
    const { pool, db } = server.database;
    await pool.query(
      'update devices set device_model_id = (select id from device_models where name = $2) where id = $1',
      [id, MODEL],
    );
    const items = [
      { key: 'SoC@EV', unit: 'Percent', counter: false },
      { key: 'Voltage.L1-N', unit: 'V', counter: false },
      { key: 'Fan', unit: '', counter: false },
    ];
    const { id: layout_id } = await db
      .insertInto('reading_layouts')
      .values({ items: JSON.stringify(items) })
      .returning('id')
      .executeTakeFirstOrThrow();
    const latest = { device_id: id, connector: 1, layout_id, at: new Date(), counters: [] };
    await db
      .insertInto('latest_readings')
      .values({ ...latest, analog: [60, 231.4, 3] })
      .execute();
    const texts = { device_id: id, connector: 0, at: new Date() };
    await db
      .insertInto('latest_texts')
      .values({ ...texts, key: 'Display', value: 'Hello' })
      .execute();
    const parameter = { device_id: id, read_at: new Date(), readonly: true };
    await db
      .insertInto('device_parameters')
      .values([
        { ...parameter, key: 'numberofconnectors', value: '2' },
        { ...parameter, key: 'CertificateStoreMaxLength', value: '5' },
        { ...parameter, key: 'HeartbeatInterval', value: '300' },
        { ...parameter, key: 'Custom', value: 'x' },
      ])
      .execute();
  });

  test('values are in its order with their items, texts together with numbers', async () => {
    const { connectors, items, never } = await admin.data(ENDPOINTS.readRuntime, { params: { id } });
    expect(connectors.map(({ connector, readings }) => [connector, readings.map(({ key }) => key)])).toEqual([
      [0, ['Display']],
      [1, ['Voltage.L1-N', 'SoC@EV', 'Fan']],
    ]);
    expect(connectors[0]?.readings[0]).toMatchObject({ value: null, text: 'Hello', item: null });
    const [voltage] = connectors[1]!.readings;
    expect(voltage).toMatchObject({ variant: 'L1-N', value: expect.closeTo(231.4, 1) });
    expect(items[voltage!.item!]).toMatchObject({ key: 'Voltage', range: '0~2000|1', unit: 'V', documentId: null });
    const missing = never.map((index) => items[index]!.key);
    expect(missing).toContain('Frequency');
    expect(missing).not.toContain('SoC');
    expect(missing).not.toContain('NumberOfConnectors');
  });

  test('readings and configuration items name their document, the one for the model first', async () => {
    const { pool } = server.database;
    await addExplanation(pool, { type: 102, key: 'Voltage' });
    const voltage = await addExplanation(pool, { type: 102, key: 'Voltage', model: MODEL });
    const connectors = await addExplanation(pool, { type: 101, key: 'NumberOfConnectors', readLevel: 4 });
    await addExplanation(pool, { type: 102, key: 'Frequency', model: 'Home storage unit' });
    const documentsFor = async (person: Person) => {
      const client = await server.as(person);
      const [runtime, configuration] = await Promise.all([
        client.data(ENDPOINTS.readRuntime, { params: { id } }),
        client.data(ENDPOINTS.readConfiguration, { params: { id } }),
      ]);
      const items = [...runtime.items, ...configuration.items.map(({ item }) => item)];
      return new Map(items.map(({ key, documentId }) => [key, documentId]));
    };
    const found = await documentsFor('northAdmin');
    expect(['Voltage', 'NumberOfConnectors', 'Frequency', 'SoC'].map((key) => found.get(key))).toEqual([
      ...[voltage, connectors, null, null],
    ]);
    expect((await documentsFor('northReader')).get('NumberOfConnectors')).toBeNull();
  });

  test('the configuration contains readable items that cannot be set, as far as the level allows', async () => {
    const keys = async (person: Person) =>
      (await (await server.as(person)).data(ENDPOINTS.readConfiguration, { params: { id } })).items.map(
        ({ item, value }) => [item.key, value],
      );
    expect(await keys('northAdmin')).toEqual([
      ['NumberOfConnectors', '2'],
      ['CertificateStoreMaxLength', '5'],
    ]);
    expect(await keys('northReader')).toEqual([['NumberOfConnectors', '2']]);
  });

  test('an item that the model did not contain at the time of the report is read as it was then', async () => {
    await server.database.pool.query(
      `with model as (update device_models set version = version + 1 where name = $1 returning id, version)
       insert into device_model_versions (device_model_id, version, at, changed_by, description)
       select v.device_model_id, model.version, now() + interval '1 hour', 'test',
              replace(v.description::text, '0~2000|1', '0~200|1')::jsonb
         from device_model_versions v join model on model.id = v.device_model_id and v.version = model.version - 1`,
      [MODEL],
    );
    const rangeOf = async () => {
      const { connectors, items } = await admin.data(ENDPOINTS.readRuntime, { params: { id } });
      const voltage = connectors[1]!.readings.find(({ key }) => key === 'Voltage.L1-N');
      return items[voltage!.item!]?.range;
    };
    expect(await rangeOf()).toBe('0~2000|1');
    await server.database.pool.query(
      `update latest_readings set at = now() + interval '2 hours' where device_id = $1`,
      [id],
    );
    expect(await rangeOf()).toBe('0~200|1');
  });
});

test('few readings are all shown, and a silence is a gap', async () => {
  await addReadings(2, [0, 60, 120, 3_600, 3_660], (index) => index);
  const [series] = await seriesOf(2, 0, 7_200);
  expect(series).toMatchObject({ key: 'Power', unit: 'W', connector: 2, value: [0, 1, 2, null, 3, 4] });
  expect(series?.at.map((seconds) => seconds - START / 1000)).toEqual([0, 60, 120, 1_860, 3_600, 3_660]);
  expect(series).not.toHaveProperty('low');
});

test('the range includes its start and not its end', async () => {
  expect((await seriesOf(2, 60, 120))[0]?.value).toEqual([1]);
});

test('many readings are reduced to what can be drawn, and keep their extremes and gaps', async () => {
  const seconds = Array.from({ length: 20_000 }, (_, index) => (index < 10_000 ? index * 10 : index * 10 + 50_000));
  await addReadings(3, seconds, (index) => (index === 5_000 ? 99_999 : 100));
  const [series] = await seriesOf(3, 0, 250_000);
  expect(series?.at.length).toBeGreaterThan(500);
  expect(series?.at.length).toBeLessThanOrEqual(MAX_POINTS);
  expect(Math.max(...(series?.high ?? []).map(Number))).toBe(99_999);
  expect(series?.value.filter((value) => value === null)).toHaveLength(1);
  expect(series?.at).toEqual(series?.at.toSorted((a, b) => a - b));
});

test('quantities that were never reported give no data and no error', async () => {
  expect(await seriesOf(2, 0, 100, ['Nothing'])).toEqual([]);
  expect((await seriesOf(2, 0, 100, ['Nothing', 'Power'])).map(({ key }) => key)).toEqual(['Power']);
});

test.each([
  ['turned round', 100, 0, 'rangeTurned'],
  ['empty', 100, 100, 'rangeTurned'],
  ['of more than two years', 0, 733 * 86_400, 'rangeTooLong'],
] as const)('a range %s is refused', async (_, from, to, code) => {
  const query = { items: '1:Power', from: iso(from), to: iso(to) };
  expect(await admin.call(ENDPOINTS.readSeries, { params: { id: device }, query })).toMatchObject({
    code: CODES[code].code,
  });
});

test('charging sessions are ordered newest first', async () => {
  const { items, total } = await admin.data(ENDPOINTS.listTransactions, { params: { id: device } });
  expect(total).toBe(2);
  expect(items).toMatchObject([
    { idTag: 'NOW', stoppedAt: null, meterStop: null },
    { idTag: 'OLD', stoppedAt: iso(-50), meterStop: 9 },
  ]);
});

test.each([
  ['runtime', ENDPOINTS.readRuntime, {}],
  ['reading items', ENDPOINTS.listReadingItems, {}],
  ['readings', ENDPOINTS.readSeries, { items: '1:Power', from: iso(0), to: iso(100) }],
  ['marks', ENDPOINTS.listMarks, { from: iso(0), to: iso(100) }],
  ['an export of readings', ENDPOINTS.exportReadings, { items: '1:Power', from: iso(0), to: iso(100) }],
  ['transactions', ENDPOINTS.listTransactions, {}],
] as const)('%s of a device out of scope give the same answer as for an unknown device', async (_, endpoint, query) => {
  const south = await server.as('southAdmin');
  const call = (id: number) => south.call(endpoint as typeof ENDPOINTS.readSeries, { params: { id }, query });
  expect(await call(device)).toEqual(await call(2_000_000_000));
  expect(await call(device)).toMatchObject({ code: CODES.notFound.code, data: null });
});
