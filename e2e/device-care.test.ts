import { buffer } from 'node:stream/consumers';
import { decodeQR } from 'qr/decode.js';
import { readSheet } from 'read-excel-file/node';
import { describe, expect } from 'vitest';
import { connectPiles } from './harness/devices.ts';
import { journey } from './harness/journey.ts';
import { product } from './harness/product.ts';
import type { Visitor } from './harness/visitor.ts';

const chargehand = product();
const tagOf = ({ locale }: Visitor) => (locale === 'en-US' ? 'EN' : 'ZH');
const json = (name: string, content: unknown) => ({
  ...{ name, mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(content)) },
});

/** A hundred devices of two sites. */
function hundred(tag: string) {
  return Array.from({ length: 100 }, (_, index) => {
    const number = String(index + 1).padStart(3, '0');
    const site = index % 2 === 0 ? 'northQuay' : 'Site northMill';
    return { sn: `IMP${tag}-${number}`, name: `Imported ${tag} ${number}`, site, model: 'World pile' };
  });
}

/** Draws the code of the label with an SN on white paper, as a camera would see it. */
const drawn = (sn: string) => `(async () => {
  const label = [...document.querySelectorAll('.label')].find((one) => one.textContent.includes(${JSON.stringify(sn)}));
  const image = new Image();
  const svg = new XMLSerializer().serializeToString(label.querySelector('svg'));
  image.src = 'data:image/svg+xml,' + encodeURIComponent(svg);
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = 400;
  canvas.height = 400;
  const paper = canvas.getContext('2d');
  paper.fillStyle = '#fff';
  paper.fillRect(0, 0, 400, 400);
  paper.drawImage(image, 40, 40, 320, 320);
  return [...paper.getImageData(0, 0, 400, 400).data];
})()`;

/** What the code of a label says to who scans it. */
async function scanned({ page }: Visitor, sn: string): Promise<string> {
  const data = Uint8Array.from((await page.evaluate(drawn(sn))) as number[]);
  return decodeQR({ width: 400, height: 400, data });
}

describe('a hundred devices', () => {
  journey(chargehand, 'are registered from a file, once it is mended', { as: 'northAdmin' }, async (visitor) => {
    const { page, t } = visitor;
    const tag = tagOf(visitor);
    const rows = hundred(tag);
    await page.goto('/manage/device/list');
    // The first page of the first browser: everything is fetched for it.
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
    const take = visitor.button(t('devices:import.take_other', { count: 100 }));
    expect(await take.isDisabled()).toBe(true);
    const table = page
      .getByRole('table', { name: t('devices:import.rows') })
      .or(page.locator('.data-table table'))
      .first();
    await expect.poll(() => table.locator('tbody tr.ant-table-row').count()).toBe(2);
    await visitor.sees(table.getByText('World pille').first(), table.getByText(/World pile/).first());
    await page.getByText(t('devices:import.onlyBad')).click();
    await expect.poll(() => table.locator('tbody tr.ant-table-row').count()).toBe(50);

    await input.setInputFiles(json('hundred.json', rows));
    await visitor.sees(t('devices:import.good_other', { count: 100 }));
    await take.click();
    await visitor.sees(t('devices:import.done_other', { count: 100 }));
    await visitor.follow(visitor.link(t('devices:import.open')), {
      path: '/manage/device/list',
      heading: t('routes:deviceList'),
    });
    await page.getByLabel(t('fleet:list.search'), { exact: true }).fill(`IMP${tag}`);
    await visitor.sees(t('common:table.range', { from: 1, to: 20, count: 100 }));

    await page.goto('/manage/device/import');
    await input.setInputFiles(json('hundred.json', rows));
    await visitor.sees(t('devices:import.bad', { faulty: 100, total: 100 }));
  });

  journey(chargehand, 'come from a sheet whose template is there', { as: 'northAdmin' }, async (visitor) => {
    const { page, t } = visitor;
    await page.goto('/manage/device/import');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      visitor.button(t('devices:import.template')).click(),
    ]);
    const template = await buffer(await download.createReadStream());
    const sheet = await readSheet(template);
    expect(sheet[0]?.slice(0, 3)).toEqual([
      ...[t('devices:import.headings.sn'), t('devices:import.headings.name'), t('devices:import.headings.site')],
    ]);
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'template.xlsx', mimeType: 'application/octet-stream', buffer: template });
    await visitor.sees(page.getByRole('alert'));
  });
});

