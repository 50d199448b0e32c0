import { buffer } from 'node:stream/consumers';
import { LOCALES } from '@chargehand/contract';
import { beforeAll, describe, expect } from 'vitest';
import { textsOfXlsx } from '../apps/server/src/testing/files/xlsx.ts';
import { journey } from './harness/journey.ts';
import { product } from './harness/product.ts';
import type { Visitor } from './harness/visitor.ts';

const chargehand = product();
const HOUR = 3_600_000;
/** Cut to the minute: half an hour of silence six hours ago, an alarm three hours ago, a command two hours ago. */
const NOW = Math.floor(Date.now() / 60_000) * 60_000;
const NAMES = {
  'en-US': { power: 'Active power', soc: 'State of charge of the vehicle' },
  'zh-CN': { power: '有功功率', soc: '车辆荷电状态' },
};

beforeAll(async () => {
  const { pool } = chargehand.server.database;
  const { northQuay1, northQuay2 } = chargehand.server.world.devices;
  const ids = [northQuay1.id, northQuay2.id];
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
  await pool.query(
    `insert into alarms (device_id, connector, code, kind, level, raised_at, last_at, cleared_at)
     values ($1, 1, 'HighTemperature', 'alarm', 'MA', $2, $2, $3)`,
    [northQuay1.id, new Date(NOW - 3 * HOUR), new Date(NOW - 2.8 * HOUR)],
  );
  await pool.query(
    `with c as (insert into commands (kind, control_type, requested_by_name) values ('softReset', 1, 'Ada') returning id)
     insert into executions (id, command_id, device_id, state, result, queued_at, deadline_at, ended_at)
     select gen_random_uuid(), id, $1, 'ended', 2, $2, $2, $2 from c`,
    [northQuay1.id, new Date(NOW - HOUR)],
  );
});

const queryOf = ({ page }: Visitor) => new URL(page.url()).searchParams;
const lengthOf = (visitor: Visitor) =>
  Date.parse(queryOf(visitor).get('to') ?? '') - Date.parse(queryOf(visitor).get('from') ?? '');
const canvases = ({ page }: Visitor) => page.locator('.chart canvas').count();
const key = ({ page }: Visitor, name: string | RegExp) => page.locator('.chart-key').filter({ hasText: name });

