import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import HomePage from '../../../app/pages/home/home-page.tsx';
import type { Answer } from '../../../shared/api/client.ts';
import { misses, sees } from '../../../testing/on-screen.ts';
import { sample, sampleList } from '../../../testing/sample.ts';
import { show } from '../../../testing/show.tsx';
import { showConsole } from '../../../testing/show-console.tsx';
import { SiteEvents } from './site-events.tsx';

const EMPTY = {
  countDevices: sample('countDevices'),
  readSiteStates: sample('readSiteStates'),
  summarizeAlarms: sample('summarizeAlarms'),
  listIncidents: sampleList('listIncidents'),
  readKeyFigures: sample('readKeyFigures'),
  listDeviceEvents: sampleList('listDeviceEvents'),
};

test.each(['en-US', 'zh-CN'] as const)('home shows the first steps to a user without devices (%s)', async (locale) => {
  const { t, path } = await show(<HomePage />, {
    ...{ locale, path: '/manage/home', route: '/manage/home' },
    answers: EMPTY,
  });
  await expect.element(page.getByRole('heading', { name: t('home:new.title'), exact: true })).toBeVisible();
  await page.getByRole('link', { name: t('home:new.device'), exact: true }).click();
  await expect.poll(path).toBe('/manage/device/add');
});

const ADDERS = ['auth_site_add', 'auth_device_add'] as const;
test.each([
  ['without either permission', { keys: ['auth_home'] }, 'byOthers'],
  ['with one of the permissions', { keys: ['auth_home', 'auth_site_add'] }, null],
  ['with the permissions, but a level that is too low', { keys: ['auth_home', ...ADDERS], level: 5 }, 'byEditors'],
  ['of a read-only customer', { keys: ['auth_home', ...ADDERS], readOnly: true }, 'byEditors'],
  ['with a root account, which may do everything', { root: true, keys: [] }, null],
] as const)('home tells a user %s who adds sites and devices', async (_, { keys, ...user }, hint) => {
  const { t } = await show(<HomePage />, {
    ...{ path: '/manage/home', route: '/manage/home', user: { root: false, ...user, keys: [...keys] } },
    answers: EMPTY,
  });
  await expect.element(page.getByRole('heading', { name: t('home:new.title'), exact: true })).toBeVisible();
  const hints = ['byOthers', 'byEditors'].filter((key) => page.getByText(t(`home:new.${key}`)).elements().length > 0);
  expect(hints).toEqual(hint === null ? [] : [hint]);
});

test('home shows what happened to sites, with links to those that exist', async () => {
  const event = { at: '2026-01-01T00:00:00Z', siteId: 3 };
  const { t } = await show(<SiteEvents />, {
    answers: {
      listSiteEvents: {
        items: [
          { ...event, id: 2, siteName: 'Old mill', operation: 'delete' },
          { ...event, id: 1, siteName: 'North quay', operation: 'disable' },
        ],
      },
    },
  });
  await expect.element(page.getByText(t('home:siteEvents.delete'), { exact: true })).toBeVisible();
  await expect.element(page.getByText(t('home:siteEvents.disable'), { exact: true })).toBeVisible();
  expect(
    page
      .getByRole('link')
      .elements()
      .map((link) => link.textContent),
  ).toEqual(['North quay']);
});

test('home shows its first screen at once, not panel by panel', async () => {
  const events = Promise.withResolvers<Answer<'listDeviceEvents'>>();
  const { t } = await showConsole('/manage/home', {
    answers: { countDevices: sample('countDevices', { total: 3 }), listDeviceEvents: () => events.promise },
  });
  await expect.element(page.getByRole('status', { name: t('common:loading') })).toBeInTheDocument();
  await expect.element(page.getByRole('heading', { level: 1, name: t('home:title') })).toBeVisible();
  await misses(page.getByRole('heading', { name: t('home:incidents.title'), exact: true }));
  events.resolve(sampleList('listDeviceEvents'));
  await sees(page.getByRole('heading', { name: t('home:incidents.title'), exact: true }));
});

test.each([
  [
    ['auth_home', 'auth_docs_detail', 'auth_device_list'],
    ['/manage/device/alarms?state=all&alarm=7', '/manage/docs/detail/type/100?code=Fan%26pump&deviceModelId=4'],
  ],
  [['auth_home'], []],
] as const)(
  'with the permissions %j, alarms on Home lead to their page and codes of events to their documents: %j',
  async (keys, paths) => {
    const { t } = await showConsole('/manage/home', {
      user: { root: false, keys: [...keys] },
      answers: {
        countDevices: sample('countDevices', { total: 3 }),
        listIncidents: sampleList('listIncidents', [
          { alarmId: 7, alarms: 1, code: 'GroundFailure', deviceModelId: 3 },
        ]),
        listDeviceEvents: sampleList('listDeviceEvents', [{ type: 2, code: 'Fan&pump', deviceModelId: 4 }]),
      },
    });
    await sees(page.getByRole('heading', { name: t('home:incidents.title'), exact: true }), page.getByText('Fan&pump'));
    const links = page.getByRole('link', { name: /GroundFailure|Fan&pump/ }).elements();
    expect(links.map((link) => link.getAttribute('href'))).toEqual(paths);
  },
);

