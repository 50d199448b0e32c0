import { json } from 'node:stream/consumers';
import { type ModelFile, messageOf } from '@chargehand/contract';
import { describe, expect } from 'vitest';
import { journey } from './harness/journey.ts';
import { product } from './harness/product.ts';
import type { Visitor } from './harness/visitor.ts';

const chargehand = product();

const dialog = ({ page }: Visitor) => page.getByRole('dialog');
const field = (visitor: Visitor, label: string) => dialog(visitor).getByLabel(label, { exact: true });
const ok = (visitor: Visitor, name: string) => dialog(visitor).getByRole('button', { name, exact: true });
const row = ({ page }: Visitor, text: string) => page.locator('.sortable > li').filter({ hasText: text });
const tab = ({ page }: Visitor, name: string) =>
  page.getByRole('tab', { name: new RegExp(`^${name.split(/[(（]/)[0]!.trim()}`) });

async function choose(visitor: Visitor, name: string, entry: string): Promise<void> {
  const { page, t } = visitor;
  await page.getByRole('button', { name: t('models:actionsOf', { name }), exact: true }).click();
  await page.getByRole('menuitem', { name: entry, exact: true }).click();
}

describe('the data model', () => {
  journey(
    chargehand,
    'an item is added line by line and put in its place by keys',
    { as: 'vendorStaff' },
    async (visitor) => {
      const { page, t, locale } = visitor;
      await page.goto('/manage/config-model/group');
      await visitor.button(t('models:groups.add')).click();
      await field(visitor, t('models:nameEn')).fill(`Cooling ${locale}`);
      await field(visitor, t('models:nameZh')).fill(`散热 ${locale}`);
      await ok(visitor, t('models:item.addOk')).click();
      const group = locale === 'zh-CN' ? `散热 ${locale}` : `Cooling ${locale}`;
      await visitor.sees(row(visitor, group));

      const add = async (key: string, more: () => Promise<void>) => {
        await visitor.button(t('models:item.add')).click();
        await field(visitor, t('models:nameEn')).fill(`Fan ${key}`);
        await field(visitor, t('models:nameZh')).fill(`风扇 ${key}`);
        await field(visitor, t('models:key')).fill(key);
        await more();
        await ok(visitor, t('models:item.addOk')).click();
        await dialog(visitor).waitFor({ state: 'hidden' });
      };
      await visitor.follow(row(visitor, group).getByRole('link'), {
        path: /^\/manage\/config-model\/list\b/,
        heading: t('routes:configModelList'),
      });
      await add(`Fan.${locale}.A`, () => field(visitor, t('models:range.label')).fill('0~5'));
      await add(`Fan.${locale}.B`, async () => {
        await dialog(visitor).getByText(t('models:itemType.4'), { exact: true }).click();
        const line = (number: number) =>
          dialog(visitor).getByLabel(t('models:range.line', { line: number }), { exact: true });
        await line(1).fill('Slow|1|number');
        await line(1).press('Enter');
        await line(2).fill('Fast|2|number');
      });

      const names = () => page.locator('.sortable > li .item-names code').allInnerTexts();
      await expect.poll(names).toEqual([`Fan.${locale}.A`, `Fan.${locale}.B`]);
      const handle = row(visitor, `Fan.${locale}.B`).locator('.sortable-handle > button');
      await handle.focus();
      await handle.press('ArrowUp');
      await expect.poll(names).toEqual([`Fan.${locale}.B`, `Fan.${locale}.A`]);
      await expect
        .poll(async () => {
          const { rows } = await chargehand.server.database.pool.query(
            `select key from data_items where key like $1 order by position`,
            [`Fan.${locale}.%`],
          );
          return rows.map(({ key }) => key);
        })
        .toEqual([`Fan.${locale}.B`, `Fan.${locale}.A`]);
    },
  );
});

