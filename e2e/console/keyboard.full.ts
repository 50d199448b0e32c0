import type { Locator } from 'playwright-core';
import { beforeAll, describe, expect } from 'vitest';
import { userNameOf, WORLD_PASSWORD } from '../../apps/server/src/testing/world.ts';
import { connectPiles, type Piles } from '../harness/devices.ts';
import { journey } from '../harness/journey.ts';
import { product } from '../harness/product.ts';
import type { Visitor } from '../harness/visitor.ts';

const chargehand = product();
let piles: Piles;

beforeAll(async () => {
  piles = await connectPiles(chargehand, { prefix: 'KEYS', devices: 2, connectors: 1, speed: 5 });
});

/** More than the number of tab stops on any page. */
const STOPS = 150;

const hasFocus = (target: Locator) => target.evaluate((element) => element === element.ownerDocument.activeElement);

/** Presses a key until the focus is on an element, like a user without a mouse. The element must be visible. */
async function moveTo({ page }: Visitor, target: Locator, key = 'Tab'): Promise<void> {
  await target.waitFor();
  for (let stop = 0; stop < STOPS; stop += 1) {
    if (await hasFocus(target)) return;
    await page.keyboard.press(key);
  }
  const stoppedAt = await page.evaluate('document.activeElement?.outerHTML.slice(0, 200)');
  throw new Error(`The focus never came to ${target}; it is at ${stoppedAt}`);
}

describe('with the keyboard only', () => {
  journey(chargehand, 'from sign-in to a successful reset and sign-out', {}, async (visitor) => {
    const { page, t, locale } = visitor;
    const { keyboard } = page;
    const { name, pile } = piles.devices[locale === 'en-US' ? 0 : 1]!;

    await page.goto(`/manage/device/list?search=${encodeURIComponent(name)}`);
    await visitor.arrivesAt(visitor.signInPage);
    await moveTo(visitor, visitor.main.getByLabel(t('access:login.userName'), { exact: true }));
    await keyboard.type(userNameOf('northAdmin'));
    await moveTo(visitor, visitor.main.getByLabel(t('access:login.password'), { exact: true }));
    await keyboard.type(WORLD_PASSWORD);
    await visitor.follow(() => keyboard.press('Enter'), {
      path: /^\/manage\/device\/list\?search=/,
      heading: t('routes:deviceList'),
    });

    await moveTo(visitor, page.locator('tbody tr[data-row-key]').filter({ hasText: name }));
    await visitor.follow(() => keyboard.press('Enter'), {
      path: /^\/manage\/device\/detail\/\d+$/,
      heading: name,
    });
    await visitor.sees(t('common:live.on'));
    await moveTo(visitor, page.getByRole('main').getByRole('tab', { selected: true }));
    // A focused tab also announces its position and the number of tabs.
    const operations = visitor.main.getByRole('tab', { name: t('fleet:tab.operations') });
    await moveTo(visitor, operations, 'ArrowRight');
    await keyboard.press('Enter');

    const reset = page
      .getByRole('tabpanel')
      .getByRole('button', { name: t('operations:kinds.softReset.do'), exact: true });
    await moveTo(visitor, reset);
    await keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    const confirm = dialog.getByRole('button', { name: t('operations:kinds.softReset.do'), exact: true });
    await expect.poll(() => hasFocus(confirm)).toBe(true);
    await keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await expect.poll(() => hasFocus(reset)).toBe(true);
    await keyboard.press('Enter');
    await moveTo(visitor, confirm);
    await keyboard.press('Enter');
    await visitor.sees(dialog.getByText(t('common:executionResult.success'), { exact: true }));
    expect(pile.receivedCalls.Reset).toBe(1);
    await keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });

    await moveTo(
      visitor,
      visitor.frameButton(t('common:shell.account', { name: userNameOf('northAdmin') })),
      'Shift+Tab',
    );
    await keyboard.press('Enter');
    await page.locator('[role="menu"]:focus-within').waitFor();
    await moveTo(visitor, page.getByRole('menuitem', { name: t('common:shell.signOut'), exact: true }), 'ArrowDown');
    await visitor.follow(() => keyboard.press('Enter'), visitor.signInPage);
  });
});