test.each(['en-US', 'zh-CN'] as const)('every chart of Home can be added to an issue (%s)', async (locale) => {
  const { t } = await showConsole('/manage/home', {
    locale,
    answers: {
      countDevices: sample('countDevices', { total: 3 }),
      rankAlarms: {
        items: [{ id: 4, name: 'North quay', nameEn: null, nameZh: null, place: null, count: 4 }],
        total: 4,
      },
      readAlarmTrend: { days: [{ day: '2026-01-01', raised: 3, cleared: 1 }] },
    },
  });
  const charts = ['deviceStates', 'siteStates', 'ranking', 'trend'] as const;
  for (const chart of charts) {
    const add = page.getByRole('button', { name: t('common:issue.addOf', { name: t(`home:${chart}`) }) });
    await expect.element(add).toBeEnabled();
    await add.click();
    const dialog = page.getByRole('dialog');
    await sees(dialog.getByText(t(`home:${chart}`), { exact: false }));
    await dialog.getByRole('button', { name: t('common:cancel'), exact: true }).click();
    await misses(dialog);
  }
});

const STEP = { at: '2026-01-01T16:00:00Z', availability: 0.5, energyWh: 0, sessions: 0, failed: 0 };

test.each(['en-US', 'zh-CN'] as const)('Home begins with figures; what is unknown is no zero (%s)', async (locale) => {
  const { t } = await showConsole('/manage/home', {
    locale,
    answers: {
      countDevices: sample('countDevices', { total: 3 }),
      readKeyFigures: {
        now: { served: 0, available: 0, charging: 2, powerW: null },
        steps: [STEP, { ...STEP, availability: null }, { ...STEP, energyWh: 12_340, sessions: 5, failed: 2 }],
      },
    },
  });
  const figures = page.getByRole('region', { name: t('home:figures.title') });
  await sees(figures.getByText('12.3'), figures.getByText(t('home:figures.failed', { count: 2 }), { exact: true }));
  await sees(figures.getByText('–', { exact: true }), figures.getByText(t('home:figures.noPower'), { exact: true }));
  expect(figures.getByTitle(`2026-01-02: ${t('home:figures.unknown')}`, { exact: false }).elements().length).toBe(1);
});

test('an incident has its place, remedy, issue and last command, and one button that acknowledges all its alarms', async () => {
  const { t, server } = await showConsole('/manage/home', {
    answers: {
      countDevices: sample('countDevices', { total: 3 }),
      listIncidents: sampleList('listIncidents', [
        {
          ...{
            alarmId: 7,
            alarms: 3,
            deviceCount: 3,
            siteId: 4,
            siteName: 'North quay',
            code: 'Fan',
            nameEn: 'Fan stopped',
          },
          ...{ unacknowledged: [7, 8], others: [{ code: 'Heat', nameEn: null, nameZh: null }] },
          remedy: { text: 'Clean the filter.', locale: 'en-US' },
          issue: { id: 3, number: 5, title: 'Noise' },
          tried: { kind: 'softReset', at: '2026-01-01T00:00:00Z', state: 'ended', outcome: 3 },
        },
        { alarmId: 9, alarms: 1, deviceCount: 1, siteId: 4, code: 'Lid', acknowledgedBy: 'Mandy' },
      ]),
    },
  });
  const rows = page.getByRole('listitem');
  const fan = rows.filter({ hasText: 'Fan stopped' });
  await sees(fan.getByText(t('home:incidents.devices', { count: 3 })), fan.getByText('Clean the filter.'));
  await sees(fan.getByRole('link', { name: 'Noise' }), fan.getByText(t('common:executionResult.failure')));
  await sees(
    fan.getByText(t('home:incidents.others', { count: 1 })),
    rows.filter({ hasText: 'Lid' }).getByText('Mandy'),
  );
  await fan.getByRole('button', { name: t('alarms:acknowledge.ok'), exact: true }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('alarms:acknowledge.ok'), exact: true })
    .click();
  await expect.poll(() => server.sent('acknowledgeAlarms').at(-1)?.body).toEqual({ ids: [7, 8] });
});
