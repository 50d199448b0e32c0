import { LOCALES, messageOf } from '@chargehand/contract';
import readExcelFile from 'read-excel-file/node';
import { beforeAll, describe, expect } from 'vitest';
import { journey } from './harness/journey.ts';
import { product } from './harness/product.ts';

const chargehand = product();
const query = (text: string, values: unknown[] = []) => chargehand.server.database.pool.query(text, values);
const HOUR_MS = 3_600_000;
const THIS_HOUR = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
/** The beginning of the hour, so many hours ago. */
const ago = (hours: number) => new Date(THIS_HOUR - hours * HOUR_MS);

beforeAll(async () => {
  const { northQuay } = chargehand.server.world.sites;
  const { northQuay1, northQuay2 } = chargehand.server.world.devices;
  const span = (device: number, status: string, from: Date, to: Date) =>
    query('insert into device_status_spans values ($1, $2, $3, $4, $5)', [device, northQuay, status, from, to]);
  await query('delete from device_status_spans where site_id = $1', [northQuay]);
  await span(northQuay1.id, 'working', ago(8), ago(5));
  await span(northQuay1.id, 'faulted', ago(5), ago(4));
  await span(northQuay2.id, 'idle', ago(8), ago(4));
  await query('insert into server_gaps (began_at, ended_at) values ($1, $2)', [ago(7), ago(6)]);
  for (const [device, hours, received] of [
    [northQuay1.id, 3, 2_048],
    [northQuay2.id, 5, 1_024],
  ]) {
    await query('insert into traffic_hours values ($1, $2, $3, $4, 512)', [northQuay, ago(hours!), device, received]);
  }
  await query(
    `insert into alarms (device_id, connector, code, kind, level, raised_at, last_at)
     values ($1, 1, 'GroundFailure', 'fault', 'CA', now(), now()), ($1, 2, 'WeakSignal', 'alarm', 'OA', now(), now())`,
    [northQuay1.id],
  );
});