describe('a device in care', () => {
  journey(chargehand, 'is maintained, worked on, and tells of it', { as: 'northAdmin' }, async (visitor) => {
    const { page, t } = visitor;
    const { devices } = await connectPiles(chargehand, { prefix: `MNT${tagOf(visitor)}`, devices: 1 });
    const { id, name } = devices[0]!;
    const { pool } = chargehand.server.database;
    await pool.query(
      `update devices set maintenance_cycle_days = 30, maintained_at = now() - interval '45 days' where id = $1`,
      [id],
    );
    const dialog = page.getByRole('dialog');
    const confirm = (word: string) => dialog.getByRole('button', { name: t(word), exact: true }).click();

    await page.goto(`/manage/device/list?search=${encodeURIComponent(name)}`);
    await page.getByText(t('fleet:list.maintenanceDue'), { exact: true }).click();
    await visitor.sees(visitor.link(name));
    await page.goto(`/manage/device/detail/${id}?tab=details&section=maintenance`);
    await visitor.sees(page.getByText(new RegExp(t('devices:maintenance.overdue'))), t('devices:maintenance.empty'));
    await visitor.button(t('devices:maintenance.record')).click();
    await dialog.getByRole('textbox').fill('Filters changed');
    await confirm('devices:maintenance.record');
    await visitor.sees(t('devices:maintenance.recorded', { name }), page.getByText('Filters changed'));
    await visitor.misses(page.getByText(new RegExp(t('devices:maintenance.overdue'))));

    await visitor.button(t('devices:maintenance.begin')).click();
    await confirm('devices:maintenance.begin');
    await visitor.sees(page.locator('.headline').getByText(t('common:deviceStatus.maintain'), { exact: true }));
    await visitor.button(t('devices:maintenance.end')).click();
    await dialog.getByRole('checkbox').uncheck();
    await dialog.getByRole('textbox').fill('Nothing found');
    await confirm('devices:maintenance.end');
    await visitor.sees(
      page.locator('.headline').getByText(t('common:deviceStatus.idle'), { exact: true }),
      page.getByText('Nothing found'),
      page.getByText(t('devices:maintenance.kindWork'), { exact: true }),
    );
    await page.goto(`/manage/device/list?maintenance=due&search=${encodeURIComponent(name)}`);
    await visitor.sees(t('common:table.noMatch'));
  });

  journey(chargehand, 'gets a label that leads to its page', { as: 'northAdmin' }, async (visitor) => {
    const { page, t } = visitor;
    const { devices } = await connectPiles(chargehand, { prefix: `LBL${tagOf(visitor)}`, devices: 3 });
    await page.goto(`/manage/device/list?search=LBL${tagOf(visitor)}&sort=sn`);
    await page.getByRole('checkbox', { name: t('common:list.selectPage') }).check();
    await visitor.follow(
      page.getByRole('toolbar').getByRole('button', { name: t('fleet:action.label'), exact: true }),
      { path: '/manage/device/labels', heading: t('routes:deviceLabels') },
    );
    const labels = page.locator('.label');
    await expect.poll(() => labels.count()).toBe(3);
    const [first] = devices;
    const mine = labels.filter({ hasText: first!.sn });
    await visitor.sees(mine.getByText(first!.name), mine.getByText('Site northQuay'));
    await visitor.sees(mine.getByRole('img', { name: t('devices:label.code', { name: first!.name }) }));
    const target = await scanned(visitor, first!.sn);
    expect(target).toBe(`${chargehand.url}/manage/device/detail/${first!.id}`);
    // What is printed is the labels and nothing around them.
    await page.emulateMedia({ media: 'print' });
    await visitor.misses(visitor.heading(t('routes:deviceLabels')));
    expect(await page.locator('.header').isVisible()).toBe(false);
    expect(await mine.isVisible()).toBe(true);
    await page.emulateMedia({ media: 'screen' });
    await page.goto(target);
    await visitor.sees(visitor.heading(first!.name));
  });

  journey(
    chargehand,
    'moves to another site, and keeps its line',
    { as: 'northAdmin', locales: ['zh-CN'] },
    async (visitor) => {
      const { page, t } = visitor;
      const { devices } = await connectPiles(chargehand, { prefix: `MOV${tagOf(visitor)}`, devices: 2 });
      const [one] = devices;
      await page.goto(`/manage/device/list?search=MOV${tagOf(visitor)}`);
      await page.getByRole('checkbox', { name: t('common:list.selectPage') }).check();
      await page
        .getByRole('toolbar')
        .getByRole('button', { name: t('fleet:action.move'), exact: true })
        .click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('combobox').click();
      await page.locator('.ant-select-item-option').filter({ hasText: 'Site northMill' }).first().click();
      await dialog.getByRole('button', { name: t('devices:move.ok'), exact: true }).click();
      await visitor.sees(t('devices:move.done_other', { count: 2 }));
      await page.goto(`/manage/device/detail/${one!.id}`);
      await visitor.sees(
        page.locator('.headline').getByText('Site northMill', { exact: true }),
        page.locator('.headline').getByText(t('fleet:connected'), { exact: true }),
      );
      expect(one!.pile.connected).toBe(true);
    },
  );

  journey(chargehand, 'is pictured, in an order of people', { as: 'northAdmin' }, async (visitor) => {
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
    await visitor.sees(page.getByRole('img', { name: t('devices:pictures.of', { number: 1, name }) }));
  });
});
