import readExcelFile from 'read-excel-file/node';
import { beforeAll, describe, expect } from 'vitest';
import { journey } from '../harness/journey.ts';
import { product } from '../harness/product.ts';

const chargehand = product();
const query = (text: string, values: unknown[] = []) => chargehand.server.database.pool.query(text, values);
const HOUR_MS = 3_600_000;
const THIS_HOUR = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
/** The start of the hour, this many hours ago. */
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
});

describe('a site', () => {
  journey(
    chargehand,
    'shows the statuses of its devices, as figures and as a file',
    { as: 'northAdmin', locales: ['zh-CN'] },
    async (visitor) => {
      const { page, t } = visitor;
      await page.goto(`/manage/site/detail/${chargehand.server.world.sites.northQuay}?tab=statuses`);
      await visitor.sees(visitor.main.getByText(t('statistics:statuses.availability')));
      // Working 2 h and idle 3 h of 6 h known. The hour without data does not count.
      await visitor.sees('83.3%');
      const chart = visitor.main.getByRole('slider', { name: t('statistics:statuses.chart') });
      await chart.focus();
      await page.keyboard.press('Home');
      await expect.poll(() => chart.getAttribute('aria-valuenow'), { timeout: 30_000 }).toBe('0');
      await visitor.main.getByText(t('statistics:table')).click();
      const table = visitor.main.getByRole('table', { name: t('statistics:statuses.chart') });
      await visitor.sees(table.getByRole('columnheader', { name: t('common:deviceStatus.faulted') }));
      await expect.poll(() => table.getByRole('row').count()).toBe(26);
      const [file] = await Promise.all([page.waitForEvent('download'), visitor.button(t('statistics:export')).click()]);
      const [sheet] = await readExcelFile(await file.createReadStream());
      expect(sheet?.data[0]).toContain('故障 (小时)');
      expect(sheet?.data).toHaveLength(25);
    },
  );
});
