import { describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Answer } from '../../../shared/api/client.ts';
import { deviceDetail } from '../../../testing/devices.ts';
import { misses, sees } from '../../../testing/on-screen.ts';
import { sampleList, sampleRow } from '../../../testing/sample.ts';
import { showConsole } from '../../../testing/show-console.tsx';
import type { Answers } from '../../../testing/stub-server.ts';

const HOUR = 3_600_000;
const NAMES = {
  'en-US': { power: 'Active power', soc: 'State of charge of the vehicle' },
  'zh-CN': { power: '有功功率', soc: '车辆荷电状态' },
};
const names = (key: 'power' | 'soc') => ({ en: NAMES['en-US'][key], zh: NAMES['zh-CN'][key] });
const quantity = (key: string, unit: string, counter: boolean, name: { en: string; zh: string } | null) => ({
  ...{ connector: 1, key, unit, counter, name, part: '', group: null, entries: '' },
});
const items = [
  quantity('Energy.Active.Import.Register', 'Wh', true, null),
  quantity('Power.Active.Import', 'W', false, names('power')),
  quantity('SoC', 'Percent', false, names('soc')),
];

type Series = Answer<'readSeries'>['series'][number];
/** A point per minute for each requested quantity; none for devices whose id ends in 3. */
const readSeries: Answers['readSeries'] = ({ params, query }) => {
  const from = Date.parse(query.from!);
  const steps = Math.floor((Date.parse(query.to!) - from) / 60_000);
  const at = Array.from({ length: params.id?.endsWith('3') ? 0 : steps }, (_, index) => from / 1_000 + index * 60);
  return {
    series: query.items!.split(',').map((item): Series => {
      const [connector, key] = item.split('%3A').map(decodeURIComponent);
      const known = items.find((one) => one.key === key)!;
      const rise = query.counters === 'rise' && known.counter;
      return {
        ...{ deviceId: Number(params.id), connector: Number(connector), key: known.key, unit: known.unit },
        ...{ counter: known.counter, resolution: 'raw', step: 0, rise, at, value: at.map((_, index) => index % 60) },
      };
    }),
  };
};
const answers: Answers = {
  readDevice: ({ params }) => deviceDetail({ id: Number(params.id), name: `Pile ${params.id}`, sn: `P${params.id}` }),
  listReadingItems: { items },
  readSeries,
  listMarks: () => ({
    alarms: [
      {
        ...{ id: 1, connector: 1, code: 'HighTemperature', nameEn: null, nameZh: null, kind: 'alarm', level: 'MA' },
        ...{ raisedAt: new Date(Date.now() - 3 * HOUR).toISOString(), clearedAt: null },
      },
    ],
    commands: [
      {
        ...{ id: '00000000-0000-4000-8000-000000000001', kind: 'softReset', connector: 0, result: 2 },
        ...{ requestedBy: 'Ada', at: new Date(Date.now() - HOUR).toISOString(), endedAt: null },
      },
    ],
    restarts: [new Date(Date.now() - 2 * HOUR).toISOString()],
    more: false,
  }),
  exportReadings: new Response('', { headers: { 'content-type': 'application/octet-stream' } }),
};

const address = () => new URLSearchParams(location.search);
const hours = () => (Date.parse(address().get('to') ?? '') - Date.parse(address().get('from') ?? '')) / HOUR;
const canvases = () => document.querySelectorAll('.chart canvas').length;
const keys = (name: string) =>
  [...document.querySelectorAll<HTMLElement>('.chart-key')].filter((one) => one.textContent?.includes(name));

