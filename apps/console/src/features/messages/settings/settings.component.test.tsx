import type { OwnMessageSettings } from '@chargehand/contract';
import { MESSAGE_TYPES } from '@chargehand/domain';
import { describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { LANGUAGES } from '../../../testing/languages.ts';
import { misses, sees } from '../../../testing/on-screen.ts';
import { sample, sampleList } from '../../../testing/sample.ts';
import { showConsole } from '../../../testing/show-console.tsx';

const USUAL = { inApp: true, email: false, push: true, delayed: false };
const SETTINGS: OwnMessageSettings = {
  types: MESSAGE_TYPES.map((type) => {
    const source = type === 'accountSecurity' ? ('always' as const) : ('default' as const);
    return { type, ...USUAL, source, usual: { ...USUAL, source } };
  }),
  ...{ shifts: [], receiverOf: { sites: [], total: 0 } },
  ...{ quiet: null, digestAt: 480, email: 'me@example.org', browsers: 0 },
};

describe('message settings', () => {
  test.each(LANGUAGES)('change a type, and say who decides (%s)', async (locale) => {
    const { t, server, button } = await showConsole('/manage/message/setting', {
      locale,
      answers: { readMessageSettings: SETTINGS, saveMessageSettings: SETTINGS },
    });
    const row = page
      .getByRole('row')
      .filter({ has: page.getByRole('rowheader', { name: t('messages:types.fault'), exact: true }) });
    await sees(row.getByText(t('messages:sources.default')));
    const name = { type: t('messages:types.fault'), channel: t('messages:settings.email') };
    await row.getByRole('checkbox', { name: t('messages:settings.onOf', name) }).click();
    await sees(row.getByText(t('messages:sources.user')));
    await button('common:save').click();
    await expect
      .poll(() => server.sent('saveMessageSettings').map(({ body }) => body))
      .toEqual([{ types: [{ type: 'fault', ...USUAL, email: true }], quiet: null, digestAt: 480 }]);
    await sees(t('messages:settings.saved'));
    // Without a browser that receives them, pushes cannot be set. Account security cannot be turned off.
    await misses(page.getByRole('columnheader', { name: t('messages:settings.push'), exact: true }));
    const fixed = { type: t('messages:types.accountSecurity'), channel: t('messages:settings.email') };
    await expect.element(page.getByRole('checkbox', { name: t('messages:settings.onOf', fixed) })).toBeDisabled();
  });

  test.each(LANGUAGES)('show what decides on duty and as a receiver instead (%s)', async (locale) => {
    const times = { from: '2026-11-28T00:00:00.000Z', to: '2026-11-29T00:00:00.000Z' };
    const shifts = [{ place: 'North Quay', ...times, substitute: false }];
    const { t } = await showConsole('/manage/message/setting', {
      locale,
      answers: { readMessageSettings: { ...SETTINGS, shifts, receiverOf: { sites: ['South Gate'], total: 12 } } },
    });
    const row = page
      .getByRole('row')
      .filter({ has: page.getByRole('rowheader', { name: t('messages:types.fault'), exact: true }) });
    const channels = ['inApp', 'email'].map((one) => t(`messages:settings.${one}`)).join(t('messages:ties.separator'));
    const onDuty = row.getByText(t('messages:settings.exceptions.onCall', { channels }));
    const received = row.getByText(t('messages:settings.exceptions.siteReceiver', { channels }));
    await sees(onDuty);
    await sees(received);
    await sees(page.getByText(t('messages:settings.onDutyAt', { place: 'North Quay' })));
    await sees(page.getByText(new RegExp(t('messages:moreSites', { count: 11 }))));
    // The own setting is before the site, and not before the shift.
    const name = { type: t('messages:types.fault'), channel: t('messages:settings.email') };
    await row.getByRole('checkbox', { name: t('messages:settings.onOf', name) }).click();
    await misses(received);
    await sees(onDuty);
  });

  test('refuse quiet hours without a length, and say that mails cannot arrive without an address', async () => {
    const { t, button } = await showConsole('/manage/message/setting', {
      answers: { readMessageSettings: { ...SETTINGS, email: null } },
    });
    await sees(page.getByText(new RegExp(t('messages:settings.noAddress'))));
    await page.getByRole('checkbox', { name: t('messages:settings.quietOn') }).click();
    // Times have 24 hours in every browser, and are typed or selected.
    const to = page.getByLabelText(t('messages:settings.quietTo'), { exact: true });
    await expect.element(to).toHaveValue('06:00');
    await expect.element(to).not.toHaveAttribute('type', 'time');
    await to.fill('22:00');
    await userEvent.keyboard('{Enter}');
    await sees(page.getByText(t('messages:settings.quietSame')));
    await expect.element(button('common:save')).toBeDisabled();
  });
});

const ROLE = {
  ...sample('readRole'),
  id: 7,
  name: 'Night shift',
  grantable: true,
  keys: ['auth_device_list' as const],
};

describe('message defaults of a role', () => {
  test.each(['/manage/role/auth/message/7', '/manage/system/role/auth/message/7'])(
    'are changed at %s, for the types that the role may read',
    async (path) => {
      const saved = { types: [] };
      const { t, server, button } = await showConsole(path, {
        answers: {
          readRole: ROLE,
          listRoles: () => sampleList('listRoles', [ROLE]),
          readRoleMessages: saved,
          saveRoleMessages: saved,
        },
      });
      const row = page
        .getByRole('row')
        .filter({ has: page.getByRole('rowheader', { name: t('messages:types.fault'), exact: true }) });
      const name = { type: t('messages:types.fault'), channel: t('messages:settings.email') };
      await row.getByRole('checkbox', { name: t('messages:settings.onOf', name) }).click();
      await sees(row.getByText(t('messages:roleDefaults.sources.role')));
      await misses(page.getByText(t('messages:types.waitingDevice'), { exact: true }));
      await button('common:save').click();
      await expect
        .poll(() => server.sent('saveRoleMessages').map(({ body }) => body))
        .toEqual([{ types: [{ type: 'fault', ...USUAL, email: true }] }]);
    },
  );

  test('of a role with more rights than the user has are only shown', async () => {
    const { t, button } = await showConsole('/manage/role/auth/message/7', {
      answers: {
        readRole: { ...ROLE, grantable: false },
        listRoles: () => sampleList('listRoles', [ROLE]),
        readRoleMessages: { types: [] },
      },
    });
    await sees(page.getByText(t('messages:roleDefaults.beyond')));
    await expect.element(button('common:save')).toBeDisabled();
    await expect.element(page.getByRole('checkbox').first()).toBeDisabled();
  });
});
