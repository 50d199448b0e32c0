import { beforeAll, describe, expect } from 'vitest';
import { connectPiles, type Piles } from '../harness/devices.ts';
import { journey } from '../harness/journey.ts';
import { product } from '../harness/product.ts';
import type { Visitor } from '../harness/visitor.ts';

const chargehand = product();
let piles: Piles;

beforeAll(async () => {
  piles = await connectPiles(chargehand, { prefix: 'ALARM-', devices: 1 });
});

const panel = ({ page }: Visitor, title: string) =>
  page.locator('section.panel').filter({ has: page.getByRole('heading', { name: title, exact: true }) });

describe('home', () => {
  journey(
    chargehand,
    'shows a new fault, allows it to be acknowledged, and removes it when it clears',
    { as: 'northAdmin' },
    async (visitor) => {
      const { page, t } = visitor;
      const { pile, name } = piles.devices[0]!;
      await page.goto('/manage/home');
      await visitor.sees(visitor.heading(t('home:title')), t('common:live.on'));
      pile.fault(1, 'GroundFailure');
      const row = panel(visitor, t('home:incidents.title')).getByRole('listitem').filter({ hasText: name });
      await visitor.sees(row.getByText('Ground fault protection tripped'));
      await visitor.sees(panel(visitor, t('home:recentEvents')).getByText(name).first());
      await row.getByRole('button', { name: t('alarms:acknowledge.ok') }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox').fill('On my way');
      await dialog.getByRole('button', { name: t('alarms:acknowledge.ok') }).click();
      await visitor.sees(row.getByText('north_admin'));
      pile.clearFault(1);
      await visitor.misses(row);
    },
  );
});

describe('the notification bell', () => {
  journey(
    chargehand,
    'counts the message about a new fault on every page, and counts it no longer when its alarm is acknowledged',
    { as: 'northAdmin', full: true },
    async (visitor) => {
      const { page, t } = visitor;
      const { pile, name } = piles.devices[0]!;
      await page.goto('/manage/user/list');
      const bell = page.getByRole('button', { name: new RegExp(`^${t('common:shell.bell')}`) });
      const count = async () => Number(/\d+/.exec((await bell.getAttribute('aria-label')) ?? '')?.[0] ?? 0);
      await visitor.sees(bell, t('common:live.on'));
      const before = await count();
      pile.fault(1, 'HighTemperature');
      await expect.poll(count).toBe(before + 1);
      await bell.click();
      const row = page
        .getByRole('region', { name: t('messages:newest') })
        .getByRole('listitem')
        .filter({ hasText: name });
      await row.getByRole('button', { name: t('alarms:acknowledge.ok') }).click();
      await page
        .getByRole('dialog')
        .last()
        .getByRole('button', { name: t('alarms:acknowledge.ok') })
        .click();
      await visitor.misses(row.getByRole('button', { name: t('alarms:acknowledge.ok') }));
      await expect.poll(count).toBe(before);
      pile.clearFault(1);
    },
  );
});
