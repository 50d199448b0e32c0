import { messageOf } from '@chargehand/contract';
import { describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { publicKeyAnswer } from '../../testing/inputs/public-key.ts';
import { expectConfirmBeforeClosing } from '../../testing/on-screen.ts';
import { show } from '../../testing/show.tsx';
import { Refused } from '../../testing/stub-server.ts';
import EmailChange from './email-change.tsx';
import { PasswordForm } from './password-form.tsx';
import { PreferenceChoices } from './preference-choices.tsx';

test.each(['en-US', 'zh-CN'] as const)(
  "the user's own password: errors are shown at the field (%s)",
  async (locale) => {
    const { field, button, text, server } = await show(<PasswordForm userName="ada" />, {
      locale,
      branding: { passwordLength: 12 },
      answers: {
        publicKey: await publicKeyAnswer(),
        changePassword: () => {
          throw new Refused('currentPasswordWrong', { left: 4 }, 'currentPassword');
        },
      },
    });
    await field('account:password.current').fill('Quay-side.1');
    await field('account:password.new').fill('weak');
    await field('account:password.repeated').fill('weaker');
    await button('account:password.change').click();
    await expect.element(text('account:password.weak')).toBeVisible();
    await expect.element(text('account:password.differ')).toBeVisible();
    expect(server.sent('changePassword')).toEqual([]);
    await field('account:password.new').fill('South-gate2');
    await expect.element(page.getByText(messageOf('passwordShort', locale, { least: 12 }))).toBeVisible();
    await field('account:password.new').fill('South-gate.2');
    await field('account:password.repeated').fill('South-gate.2');
    await button('account:password.change').click();
    await expect.element(page.getByText(messageOf('currentPasswordWrong', locale, { left: 4 }))).toBeVisible();
  },
);

describe('a new email address', () => {
  test('asks before unsaved changes are lost, and shows a wrong password at the field', async () => {
    const stage = await show(<EmailChange />, {
      answers: {
        publicKey: await publicKeyAnswer(),
        readOwnEmail: { email: 'ada@example.org', pending: null },
        changeOwnEmail: () => {
          throw new Refused('currentPasswordWrong', { left: 4 }, 'currentPassword');
        },
      },
    });
    const { button, field } = stage;
    await button('recovery:email.change').click();
    await field('recovery:email.newEmail').fill('new@example.org');
    await field('recovery:email.password').fill('Wrong-pass.1');
    await button('recovery:email.submit').click();
    await expect.element(page.getByText(messageOf('currentPasswordWrong', 'en-US', { left: 4 }))).toBeVisible();
    await expectConfirmBeforeClosing(stage, field('recovery:email.newEmail'));
  });
});

test.each([true, false])(
  'the language can only be selected if the installation supports it: %s',
  async (languageSwitch) => {
    const { t } = await show(<PreferenceChoices />, {
      info: { settings: { captcha: false, languageSwitch, version: '0', mailsDelivered: true, mapTiles: null } },
    });
    await expect.element(page.getByText(t('account:preferences.theme'))).toBeVisible();
    expect(page.getByText(t('account:preferences.language')).elements()).toHaveLength(languageSwitch ? 1 : 0);
  },
);
