import { messageOf } from '@chargehand/contract';
import { expect } from 'vitest';
import { userNameOf, WORLD_PASSWORD } from '../apps/server/src/testing/world.ts';
import { journey } from './harness/journey.ts';
import { product } from './harness/product.ts';

const chargehand = product({ captcha: true });

journey(chargehand, 'the captcha solves itself while one types, and every attempt has its own', {}, async (visitor) => {
  const { page, t, locale } = visitor;
  await page.goto('/login');
  await page.getByLabel(t('access:login.userName'), { exact: true }).fill(userNameOf('vendorStaff'));
  await page.getByLabel(t('access:login.password'), { exact: true }).fill('Wrong-pass.1');
  await visitor.button(t('access:login.submit')).click();
  await visitor.sees(messageOf('credentialsWrong', locale, { left: 4 }));
  await page.getByLabel(t('access:login.password'), { exact: true }).fill(WORLD_PASSWORD);
  await visitor.follow(() => page.keyboard.press('Enter'), { path: '/manage/home', heading: t('home:title') });
});

journey(chargehand, 'a sign-in whose captcha was not solved by this page is refused', {}, async (visitor) => {
  const { page, t, locale } = visitor;
  await page.route('**/api/unauth/login', async (route) => {
    const body = route.request().postDataJSON() as Record<string, unknown>;
    await route.continue({ postData: JSON.stringify({ ...body, captcha: 'bm90IHNvbHZlZA==' }) });
  });
  await page.goto('/login');
  await page.getByLabel(t('access:login.userName'), { exact: true }).fill(userNameOf('northAdmin'));
  await page.getByLabel(t('access:login.password'), { exact: true }).fill(WORLD_PASSWORD);
  await visitor.button(t('access:login.submit')).click();
  await visitor.sees(messageOf('captchaWrong', locale));
  await visitor.isAt('/login');
  expect(await visitor.context.cookies()).not.toContainEqual(expect.objectContaining({ name: 'x-auth-token' }));
});
