import { messageOf } from '@chargehand/contract';
import { describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { publicKeyAnswer } from '../../testing/inputs/public-key.ts';
import { show } from '../../testing/show.tsx';
import { type Answers, Refused } from '../../testing/stub-server.ts';
import LoginRoute from './login-route.tsx';
import FindPasswordPage from './recovery/find-password-page.tsx';
import ResetPasswordPage from './recovery/reset-password-page.tsx';

const noCaptcha: Answers = {
  captcha: {
    ...{ captchaId: 'c', expiresAt: '2100-01-01T00:00:00Z', required: false, challenge: null },
    settings: { captcha: false, languageSwitch: true, version: '0' },
  },
};

describe.each(['en-US', 'zh-CN'] as const)('before sign-in (%s)', (locale) => {
  test('the form shows missing fields and sends nothing', async () => {
    const { button, text, server } = await show(<LoginRoute />, { locale, path: '/login', answers: noCaptcha });
    await button('access:login.submit').click();
    await expect.element(text('access:login.incomplete')).toBeVisible();
    expect(server.sent('login')).toEqual([]);
  });

  test('a forgotten password requires an address, and the result is the same for any address', async () => {
    const answers: Answers = { ...noCaptcha, sendPasswordLink: null };
    const { field, button, text } = await show(<FindPasswordPage />, { locale, path: '/find-password', answers });
    await button('recovery:find.submit').click();
    await expect.element(text('recovery:find.incomplete')).toBeVisible();
    await field('recovery:find.email').fill('nobody@example.org');
    await button('recovery:find.submit').click();
    await expect.element(text('recovery:find.sent', { email: 'nobody@example.org' })).toBeVisible();
  });

  test('a new password must be strong, entered the same twice and not the previous one, with a message otherwise', async () => {
    const { field, button, text, server } = await show(<ResetPasswordPage />, {
      ...{ locale, path: '/find-password/reset#token', branding: { passwordLength: 12 } },
      answers: {
        ...noCaptcha,
        publicKey: await publicKeyAnswer(),
        checkPasswordLink: { userName: 'ada', purpose: 'reset' } as never,
        usePasswordLink: () => {
          throw new Refused('passwordSame');
        },
      },
    });
    const choose = async (password: string, repeated: string) => {
      await field('recovery:new.password').fill(password);
      await field('recovery:new.repeated').fill(repeated);
      await button('recovery:new.submit').click();
    };
    await choose('weak', 'weak');
    await expect.element(text('recovery:new.weak')).toBeVisible();
    await choose('Harbour-9', 'Harbour-9');
    await expect.element(page.getByText(messageOf('passwordShort', locale, { least: 12 }))).toBeVisible();
    await choose('Harbour-light.9', 'Harbour-light.9x');
    await expect.element(text('recovery:new.differ')).toBeVisible();
    expect(server.sent('usePasswordLink')).toEqual([]);
    await choose('Harbour-light.9', 'Harbour-light.9');
    await expect.element(page.getByText(messageOf('passwordSame', locale))).toBeVisible();
  });
});
