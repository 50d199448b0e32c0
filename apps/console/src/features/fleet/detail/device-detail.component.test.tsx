import { messageOf } from '@chargehand/contract';
import { describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Answer } from '../../../shared/api/client.ts';
import { expectAccessible } from '../../../testing/accessibility.ts';
import { deviceDetail } from '../../../testing/devices.ts';
import { misses, rowWith, sees, tooWide } from '../../../testing/on-screen.ts';
import { sampleList, sampleRow } from '../../../testing/sample.ts';
import { showConsole } from '../../../testing/show-console.tsx';
import { type Answers, Refused } from '../../../testing/stub-server.ts';

const open = (section: string, answers: Answers = {}, options: Parameters<typeof showConsole>[1] = {}) =>
  showConsole(`/manage/device/detail/7?tab=details&section=${section}`, {
    ...options,
    answers: { readDevice: deviceDetail(), ...answers },
  });

const connector = (values: object) => ({
  ...{ connector: 1, status: 'Available', errorCode: 'NoError', vendorErrorCode: null, errorName: null, info: null },
  ...{ since: '2026-01-01T00:00:00Z', updatedAt: '2026-01-01T00:00:00Z', transaction: null, readings: [] },
  ...values,
});
const SOC: Answer<'readRuntime'>['items'][number] = {
  ...{
    dataItemId: 1,
    key: 'SoC',
    name: { en: 'State of charge', zh: '荷电状态' },
    type: 2,
    groupId: 1,
    range: '0~100|1',
  },
  ...{
    groupName: { en: 'Metering', zh: '计量数据' },
    unit: '%',
    priority: 1,
    readLevel: 5,
    writeLevel: 5,
    batch: false,
  },
  ...{ origin: 8, documentId: null },
};