describe('the charts of a device', () => {
  // A live chart is fetched at a limited rate, so each test uses its own devices.
  test.each([
    ['en-US', 11],
    ['zh-CN', 12],
  ] as const)(
    'are selected by the names of their quantities, and mark alarms and commands (%s)',
    async (locale, id) => {
      const { t, server, button } = await showConsole(
        `/manage/device/detail/${id}?tab=details&section=charts&range=24h`,
        {
          locale,
          answers,
        },
      );
      await expect.poll(() => keys(NAMES[locale].power).length).toBe(1);
      await expect.poll(() => keys(NAMES[locale].soc).length).toBe(1);
      const before = canvases();
      await page.getByRole('combobox', { name: t('telemetry:charts.quantities') }).click();
      await userEvent.keyboard(NAMES[locale].soc);
      await expect
        .poll(() => document.querySelector('.ant-select-item-option-active')?.textContent)
        .toContain(NAMES[locale].soc);
      await userEvent.keyboard('{Enter}{Escape}');
      await expect.poll(() => address().getAll('item').includes('1:SoC')).toBe(false);
      await expect.poll(canvases).toBe(before - 1);

      const marks = page.getByRole('list', { name: t('telemetry:marks.title') }).getByRole('button');
      await expect.poll(() => marks.elements().length).toBe(3);
      expect(marks.nth(1).element().getAttribute('aria-label')).toContain(t('telemetry:marks.restart'));
      (marks.first().element() as HTMLElement).focus();
      await sees(page.getByRole('tooltip').getByText(t('common:alarmLevel.MA'), { exact: false }));
      expect(marks.last().element().getAttribute('aria-label')).toContain(t('operations:kinds.softReset.do'));
      // Its tooltip closes when it loses the focus, and no longer covers anything.
      (document.activeElement as HTMLElement).blur();
      await button('common:list.export').click();
      await expect.poll(() => server.sent('exportReadings').length).toBe(1);
      expect(server.sent('exportReadings')[0]?.query.items).not.toContain('SoC');
    },
  );

  test('zoom with buttons and keys, and stay visible while data loads', async () => {
    let wait: Promise<void> | undefined;
    const to = new Date();
    const from = new Date(to.getTime() - 4.8 * HOUR);
    const { button } = await showConsole(
      `/manage/device/detail/14?tab=details&section=charts&from=${from.toISOString()}&to=${to.toISOString()}`,
      {
        answers: {
          ...answers,
          readSeries: async (call) => {
            await wait;
            return (readSeries as (one: typeof call) => Answer<'readSeries'>)(call);
          },
        },
      },
    );
    await expect.poll(canvases).toBeGreaterThan(0);
    const plot = () => document.querySelector<HTMLElement>('.chart-plot')!;
    plot().focus();
    await userEvent.keyboard('+');
    await expect.poll(hours).toBeCloseTo(2.4, 1);
    const held = Promise.withResolvers<void>();
    wait = held.promise;
    // Two key presses are two steps, even in quick succession.
    for (let stroke = 0; stroke < 2; stroke += 1) {
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: '+', bubbles: true }));
      // The URL changes before anything is rendered.
      for (let turn = 0; turn < 100; turn += 1) await null;
    }
    await expect.poll(hours).toBeCloseTo(0.6, 1);
    await expect.poll(() => document.querySelector('.stack[aria-busy=true] .chart-plot:focus')).not.toBeNull();
    held.resolve();
    await expect.poll(() => document.querySelector('.stack[aria-busy=false] .chart-plot:focus')).not.toBeNull();
    const end = address().get('to');
    await userEvent.keyboard('{Shift>}{ArrowLeft}{/Shift}');
    await expect.poll(() => address().get('to')).not.toBe(end);
    await button('telemetry:move.out').click();
    await expect.poll(hours).toBeCloseTo(1.2, 1);
    await button('telemetry:move.reset').click();
    await expect.poll(() => address().has('from')).toBe(false);
  });
});

describe('the charts of several devices', () => {
  test.each([
    ['en-US', [21, 22, 23]],
    ['zh-CN', [31, 32, 33]],
  ] as const)(
    'can share one chart, show counter increases, and name devices without data (%s)',
    async (locale, [one, two, silent]) => {
      const { t, go } = await showConsole(`/manage/device/charts?devices=${one}&range=24h`, {
        locale,
        answers: {
          ...answers,
          listDevices: ({ query }) =>
            sampleList(
              'listDevices',
              query.search ? [sampleRow('listDevices', { id: two, name: `Pile ${two}`, sn: `P${two}` })] : [],
            ),
        },
      });
      const { power } = NAMES[locale];
      await expect.poll(() => keys(power).length).toBe(1);
      await page.getByRole('combobox', { name: t('telemetry:charts.devices') }).click();
      await userEvent.keyboard(`P${two}`);
      await page.elementLocator(document.body).getByText(`Pile ${two} · P${two}`).last().click();
      await userEvent.keyboard('{Escape}');
      await expect.poll(() => address().get('devices')).toBe(`${one},${two}`);
      await expect.poll(() => keys(power).length).toBe(2);

      const together = page.getByRole('checkbox', { name: t('telemetry:charts.together') });
      await together.click();
      await expect.element(together).toBeChecked();
      await expect.poll(canvases).toBe(1);
      keys(power).at(-1)!.click();
      await expect.poll(() => keys(power).at(-1)?.getAttribute('aria-pressed')).toBe('false');
      await page.getByText(t('telemetry:charts.counterRise'), { exact: true }).click();
      await expect.poll(() => address().get('counters')).toBe('rise');
      await expect.poll(canvases).toBe(2);
      await sees(page.getByText(t('telemetry:charts.zone'), { exact: false }));

      await go(`/manage/device/charts?devices=${one},${silent}&range=24h`);
      await sees(page.getByText(t('telemetry:charts.silent', { names: `Pile ${silent}` })));
      await misses(page.getByText(t('telemetry:charts.silent', { names: `Pile ${one}` })));
    },
  );
});
