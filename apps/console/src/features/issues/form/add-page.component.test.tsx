import { describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../../testing/accessibility.ts';
import { deviceDetail } from '../../../testing/devices.ts';
import { LANGUAGES } from '../../../testing/languages.ts';
import { misses, option, pick, sees } from '../../../testing/on-screen.ts';
import { sample } from '../../../testing/sample.ts';
import { show } from '../../../testing/show.tsx';
import { type Answers, Refused } from '../../../testing/stub-server.ts';
import AddPage from './add-page.tsx';

const ada = { id: 5, name: 'Ada', userName: 'ada_li' };
const ben = { id: 6, name: 'Ben', userName: 'ben_xu' };
const own = { id: 1, name: 'root_user', userName: 'root_user' };
const users = { items: [ada, ben, own] };
const answers: Answers = {
  readDevice: deviceDetail({ id: 7, name: 'Pile 7' }),
  listIssueLabels: { items: [] },
  listDeviceIssueUsers: ({ query }) => ({ items: query.search ? [ben] : users.items }),
  createDeviceIssue: { id: 9, key: 'HVC-4', existing: false },
};
/** Reports issues, and may not list users. */
const user = { root: false, platformVendor: false, keys: ['auth_issue_add' as const, 'auth_issue_detail' as const] };

describe('the form of a new issue', () => {
  test.each(LANGUAGES)('offers those who can see the device, without the right to list users (%s)', async (locale) => {
    const { t, server, button } = await show(<AddPage />, {
      ...{ path: '/manage/issue/add?deviceId=7', answers, user, locale },
    });
    await page.getByRole('textbox', { name: t('issues:title') }).fill('Plug melts');
    await pick(t('issue:field.assigneeId'), 'Ada');
    const watchers = page.getByRole('combobox', { name: t('issue:watch.watchers') });
    await watchers.click();
    await sees(option('ada_li'));
    expect(page.getByRole('option', { name: 'root_user' }).elements()).toEqual([]);
    await watchers.fill('be');
    await expect.poll(() => server.sent('listDeviceIssueUsers').at(-1)?.query).toEqual({ search: 'be' });
    await sees(option('ben_xu'));
    await option('ben_xu').click();
    await watchers.fill('');
    await expectAccessible();
    await button('issue:form.report').click();
    await expect.poll(() => server.sent('createDeviceIssue').length).toBe(1);
    expect(server.sent('createDeviceIssue')[0]).toMatchObject({
      params: { id: '7' },
      body: { title: 'Plug melts', assigneeId: 5, watcherIds: [6] },
    });
  });

  test('shows at the field that a watcher cannot see the issue', async () => {
    const { t, button } = await show(<AddPage />, {
      ...{ path: '/manage/issue/add?deviceId=7', user },
      answers: {
        ...answers,
        createDeviceIssue: () => {
          throw new Refused('issueWatchers', { field: 'Watchers' }, 'watcherIds');
        },
      },
    });
    await page.getByRole('textbox', { name: t('issues:title') }).fill('Plug melts');
    await page.getByRole('combobox', { name: t('issue:watch.watchers') }).click();
    await option('ben_xu').click();
    await button('issue:form.report').click();
    await sees(page.getByText(/one of these users cannot see the issue/));
  });

  test('offers users of the site where the alarm was raised', async () => {
    const alarm = { id: 3, siteId: 4, deviceId: 7, deviceName: 'Pile 7', code: 'GroundFailure', level: 'MA' as const };
    const { t, server } = await show(<AddPage />, {
      ...{ path: '/manage/issue/add?alarmId=3', user },
      answers: {
        readAlarm: sample('readAlarm', alarm),
        listIssueLabels: { items: [] },
        listSiteIssueUsers: users,
      },
    });
    await page.getByRole('combobox', { name: t('issue:watch.watchers') }).click();
    await sees(option('ada_li'));
    expect(server.sent('listSiteIssueUsers')[0]?.params).toEqual({ id: '4' });
  });

  test('offers nobody else until it is known what the issue is about', async () => {
    const { t } = await show(<AddPage />, {
      ...{ path: '/manage/issue/add', user },
      answers: { listIssueLabels: { items: [] } },
    });
    await page.getByRole('combobox', { name: t('issue:watch.watchers') }).click();
    await sees(t('issue:form.subjectFirst'));
    await misses(page.getByText('Ada', { exact: true }));
  });
});
