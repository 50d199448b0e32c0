import { ALARM_LEVELS, DEVICE_STATUSES, SITE_STATES } from '@chargehand/domain';
import { describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { misses, rowWith, sees, tooWide } from '../../testing/on-screen.ts';
import { sample, sampleList, sampleRow } from '../../testing/sample.ts';
import { showConsole } from '../../testing/show-console.tsx';
import type { Answers } from '../../testing/stub-server.ts';

const none = <K extends string>(keys: readonly K[]) =>
  Object.fromEntries(keys.map((key) => [key, 0])) as Record<K, number>;
const fleet: Answers = {
  countDevices: { total: 3, byStatus: { ...none(DEVICE_STATUSES), offline: 3 } },
  readSiteStates: { total: 2, byState: { ...none(SITE_STATES), offline: 2 }, troubled: [] },
  rankAlarms: { items: [{ id: 4, name: 'North mill', nameEn: null, nameZh: null, place: null, count: 4 }], total: 4 },
  readAlarmTrend: { days: [{ day: '2026-01-01', raised: 4, cleared: 4 }] },
};
const alarm = (id: number, values: object = {}) => ({
  ...{ id, deviceId: 7, deviceName: 'Pile 7', deviceSn: 'P7', siteId: 4, siteName: 'North mill', connector: 1 },
  ...{ code: 'HighTemperature', kind: 'alarm' as const, level: 'CA' as const },
  ...values,
});

describe('home', () => {
  test('links every figure to its list', async () => {
    const { t, path } = await showConsole('/manage/home', { answers: fleet });
    const panel = async (key: string) => {
      const find = () =>
        [...document.querySelectorAll('main section.panel')].find(
          (one) => one.querySelector('h2, h3')?.textContent === t(`home:${key}`),
        );
      await expect.poll(find).toBeDefined();
      return page.elementLocator(find()!);
    };
    const back = async () => {
      history.back();
      await expect.poll(path).toBe('/manage/home');
      await sees(page.getByRole('heading', { level: 1, name: t('home:title') }));
    };
    await (await panel('ranking')).getByRole('link', { name: 'North mill' }).click();
    await expect.poll(path).toMatch(/^\/manage\/device\/alarms\?.*siteId=4\b/);
    await back();
    const figure = async (key: string, name: string) =>
      (await panel(key)).getByRole('row').filter({ hasText: name }).getByRole('link');
    await (await figure('deviceStates', t('common:deviceStatus.offline'))).click();
    await expect.poll(path).toBe('/manage/device/list?status=offline');
    await back();
    const states = page.getByRole('list', { name: t('home:siteStates') }).getByRole('listitem');
    await states
      .filter({ hasText: t('common:siteState.offline') })
      .getByRole('link')
      .click();
    await expect.poll(path).toBe('/manage/site/list?state=offline');
  });

  test('fits a phone', async () => {
    const { t } = await showConsole('/manage/home', { answers: fleet, locale: 'zh-CN', size: [390, 844] });
    await sees(page.getByRole('heading', { name: t('home:trend'), exact: true }));
    expect(tooWide()).toEqual([]);
  });
});

describe('the list of alarms', () => {
  test('is filtered, and several alarms are acknowledged at once', async () => {
    let by: string | null = null;
    const { t, dialog, button, path, server } = await showConsole('/manage/device/alarms?sort=-level', {
      answers: {
        listAlarms: ({ query }) =>
          sampleList(
            'listAlarms',
            query.state === 'cleared'
              ? [alarm(9, { code: 'ReaderFailure' })]
              : [alarm(1), alarm(2, { code: 'WeakSignal', level: 'OA' })].map((row) => ({
                  ...{ ...row, acknowledgedBy: by, acknowledgedAt: by && '2026-01-01T00:00:00Z' },
                })),
          ),
        acknowledgeAlarms: () => {
          by = 'north_admin';
          return { acknowledged: 2, already: 0 };
        },
        exportAlarms: new Response('', { headers: { 'content-type': 'application/octet-stream' } }),
      },
    });
    await sees(rowWith('HighTemperature'), rowWith('WeakSignal'));
    expect(server.sent('listAlarms')[0]?.query).toMatchObject({ sort: '-level' });
    for (const code of ['HighTemperature', 'WeakSignal']) await rowWith(code).getByRole('checkbox').click();
    const toolbar = page.getByRole('toolbar', { name: t('common:list.selected', { count: 2 }) });
    await toolbar.getByRole('button', { name: t('alarms:acknowledge.ok') }).click();
    await dialog.getByRole('button', { name: t('alarms:acknowledge.ok') }).click();
    await expect.poll(() => rowWith('north_admin').elements().length).toBe(2);
    expect(server.sent('acknowledgeAlarms')[0]?.body).toMatchObject({ ids: [1, 2] });
    await misses(toolbar);

    await page.getByText(t('alarms:states.cleared'), { exact: true }).click();
    await sees(rowWith('ReaderFailure'));
    expect(path()).toBe('/manage/device/alarms?sort=-level&state=cleared');
    await button('common:list.export').click();
    await expect
      .poll(() => server.sent('exportAlarms').map(({ query }) => query))
      .toEqual([expect.objectContaining({ state: 'cleared', sort: '-level' })]);
  });

  test('acknowledges all alarms that match the filters, with their progress', async () => {
    const last = Promise.withResolvers<void>();
    const all = Array.from({ length: 130 }, (_, index) => ({ id: index + 1, name: `Alarm ${index + 1}` }));
    const { t, dialog, server } = await showConsole('/manage/device/alarms?level=CA', {
      answers: {
        listAlarms: sampleList('listAlarms', [alarm(1), alarm(2, { code: 'WeakSignal' })]),
        selectAlarms: { items: all },
        acknowledgeAlarms: async ({ input }) => {
          const { length } = input.body.ids;
          if (length === 30) await last.promise;
          return { acknowledged: length, already: 0 };
        },
      },
    });
    await rowWith('WeakSignal').getByRole('checkbox').click();
    const toolbar = page.getByRole('toolbar');
    await toolbar.getByRole('button', { name: t('common:list.selectMatching') }).click();
    await sees(page.getByText(t('common:list.selected', { count: 130 }), { exact: true }));
    expect(server.sent('selectAlarms')[0]?.query).toEqual({ level: 'CA', state: 'open', acknowledged: 'false' });
    await toolbar.getByRole('button', { name: t('alarms:acknowledge.ok') }).click();
    await dialog.getByRole('button', { name: t('alarms:acknowledge.ok') }).click();
    await sees(dialog.getByRole('progressbar', { name: t('alarms:acknowledge.ok') }), dialog.getByText('100 / 130'));
    last.resolve();
    await sees(page.getByText(t('alarms:acknowledge.done', { count: 130 })));
    expect(server.sent('acknowledgeAlarms').map(({ body }) => (body as { ids: number[] }).ids.length)).toEqual([
      100, 30,
    ]);
    await misses(toolbar);
  });

  test('stops on request after the alarms of the current request; the others stay selected', async () => {
    const first = Promise.withResolvers<void>();
    const { t, dialog, server } = await showConsole('/manage/device/alarms', {
      answers: {
        listAlarms: sampleList('listAlarms', [alarm(1)]),
        selectAlarms: { items: Array.from({ length: 130 }, (_, index) => ({ id: index + 1, name: `${index}` })) },
        acknowledgeAlarms: async ({ input }) => {
          await first.promise;
          return { acknowledged: input.body.ids.length, already: 0 };
        },
      },
    });
    await rowWith('HighTemperature').getByRole('checkbox').click();
    const toolbar = page.getByRole('toolbar');
    await toolbar.getByRole('button', { name: t('common:list.selectMatching') }).click();
    await toolbar.getByRole('button', { name: t('alarms:acknowledge.ok') }).click();
    await dialog.getByRole('button', { name: t('alarms:acknowledge.ok') }).click();
    await dialog.getByRole('button', { name: t('common:list.stop'), exact: true }).click();
    first.resolve();
    await sees(page.getByText(t('alarms:acknowledge.done', { count: 100 })));
    await sees(page.getByText(t('common:list.selected', { count: 30 }), { exact: true }));
    expect(server.sent('acknowledgeAlarms')).toHaveLength(1);
  });

  test('keeps the focus in the row of an alarm that was acknowledged', async () => {
    let by: string | null = null;
    const { t, dialog } = await showConsole('/manage/device/alarms', {
      answers: {
        listAlarms: () =>
          sampleList('listAlarms', [
            alarm(1, { acknowledgedBy: by, acknowledgedAt: by && '2026-01-01T00:00:00Z' }),
            alarm(2, { code: 'WeakSignal' }),
          ]),
        acknowledgeAlarms: () => {
          by = 'root_user';
          return { acknowledged: 1, already: 0 };
        },
      },
    });
    const row = rowWith('HighTemperature');
    const take = row.getByRole('button', { name: t('alarms:acknowledge.ok'), exact: true });
    await sees(take);
    (take.element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
    await dialog.getByRole('button', { name: t('alarms:acknowledge.ok'), exact: true }).click();
    await sees(row.getByText('root_user'));
    await expect.element(row).toHaveFocus();
  });

  test('names the selected site even if it is not among the first options', async () => {
    await showConsole('/manage/device/alarms?siteId=99', {
      answers: {
        listSites: ({ query }) =>
          query.id === '99'
            ? sampleList('listSites', [{ id: 99, name: 'Zulu yard' }])
            : { items: [sampleRow('listSites', { id: 1, name: 'Many 001' })], total: 61 },
      },
    });
    await expect.poll(() => document.querySelector('main search')?.textContent).toContain('Zulu yard');
  });

  test.each([
    ['site', '/manage/site/detail/4?tab=faults&state=all', { siteId: '4' }],
    ['device', '/manage/device/detail/7?tab=details&section=alarms&state=all', { deviceId: '7' }],
  ])('is part of the page of a %s, with its alarms only', async (_, path, query) => {
    const { server } = await showConsole(path, {
      answers: {
        readSite: sample('readSite', {
          ...{ id: 4, name: 'North mill', byStatus: none(DEVICE_STATUSES), alarmsByLevel: none(ALARM_LEVELS) },
        }),
        readDevice: sample('readDevice', { id: 7, name: 'Pile 7' }),
        listAlarms: sampleList('listAlarms', [alarm(1)]),
      },
    });
    await sees(rowWith('HighTemperature'));
    expect(server.sent('listAlarms').at(-1)?.query).toMatchObject(query);
  });
});
