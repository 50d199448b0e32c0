import { LOCALES } from '@chargehand/contract';
import { afterAll, beforeAll, expect } from 'vitest';
import { userNameOf } from '../../apps/server/src/testing/world.ts';
import { journey, visit } from '../harness/journey.ts';
import { product } from '../harness/product.ts';
import type { Visitor } from '../harness/visitor.ts';
import { connectLinkPile, type LinkPile } from './link-pile.ts';

const chargehand = product();
let pile: LinkPile;

beforeAll(async () => {
  const { database, world } = chargehand.server;
  await database.pool.query('update device_models set ssh_support = true');
  await database.pool.query('update roles set remote_access = 1');
  pile = await connectLinkPile(chargehand.server, world.devices.northQuay1.sn);
});
afterAll(() => pile.stop());

const shows = ({ page }: Visitor, text: RegExp) =>
  expect.poll(() => page.locator('.xterm-rows').textContent(), { timeout: 30_000 }).toMatch(text);

/** Opens a terminal on the device. */
async function openTerminal(visitor: Visitor): Promise<void> {
  const { page, t } = visitor;
  await page.goto(`/manage/device/detail/${chargehand.server.world.devices.northQuay1.id}`);
  await visitor.button(t('fleet:remoteLink')).click();
  await page.getByLabel(t('links:request.reason'), { exact: true }).fill('No meter values');
  await page.getByLabel(t('links:request.port'), { exact: true }).fill(String(pile.port));
  await visitor.button(t('links:request.ok')).click();
  await pile.connects();
  await visitor.isAt('/manage/device/terminal');
  await page.getByLabel(t('links:terminal.userName'), { exact: true }).fill('admin');
  await page.getByLabel(t('links:terminal.password'), { exact: true }).fill('充电');
  await page.keyboard.press('Enter');
}

journey(
  chargehand,
  'a guest without an account types in a terminal that a colleague watches and ends',
  { as: 'northAdmin', locales: LOCALES },
  async (visitor) => {
    const { page, t, locale } = visitor;
    await openTerminal(visitor);
    await shows(visitor, /\$ /);
    await page.getByRole('button', { name: t('links:guests.invite'), exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('checkbox').check();
    await dialog.getByRole('button', { name: t('links:guests.create'), exact: true }).click();
    const code = await dialog
      .getByText(/^[A-Z2-9]{4}$/)
      .first()
      .textContent();
    const address = await dialog
      .getByText(/\/share\/file\?s=/)
      .first()
      .textContent();
    await dialog
      .getByRole('button', { name: t('common:close'), exact: true })
      .last()
      .click();

    const guest = await visit(chargehand, locale, { size: { width: 390, height: 844 } });
    const colleague = await visit(chargehand, locale, { as: 'root' });
    try {
      await guest.page.goto(new URL(address!).pathname + new URL(address!).search);
      await guest.page.getByLabel(t('share:code.label')).fill(code!);
      await guest.page.keyboard.press('Enter');
      await guest.page.getByLabel(t('share:terminal.name')).fill('王工');
      await guest.page.getByRole('checkbox').check();
      await guest.page.getByRole('button', { name: t('share:terminal.join') }).click();
      await guest.sees(t('share:terminal.recorded'));
      await shows(guest, /\$ /);
      await visitor.sees(t('links:guests.guest', { name: '王工' }));
      await guest.page.keyboard.insertText('诊断');
      await shows(visitor, /诊断/);

      const link = new URL(page.url()).searchParams.get('link');
      await colleague.page.goto(`/manage/device/terminal?link=${link}`);
      await colleague.page
        .getByRole('button', { name: t('links:guests.watchOf', { name: userNameOf('northAdmin') }) })
        .click();
      await shows(colleague, /诊断/);
      const watching = `links:guests.watching_${locale === 'zh-CN' ? 'other' : 'one'}`;
      await visitor.sees(t(watching, { names: userNameOf('root') }));
      await colleague.button(t('links:guests.endNow')).click();
      await colleague.page
        .getByRole('dialog')
        .getByRole('button', { name: t('links:guests.endNow') })
        .click();
      await guest.sees(t('share:terminal.ends.ended'));
      await visitor.sees(t('links:terminal.ends.ended'));
    } finally {
      await guest.context.close();
      await colleague.context.close();
      await pile.disconnects();
    }
  },
);
