import { describe, expect } from 'vitest';
import { connectPiles } from '../harness/devices.ts';
import { journey } from '../harness/journey.ts';
import { product } from '../harness/product.ts';
import type { Visitor } from '../harness/visitor.ts';

const chargehand = product();
const tagOf = ({ locale }: Visitor) => (locale === 'en-US' ? 'EN' : 'ZH');
const json = (name: string, content: unknown) => ({
  ...{ name, mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(content)) },
});

/** A hundred devices at two sites. */
function hundred(tag: string) {
  return Array.from({ length: 100 }, (_, index) => {
    const number = String(index + 1).padStart(3, '0');
    const site = index % 2 === 0 ? 'northQuay' : 'Site northMill';
    return { sn: `IMP${tag}-${number}`, name: `Imported ${tag} ${number}`, site, model: 'World pile' };
  });
}

describe('a hundred devices', () => {
  journey(chargehand, 'are imported from a file after it was fixed', { as: 'northAdmin' }, async (visitor) => {
    const { page, t } = visitor;
    const tag = tagOf(visitor);
    const rows = hundred(tag);
    await page.goto('/manage/device/list');
    // The first page of the first browser loads everything.
    await page.locator('.data-table').waitFor({ timeout: 30_000 });
    await visitor.follow(visitor.link(t('routes:deviceImport')), {
      path: '/manage/device/import',
      heading: t('routes:deviceImport'),
    });
    const input = page.locator('input[type=file]');
    await input.setInputFiles({ name: 'devices.csv', mimeType: 'text/csv', buffer: Buffer.from('sn') });
    await visitor.sees(t('devices:import.unsupported'));

    const broken = rows.map((row, index) => {
      if (index === 6) return { ...row, model: 'World pille' };
      if (index === 41) return { ...row, sn: rows[0]?.sn };
      return row;
    });
    await input.setInputFiles(json('hundred.json', broken));
    await visitor.sees(t('devices:import.bad', { faulty: 2, total: 100 }));
    const take = visitor.button(t('devices:import.register_other', { count: 100 }));
    expect(await take.isDisabled()).toBe(true);
    const table = page
      .getByRole('table', { name: t('devices:import.rows') })
      .or(page.locator('.data-table table'))
      .first();
    await expect.poll(() => table.locator('tbody tr[data-row-key]').count()).toBe(2);
    await visitor.sees(table.getByText('World pille').first(), table.getByText(/World pile/).first());
    await visitor.main.getByText(t('devices:import.onlyBad')).click();
    await expect.poll(() => table.locator('tbody tr[data-row-key]').count()).toBe(50);

    await input.setInputFiles(json('hundred.json', rows));
    await visitor.sees(t('devices:import.good_other', { count: 100 }));
    await take.click();
    await visitor.sees(t('devices:import.done_other', { count: 100 }));
    await visitor.follow(visitor.link(t('devices:import.open')), {
      path: '/manage/device/list',
      heading: t('routes:deviceList'),
    });
    await visitor.main.getByLabel(t('fleet:list.search'), { exact: true }).fill(`IMP${tag}`);
    await visitor.sees(t('common:table.range', { from: 1, to: 20, count: 100 }));

    await page.goto('/manage/device/import');
    await input.setInputFiles(json('hundred.json', rows));
    await visitor.sees(t('devices:import.bad', { faulty: 100, total: 100 }));
  });
});

describe('maintenance and care of a device', () => {
  journey(chargehand, 'has pictures in a custom order', { as: 'northAdmin' }, async (visitor) => {
    const { page, t } = visitor;
    const { devices } = await connectPiles(chargehand, { prefix: `PIC${tagOf(visitor)}`, devices: 1 });
    const { id, name } = devices[0]!;
    const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
    const picture = (file: string) => ({ name: file, mimeType: 'image/png', buffer: Buffer.from(pixel, 'base64') });
    await page.goto(`/manage/device/detail/${id}?tab=details&section=pictures`);
    await visitor.sees(t('devices:pictures.empty'));
    const shown = page.locator('.pictures > li');
    for (const count of [1, 2]) {
      await page.locator('.picture-field input[type=file]').setInputFiles(picture(`${count}.png`));
      await expect.poll(() => shown.count(), { timeout: 30_000 }).toBe(count);
    }
    const keys = () =>
      page
        .locator('.pictures a')
        .evaluateAll((links) => links.map((link) => new URL((link as unknown as { href: string }).href).pathname));
    await expect.poll(async () => (await keys()).every((key) => key.endsWith('.png'))).toBe(true);
    const before = await keys();
    await visitor.button(t('devices:pictures.back', { number: 1 })).click();
    await expect.poll(keys).toEqual(before.toReversed());
    await visitor.button(t('devices:pictures.remove', { number: 2 })).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('devices:pictures.removeOk'), exact: true })
      .click();
    await expect.poll(() => shown.count()).toBe(1);
    await visitor.sees(visitor.main.getByRole('img', { name: t('devices:pictures.of', { number: 1, name }) }));
  });
});