describe('device models', () => {
  journey(
    chargehand,
    'a model inherits, is described, saved as a version, exported and imported',
    { as: 'vendorStaff' },
    async (visitor) => {
      const { page, t, locale } = visitor;
      const name = `Acme Fast ${locale}`;
      await page.goto('/manage/device-model');
      await visitor.button(t('models:model.add')).click();
      await field(visitor, t('models:name')).fill(name);
      await dialog(visitor)
        .getByRole('combobox', { name: t('models:parent') })
        .click();
      await page.locator('.ant-select-dropdown:visible').getByText('Generic OCPP 1.6 pile', { exact: true }).click();
      await ok(visitor, t('models:item.addOk')).click();
      await visitor.sees(visitor.heading(name));

      await tab(visitor, t('models:part.parameters')).click();
      const heartbeat = page.locator('.ant-table-row').filter({ hasText: 'HeartbeatInterval' });
      await visitor.sees(heartbeat.getByText(t('models:state.inherited', { name: 'Generic OCPP 1.6 pile' })));
      await heartbeat.locator('.item-open').click();
      await dialog(visitor).getByText(t('models:rules.ownRange'), { exact: true }).click();
      await field(visitor, t('models:range.label')).fill('60~x');
      await visitor.sees(messageOf('rangeNotInteger', locale, { text: 'x' }));
      await field(visitor, t('models:range.label')).fill('60~600');
      await ok(visitor, t('models:rules.take')).click();
      await visitor.sees(
        heartbeat.getByText(t('models:state.overridden', { name: 'Generic OCPP 1.6 pile' })),
        '60~600 s',
      );

      // Several at once.
      for (const key of ['LightIntensity', 'BlinkRepeat']) {
        await page.locator('.ant-table-row').filter({ hasText: key }).locator('.ant-checkbox-input').check();
      }
      await page.getByRole('combobox', { name: t('models:bulk.writeLevel') }).click();
      await page.locator('.ant-select-dropdown:visible').getByText('1', { exact: true }).click();
      await visitor.button(t('models:bulk.batchOff')).click();

      await tab(visitor, t('models:part.controls')).click();
      const offered = Number(/\d+/.exec(await tab(visitor, t('models:part.controls')).innerText())?.[0]);
      const control = t('models:control.7');
      await visitor.button(`${t('models:controls.remove')} ${control}`).click();
      await visitor.sees(t('models:state.removed', { name: 'Generic OCPP 1.6 pile' }));
      await page.keyboard.press('Control+s');
      await visitor.sees(t('models:model.saved', { name, version: 2 }));
      await visitor.sees(
        page.getByRole('tab', { name: t('models:part.controls', { count: offered - 1 }), exact: true }),
      );

      await tab(visitor, t('models:part.versions')).click();
      await visitor.sees(
        page
          .getByRole('table', { name: t('models:part.versions') })
          .getByText('vendor_staff')
          .first(),
      );

      const file = page.waitForEvent('download');
      await choose(visitor, name, t('models:model.export'));
      const model = (await json(await (await file).createReadStream())) as ModelFile;
      const renamed = { ...model, model: { ...model.model, name: `${name} II` } };
      const asFile = (content: string) => ({
        name: 'model.json',
        mimeType: 'application/json',
        buffer: Buffer.from(content),
      });

      await visitor.button(t('models:import.open')).click();
      await page.setInputFiles('input[type=file]', asFile(JSON.stringify({ ...model, items: model.items.slice(1) })));
      await visitor.sees(page.getByText(messageOf('deviceModelNameExists', locale)));
      expect(await ok(visitor, t('models:import.take')).isDisabled()).toBe(true);
      // With the byte-order mark that some editors put before a text.
      await page.setInputFiles('input[type=file]', asFile(`\uFEFF${JSON.stringify(renamed)}`));
      await visitor.sees(t('models:import.would', { name: `${name} II` }));
      await ok(visitor, t('models:import.take')).click();
      await visitor.sees(visitor.heading(`${name} II`));
    },
  );

  journey(
    chargehand,
    'unsaved work is not left by mistake, and a phone shows one thing at a time',
    { as: 'vendorStaff', size: { width: 390, height: 844 } },
    async (visitor) => {
      const { page, t } = visitor;
      await page.goto('/manage/device-model?search=Home%20storage');
      await page.locator('.model-list a').getByText('Home storage unit', { exact: true }).click();
      await visitor.sees(visitor.heading('Home storage unit'));
      await page.getByLabel(t('models:vendor'), { exact: true }).fill('Mine');
      await visitor.link(t('models:model.back')).click();
      await visitor.sees(t('common:leave.text'));
      await visitor.button(t('common:leave.leave')).click();
      await visitor.sees(page.locator('.model-list a').getByText('Home storage unit', { exact: true }));
    },
  );
});

describe('aliases', () => {
  journey(chargehand, 'a name that nobody knows is assigned', { as: 'vendorStaff' }, async (visitor) => {
    const { page, t, locale } = visitor;
    const name = `Volt ${locale}`;
    await chargehand.server.database.pool.query(
      `insert into blacklist_entries (sn, protocol_version, remote_address, vendor, model) values ($1, 'ocpp1.6', '10.0.0.1', $2, 'One')`,
      [`ALIAS-${locale}`, name],
    );
    await page.goto('/manage/device-model-alias');
    await visitor.button(t('models:alias.assignOf', { name: `${name} One` })).click();
    await dialog(visitor)
      .getByRole('combobox', { name: t('models:alias.standsFor') })
      .fill('V2G');
    await page.locator('.ant-select-dropdown:visible').getByText('V2G pile', { exact: true }).click();
    await ok(visitor, t('models:item.addOk')).click();
    await visitor.sees(t('models:alias.saved', { name: `${name} One` }));
    await visitor.sees(
      page.locator('.ant-table-row').filter({ hasText: name }).getByRole('link', { name: 'V2G pile' }),
    );
    await visitor.misses(visitor.button(t('models:alias.assignOf', { name: `${name} One` })));
  });
});
