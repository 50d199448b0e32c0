import { beforeAll, describe, expect } from 'vitest';
import { connectPiles, type Piles } from './harness/devices.ts';
import { journey } from './harness/journey.ts';
import { product } from './harness/product.ts';
import type { Visitor } from './harness/visitor.ts';

const chargehand = product();
let piles: Piles;
/** The first pile of each language's journey. */
const pileOf = ({ locale }: Visitor) => piles.devices[locale === 'en-US' ? 0 : 1]!;

beforeAll(async () => {
  piles = await connectPiles(chargehand, { prefix: 'ALARM-', devices: 4, seed: 3 });
  const { pool } = chargehand.server.database;
  const { northMill1 } = chargehand.server.world.devices;
  // What lies behind the fleet, so that rankings have something to rank.
  await pool.query(
    `insert into alarms (device_id, connector, code, kind, level, raised_at, last_at, cleared_at)
     select $1, 1, 'ReaderFailure', 'alarm', 'OA', at, at, at from generate_series(now() - interval '3 hours', now(), '1 hour') at`,
    [northMill1.id],
  );
});

const panel = ({ page }: Visitor, title: string) =>
  page.locator('section.panel').filter({ has: page.getByRole('heading', { name: title, exact: true }) });

describe('home', () => {
  journey(
    chargehand,
    'shows a fault as it happens, lets it be taken, and forgets it when it is over',
    { as: 'northAdmin' },
    async (visitor) => {
      const { page, t, locale } = visitor;
      const { pile, name } = pileOf(visitor);
      const fault = locale === 'zh-CN' ? '接地故障' : 'Ground fault protection tripped';
      await page.goto('/manage/home');
      await visitor.sees(visitor.heading(t('home:title')), t('common:live.on'));
      pile.fault(1, 'GroundFailure');
      const row = panel(visitor, t('home:openAlarms')).getByRole('listitem').filter({ hasText: name });
      await visitor.sees(row.getByText(fault));
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

  journey(chargehand, 'has every figure lead to the list behind it', { as: 'northAdmin' }, async (visitor) => {
    const { page, t } = visitor;
    await page.goto('/manage/home');
    const home = { path: '/manage/home', heading: t('home:title') };
    const { northMill } = chargehand.server.world.sites;
    await visitor.follow(panel(visitor, t('home:ranking')).getByRole('link', { name: 'Site northMill' }), {
      path: new RegExp(`^/manage/device/alarms\\?.*siteId=${northMill}\\b`),
      heading: t('routes:alarms'),
    });
    await visitor.sees(page.getByRole('row').filter({ hasText: 'ReaderFailure' }).first());
    await visitor.follow(() => page.goBack(), home);
    await visitor.follow(
      panel(visitor, t('home:deviceStates'))
        .getByRole('row')
        .filter({ hasText: t('common:deviceStatus.offline') })
        .getByRole('link'),
      { path: '/manage/device/list?status=offline', heading: t('routes:deviceList') },
    );
    await visitor.sees('Pile northQuay-1');
    await visitor.follow(() => page.goBack(), home);
    await visitor.follow(
      panel(visitor, t('home:siteStates'))
        .getByRole('row')
        .filter({ hasText: t('common:siteState.offline') })
        .getByRole('link'),
      { path: '/manage/site/list?state=offline', heading: t('routes:siteList') },
    );
    await visitor.sees('Site northMill');
  });

  journey(
    chargehand,
    'fits a phone',
    { as: 'northAdmin', locales: ['zh-CN'], size: { width: 390, height: 844 } },
    async (visitor) => {
      const { page, t } = visitor;
      await page.goto('/manage/home');
      await visitor.sees(visitor.heading(t('home:trend')));
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    },
  );
});

describe('the list of alarms', () => {
  journey(chargehand, 'is narrowed, talked about and acknowledged in one go', { as: 'northAdmin' }, async (visitor) => {
    const { page, t, locale } = visitor;
    const { pile, name } = piles.devices[locale === 'en-US' ? 2 : 3]!;
    pile.fault(1, 'HighTemperature');
    pile.warn(0, 'WeakSignal');
    await page.goto('/manage/device/alarms?sort=-level');
    const rows = page.getByRole('row').filter({ hasText: name });
    await expect.poll(() => rows.count(), { timeout: 30_000 }).toBe(2);
    await visitor.sees(rows.first().getByText('HighTemperature'));

    await rows.first().getByText('HighTemperature').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: t('alarms:comment') }).fill('Is the fan dirty?');
    await dialog.getByRole('button', { name: t('alarms:say'), exact: true }).click();
    await visitor.sees(dialog.getByText('Is the fan dirty?'));

    const comment = dialog.getByRole('textbox', { name: t('alarms:comment') });
    await expect.poll(() => comment.inputValue(), { timeout: 10_000 }).toBe('');
    await page.keyboard.press('Escape');
    await comment.waitFor({ state: 'detached' });

    for (const row of await rows.all()) await row.getByRole('checkbox').check();
    await page
      .locator('.alarm-chosen')
      .getByRole('button', { name: t('alarms:acknowledge.ok') })
      .click();
    await dialog.getByRole('button', { name: t('alarms:acknowledge.ok') }).click();
    await expect.poll(() => rows.filter({ hasText: 'north_admin' }).count(), { timeout: 30_000 }).toBe(2);

    pile.clearFault(1);
    await expect.poll(() => rows.count(), { timeout: 30_000 }).toBe(1);
    await page.goto('/manage/device/alarms?state=cleared&level=CA');
    await visitor.sees(rows.first());
    const file = page.waitForEvent('download');
    await visitor.button(t('common:list.export')).click();
    expect((await file).suggestedFilename()).toMatch(/\.xlsx$/);
  });

  journey(chargehand, 'stands on the pages of site and device, too', { as: 'northAdmin' }, async (visitor) => {
    const { page, t } = visitor;
    const { sites, devices } = chargehand.server.world;
    await page.goto(`/manage/site/detail/${sites.northMill}?tab=faults&state=all`);
    await visitor.sees(page.getByRole('row').filter({ hasText: 'ReaderFailure' }).first());
    await page.goto(`/manage/device/detail/${devices.northMill1.id}?tab=details&section=alarms`);
    await visitor.sees(t('alarms:nothingOpen'));
    await page.getByText(t('alarms:states.cleared'), { exact: true }).click();
    await visitor.sees(page.getByRole('row').filter({ hasText: 'ReaderFailure' }).first());
  });
});
