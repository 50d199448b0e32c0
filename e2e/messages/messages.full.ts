import { beforeAll, expect } from 'vitest';
import type { SiteName } from '../../apps/server/src/testing/world.ts';
import { connectPiles, type Piles } from '../harness/devices.ts';
import { journey } from '../harness/journey.ts';
import { product } from '../harness/product.ts';

const chargehand = product();
/** A pile for each language, on different sites, so that their faults are different incidents. */
const SITES = { 'en-US': 'northQuay', 'zh-CN': 'northMill' } as const satisfies Record<string, SiteName>;
const piles = new Map<string, Piles>();

beforeAll(async () => {
  for (const [locale, site] of Object.entries(SITES)) {
    const prefix = `MSG${locale.slice(0, 2).toUpperCase()}-`;
    piles.set(locale, await connectPiles(chargehand, { prefix, devices: 1, site }));
  }
});

journey(
  chargehand,
  'on a phone, a fault is counted by the bell, listed as unread, opened, recovers, is explained and processed',
  { as: 'northAdmin', locales: ['en-US', 'zh-CN'], size: { width: 390, height: 844 } },
  async (visitor) => {
    const { page, t, locale } = visitor;
    const { id, pile, name } = piles.get(locale)!.devices[0]!;
    const fits = async () => expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await page.goto('/manage/message/list');
    const bell = page.getByRole('button', { name: new RegExp(`^${t('common:shell.bell')}`) });
    const count = async () => Number(/\d+/.exec((await bell.getAttribute('aria-label')) ?? '')?.[0] ?? 0);
    await visitor.sees(visitor.heading(t('routes:messageList')), bell);
    await page.waitForLoadState('networkidle');
    const before = await count();
    const row = page.getByRole('main').getByRole('row').filter({ hasText: name });

    pile.fault(1, 'GroundFailure');
    await expect.poll(count, { timeout: 30_000 }).toBe(before + 1);
    await bell.click();
    const newest = page.getByRole('region', { name: t('messages:newest') });
    await visitor.sees(newest.getByRole('listitem').filter({ hasText: name }));
    await newest.getByRole('link', { name: t('messages:all'), exact: true }).click();
    await newest.waitFor({ state: 'hidden' });
    await visitor.sees(row.getByText(t('messages:ongoing'), { exact: true }));
    await visitor.sees(row.getByText(t('messages:unread'), { exact: true }));
    await fits();

    const title = new RegExp(locale === 'zh-CN' ? '接地' : 'Ground fault protection tripped');
    await row.getByText(title).first().click();
    await visitor.isAt(new RegExp(`^/manage/device/detail/${id}\\?.*alarm=\\d+`));
    const alarm = page.getByRole('dialog').filter({ hasText: title });
    await visitor.sees(alarm);
    await fits();
    // Opening what a message is about has read it.
    await expect.poll(count).toBe(before);

    pile.clearFault(1);
    await page.goto('/manage/message/list');
    await visitor.sees(row.getByText(t('messages:recovered'), { exact: true }));
    await visitor.misses(row.getByText(t('messages:unread'), { exact: true }));

    await row.getByRole('button', { name: t('messages:why.do') }).click();
    const why = page.getByRole('dialog').filter({ hasText: t('messages:why.title') });
    await visitor.sees(why.getByText(t('messages:why.place')), why.getByText(t('messages:why.now')));
    await fits();
    await why
      .getByRole('button', { name: t('common:close'), exact: true })
      .last()
      .click();
    await why.waitFor({ state: 'hidden' });

    await row.getByRole('button', { name: new RegExp(t('messages:actionsOf', { title: '.*' })) }).click();
    await page.getByRole('menuitem', { name: t('messages:do.processed'), exact: true }).click();
    await visitor.sees(row.getByText(t('messages:processed'), { exact: true }));
    await page.reload();
    await visitor.sees(row.getByText(t('messages:processed'), { exact: true }));
  },
);
