import { describe, expect } from 'vitest';
import { connectPiles } from '../harness/devices.ts';
import { journey } from '../harness/journey.ts';
import { product } from '../harness/product.ts';
import type { Visitor } from '../harness/visitor.ts';

const chargehand = product();
/** The page of a device, for an unknown id. */
const DETAIL = /^\/manage\/device\/detail\/\d+$/;
const tagOf = ({ locale }: Visitor) => (locale === 'en-US' ? 'EN' : 'ZH');

/** Selects an option of a select field. */
async function pick({ main, page }: Visitor, label: string, entry: string): Promise<void> {
  await main.getByRole('combobox', { name: label }).click();
  await page.locator('.ant-select-item-option').filter({ hasText: entry }).first().click();
}

describe('the record of a device', () => {
  journey(chargehand, 'is registered from the waiting devices, and connects', { as: 'root' }, async (visitor) => {
    const { page, t } = visitor;
    const fleet = await chargehand.connect({ prefix: `NEW${tagOf(visitor)}`, devices: 1 });
    const pile = fleet.devices[0]!;
    // The list is checked after it has rows.
    const { pool } = chargehand.server.database;
    const known = async () => (await pool.query('select from blacklist_entries where sn = $1', [pile.sn])).rowCount;
    await expect.poll(known).toBe(1);
    await page.goto('/manage/system/list');
    const entry = visitor.main.getByRole('row').filter({ hasText: pile.sn });
    await visitor.sees(entry);
    expect(pile.accepted).toBe(false);
    await visitor.follow(entry.getByRole('button', { name: t('fleet:waiting.register'), exact: true }), {
      path: `/manage/device/add/${pile.sn}`,
      heading: t('routes:deviceAdd'),
    });
    const sn = visitor.main.getByRole('textbox', { name: t('fleet:sn'), exact: true });
    await expect.poll(() => sn.inputValue()).toBe(pile.sn);
    await visitor.main.getByRole('textbox', { name: t('fleet:name'), exact: true }).fill(`Newcomer ${tagOf(visitor)}`);
    await pick(visitor, t('fleet:site'), 'Site northQuay');
    await pick(visitor, t('fleet:model'), 'World pile');
    await visitor.follow(visitor.button(t('fleet:register')), {
      path: DETAIL,
      heading: `Newcomer ${tagOf(visitor)}`,
    });
    await expect.poll(() => pile.accepted, { timeout: 30_000 }).toBe(true);
    await visitor.sees(page.locator('.headline').getByText(t('fleet:connected'), { exact: true }));
    await page.goto('/manage/system/list');
    await visitor.sees(visitor.heading(t('routes:waiting')));
    await visitor.misses(entry);
  });

  journey(
    chargehand,
    'is imported from a file, of which invalid rows are skipped',
    { as: 'root', full: true },
    async (visitor) => {
      const { page, t } = visitor;
      const row = { site: 'Site northQuay', model: 'World pile' };
      const rows = [
        { ...row, sn: 'IMPORT-1', name: 'Imported 1' },
        { ...row, sn: 'IMPORT-2', name: 'Imported 2', model: 'Unknown model' },
        { ...row, sn: 'IMPORT-3', name: 'Imported 3' },
      ];
      await page.goto('/manage/device/import');
      await visitor.sees(visitor.button(t('devices:import.template')));
      const buffer = Buffer.from(JSON.stringify(rows));
      const file = { name: 'devices.json', mimeType: 'application/json', buffer };
      await page.locator('input[type=file]').setInputFiles(file);
      await visitor.sees(t('devices:import.bad', { faulty: 1, total: 3 }));
      expect(await visitor.button(t('devices:import.register_other', { count: 3 })).isDisabled()).toBe(true);
      await visitor.main.getByText(t('devices:import.skip_one', { count: 1 })).click();
      await visitor.button(t('devices:import.register_other', { count: 2 })).click();
      await visitor.sees(visitor.main.getByText(t('devices:import.done_other', { count: 2 })));
      await visitor.sees(visitor.main.getByText(t('devices:import.skipped_one', { count: 1 })));
      await page.goto('/manage/device/list?search=IMPORT-');
      const names = visitor.main.getByText(/^Imported \d$/);
      await expect.poll(() => names.allInnerTexts()).toEqual(['Imported 1', 'Imported 3']);

      // The import is one entry of the action log, which opens the entries of its devices.
      await page.goto('/manage/logs/action?tab=actions');
      const entries = page.locator('tbody tr[data-row-key]').filter({ hasText: /Imported \d/ });
      await visitor.sees(entries.filter({ hasText: /Imported \d and 1 more/ }));
      expect(await entries.count()).toBe(1);
      await entries.click();
      const dialog = page.getByRole('dialog');
      await visitor.sees(dialog.getByText('Imported 1').first(), dialog.getByText('Imported 3').first());
    },
  );

  journey(
    chargehand,
    'is edited, moved, disabled, enabled and deleted',
    { as: 'northAdmin', full: true },
    async (visitor) => {
      const { page, t } = visitor;
      const { devices } = await connectPiles(chargehand, { prefix: `REC${tagOf(visitor)}`, devices: 1 });
      const { id, sn, name, pile } = devices[0]!;
      const headline = page.locator('.headline');
      const menu = async (action: string) => {
        await visitor.button(t('fleet:action.more', { name: await headline.getByRole('heading').innerText() })).click();
        await page.getByRole('menuitem', { name: t(`fleet:action.${action}`), exact: true }).click();
      };
      const confirm = (text: string) =>
        page
          .getByRole('dialog')
          .getByRole('button', { name: t(text), exact: true })
          .click();

      await page.goto(`/manage/device/detail/${id}`);
      await visitor.sees(visitor.heading(name), headline.getByText(t('fleet:connected'), { exact: true }));
      const device = { path: `/manage/device/detail/${id}` };
      await visitor.follow(() => menu('edit'), {
        path: `/manage/device/update/${id}`,
        heading: t('routes:deviceEdit'),
      });
      await visitor.main.getByRole('textbox', { name: t('fleet:name'), exact: true }).fill(`Renamed ${sn}`);
      await visitor.follow(visitor.button(t('common:save')), { ...device, heading: `Renamed ${sn}` });
      await visitor.sees(t('fleet:form.saved', { name: `Renamed ${sn}` }));
      // A new message replaces the previous one: there are never two.
      expect(await page.locator('.toast').count()).toBeLessThan(2);

      // Moving it to another site does not close the connection.
      await menu('move');
      const moving = page.getByRole('dialog');
      await moving.getByRole('combobox').click();
      await page.locator('.ant-select-item-option').filter({ hasText: 'Site northMill' }).first().click();
      await confirm('devices:move.ok');
      await visitor.sees(
        headline.getByText('Site northMill', { exact: true }),
        headline.getByText(t('fleet:connected'), { exact: true }),
      );
      expect(pile.connected).toBe(true);

      await menu('disable');
      await confirm('fleet:disable.ok');
      // The message disappears automatically, so it is checked together with its cause.
      await visitor.sees(
        headline.getByText(t('common:deviceStatus.disabled'), { exact: true }),
        t('fleet:disable.done', { name: `Renamed ${sn}` }),
      );
      expect(await page.locator('.toast').count()).toBeLessThan(2);
      await expect.poll(() => pile.connected).toBe(false);
      await visitor.sees(headline.getByText(t('fleet:disconnected')));
      await menu('enable');
      await confirm('fleet:enable.ok');
      await visitor.sees(headline.getByText(t('fleet:connected'), { exact: true }));
      await expect.poll(() => pile.accepted, { timeout: 30_000 }).toBe(true);

      await menu('delete');
      const dialog = page.getByRole('dialog');
      const gone = dialog.getByRole('button', { name: t('fleet:delete.ok'), exact: true });
      expect(await gone.isDisabled()).toBe(true);
      await dialog.getByRole('textbox').fill(sn);
      await visitor.follow(gone, { path: '/manage/device/list', heading: t('routes:deviceList') });
      await page.goto(`/manage/device/detail/${id}`);
      await visitor.sees(visitor.main.getByRole('alert'));
      // It reconnects as a waiting device.
      const { pool } = chargehand.server.database;
      const waits = async () => (await pool.query('select from blacklist_entries where sn = $1', [sn])).rows.length;
      await expect.poll(waits).toBe(1);
    },
  );
});
