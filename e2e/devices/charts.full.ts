import { buffer } from 'node:stream/consumers';
import { beforeAll, describe, expect } from 'vitest';
import { textsOfXlsx } from '../../apps/server/src/testing/files/xlsx.ts';
import { journey } from '../harness/journey.ts';
import { product } from '../harness/product.ts';
import type { Visitor } from '../harness/visitor.ts';

const chargehand = product();
const HOUR = 3_600_000;
/** Rounded to the minute: half an hour without readings six hours ago. */
const NOW = Math.floor(Date.now() / 60_000) * 60_000;
const NAMES = { power: 'Active power', soc: 'Vehicle state of charge' };

beforeAll(async () => {
  const { pool } = chargehand.server.database;
  const ids = [chargehand.server.world.devices.northQuay1.id];
  await pool.query(
    `update devices set device_model_id = (select id from device_models where name = 'Generic OCPP 1.6 pile') where id = any($1)`,
    [ids],
  );
  const items = [
    { key: 'Energy.Active.Import.Register', unit: 'Wh', counter: true },
    { key: 'Power.Active.Import', unit: 'W', counter: false },
    { key: 'SoC', unit: 'Percent', counter: false },
  ];
  await pool.query(
    `with layout as (insert into reading_layouts (items) values ($1) returning id),
       latest as (insert into latest_readings (device_id, connector, layout_id, at, analog, counters)
         select d, 1, id, now(), '{7000, 50}', '{1000}' from layout, unnest($2::int[]) d)
     insert into readings (device_id, connector, at, received_at, layout_id, analog, counters)
     select d, 1, t, t, id, array[7000 + 500 * sin(extract(epoch from t) / 900), 50]::real[],
            array[extract(epoch from t) / 10]::float8[]
       from layout, unnest($2::int[]) d, generate_series($3::timestamptz, $4, '1 minute') t
      where t not between $5 and $6`,
    [
      JSON.stringify(items),
      ids,
      new Date(NOW - 24 * HOUR),
      new Date(NOW),
      new Date(NOW - 6.5 * HOUR),
      new Date(NOW - 6 * HOUR),
    ],
  );
});

const queryOf = ({ page }: Visitor) => new URL(page.url()).searchParams;
const lengthOf = (visitor: Visitor) =>
  Date.parse(queryOf(visitor).get('to') ?? '') - Date.parse(queryOf(visitor).get('from') ?? '');
const key = ({ page }: Visitor, name: string | RegExp) => page.locator('.chart-key').filter({ hasText: name });

describe('charts', () => {
  journey(chargehand, 'of a device can be zoomed and exported', { as: 'northAdmin' }, async (visitor) => {
    const { page, t } = visitor;
    const { id } = chargehand.server.world.devices.northQuay1;
    await page.goto(`/manage/device/detail/${id}?tab=details&section=charts&range=24h`);
    await visitor.sees(key(visitor, NAMES.power), key(visitor, NAMES.soc));
    // A selected range is fetched again at the finest stored resolution.
    const plot = (await page.locator('.chart .u-over').first().boundingBox())!;
    const finer = page.waitForResponse((response) => /\/readings\?.*from=/.test(response.url()));
    await page.mouse.move(plot.x + plot.width * 0.8, plot.y + 20);
    await page.mouse.down();
    await page.mouse.move(plot.x + plot.width * 0.9, plot.y + 30, { steps: 4 });
    await page.mouse.up();
    await finer;
    await expect.poll(() => Math.abs(lengthOf(visitor) - 2.4 * HOUR), { timeout: 30_000 }).toBeLessThan(HOUR / 4);
    await visitor.button(t('telemetry:move.out')).click();
    await expect.poll(() => Math.abs(lengthOf(visitor) - 4.8 * HOUR), { timeout: 30_000 }).toBeLessThan(HOUR / 2);
    const picture = page.waitForEvent('download');
    await visitor.button(t('telemetry:charts.picture')).click();
    expect((await buffer(await (await picture).createReadStream())).subarray(1, 4).toString()).toBe('PNG');
    const sheet = page.waitForEvent('download');
    await visitor.button(t('common:list.export')).click();
    const texts = textsOfXlsx(await buffer(await (await sheet).createReadStream()));
    expect(texts).toContain(`${NAMES.power} (W)`);
    expect(texts.length).toBeGreaterThan(60);

    await visitor.button(t('telemetry:move.reset')).click();
    await expect.poll(() => queryOf(visitor).has('from'), { timeout: 30_000 }).toBe(false);
  });
});
