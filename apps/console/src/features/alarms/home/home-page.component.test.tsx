import { describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import HomePage from '../../../app/pages/home/home-page.tsx';
import type { Answer } from '../../../shared/api/client.ts';
import { LANGUAGES } from '../../../testing/languages.ts';
import { misses, sees } from '../../../testing/on-screen.ts';
import { sample, sampleList } from '../../../testing/sample.ts';
import { type Options, show } from '../../../testing/show.tsx';
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

test.each(LANGUAGES)('home shows the first steps to a user without devices (%s)', async (locale) => {
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

test.each(LANGUAGES)('every chart of Home can be added to an issue (%s)', async (locale) => {
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
  const charts = ['deviceStates', 'ranking', 'trend'] as const;
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

describe('an incident', () => {
  const incident = {
    ...{ alarmId: 7, siteId: 2, siteName: 'North quay', code: 'E-1042', nameEn: 'Plug too hot', level: 'CA' as const },
    ...{
      alarms: 3,
      deviceCount: 2,
      unacknowledged: [7, 8],
      remedy: { text: 'Stop charging', locale: 'en-US' as const },
    },
    others: [{ code: 'GroundFailure', nameEn: null, nameZh: null }],
  };
  const open = (values: object, options: Omit<Options, 'path'> = {}) =>
    showConsole('/manage/home', {
      ...options,
      answers: {
        countDevices: sample('countDevices', { total: 3 }),
        listIncidents: sampleList('listIncidents', [{ ...incident, ...values }]),
        acknowledgeAlarms: { acknowledged: 2, already: 0 },
      },
    });
  const row = () => page.getByRole('listitem').filter({ hasText: 'Plug too hot' });

  test('says what, where, how many, since when and what to do first; its button acknowledges all its alarms', async () => {
    const { t, server, dialog } = await open({ since: new Date(Date.now() - 7_500_000).toISOString() });
    await sees(row());
    for (const text of [
      t('common:levelName.CA'),
      `${t('home:incidents.devices', { count: 2 })} · North quay`,
      t('home:incidents.others', { count: 1 }),
      '2 h 5 min',
      'Stop charging',
    ])
      expect(row().element().textContent).toContain(text);
    await expect
      .element(row().getByRole('link', { name: /Plug too hot/ }))
      .toHaveAttribute('href', '/manage/device/alarms?siteId=2&suppressed=false');
    await row()
      .getByRole('button', { name: t('alarms:acknowledge.ok') })
      .click();
    await dialog.getByRole('button', { name: t('alarms:acknowledge.ok') }).click();
    await expect.poll(() => server.sent('acknowledgeAlarms')[0]?.body).toMatchObject({ ids: [7, 8] });
  });

  test('names who has it instead of the button, and its issue', async () => {
    const issue = { id: 5, number: 5, title: 'Cable damaged' };
    const { t } = await open({ unacknowledged: [], acknowledgedBy: 'mandy_ho', issue });
    await sees(row().getByText('mandy_ho'), row().getByRole('link', { name: 'Cable damaged' }));
    await misses(row().getByRole('button', { name: t('alarms:acknowledge.ok') }));
  });
});