describe('the page of a device', () => {
  test.each([
    ['en-US', 'Ground fault protection tripped'],
    ['zh-CN', '接地故障'],
  ] as const)('names the fault of a connector (%s)', async (locale, name) => {
    const { t } = await open(
      'runtime',
      {
        readRuntime: {
          connectors: [
            connector({
              ...{ connector: 2, status: 'Faulted', errorCode: 'GroundFailure', vendorErrorCode: 'E-77' },
              errorName: { en: 'Ground fault protection tripped', zh: '接地故障' },
            }),
          ],
          items: [],
          never: [],
        },
      },
      { locale },
    );
    const two = page.getByRole('region', { name: t('common:connectorName.alone.number', { number: 2 }), exact: true });
    await sees(...[name, 'GroundFailure', 'E-77'].map((text) => two.getByText(text, { exact: true })));
  });

  test('shows the built-in model and OCPP values in the language of the console', async () => {
    const device = { deviceModelName: 'Home storage unit', firmwareStatus: 'Installed', diagnosticsStatus: 'Uploaded' };
    await open('config', { readDevice: deviceDetail(device) }, { locale: 'zh-CN' });
    await sees(
      page.getByText('家用储能设备', { exact: true }).first(),
      page.getByText('已安装', { exact: true }),
      page.getByText('已上传', { exact: true }),
    );
  });

  test('shows readings as its model describes them, marks outdated ones, and lists items that were never reported', async () => {
    const at = '2026-01-01T00:00:00Z';
    const frequency = { ...SOC, dataItemId: 2, key: 'Frequency', name: { en: 'Frequency', zh: '频率' }, unit: 'Hz' };
    const reading = { key: 'SoC', unit: 'Percent', value: 41.5, text: null, at, item: 0, variant: '' };
    const { t } = await open('runtime', {
      readDevice: deviceDetail({ connected: false, status: 'offline' }),
      readRuntime: {
        connectors: [connector({ status: 'Charging', readings: [reading] })],
        items: [SOC, frequency],
        never: [1],
      },
    });
    const one = page.getByRole('region', { name: t('common:connectorName.alone.number', { number: 1 }), exact: true });
    const soc = one.getByRole('row').filter({ hasText: 'State of charge' });
    await sees(one.getByText('Metering', { exact: true }), soc.getByText('41.5', { exact: true }), soc.getByText('%'));
    await expect.element(soc).toHaveAttribute('data-stale', 'true');
    await sees(t('telemetry:stale'));
    await page.elementLocator(document.querySelector('.never-reported summary')!).click();
    await sees('Frequency');
  });

  test.each([
    ['offline', { connected: false, status: 'offline', disconnectedAt: '2026-01-01T00:00:00Z' }, 'offline'],
    ['never connected', { connected: false, status: 'offline', connectedAt: null, lastSeenAt: null }, null],
    ['idle', {}, 'nothingCharges'],
  ] as const)(
    'opens with what the device is doing, and no figure is 0 because it is unknown: %s',
    async (_, values, note) => {
      const { t } = await open('runtime', {
        readDevice: deviceDetail(values),
        readRuntime: { connectors: [connector({})], items: [], never: [] },
      });
      const figures = page.getByRole('region', { name: t('hero:figures.title') });
      const power = figures.getByText(t('hero:figures.power'), { exact: true });
      await sees(power);
      expect(power.element().parentElement?.textContent).toContain('–');
      if (note) await sees(figures.getByText(t(`hero:figures.${note}`)).first());
    },
  );

  test('mutes readings from before the connector became idle or faulted', async () => {
    const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString();
    const power = { key: 'SoC', unit: 'Percent', value: 41.5, text: null, at: ago(60), item: 0, variant: '' };
    const faulted = { connector: 2, status: 'Faulted', errorCode: 'GroundFailure', since: ago(30) };
    await open('runtime', {
      readRuntime: {
        connectors: [
          connector({ status: 'Charging', since: ago(600), readings: [power] }),
          connector({ ...faulted, readings: [power] }),
          connector({ connector: 3, status: 'Available', since: ago(30), readings: [power] }),
        ],
        items: [SOC],
        never: [],
      },
    });
    const rows = page.getByRole('row').filter({ hasText: 'State of charge' });
    const stale = () => rows.elements().map((row) => row.getAttribute('data-stale'));
    await expect.poll(stale).toEqual(['false', 'true', 'true']);
  });

  test('shows an error and no data of a deleted device', async () => {
    let gone = false;
    const { t, button, stream } = await open('config', {
      readDevice: () => {
        if (gone) throw new Refused('notFound', { object: 'device' });
        return deviceDetail();
      },
    });
    const heading = page.getByRole('heading', { name: 'Pile 7', exact: true });
    await sees(heading);
    gone = true;
    stream('resync');
    await misses(heading);
    await sees(messageOf('notFound', 'en-US', { object: 'device' }), button('common:error.retry'), t('common:live.on'));
  });

  test('lists its certificates with their states, and no list without any', async () => {
    let certificates = sampleList('listDeviceCertificates');
    const { t, stream, settled } = await open('config', { listDeviceCertificates: () => certificates });
    await sees(t('fleet:config.boot'));
    await settled();
    await misses(page.getByText(t('fleet:certificates.title'), { exact: true }));
    const future = new Date(Date.now() + 86_400_000).toISOString();
    certificates = sampleList('listDeviceCertificates', [
      { id: 4, notAfter: future, accepted: null },
      { id: 3, notAfter: future, accepted: false },
      { id: 2, notAfter: future, accepted: true },
      { id: 1, notAfter: '2026-01-01T00:00:00Z', accepted: true },
    ]);
    stream('resync');
    const rows = page.getByRole('table', { name: t('fleet:certificates.title') }).getByRole('row');
    const states = ['unanswered', 'refused', 'accepted', 'expired'] as const;
    await expect.poll(() => rows.elements().length).toBe(5);
    for (const [index, state] of states.entries()) {
      await sees(rows.nth(index + 1).getByText(t(`fleet:certificates.${state}`), { exact: true }));
    }
  });

  test('draws its readings, and keeps the range in the URL', async () => {
    const now = Math.floor(Date.now() / 1_000);
    const at = Array.from({ length: 60 }, (_, index) => now - (60 - index) * 60);
    const { t, path } = await open('charts', {
      listReadingItems: {
        items: [
          {
            ...{ connector: 1, key: 'SoC', unit: 'Percent', counter: false, name: SOC.name, part: '' },
            ...{ group: null, entries: '' },
          },
        ],
      },
      readSeries: {
        series: [
          {
            ...{ deviceId: 7, connector: 1, key: 'SoC', unit: 'Percent', counter: false, resolution: 'raw', step: 0 },
            ...{ rise: false, at, value: at.map((_, index) => index) },
          } as Answer<'readSeries'>['series'][number],
        ],
      },
    });
    const drawn = () => {
      const canvas = document.querySelector<HTMLCanvasElement>('main canvas');
      if (!canvas || canvas.width === 0) return 0;
      const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
      return new Set(new Uint32Array(data.buffer)).size;
    };
    await expect.poll(drawn).toBeGreaterThan(2);
    await sees(page.getByText(t('telemetry:charts.live'), { exact: false }));
    await page.getByText(t('telemetry:ranges.24h'), { exact: true }).click();
    await expect.poll(path).toContain('range=24h');
    await expect.poll(drawn).toBeGreaterThan(2);
  });

  test('filters its alarms by state', async () => {
    const { t } = await open('alarms', {
      listAlarms: ({ query }) =>
        sampleList('listAlarms', query.state === 'cleared' ? [{ id: 1, deviceId: 7, code: 'ReaderFailure' }] : []),
    });
    await sees(t('alarms:nothingOpen'));
    await page.getByText(t('alarms:states.cleared'), { exact: true }).click();
    await sees(rowWith('ReaderFailure'));
  });

  test.each([
    ['', 'config', 'fleet:config.entered'],
    ['alarms/', 'operations', 'fleet:tab.operations'],
  ] as const)('opens the section in its path %sdetail/7/%s', async (list, part, text) => {
    const { t } = await showConsole(`/manage/device/${list}detail/7/${part}`, {
      answers: { readDevice: deviceDetail() },
    });
    if (part === 'config') await sees(page.getByRole('heading', { name: t(text), exact: true }));
    else await expect.element(page.getByRole('tab', { name: t(text) })).toHaveAttribute('aria-selected', 'true');
  });

  test('after deletion, returns to the list in its URL', async () => {
    const { button, entry, dialog, path } = await showConsole('/manage/device/alarms/detail/7', {
      answers: { readDevice: deviceDetail(), deleteDevice: null },
    });
    await button('fleet:action.more', { name: 'Pile 7' }).click();
    await entry('fleet:action.delete').click();
    await dialog.getByRole('textbox').fill(deviceDetail().sn);
    await dialog.getByRole('button').last().click();
    await expect.poll(path).toBe('/manage/device/alarms');
  });

  test('links to its action log, and an entry links back to it', async () => {
    const { button, entry, dialog, path } = await open('runtime', {
      listActionLogs: {
        items: [
          sampleRow('listActionLogs', {
            ...{ id: 1, userName: 'north_admin', operation: 'disable', objectType: 'device', objectId: '7' },
            ...{ objectName: 'Pile 7', before: { enabled: true }, after: { enabled: false } },
          }),
        ],
        next: null,
      },
    });
    await button('fleet:action.more', { name: 'Pile 7' }).click();
    await entry('fleet:action.log').click();
    await expect.poll(path).toBe('/manage/logs/action/device/7');
    await expect.poll(() => document.querySelectorAll('tbody tr[data-row-key]').length).toBe(1);
    document.querySelector<HTMLElement>('tbody tr[data-row-key]')!.focus();
    await userEvent.keyboard('{Enter}');
    await expect.element(dialog.getByRole('link', { name: 'Pile 7', exact: true })).toBeVisible();
    expect(document.querySelector('.difference')?.textContent).toMatch(/enabled/i);
  });

  test('fits on a phone', async () => {
    const { go } = await open('runtime', {}, { size: [390, 844] });
    for (const section of ['runtime', 'config', 'alarms', 'charts', 'events', 'sessions', 'protocol']) {
      await go(`/manage/device/detail/7?tab=details&section=${section}`);
      await sees(page.getByRole('heading', { name: 'Pile 7', exact: true }));
      await expect.poll(() => document.querySelectorAll('main .skeleton').length).toBe(0);
      expect(tooWide(), section).toEqual([]);
    }
  });

  test('has at most seven tabs, each with its sections, and no sessions of a storage device', async () => {
    const { t, path, go } = await open(
      'runtime',
      { readDevice: ({ params }) => deviceDetail({ id: Number(params.id), type: params.id === '8' ? 5 : 1 }) },
      { size: [390, 844] },
    );
    const tabs = ['overview', 'operations', 'parameters', 'sessions', 'charts', 'log', 'details'] as const;
    const shown = () =>
      [...document.querySelectorAll('[data-node-key]')].map((tab) => tab.getAttribute('data-node-key'));
    await expect.poll(shown).toEqual([...tabs]);
    await page.getByRole('button', { name: t('common:moreTabs') }).click();
    await page.getByRole('option', { name: t('fleet:tab.details') }).click();
    await page.getByRole('button', { name: t('fleet:section.pictures') }).click();
    await expect.poll(path).toBe('/manage/device/detail/7?tab=details&section=pictures');
    await go('/manage/device/detail/8');
    await expect.poll(shown).toEqual(tabs.filter((tab) => tab !== 'sessions'));
  });
});

