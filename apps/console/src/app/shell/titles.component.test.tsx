import { describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { deviceDetail } from '../../testing/devices.ts';
import { sees } from '../../testing/on-screen.ts';
import { sample, sampleList } from '../../testing/sample.ts';
import { showConsole } from '../../testing/show-console.tsx';

describe('the titles of the browser tab and of the history tab', () => {
  test.each([
    ['/manage/device/detail/7', 'deviceDetail', 'Pile 7', 'zh-CN'],
    ['/manage/device/detail/7', 'deviceDetail', 'Pile 7', 'en-US'],
    ['/manage/device/update/7', 'deviceEdit', 'Pile 7', 'en-US'],
    ['/manage/device/add/PILE-8', 'deviceAdd', 'PILE-8', 'en-US'],
    ['/manage/site/detail/4', 'siteDetail', 'North quay', 'en-US'],
    ['/manage/customer/detail/2', 'customerDetail', 'Customer north', 'en-US'],
    ['/manage/user/detail/3', 'userDetail', 'north_user', 'en-US'],
    ['/manage/role/auth/data/5', 'roleData', 'Night shift', 'en-US'],
    ['/manage/device-model/8', 'deviceModel', 'World pile', 'en-US'],
    ['/manage/logs/action/site/4', 'logsAction', 'North quay', 'en-US'],
  ] as const)('%s: name the object', async (path, titleKey, name, locale) => {
    const { t, go } = await showConsole(path, {
      locale,
      answers: {
        readDevice: deviceDetail(),
        readSite: sample('readSite', { id: 4, name: 'North quay' }),
        readCustomer: sample('readCustomer', { id: 2, name: 'Customer north' }),
        readUser: sample('readUser', { id: 3, userName: 'north_user' }),
        readRole: sample('readRole', { id: 5, name: 'Night shift' }),
        readDeviceModel: sample('readDeviceModel', { id: 8, name: 'World pile' }),
        listActionLogs: sampleList('listActionLogs', [{ id: 1, objectType: 'site', objectName: 'North quay' }]),
      },
    });
    const title = t(`routes:${titleKey}`);
    await expect.poll(() => document.title).toBe(`${name} · ${title} · Chargehand`);
    const tab = page.getByRole('navigation', { name: t('common:shell.history') }).getByText(name, { exact: true });
    await sees(tab);
    expect(tab.element().closest('a')?.textContent).toBe(`${title}${name}`);
    await go('/manage/welcome');
    await expect.poll(() => document.title).toBe(`${t('routes:welcome')} · Chargehand`);
  });
});