describe('a site', () => {
  journey(
    chargehand,
    'is given its region and its position, and shows both',
    { as: 'northAdmin', locales: LOCALES },
    async (visitor) => {
      const { page, t, locale } = visitor;
      const { northMill } = chargehand.server.world.sites;
      const chinese = locale === 'zh-CN';
      const field = (name: string) => page.getByRole('textbox', { name, exact: true });
      await page.goto(`/manage/site/update/${northMill}`);

      // By the name in the other language.
      await page.getByRole('combobox', { name: t('places:region.label') }).click();
      await page.keyboard.type(chinese ? 'shenzhen' : '深圳');
      await page
        .locator('.ant-cascader-menu-item')
        .filter({ hasText: chinese ? '深圳市' : 'Shenzhen' })
        .waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await expect
        .poll(() => page.locator('.ant-cascader').textContent(), { timeout: 30_000 })
        .toContain(chinese ? '中国 · 广东省 · 深圳市' : 'China · Guangdong · Shenzhen');

      await field(t('places:site.latitude')).fill('22.5');
      await field(t('places:site.longitude')).fill('114');
      await visitor.button(t('places:map.pick')).click();
      const map = page.getByRole('application', { name: t('places:map.pickLabel') });
      await map.locator('.map-marker').waitFor();
      await map.click({ position: { x: 100, y: 100 } });
      await expect.poll(() => field(t('places:site.longitude')).inputValue(), { timeout: 30_000 }).not.toBe('114');
      await field(t('places:site.latitude')).fill('22.5');
      await field(t('places:site.longitude')).fill('114');

      await visitor.follow(visitor.button(t('common:save')), {
        path: `/manage/site/detail/${northMill}`,
        heading: 'Site northMill',
      });
      await visitor.sees(chinese ? '中国 · 广东省 · 深圳市' : 'China · Guangdong · Shenzhen', '22.5, 114');
      await page
        .getByRole('application', { name: t('places:map.label') })
        .locator('.map-marker')
        .waitFor();
      expect(await visitor.link(t('places:map.open')).getAttribute('href')).toBe('geo:22.5,114');
      await page.goto('/manage/site/list?region=CN%2F440000');
      await visitor.sees(visitor.link('Site northMill'));
      await visitor.misses(visitor.link('Site northQuay'));
      await query('update sites set country = null, province = null, city = null, latitude = null, longitude = null');
    },
  );

  journey(chargehand, 'counts its open alarms, each count leading to them', { as: 'northAdmin' }, async (visitor) => {
    const { page, t } = visitor;
    await page.goto(`/manage/site/detail/${chargehand.server.world.sites.northQuay}`);
    const counts = page.getByRole('navigation', { name: t('places:alarmCounters') });
    await counts.getByRole('link').filter({ hasText: 'CA' }).click();
    await visitor.sees('GroundFailure');
    await visitor.misses('WeakSignal');
    await visitor.isAt(
      `/manage/site/detail/${chargehand.server.world.sites.northQuay}?tab=faults&suppressed=false&level=CA`,
    );
  });

  journey(
    chargehand,
    'shows how its devices stood, in figures too, and gives them as a file',
    { as: 'northAdmin', locales: LOCALES },
    async (visitor) => {
      const { page, t, locale } = visitor;
      await page.goto(`/manage/site/detail/${chargehand.server.world.sites.northQuay}?tab=statuses`);
      await visitor.sees(page.getByText(t('statistics:statuses.availability')));
      // Working 2 h and idle 3 h of 6 h known: the hour that nobody saw counts for nothing.
      await visitor.sees('83.3%');
      const chart = page.getByRole('slider', { name: t('statistics:statuses.chart') });
      await chart.focus();
      await page.keyboard.press('Home');
      await expect.poll(() => chart.getAttribute('aria-valuenow'), { timeout: 30_000 }).toBe('0');
      await page.getByText(t('statistics:table')).click();
      const table = page.getByRole('table', { name: t('statistics:statuses.chart') });
      await visitor.sees(table.getByRole('columnheader', { name: t('common:deviceStatus.faulted') }));
      await expect.poll(() => table.getByRole('row').count()).toBe(26);
      const [file] = await Promise.all([page.waitForEvent('download'), visitor.button(t('statistics:export')).click()]);
      const [sheet] = await readExcelFile(await file.createReadStream());
      expect(sheet?.data[0]).toContain(locale === 'zh-CN' ? '故障 (小时)' : 'Faulted (h)');
      expect(sheet?.data).toHaveLength(25);
      await page.getByText(t('statistics:statuses.lastMonth'), { exact: true }).click();
      await visitor.isAt(`/manage/site/detail/${chargehand.server.world.sites.northQuay}?tab=statuses&step=day`);
      await expect.poll(() => table.getByRole('row').count(), { timeout: 30_000 }).toBe(33);
    },
  );

  journey(chargehand, 'shows its traffic and the devices it came from', { as: 'northAdmin' }, async (visitor) => {
    const { page, t } = visitor;
    await page.goto(`/manage/site/detail/${chargehand.server.world.sites.northQuay}?tab=traffic`);
    await visitor.sees('3 KB', '1 KB', 'Pile northQuay-1', 'Pile northQuay-2');
    const rows = page.getByRole('table', { name: t('statistics:traffic.devices') }).getByRole('row');
    await expect.poll(() => rows.nth(1).textContent(), { timeout: 30_000 }).toContain('Pile northQuay-1');
    await page.getByText(t('statistics:traffic.days'), { exact: true }).click();
    await visitor.sees('3 KB');
    await visitor.follow(visitor.link('Pile northQuay-1'), {
      path: `/manage/device/detail/${chargehand.server.world.devices.northQuay1.id}`,
      heading: 'Pile northQuay-1',
    });
    await page.getByRole('button', { name: t('fleet:section.traffic'), exact: true }).click();
    await visitor.sees(visitor.heading(t('statistics:traffic.deviceChart')));
  });

  journey(
    chargehand,
    'shows its receivers and figures to people of a read-only customer, who change nothing',
    { as: 'readOnlyAdmin' },
    async (visitor) => {
      const { page, t, locale } = visitor;
      const { readOnlyYard, northQuay } = chargehand.server.world.sites;
      await page.goto(`/manage/site/detail/${readOnlyYard}?tab=receivers`);
      await visitor.sees(t('places:receivers.none'));
      expect(await page.getByRole('combobox', { name: t('places:receivers.add') }).count()).toBe(0);
      await page.goto(`/manage/site/detail/${readOnlyYard}?tab=traffic`);
      await visitor.sees(t('statistics:traffic.none'));
      await page.goto(`/manage/site/detail/${northQuay}?tab=traffic`);
      await visitor.sees(messageOf('notFound', locale, { thing: 'site' }));
    },
  );
});
