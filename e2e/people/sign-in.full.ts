import { LOCALE_COOKIE, LOCALES, messageOf } from '@chargehand/contract';
import { describe, expect } from 'vitest';
import { signIn } from '../../apps/server/src/testing/sign-in.ts';
import { userNameOf, WORLD_PASSWORD } from '../../apps/server/src/testing/world.ts';
import { journey } from '../harness/journey.ts';
import { product } from '../harness/product.ts';
import type { Visitor } from '../harness/visitor.ts';

const chargehand = product({ sessionsPerUser: 1 });

const homeOf = ({ t }: Visitor) => ({ path: '/manage/home', heading: t('home:title') });

async function enter(visitor: Visitor, userName: string, password: string): Promise<void> {
  const { t } = visitor;
  await visitor.main.getByLabel(t('access:login.userName'), { exact: true }).fill(userName);
  await visitor.main.getByLabel(t('access:login.password'), { exact: true }).fill(password);
  await visitor.button(t('access:login.submit')).click();
}

describe('sign-in', () => {
  journey(chargehand, 'leads to the landing page and shows the user', { locales: LOCALES }, async (visitor) => {
    const { page, t } = visitor;
    await page.goto('/');
    await visitor.isAt('/login');
    await visitor.sees(visitor.heading(t('access:login.title')));
    expect(await page.locator('html').getAttribute('lang')).toBe(visitor.locale);
    await visitor.follow(() => enter(visitor, userNameOf('vendorStaff'), WORLD_PASSWORD), homeOf(visitor));
    await visitor.sees(visitor.frameButton(t('common:shell.account', { name: userNameOf('vendorStaff') })));
  });

  journey(chargehand, 'shows the remaining attempts', {}, async (visitor) => {
    const { page, locale } = visitor;
    await page.goto('/login');
    const userName = 'nobody_here';
    for (const left of [4, 3, 2, 1]) {
      await enter(visitor, userName, 'Wrong-pass.1');
      await visitor.sees(messageOf('credentialsWrong', locale, { left }));
    }
    await enter(visitor, userName, 'Wrong-pass.1');
    await visitor.sees(messageOf('accountLocked', locale, { minutes: 15 }));
    await page.reload();
    await enter(visitor, userName, WORLD_PASSWORD);
    // A minute may have passed.
    const locked = (minutes: number) => visitor.main.getByText(messageOf('accountLocked', locale, { minutes }));
    await visitor.sees(locked(15).or(locked(14)));
  });

  journey(chargehand, 'follows a deep link that the user may open', {}, async (visitor) => {
    await visitor.page.goto('/manage/device/list?status=faulted&pageSize=50');
    await visitor.isAt('/login');
    await visitor.follow(() => enter(visitor, userNameOf('northAdmin'), WORLD_PASSWORD), {
      path: '/manage/device/list?status=faulted&pageSize=50',
      heading: visitor.t('routes:deviceList'),
    });
  });
});

describe('the end of a session', () => {
  journey(
    chargehand,
    'by the user leads to the sign-in page and stays there',
    { as: 'southAdmin' },
    async (visitor) => {
      const { page, t } = visitor;
      await page.goto('/manage/home');
      await visitor.frameButton(t('common:shell.account', { name: userNameOf('southAdmin') })).click();
      await visitor.follow(page.getByRole('menuitem', { name: t('common:shell.signOut') }), visitor.signInPage);
      await page.goto('/manage/home');
      await visitor.arrivesAt(visitor.signInPage);
    },
  );

  journey(
    chargehand,
    'by expiry shows a dialog that leads to the sign-in page',
    { as: 'northReader' },
    async (visitor) => {
      const { page, t, locale } = visitor;
      await page.goto('/manage/welcome');
      await visitor.sees(visitor.heading(t('welcome:title', { name: userNameOf('northReader') })));
      await chargehand.server.database.pool.query(
        `update sessions set expires_at = now() - interval '1 minute' where user_id = $1`,
        [chargehand.server.world.users.northReader],
      );
      chargehand.network.interrupt();
      // Requests in flight are lost when the connection breaks.
      visitor.expects(/EventSource|api\/auth\/sys\/stream|ERR_/);
      await visitor.menuLink(t('routes:site')).click();
      await visitor.sees(page.getByRole('dialog').getByText(messageOf('sessionExpired', locale)));
      await visitor.follow(visitor.button(t('access:sessionEnd.confirm')), visitor.signInPage);
      await visitor.misses(page.getByRole('dialog'));
    },
  );

  journey(chargehand, 'by another sign-in is shown immediately', {}, async (visitor) => {
    const { page, t, locale } = visitor;
    await page.goto('/login');
    await visitor.follow(() => enter(visitor, userNameOf('readOnlyAdmin'), WORLD_PASSWORD), homeOf(visitor));
    await visitor.sees(t('common:live.on'));
    await signIn(chargehand.server.url, userNameOf('readOnlyAdmin'), WORLD_PASSWORD);
    await visitor.sees(page.getByRole('dialog').getByText(messageOf('signedOutElsewhere', locale)));
    await visitor.follow(visitor.button(t('access:sessionEnd.confirm')), visitor.signInPage);
  });
});

describe('the privacy policy', () => {
  journey(chargehand, 'blocks the console until it is accepted', { as: 'vendorStaff' }, async (visitor) => {
    const { page, t } = visitor;
    await chargehand.server.database.pool.query('delete from privacy_acceptances where user_id = $1', [
      chargehand.server.world.users.vendorStaff,
    ]);
    await page.goto('/manage/welcome');
    const dialog = page.getByRole('dialog', { name: t('access:privacy.title') });
    await visitor.sees(dialog);
    await page.keyboard.press('Escape');
    expect(await visitor.button(t('access:privacy.accept')).isDisabled()).toBe(true);
    await dialog.getByLabel(t('access:privacy.read')).check();
    await visitor.button(t('access:privacy.accept')).click();
    await visitor.misses(dialog);
    await page.reload();
    await visitor.sees(visitor.heading(t('welcome:title', { name: userNameOf('vendorStaff') })));
    expect(await dialog.count()).toBe(0);
  });
});

describe('the language', () => {
  journey(chargehand, 'of an unknown cookie is English', {}, async (visitor) => {
    await visitor.context.addCookies([{ name: LOCALE_COOKIE, value: 'tlh', url: chargehand.url }]);
    await visitor.page.goto('/login');
    await visitor.sees(visitor.heading(visitor.t('access:login.title')));
    expect(await visitor.page.locator('html').getAttribute('lang')).toBe('en-US');
  });
});
