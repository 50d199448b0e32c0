import { messageOf } from '@chargehand/contract';
import { describe, expect } from 'vitest';
import { connectPiles } from './harness/devices.ts';
import { journey } from './harness/journey.ts';
import { product } from './harness/product.ts';
import type { Visitor } from './harness/visitor.ts';

const chargehand = product();
const tagOf = ({ locale }: Visitor) => (locale === 'en-US' ? 'EN' : 'ZH');

/** Chooses an entry of a field that opens a list. */
async function pick({ page }: Visitor, label: string, entry: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).click();
  await page.locator('.ant-select-item-option').filter({ hasText: entry }).first().click();
}

describe('a device as a record', () => {
  journey(chargehand, 'is registered from the blacklist, and connects', { as: 'root' }, async (visitor) => {
    const { page, t } = visitor;
    const fleet = await chargehand.connect({ prefix: `NEW${tagOf(visitor)}`, devices: 1 });
    const pile = fleet.devices[0]!;
    // The list is looked at once it has something to show.
    const { pool } = chargehand.server.database;
    const known = async () => (await pool.query('select from blacklist_entries where sn = $1', [pile.sn])).rowCount;
    await expect.poll(known).toBe(1);
    await page.goto('/manage/system/list');
    const entry = page.getByRole('row').filter({ hasText: pile.sn });
    await visitor.sees(entry);
    expect(pile.connected).toBe(false);
    await entry.getByRole('button', { name: t('fleet:blacklist.register'), exact: true }).click();
    await visitor.isAt(`/manage/device/add/${pile.sn}`);
    const sn = page.getByRole('textbox', { name: t('fleet:sn'), exact: true });
    await expect.poll(() => sn.inputValue()).toBe(pile.sn);
    await page.getByRole('textbox', { name: t('fleet:name'), exact: true }).fill(`Newcomer ${tagOf(visitor)}`);
    await pick(visitor, t('fleet:site'), 'Site northQuay');
    await pick(visitor, t('fleet:model'), 'World pile');
    await page
      .getByRole('main')
      .getByRole('button', { name: t('fleet:register'), exact: true })
      .click();
    await visitor.sees(visitor.heading(`Newcomer ${tagOf(visitor)}`));
    await expect.poll(() => pile.accepted, { timeout: 30_000 }).toBe(true);
    await visitor.sees(page.locator('.headline').getByText(t('fleet:connected'), { exact: true }));
    await page.goto('/manage/system/list');
    await visitor.sees(visitor.heading(t('routes:blacklist')));
    await visitor.misses(entry);
  });

  journey(chargehand, 'is refused with the reason at the field', { as: 'northAdmin' }, async (visitor) => {
    const { page, t, locale } = visitor;
    const odd = `<script>alert(1)</script>'; drop table devices; -- ${locale}`;
    await page.goto('/manage/device/add');
    const save = page.getByRole('main').getByRole('button', { name: t('fleet:register'), exact: true });
    await save.click();
    await visitor.sees(t('fleet:form.snRequired'), t('fleet:form.choiceRequired', { label: t('fleet:site') }));
    await page.getByRole('textbox', { name: t('fleet:sn'), exact: true }).fill('a b');
    await visitor.sees(t('fleet:form.snFormat'));
    await page.getByRole('textbox', { name: t('fleet:sn'), exact: true }).fill('northQuay-1');
    await page.getByRole('textbox', { name: t('fleet:name'), exact: true }).fill(odd);
    await pick(visitor, t('fleet:site'), 'Site northQuay');
    await pick(visitor, t('fleet:model'), 'World pile');
    await save.click();
    const field = page
      .locator('.ant-form-item')
      .filter({ has: page.getByRole('textbox', { name: t('fleet:sn'), exact: true }) });
    await visitor.sees(field.getByText(messageOf('deviceSnExists', locale)));
    await page.getByRole('textbox', { name: t('fleet:sn'), exact: true }).fill(`ODD-${tagOf(visitor)}`);
    await save.click();
    await visitor.sees(visitor.heading(odd));
  });

  journey(chargehand, 'is edited, disabled, enabled and deleted', { as: 'northAdmin' }, async (visitor) => {
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
    await menu('edit');
    await page.getByRole('textbox', { name: t('fleet:name'), exact: true }).fill(`Renamed ${sn}`);
    await page
      .getByRole('main')
      .getByRole('button', { name: t('common:save'), exact: true })
      .click();
    await visitor.sees(visitor.heading(`Renamed ${sn}`), t('fleet:form.saved', { name: `Renamed ${sn}` }));
    // A new message takes the place of the old one: there are never two.
    expect(await page.locator('.toast').count()).toBeLessThan(2);

    await menu('disable');
    await confirm('fleet:disable.ok');
    // A message goes by itself: it is looked for together with what it tells of.
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
    await gone.click();
    await visitor.isAt('/manage/device/list');
    await page.goto(`/manage/device/detail/${id}`);
    await visitor.sees(page.getByRole('alert'));
    await expect.poll(() => pile.connected).toBe(false);
  });

  journey(chargehand, 'is not lost when one leaves the form by mistake', { as: 'northAdmin' }, async (visitor) => {
    const { page, t } = visitor;
    await page.goto('/manage/device/list');
    await visitor.link(t('fleet:register')).click();
    await page.getByRole('textbox', { name: t('fleet:sn'), exact: true }).fill('HALF-DONE');
    await page.goBack();
    await visitor.sees(page.getByRole('dialog').getByText(t('common:leave.text')));
    await visitor.button(t('common:leave.stay')).click();
    expect(await page.getByRole('textbox', { name: t('fleet:sn'), exact: true }).inputValue()).toBe('HALF-DONE');
    await page.goBack();
    await visitor.button(t('common:leave.leave')).click();
    await visitor.isAt('/manage/device/list');
  });
});
