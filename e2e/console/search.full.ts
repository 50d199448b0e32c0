import { fleetEndpoints } from '@chargehand/contract';
import { expect } from 'vitest';
import { journey } from '../harness/journey.ts';
import { product } from '../harness/product.ts';

const chargehand = product();

journey(
  chargehand,
  'a device is found by pinyin, opened and restarted from the search',
  { as: 'northAdmin' },
  async (visitor) => {
    const { page, t } = visitor;
    const { sites, model } = chargehand.server.world;
    const body = { sn: 'SZ-0001', name: '深圳湾1号桩', siteId: sites.northQuay, deviceModelId: model };
    const admin = await chargehand.server.as('northAdmin');
    const { id } = await admin.data(fleetEndpoints.createDevice, { body });
    await page.goto('/manage/device/list');
    await visitor.sees(visitor.heading(t('routes:deviceList')));

    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: t('search:title') });
    await field.fill('shenzhen');
    await page.getByRole('option', { name: '深圳湾1号桩' }).waitFor();
    expect(await page.getByRole('option').count()).toBe(1);
    await field.fill('szw');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/manage/device/detail/${id}`);
    await visitor.sees(visitor.heading('深圳湾1号桩'));

    // Sites, users and pages are found, too; nothing of another customer is.
    await page.keyboard.press('Control+k');
    for (const [text, found] of [
      ['northMill-1', 'Pile northMill-1'],
      ['northMill', 'Site northMill'],
      ['Customer n', 'Customer north'],
      ['north_re', 'north_reader'],
      ['yhlb', t('routes:userList')],
    ] as const) {
      await field.fill(text);
      await page.getByRole('option', { name: found }).first().waitFor();
    }
    for (const text of ['southPark-1', 'Site southPark', 'Customer south', 'south_admin']) {
      await field.fill(text);
      await page.getByText(t('search:none', { text }), { exact: true }).waitFor();
    }
    await field.fill(`${t('search:command.restart')} SZ-0001`);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/manage/device/detail/${id}?command=softReset`);
    await page.getByRole('dialog').getByText('深圳湾1号桩').first().waitFor();
  },
);
