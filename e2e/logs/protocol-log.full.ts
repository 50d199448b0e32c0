import { beforeAll, expect } from 'vitest';
import { connectPiles, type Piles } from '../harness/devices.ts';
import { journey } from '../harness/journey.ts';
import { product } from '../harness/product.ts';

const chargehand = product();
let piles: Piles;
beforeAll(async () => {
  piles = await connectPiles(chargehand, { prefix: 'LOGGED', devices: 2, connectors: 1, speed: 5, meterInterval: 5 });
});

journey(
  chargehand,
  'the log of all devices is live, and a frame opens with its response and its meaning',
  { as: 'northAdmin' },
  async (visitor) => {
    const { page, t } = visitor;
    const [first, second] = piles.devices;
    await page.goto('/manage/logs/protocol');
    const frames = visitor.main.getByRole('option');
    await visitor.sees(frames.filter({ hasText: first!.sn }).first(), frames.filter({ hasText: second!.sn }).first());
    await visitor.sees(t('audit:frame.following'));
    const newest = () => frames.first().getAttribute('id');
    const before = await newest();
    const active = visitor.locale === 'en-US' ? first! : second!;
    active.pile.plugIn(1, 'LOGGED');
    await visitor.sees(frames.filter({ hasText: 'StartTransaction' }).filter({ hasText: active.sn }).first());
    expect(await newest()).not.toBe(before);

    await page.goto(`/manage/logs/protocol?deviceId=${first!.id}&action=BootNotification`);
    await visitor.sees(frames.filter({ hasText: 'BootNotification' }).first());
    // The filter knows the name of a device in the address.
    await visitor.sees(visitor.main.locator('search').getByText(first!.name, { exact: true }).first());
    expect(await frames.filter({ hasText: second!.sn }).count()).toBe(0);
    await frames.filter({ hasText: 'BootNotification' }).first().click();
    const dialog = page.getByRole('dialog');
    await visitor.sees(
      dialog.getByRole('rowheader', { name: 'chargePointVendor', exact: true }),
      dialog.getByText(t('audit:frame.kinds.result'), { exact: true }),
    );
    await dialog.getByRole('link', { name: first!.name, exact: true }).click();
    await visitor.sees(visitor.heading(first!.name));
  },
);
