import { LOCALE_COOKIE, messageOf } from '@chargehand/contract';
import { describe, expect } from 'vitest';
import { signIn } from '../apps/server/src/testing/sign-in.ts';
import { userNameOf, WORLD_PASSWORD } from '../apps/server/src/testing/world.ts';
import { journey } from './harness/journey.ts';
import { product } from './harness/product.ts';
import type { Visitor } from './harness/visitor.ts';

const chargehand = product();

async function enter(visitor: Visitor, userName: string, password: string): Promise<void> {
  const { page, t } = visitor;
  await page.getByLabel(t('access:login.userName'), { exact: true }).fill(userName);
  await page.getByLabel(t('access:login.password'), { exact: true }).fill(password);
  await visitor.button(t('access:login.submit')).click();
}

describe('signing in', () => {
  journey(chargehand, 'leads to the first page and shows who one is', {}, async (visitor) => {
    const { page, t } = visitor;
    await page.goto('/');
    await visitor.isAt('/login');
    await visitor.sees(visitor.heading(t('access:login.title')));
    expect(await page.locator('html').getAttribute('lang')).toBe(visitor.locale);
    await enter(visitor, userNameOf('vendorStaff'), WORLD_PASSWORD);
    await visitor.isAt('/manage/home');
    await visitor.sees(visitor.button(t('common:shell.account', { name: userNameOf('vendorStaff') })));
  });

  journey(chargehand, 'says what is missing, and how many attempts are left', {}, async (visitor) => {
    const { page, t, locale } = visitor;
    await page.goto('/login');
    await visitor.button(t('access:login.submit')).click();
    await visitor.sees(t('access:login.incomplete'));
    const userName = locale === 'en-US' ? 'nobody_here' : 'nobody_there';
    for (const left of [4, 3, 2, 1]) {
      await enter(visitor, userName, 'Wrong-pass.1');
      await visitor.sees(messageOf('credentialsWrong', locale, { left }));
    }
    await enter(visitor, userName, 'Wrong-pass.1');
    await visitor.sees(messageOf('accountLocked', locale, { minutes: 15 }));
    await enter(visitor, userName, WORLD_PASSWORD);
    await visitor.sees(messageOf('accountLocked', locale, { minutes: 15 }));
  });

  journey(chargehand, 'refuses a disabled account in words', {}, async (visitor) => {
    await visitor.page.goto('/login');
    await enter(visitor, userNameOf('northDisabled'), WORLD_PASSWORD);
    await visitor.sees(messageOf('accountDisabled', visitor.locale));
    await visitor.isAt('/login');
  });

  journey(chargehand, 'follows a deep link that the user may see', {}, async (visitor) => {
    await visitor.page.goto('/manage/device/list?status=faulted&pageSize=50');
    await visitor.isAt('/login');
    await enter(visitor, userNameOf('northAdmin'), WORLD_PASSWORD);
    await visitor.isAt('/manage/device/list?status=faulted&pageSize=50');
  });

  journey(chargehand, 'leads from a deep link that the user may not see to Welcome', {}, async (visitor) => {
    await visitor.page.goto('/manage/device/list');
    await enter(visitor, userNameOf('northNoMenus'), WORLD_PASSWORD);
    await visitor.isAt('/manage/welcome');
    await visitor.sees(visitor.heading(visitor.t('access:welcome.title', { name: userNameOf('northNoMenus') })));
  });

  journey(chargehand, 'leads who has no Home to Welcome', {}, async (visitor) => {
    await visitor.page.goto('/login');
    await enter(visitor, userNameOf('northNoMenus'), WORLD_PASSWORD);
    await visitor.isAt('/manage/welcome');
  });
});

describe('the end of a session', () => {
  journey(
    chargehand,
    'of one’s own will leads to the sign-in page and stays there',
    { as: 'southAdmin' },
    async (visitor) => {
      const { page, t } = visitor;
      await page.goto('/manage/home');
      await visitor.button(t('common:shell.account', { name: userNameOf('southAdmin') })).click();
      await page.getByRole('menuitem', { name: t('common:shell.signOut') }).click();
      await visitor.isAt('/login');
      await page.goto('/manage/home');
      await visitor.isAt('/login');
    },
  );

  journey(
    chargehand,
    'by expiry is told in a dialog that leads to the sign-in page',
    { as: 'northReader' },
    async (visitor) => {
      const { page, t, locale } = visitor;
      await page.goto('/manage/welcome');
      await visitor.sees(visitor.heading(t('access:welcome.title', { name: userNameOf('northReader') })));
      await chargehand.server.database.pool.query(
        `update sessions set expires_at = now() - interval '1 minute' where user_id = $1`,
        [chargehand.server.world.users.northReader],
      );
      chargehand.line.interrupt();
      // Whatever was on its way when the line broke is lost with it.
      visitor.expects(/EventSource|api\/auth\/sys\/stream|ERR_/);
      await visitor.link(t('routes:site')).click();
      await visitor.sees(page.getByRole('dialog').getByText(messageOf('sessionExpired', locale)));
      await visitor.button(t('access:sessionEnd.confirm')).click();
      await visitor.isAt('/login');
      await visitor.misses(page.getByRole('dialog'));
    },
  );

  journey(chargehand, 'by signing in elsewhere is told at once', {}, async (visitor) => {
    const { page, t, locale } = visitor;
    await page.goto('/login');
    await enter(visitor, userNameOf('readOnlyAdmin'), WORLD_PASSWORD);
    await visitor.isAt('/manage/home');
    await visitor.sees(t('common:live.on'));
    await signIn(chargehand.server.url, userNameOf('readOnlyAdmin'), WORLD_PASSWORD);
    await visitor.sees(page.getByRole('dialog').getByText(messageOf('signedOutElsewhere', locale)));
    await visitor.button(t('access:sessionEnd.confirm')).click();
    await visitor.isAt('/login');
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
    await visitor.sees(visitor.heading(t('access:welcome.title', { name: userNameOf('vendorStaff') })));
    expect(await dialog.count()).toBe(0);
  });

  journey(chargehand, 'that is not accepted leaves only the way out', { as: 'southAdmin' }, async (visitor) => {
    const { page, t } = visitor;
    await chargehand.server.database.pool.query('delete from privacy_acceptances where user_id = $1', [
      chargehand.server.world.users.southAdmin,
    ]);
    await page.goto('/manage/welcome');
    await page.getByRole('dialog', { name: t('access:privacy.title') }).waitFor();
    await visitor.button(t('access:privacy.signOut')).click();
    await visitor.isAt('/login');
  });
});

describe('the language', () => {
  journey(chargehand, 'of an unknown cookie is English', { locales: ['en-US'] }, async (visitor) => {
    await visitor.context.addCookies([{ name: LOCALE_COOKIE, value: 'tlh', url: chargehand.url }]);
    await visitor.page.goto('/login');
    await visitor.sees(visitor.heading(visitor.t('access:login.title')));
    expect(await visitor.page.locator('html').getAttribute('lang')).toBe('en-US');
  });
});
