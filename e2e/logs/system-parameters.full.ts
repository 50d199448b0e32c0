import { LOCALES } from '@chargehand/contract';
import { systemParameter } from '@chargehand/domain';
import { expect } from 'vitest';
import { signIn } from '../../apps/server/src/testing/sign-in.ts';
import { WORLD_PASSWORD } from '../../apps/server/src/testing/world.ts';
import { journey } from '../harness/journey.ts';
import { product } from '../harness/product.ts';

const chargehand = product({ captcha: false });

journey(
  chargehand,
  'a rule is changed, is in effect for others at once, and is undone',
  { as: 'root', locales: LOCALES },
  async (visitor) => {
    const { page, t, locale } = visitor;
    const { label } = systemParameter('signInFailures');
    const name = locale === 'zh-CN' ? label.zh : label.en;
    const failed = async () => {
      await chargehand.server.database.pool.query('delete from sign_in_failures');
      const { envelope } = await signIn(chargehand.url, 'north_reader', `${WORLD_PASSWORD}-wrong`);
      return envelope.message;
    };
    await page.goto('/manage/system/parameter');
    await visitor.button(t('system-parameters:changeOne', { name })).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('spinbutton', { name }).fill('9');
    await dialog.getByRole('button', { name: t('system-parameters:save') }).click();
    await visitor.sees(t('system-parameters:saved', { name }));
    expect(await failed()).toContain('8');
    await page.getByRole('tab', { name: t('system-parameters:tabs.history') }).click();
    await visitor.button(t('system-parameters:history.undoOne', { name })).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('system-parameters:history.undo'), exact: true })
      .click();
    await visitor.sees(t('system-parameters:history.undone', { name }));
    expect(await failed()).toContain('4');
    await page.getByRole('tab', { name: t('system-parameters:tabs.environment') }).click();
    await visitor.sees('CHARGEHAND_SIGN_IN_LOG_DAYS');
  },
);
