import { messageOf } from '@chargehand/contract';
import { expect } from 'vitest';
import { userNameOf, WORLD_PASSWORD } from '../../apps/server/src/testing/world.ts';
import { journey } from '../harness/journey.ts';
import { product } from '../harness/product.ts';

/** The width of the frame around the captcha. */
const FRAME = `getComputedStyle(document.querySelector('.login-captcha > [role=status]')).borderTopWidth`;

const chargehand = product({ captcha: true });

journey(chargehand, 'the captcha is solved during typing, and every attempt has its own', {}, async (visitor) => {
  const { page, t, locale } = visitor;
  await page.goto('/login');
  await visitor.sees(visitor.main.getByRole('status').filter({ hasText: t('access:captcha.done') }));
  // A border and a check mark: without its styles it would be plain text.
  expect(await page.evaluate(FRAME)).toBe('1px');
  await visitor.main.getByLabel(t('access:login.userName'), { exact: true }).fill(userNameOf('vendorStaff'));
  await visitor.main.getByLabel(t('access:login.password'), { exact: true }).fill('Wrong-pass.1');
  await visitor.button(t('access:login.submit')).click();
  await visitor.sees(messageOf('credentialsWrong', locale, { left: 4 }));
  await visitor.main.getByLabel(t('access:login.password'), { exact: true }).fill(WORLD_PASSWORD);
  await visitor.follow(() => page.keyboard.press('Enter'), { path: '/manage/home', heading: t('home:title') });
});