describe('maintenance and care of a device', () => {
  test('records maintenance and work on it, each with a note', async () => {
    let now = deviceDetail({
      ...{ maintenanceCycleDays: 30, unmaintainedDays: 45, maintainedAt: '2026-01-01T00:00:00Z' },
      maintenanceDueAt: '2026-01-31T00:00:00Z',
    });
    let history = sampleList('listMaintenances');
    const { t, button, dialog, server } = await open('maintenance', {
      readDevice: () => now,
      listMaintenances: () => history,
      recordMaintenance: ({ input }) => {
        now = { ...now, unmaintainedDays: 0 };
        history = sampleList('listMaintenances', [{ id: 1, note: input.body.note, maintained: true }]);
        return { id: 1 };
      },
      beginMaintenance: () => {
        now = { ...now, maintenance: true, status: 'maintain' };
        return { id: 2 };
      },
      endMaintenance: ({ input }) => {
        now = { ...now, maintenance: false, status: 'idle' };
        const { note, maintained } = input.body;
        history = sampleList('listMaintenances', [{ id: 2, note, maintained, endedAt: '2026-01-01T01:00:00Z' }]);
        return null;
      },
    });
    const overdue = page.getByText(new RegExp(t('devices:maintenance.overdue')));
    const confirm = (key: string) => dialog.getByRole('button', { name: t(key), exact: true }).click();
    await sees(overdue, t('devices:maintenance.empty'));
    await button('devices:maintenance.record').click();
    await dialog.getByRole('textbox').fill('Filters changed');
    await confirm('devices:maintenance.record');
    await sees(t('devices:maintenance.recorded', { name: 'Pile 7' }), 'Filters changed');
    await misses(overdue);

    await button('devices:maintenance.begin').click();
    await expectAccessible();
    await confirm('devices:maintenance.begin');
    const headline = () => document.querySelector('.headline')?.textContent;
    await expect.poll(headline).toContain(t('common:deviceStatus.maintain'));
    await button('devices:maintenance.end').click();
    await dialog.getByRole('checkbox').click();
    await dialog.getByRole('textbox').fill('Nothing found');
    await confirm('devices:maintenance.end');
    await expect.poll(headline).toContain(t('common:deviceStatus.idle'));
    await sees('Nothing found', t('devices:maintenance.kindWork'));
    expect(server.sent('endMaintenance')[0]?.body).toEqual({ note: 'Nothing found', maintained: false });
  });

  test('has pictures that can be reordered and removed', async () => {
    const picture = (id: number) => sampleRow('listDeviceImages', { id, key: `images/customers/2/${id}.png` });
    let pictures = [picture(1), picture(2)];
    const { t, button, dialog, server } = await open('pictures', {
      listDeviceImages: () => ({ items: pictures }),
      orderDeviceImages: ({ input }) => {
        pictures = input.body.ids.map(picture);
        return null;
      },
      removeDeviceImage: ({ params }) => {
        pictures = pictures.filter(({ id }) => String(id) !== params.id);
        return null;
      },
    } as Answers);
    await button('devices:pictures.back', { number: 1 }).click();
    await expect.poll(() => server.sent('orderDeviceImages').map(({ body }) => body)).toEqual([{ ids: [2, 1] }]);
    await button('devices:pictures.remove', { number: 2 }).click();
    await dialog.getByRole('button', { name: t('devices:pictures.removeOk'), exact: true }).click();
    await expect.poll(() => document.querySelectorAll('.pictures > li').length).toBe(1);
    expect(pictures.map(({ id }) => id)).toEqual([2]);
  });
});

describe('the timeline of a device', () => {
  test('has alarms, commands, sessions and lost connections, each once', async () => {
    const { t } = await open('timeline', {
      listAlarms: sampleList('listAlarms', [{ id: 5, code: 'Fan', raisedAt: '2026-01-01T01:00:00Z' }]),
      listExecutions: sampleList('listExecutions', [{ kind: 'softReset', queuedAt: '2026-01-01T02:00:00Z' }]),
      listTransactions: sampleList('listTransactions', [{ startedAt: '2026-01-01T00:00:00Z', meterStop: 2_000 }]),
      listDeviceEvents: sampleList('listDeviceEvents', [
        { type: 2, code: 'Fan', at: '2026-01-01T01:00:00Z' },
        { type: 0, code: 'timeout', at: '2026-01-01T03:00:00Z' },
      ]),
    });
    await sees(page.getByTitle(t('hero:timeline.kind.event')));
    const kinds = page
      .getByRole('main')
      .getByTitle(/./)
      .elements()
      .map((one) => one.getAttribute('title'));
    const names = (['event', 'command', 'alarm', 'session'] as const).map((kind) => t(`hero:timeline.kind.${kind}`));
    expect(kinds.filter((title) => names.includes(title as never))).toEqual(names);
  });
});
