import { messageOf } from '@chargehand/contract';
import { userNameOf, WORLD_PASSWORD } from '../../apps/server/src/testing/world.ts';
import { journey } from '../harness/journey.ts';
import { product } from '../harness/product.ts';

const chargehand = product({ captcha: true });

journey(chargehand, 'the captcha solves itself while one types, and every attempt has its own', {}, async (visitor) => {
  const { page, t, locale } = visitor;
  await page.goto('/login');
  await visitor.main.getByLabel(t('access:login.userName'), { exact: true }).fill(userNameOf('vendorStaff'));
  await visitor.main.getByLabel(t('access:login.password'), { exact: true }).fill('Wrong-pass.1');
  await visitor.button(t('access:login.submit')).click();
  await visitor.sees(messageOf('credentialsWrong', locale, { left: 4 }));
  await visitor.main.getByLabel(t('access:login.password'), { exact: true }).fill(WORLD_PASSWORD);
  await visitor.follow(() => page.keyboard.press('Enter'), { path: '/manage/home', heading: t('home:title') });
});
