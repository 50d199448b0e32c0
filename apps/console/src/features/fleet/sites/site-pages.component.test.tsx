import { messageOf } from '@chargehand/contract';
import { ALARM_LEVELS, DEVICE_STATUSES, mapLink } from '@chargehand/domain';
import { describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Answer } from '../../../shared/api/client.ts';
import { misses, rowWith, sees } from '../../../testing/on-screen.ts';
import { listed, sample, sampleList } from '../../../testing/sample.ts';
import { showConsole } from '../../../testing/show-console.tsx';
import { type Answers, HttpFailure, Refused } from '../../../testing/stub-server.ts';

const none = <K extends string>(keys: readonly K[]) =>
  Object.fromEntries(keys.map((key) => [key, 0])) as Record<K, number>;
const siteDetail = (values: Partial<Answer<'readSite'>> = {}) =>
  sample('readSite', {
    ...{ id: 4, name: 'North quay', code: 'NQ', customerId: 2, customerName: 'North', enabled: true, deviceCount: 2 },
    ...{ customerEnabled: true, revision: 'r1', byStatus: none(DEVICE_STATUSES), alarmsByLevel: none(ALARM_LEVELS) },
    may: { edit: true },
    ...values,
  });
const open = (tab: string, answers: Answers = {}, options: Parameters<typeof showConsole>[1] = {}) =>
  showConsole(`/manage/site/detail/4?tab=${tab}`, { ...options, answers: { readSite: siteDetail(), ...answers } });