describe('charts', () => {
  journey(
    chargehand,
    'of a device: choose, look closer, read marks, take away',
    { as: 'northAdmin' },
    async (visitor) => {
      const { page, t, locale } = visitor;
      const { id } = chargehand.server.world.devices.northQuay1;
      await page.goto(`/manage/device/detail/${id}?tab=details&section=charts&range=24h`);
      await visitor.sees(key(visitor, NAMES[locale].power), key(visitor, NAMES[locale].soc));
      const before = await canvases(visitor);

      // A quantity is chosen by its name in the reader's language, and stands in the address.
      await page.getByRole('combobox', { name: t('telemetry:charts.quantities') }).click();
      await page.keyboard.type(NAMES[locale].soc);
      await page.locator('.ant-select-item-option-active').filter({ hasText: NAMES[locale].soc }).waitFor();
      await page.keyboard.press('Enter');
      await page.keyboard.press('Escape');
      await expect.poll(() => queryOf(visitor).getAll('item').includes('1:SoC'), { timeout: 30_000 }).toBe(false);
      await expect.poll(() => canvases(visitor), { timeout: 30_000 }).toBe(before - 1);

      // What happened meanwhile can be reached by the keyboard and says what it was.
      const marks = page.getByRole('list', { name: t('telemetry:marks.title') }).getByRole('button');
      await expect.poll(() => marks.count(), { timeout: 30_000 }).toBe(2);
      await marks.first().focus();
      await visitor.sees(page.getByRole('tooltip').getByText(t('common:alarmLevel.MA')));
      expect(await marks.last().getAttribute('aria-label')).toContain(t('operations:kinds.softReset.do'));

      // A stretch that is marked is read again, as finely as it is kept.
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
      await page.locator('.chart-plot').first().focus();
      await page.keyboard.press('+');
      await expect.poll(() => Math.abs(lengthOf(visitor) - 2.4 * HOUR), { timeout: 30_000 }).toBeLessThan(HOUR / 4);
      // A chart stays, and keeps the focus, while a stretch that nobody has seen yet is asked for on a slow line.
      const line = Promise.withResolvers<void>();
      await page.route(/\/readings\?.*from=/, async (route) => {
        await line.promise;
        await route.continue();
      });
      // Two strokes are two steps, however soon after each other they come.
      await page.evaluate(`(async () => {
        for (let stroke = 0; stroke < 2; stroke += 1) {
          document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: '+', bubbles: true }));
          // The address follows before anything is drawn anew.
          for (let turn = 0; turn < 100; turn += 1) await null;
        }
      })()`);
      await expect.poll(() => Math.abs(lengthOf(visitor) - 0.6 * HOUR), { timeout: 30_000 }).toBeLessThan(HOUR / 16);
      await page.locator('.stack[aria-busy=true] .chart-plot:focus').waitFor();
      line.resolve();
      await page.locator('.stack[aria-busy=false] .chart-plot:focus').waitFor();
      const to = queryOf(visitor).get('to');
      await page.keyboard.press('Shift+ArrowLeft');
      await expect.poll(() => queryOf(visitor).get('to'), { timeout: 30_000 }).not.toBe(to);

      const picture = page.waitForEvent('download');
      await visitor.button(t('telemetry:charts.picture')).click();
      expect((await buffer(await (await picture).createReadStream())).subarray(1, 4).toString()).toBe('PNG');
      const sheet = page.waitForEvent('download');
      await visitor.button(t('common:list.export')).click();
      const texts = textsOfXlsx(await buffer(await (await sheet).createReadStream()));
      expect(texts).toContain(`${NAMES[locale].power} (W)`);
      expect(texts.length).toBeGreaterThan(60);

      await visitor.button(t('telemetry:move.reset')).click();
      await expect.poll(() => queryOf(visitor).has('from'), { timeout: 30_000 }).toBe(false);
    },
  );

  journey(
    chargehand,
    'of several devices, in one chart, with what a counter counted',
    { as: 'northAdmin', locales: LOCALES },
    async (visitor) => {
      const { page, t, locale } = visitor;
      const { northQuay1, northQuay2 } = chargehand.server.world.devices;
      await page.goto(`/manage/device/charts?devices=${northQuay1.id}&range=24h`);
      await visitor.sees(visitor.heading(t('telemetry:charts.several')), key(visitor, NAMES[locale].power));
      await page.getByRole('combobox', { name: t('telemetry:charts.devices') }).click();
      await page.keyboard.type(northQuay2.sn);
      await page.locator('.ant-select-item-option').filter({ hasText: northQuay2.sn }).click();
      await page.keyboard.press('Escape');
      await expect.poll(() => queryOf(visitor).get('devices')).toBe(`${northQuay1.id},${northQuay2.id}`);
      await expect.poll(() => key(visitor, NAMES[locale].power).count(), { timeout: 30_000 }).toBe(2);

      const together = page.getByRole('checkbox', { name: t('telemetry:charts.together') });
      await together.click();
      // The address holds the choice: the box follows it.
      await expect.poll(() => together.isChecked()).toBe(true);
      await expect.poll(() => canvases(visitor), { timeout: 30_000 }).toBe(1);
      const hidden = key(visitor, NAMES[locale].power).last();
      await hidden.click();
      await expect.poll(() => hidden.getAttribute('aria-pressed'), { timeout: 30_000 }).toBe('false');

      await page.getByText(t('telemetry:charts.counterRise'), { exact: true }).click();
      await expect.poll(() => canvases(visitor), { timeout: 30_000 }).toBe(2);
      await visitor.sees(page.getByText(t('telemetry:charts.zone')));

      // One that has reported nothing has no line, and is named instead.
      const { northMill1 } = chargehand.server.world.devices;
      await page.goto(`/manage/device/charts?devices=${northQuay1.id},${northMill1.id}&range=24h`);
      await visitor.sees(t('telemetry:charts.silent', { names: `Pile ${northMill1.sn}` }));
    },
  );
});
