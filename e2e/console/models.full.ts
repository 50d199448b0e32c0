import { json } from 'node:stream/consumers';
import { type ModelFile, messageOf } from '@chargehand/contract';
import { describe, expect } from 'vitest';
import { journey } from '../harness/journey.ts';
import { product } from '../harness/product.ts';
import type { Visitor } from '../harness/visitor.ts';

const chargehand = product();

const dialog = ({ page }: Visitor) => page.getByRole('dialog');
const field = (visitor: Visitor, label: string) => dialog(visitor).getByLabel(label, { exact: true });
const ok = (visitor: Visitor, name: string) => dialog(visitor).getByRole('button', { name, exact: true });
const tab = ({ main }: Visitor, name: string) =>
  main.getByRole('tab', { name: new RegExp(`^${name.split(/[(（]/)[0]!.trim()}`) });

async function choose(visitor: Visitor, name: string, entry: string): Promise<void> {
  const { page, t } = visitor;
  await visitor.main.getByRole('button', { name: t('models:actionsOf', { name }), exact: true }).click();
  await page.getByRole('menuitem', { name: entry, exact: true }).click();
}

describe('device models', () => {
  journey(
    chargehand,
    'inherits from a parent, is defined, saved as a version, exported and imported',
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
      const heartbeat = page.locator('tr[data-row-key]').filter({ hasText: 'HeartbeatInterval' });
      await visitor.sees(heartbeat.getByText(t('models:state.inherited', { name: 'Generic OCPP 1.6 pile' })));
      await heartbeat.locator('.item-open').click();
      await dialog(visitor).getByText(t('models:rules.ownRange'), { exact: true }).click();
      await field(visitor, t('models:range.label')).fill('60~x');
      await visitor.sees(messageOf('rangeNotInteger', locale, { text: 'x' }));
      await field(visitor, t('models:range.label')).fill('60~600');
      await ok(visitor, t('models:rules.apply')).click();
      await visitor.sees(
        heartbeat.getByText(t('models:state.overridden', { name: 'Generic OCPP 1.6 pile' })),
        '60~600 s',
      );

      // Several at once.
      for (const key of ['LightIntensity', 'BlinkRepeat']) {
        await page.locator('tr[data-row-key]').filter({ hasText: key }).locator('input[type=checkbox]').check();
      }
      await visitor.main.getByRole('combobox', { name: t('models:bulk.writeLevel') }).click();
      await page.locator('.ant-select-dropdown:visible').getByText(t('common:level.1'), { exact: true }).click();
      await visitor.button(t('models:bulk.batchOff')).click();

      await tab(visitor, t('models:part.controls')).click();
      const offered = Number(/\d+/.exec(await tab(visitor, t('models:part.controls')).innerText())?.[0]);
      const control = t('models:control.7');
      await visitor.button(`${t('models:controls.remove')} ${control}`).click();
      await visitor.sees(t('models:state.removed', { name: 'Generic OCPP 1.6 pile' }));
      await page.keyboard.press('Control+s');
      await visitor.sees(t('models:model.saved', { name, version: 2 }));
      await visitor.sees(
        visitor.main.getByRole('tab', { name: t('models:part.controls', { count: offered - 1 }), exact: true }),
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
      await visitor.sees(visitor.main.getByText(messageOf('deviceModelNameExists', locale)));
      expect(await ok(visitor, t('models:import.import')).isDisabled()).toBe(true);
      // With the byte-order mark that some editors write at the start of a file.
      await page.setInputFiles('input[type=file]', asFile(`\uFEFF${JSON.stringify(renamed)}`));
      await visitor.sees(t('models:import.would', { name: `${name} II` }));
      await ok(visitor, t('models:import.import')).click();
      await visitor.sees(visitor.heading(`${name} II`));
    },
  );
});