describe('a site', () => {
  test('is added, found and opened with the keyboard only', async () => {
    const { field, path, go, server } = await showConsole('/manage/site/add', {
      answers: {
        listCustomers: listed('listCustomers', () => [{ id: 2, name: 'Customer north', code: 'north' }]),
        createSite: { id: 9 },
        readSite: siteDetail({ id: 9, name: 'Keyboard Yard' }),
        listSites: listed('listSites', () => [{ id: 9, name: 'Keyboard Yard', code: 'KEYS' }]),
      },
    });
    // The first field of the form has the focus.
    await expect.element(field('places:name')).toHaveFocus();
    await userEvent.keyboard('Keyboard Yard{Tab}KEYS{Tab}north');
    await expect
      .poll(() => document.querySelector('.ant-select-item-option-active')?.textContent)
      .toContain('Customer north');
    await userEvent.keyboard('{Enter}');
    (field('places:name').element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
    await expect.poll(path).toBe('/manage/site/detail/9');
    expect(server.sent('createSite')[0]?.body).toMatchObject({ customerId: 2, name: 'Keyboard Yard', code: 'KEYS' });
    await go('/manage/site/list?search=Keyboard');
    await sees(rowWith('KEYS'));
    (rowWith('KEYS').element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
    await expect.poll(path).toBe('/manage/site/detail/9');
  });

  test('lists its devices and administrators', async () => {
    const { t } = await open('overview', {
      listDevices: listed('listDevices', () => [
        { id: 1, name: 'Pile 1', siteId: 4 },
        { id: 2, name: 'Elsewhere', siteId: 5 },
      ]),
      listSiteAdministrators: sampleList('listSiteAdministrators', [{ id: 1, userName: 'north_admin' }]),
    });
    await page.getByRole('tab', { name: t('places:devices'), exact: false }).click();
    await sees('Pile 1');
    await misses(page.getByText('Elsewhere'));
    await page.getByRole('tab', { name: t('places:site.administrators'), exact: true }).click();
    await sees('north_admin');
  });

  test('of another customer is not found', async () => {
    const { button } = await open('overview', {
      readSite: () => {
        throw new Refused('notFound', { object: 'site' });
      },
    });
    await sees(messageOf('notFound', 'en-US', { object: 'site' }), button('common:error.retry'));
  });

  test('counts its open alarms, with links to them', async () => {
    const { t, path, server } = await open('overview', {
      readSite: siteDetail({ alarmsByLevel: { ...none(ALARM_LEVELS), CA: 1, OA: 1 } }),
      listAlarms: ({ query }) =>
        sampleList('listAlarms', query.level === 'CA' ? [{ id: 1, deviceId: 7, code: 'GroundFailure' }] : []),
    });
    const counts = page.getByRole('navigation', { name: t('places:alarmCounters') });
    await counts
      .getByRole('link')
      .filter({ hasText: t('common:levelName.CA') })
      .click();
    await sees('GroundFailure');
    expect(path()).toBe('/manage/site/detail/4?tab=faults&suppressed=false&level=CA');
    expect(server.sent('listAlarms').at(-1)?.query).toMatchObject({ siteId: '4', level: 'CA', suppressed: 'false' });
  });

  test.each([
    ['en-US', '深圳', 'Shenzhen', 'China · Guangdong · Shenzhen'],
    ['zh-CN', 'shenzhen', '深圳市', '中国 · 广东省 · 深圳市'],
  ] as const)(
    'saves a region found by its name in the other language, and a position (%s)',
    async (locale, typed, city, all) => {
      const shenzhen = { code: '440300', en: 'Shenzhen', zh: '深圳市' };
      const guangdong = { code: '440000', en: 'Guangdong', zh: '广东省', cities: [shenzhen] };
      let now = siteDetail();
      const { t, button, server, path } = await showConsole('/manage/site/update/4', {
        locale,
        answers: {
          readSite: () => now,
          listRegions: [{ code: 'CN', en: 'China', zh: '中国', provinces: [guangdong] }],
          updateSite: ({ input }) => {
            const { latitude = null, longitude = null } = input.body;
            now = siteDetail({ latitude, longitude, regionName: all });
            return null;
          },
        },
      });
      const field = (key: string) => page.getByLabelText(t(key), { exact: true });
      await page.getByRole('combobox', { name: t('places:region.label') }).click();
      await userEvent.keyboard(typed);
      await expect.poll(() => document.querySelector('.ant-cascader-menu-item')?.textContent).toContain(city);
      await userEvent.keyboard('{ArrowDown}{Enter}');
      await expect.poll(() => document.querySelector('.ant-cascader')?.textContent).toContain(all);

      await field('places:site.latitude').fill('22.5');
      await field('places:site.longitude').fill('114');
      await button('places:map.pick').click();
      const map = page.getByRole('application', { name: t('places:map.pickLabel') });
      await expect.poll(() => document.querySelector('.map-marker')).not.toBeNull();
      await map.click({ position: { x: 100, y: 100 } });
      await expect.poll(() => (field('places:site.longitude').element() as HTMLInputElement).value).not.toBe('114');
      await field('places:site.latitude').fill('22.5');
      await field('places:site.longitude').fill('114');
      await button('common:save').click();
      await expect.poll(path).toBe('/manage/site/detail/4');
      expect(server.sent('updateSite')[0]?.body).toMatchObject({
        ...{ country: 'CN', province: '440000', city: '440300', latitude: 22.5, longitude: 114 },
      });
      await sees(all, '22.5, 114', page.getByRole('application', { name: t('places:map.label') }));
      await expect.poll(() => document.querySelector('.map-marker')).not.toBeNull();
      await expect
        .element(page.getByRole('link', { name: t('places:map.open') }))
        .toHaveAttribute(
          'href',
          mapLink({ latitude: 22.5, longitude: 114 }, 'North quay', locale === 'zh-CN' ? 'zh' : 'en'),
        );
    },
  );
});

const at = (index: number) => new Date(Date.UTC(2026, 0, 1, index)).toISOString();
const seconds = (values: object) => ({ ...none(DEVICE_STATUSES), ...values });
const statuses = (step: 'hour' | 'day'): Answer<'readSiteStatuses'> => ({
  ...{ step, stepSeconds: 3_600, from: at(0), to: at(24) },
  steps: Array.from({ length: step === 'hour' ? 24 : 31 }, (_, index) => ({
    ...{ at: at(index), lasted: 3_600, unknown: index === 1 ? 3_600 : 0 },
    seconds: seconds(index === 4 ? { faulted: 3_600, idle: 3_600 } : { working: 3_600, idle: 3_600 }),
  })),
});

describe('the figures of a site', () => {
  test('show its devices by status per hour and per day, with the time without data', async () => {
    const { t, path } = await open('statuses', {
      readSiteStatuses: ({ query }) => statuses(query.step as 'hour' | 'day'),
    });
    await sees(page.getByText(t('statistics:statuses.availability'), { exact: false }));
    await sees(page.getByText(t('statistics:unknownNote'), { exact: false }));
    const table = page.elementLocator(document.querySelector('main details')!);
    await table.getByText(t('statistics:table')).click();
    const rows = () => document.querySelectorAll('main details tr').length;
    await sees(table.getByRole('columnheader', { name: t('common:deviceStatus.faulted') }));
    expect(rows()).toBe(26);
    await page.getByText(t('statistics:statuses.lastMonth'), { exact: true }).click();
    await expect.poll(path).toBe('/manage/site/detail/4?tab=statuses&step=day');
    await expect.poll(rows).toBe(33);
  });

  test.each([
    ['statuses', 'statistics:statuses.devices'],
    ['traffic', 'statistics:traffic.chart'],
  ] as const)('can be added to an issue of the site (%s)', async (tab, chart) => {
    const { t, server } = await open(tab, {
      readSiteStatuses: statuses('hour'),
      readSiteTraffic: {
        ...{ step: 'hour', stepSeconds: 3_600, from: at(0), to: at(24) },
        steps: [{ at: at(0), received: 3_072, sent: 1_024 }],
      },
    });
    await page.getByRole('button', { name: t('common:issue.addOf', { name: t(chart) }), exact: true }).click();
    await sees(page.getByRole('dialog').getByText('North quay', { exact: false }));
    await expect.poll(() => server.sent('listIssues').map(({ query }) => query.siteId)).toContain('4');
  });

  test('keep the switch between hours and days after a failed request', async () => {
    const { t } = await open('statuses', {
      readSiteStatuses: ({ query }) => {
        if (query.step === 'day') throw new HttpFailure(500);
        return statuses('hour');
      },
    });
    await page.getByText(t('statistics:statuses.lastMonth'), { exact: true }).click();
    const alert = page.getByRole('main').getByRole('alert');
    await sees(alert);
    await page.getByText(t('statistics:statuses.lastDay'), { exact: true }).click();
    await misses(alert);
  });

  test('look the same whichever page was open before', async () => {
    const { t, go } = await showConsole('/manage/home', {
      answers: {
        countDevices: { total: 1, byStatus: { ...none(DEVICE_STATUSES), idle: 1 } },
        readSite: siteDetail(),
        readSiteStatuses: statuses('hour'),
      },
    });
    await expect.poll(() => document.querySelector('.home-figures')).not.toBeNull();
    await go('/manage/site/detail/4?tab=statuses');
    await sees(page.getByText(t('statistics:table'), { exact: false }));
    expect(getComputedStyle(document.querySelector('main details')!).display).toBe('block');
  });

  test('show its traffic and link to the devices that caused it', async () => {
    const traffic = { step: 'hour', stepSeconds: 3_600, from: at(0), to: at(24) } as const;
    const { t, path, go } = await open('traffic', {
      readSiteTraffic: { ...traffic, steps: [{ at: at(0), received: 3_072, sent: 1_024 }] },
      readDeviceTraffic: { ...traffic, steps: [{ at: at(0), received: 3_072, sent: 1_024 }] },
      listSiteTrafficDevices: sampleList('listSiteTrafficDevices', [
        { id: 1, name: 'Pile 1', sn: 'P1', received: 2_048, sent: 512 },
        { id: 2, name: null, sn: null, received: 1_024, sent: 512 },
      ]),
      readDevice: sample('readDevice', { id: 1, name: 'Pile 1' }),
    });
    await sees('3 KB', '1 KB', 'Pile 1', t('statistics:traffic.gone'));
    const rows = page.getByRole('table', { name: t('statistics:traffic.devices') }).getByRole('row');
    await expect.element(rows.nth(1).getByText('Pile 1')).toBeVisible();
    await page.getByText(t('statistics:traffic.days'), { exact: true }).click();
    await expect.poll(path).toBe('/manage/site/detail/4?tab=traffic&step=day');
    await page.getByRole('link', { name: 'Pile 1', exact: true }).click();
    await expect.poll(path).toBe('/manage/device/detail/1');
    await go('/manage/device/detail/1?tab=details&section=traffic');
    await sees(page.getByRole('heading', { name: t('statistics:traffic.deviceChart') }));
  });

  test('cannot be changed by users of a read-only customer', async () => {
    const { t, text, go } = await open(
      'receivers',
      { readSite: siteDetail({ may: { edit: false } }) },
      { user: { root: false, platformVendor: false, readOnly: true } },
    );
    await sees(text('places:receivers.none'));
    expect(page.getByRole('combobox', { name: t('places:receivers.add') }).query()).toBeNull();
    await go('/manage/site/detail/4?tab=traffic');
    await sees(t('statistics:traffic.none'));
  });
});
