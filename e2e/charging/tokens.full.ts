import { LOCALES } from '@chargehand/contract';
import { beforeAll, describe, expect } from 'vitest';
import { connectPiles, type Piles } from '../harness/devices.ts';
import { journey } from '../harness/journey.ts';
import { product } from '../harness/product.ts';

const chargehand = product();
/** Each language has a site of its own. */
const PLACES = { 'en-US': 'northQuay', 'zh-CN': 'northMill' } as const;
const piles = {} as Record<(typeof LOCALES)[number], Piles>;

beforeAll(async () => {
  for (const locale of LOCALES) {
    const prefix = locale === 'en-US' ? 'TOKENEN' : 'TOKENZH';
    piles[locale] = await connectPiles(chargehand, { prefix, devices: 1, speed: 5, site: PLACES[locale] });
  }
});

describe('tokens', () => {
  journey(
    chargehand,
    'are refused until they are added, and after they were blocked',
    { as: 'northAdmin', locales: LOCALES },
    async (visitor) => {
      const { page, t, locale } = visitor;
      const { pool } = chargehand.server.database;
      const { id, name, pile } = piles[locale].devices[0]!;
      const value = locale === 'en-US' ? '04AA11BB22' : '04CC33DD44';
      const row = page.locator('tbody tr[data-row-key]');
      const mine = row.filter({ hasText: value });

      await page.goto(`/manage/site/detail/${chargehand.server.world.sites[PLACES[locale]]}?tab=tokens`);
      await visitor.main.getByRole('radio', { name: t('tokens:policy.names.known') }).click();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: t('tokens:policy.change'), exact: true })
        .click();
      await visitor.sees(t('tokens:policy.saved'), t('tokens:policy.applied.known'));

      pile.plugIn(1, value);
      // The page reads again after as long as an action may take.
      const unknown = () => pool.query('select 1 from unknown_tokens where device_id = $1', [id]);
      await expect.poll(async () => (await unknown()).rowCount, { timeout: 30_000 }).toBe(1);
      await page.goto('/manage/token/list?tab=unknown');
      await visitor.sees(mine.getByText(name));
      await mine.getByRole('button', { name: t('tokens:unknown.add'), exact: true }).click();
      await mine.waitFor({ state: 'detached' });
      // The driver presents the card again.
      pile.unplug(1);
      await expect.poll(() => pile.plugIn(1, value), { timeout: 30_000 }).toBe(true);
      await page.goto(`/manage/device/detail/${id}?tab=details&section=sessions`);
      await visitor.sees(mine.getByText(`${t('tokens:reasons.known')}, ${t('tokens:by.site')}`));
      expect(await row.count()).toBe(1);

      await page.goto('/manage/token/list');
      await mine.getByRole('button', { name: t('tokens:actionsOf', { value }), exact: true }).click();
      await page.getByRole('menuitem', { name: t('tokens:block'), exact: true }).click();
      await visitor.sees(mine.getByText(t('tokens:states.blocked'), { exact: true }));
      await expect.poll(() => pile.receivedCalls.ClearCache ?? 0, { timeout: 60_000 }).toBe(1);

      const stored = async () => {
        const { rows } = await pool.query<{ version: number; state: string }>(
          'select version, state from device_token_lists where device_id = $1',
          [id],
        );
        return rows[0];
      };
      await expect.poll(stored, { timeout: 60_000 }).toMatchObject({ state: 'equal' });
      await page.goto('/manage/token/list?tab=lists');
      const list = row.filter({ hasText: name });
      await visitor.sees(list.getByText(t('tokens:lists.states.equal'), { exact: true }));
      await visitor.sees(list.getByText(String((await stored())!.version), { exact: true }));

      // The driver presents the blocked card.
      await expect.poll(() => pile.unplug(1), { timeout: 30_000 }).toBe(true);
      await expect.poll(() => pile.plugIn(1, value), { timeout: 30_000 }).toBe(true);
      const refused = () =>
        pool.query(
          `select 1 from protocol_frames
            where device_id = $1 and action = 'Authorize' and type = 3 and body like '%"Blocked"%'`,
          [id],
        );
      await expect.poll(async () => (await refused()).rowCount, { timeout: 30_000 }).toBe(1);
      await page.goto(`/manage/device/detail/${id}?tab=details&section=sessions`);
      await visitor.sees(mine.getByText(`${t('tokens:reasons.known')}, ${t('tokens:by.site')}`));
      expect(await row.count()).toBe(1);
    },
  );
});
