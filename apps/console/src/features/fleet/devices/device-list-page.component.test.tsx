import { DEVICE_STATUSES } from '@chargehand/domain';
import { describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../../testing/accessibility.ts';
import { rowWith, sees } from '../../../testing/on-screen.ts';
import { listed, sample, sampleList } from '../../../testing/sample.ts';
import { showConsole } from '../../../testing/show-console.tsx';
import type { Answers } from '../../../testing/stub-server.ts';

type Row = Parameters<typeof sampleList<'listDevices'>>[1] extends (infer R)[] | undefined ? R : never;

const place = {
  siteId: 4,
  siteName: 'North quay',
  customerName: 'North',
  deviceModelName: 'World pile',
  enabled: true,
};
const device = (id: number, values: Row = {}): Row => ({
  ...{ id, sn: `QUAY${String(id).padStart(5, '0')}`, name: `Quay ${String(id).padStart(2, '0')}`, status: 'idle' },
  ...place,
  ...values,
});
const fleet = Array.from({ length: 28 }, (_, index) => device(index + 1, index < 24 ? {} : { status: 'offline' }));

const none = Object.fromEntries(DEVICE_STATUSES.map((status) => [status, 0])) as Record<
  (typeof DEVICE_STATUSES)[number],
  number
>;
const answersFor = (rows: () => Row[]): Answers => ({
  listDevices: listed('listDevices', rows),
  countDevices: () => ({
    total: rows().length,
    byStatus: {
      ...none,
      idle: rows().filter(({ status }) => status === 'idle').length,
      offline: rows().filter(({ status }) => status === 'offline').length,
    },
  }),
});

const open = async (query = '', rows = fleet, options: Parameters<typeof showConsole>[1] = {}) => {
  const shown = [...rows];
  const stage = await showConsole(`/manage/device/list${query}`, {
    ...options,
    answers: { ...answersFor(() => shown), ...options.answers },
  });
  await expect.element(page.getByRole('heading', { level: 1, name: stage.t('routes:deviceList') })).toBeVisible();
  const range = (from: number, to: number, count: number) => stage.text('common:table.range', { from, to, count });
  return { ...stage, shown, range };
};
const names = () => [...document.querySelectorAll('tbody .device-name')].map((name) => name.textContent);
const box = (name: string) => page.getByRole('checkbox', { name, exact: true });

describe('the device list', () => {
  test('says that messages of a device are rejected, with a link to its page', async () => {
    const { t } = await open('', [device(1, { faultyMessages: 'rejected' }), device(2, { faultyMessages: null })]);
    const links = page.getByRole('link', { name: t('fleet:list.faultyMessages.rejected') });
    await expect.element(links).toBeVisible();
    expect(links.elements()).toHaveLength(1);
  });

  test('keeps filters, order, page and search in the URL', async () => {
    const { t, path, range, button } = await open();
    await expect.element(range(1, 20, 28)).toBeVisible();
    const counter = (label: string) =>
      page
        .getByRole('group', { name: t('fleet:list.counters') })
        .getByRole('button', { name: new RegExp(`^${label}`) });
    await expect.poll(() => counter(t('fleet:list.total')).element().textContent).toContain('28');
    await expect.poll(() => counter(t('common:deviceStatus.idle')).element().textContent).toContain('24');
    await expect.poll(() => counter(t('common:deviceStatus.offline')).element().textContent).toContain('4');

    await counter(t('common:deviceStatus.offline')).click();
    await expect.poll(path).toBe('/manage/device/list?status=offline');
    await expect.poll(names).toHaveLength(4);
    await counter(t('fleet:list.total')).click();

    const heading = page.getByRole('columnheader', { name: t('fleet:name'), exact: true });
    await heading.click();
    await expect.poll(path).toBe('/manage/device/list?sort=name');
    await heading.click();
    await expect.poll(path).toBe('/manage/device/list?sort=-name');
    await expect.poll(() => names()[0]).toBe('Quay 28');

    await page.getByRole('button', { name: '2', exact: true }).click();
    await expect.poll(path).toBe('/manage/device/list?sort=-name&page=2');
    await expect.element(range(21, 28, 28)).toBeVisible();
    await expect.poll(names).toEqual([8, 7, 6, 5, 4, 3, 2, 1].map((id) => `Quay 0${id}`));

    const search = page.getByLabelText(t('fleet:list.search'), { exact: true });
    await search.fill('QUAY00007');
    await expect.poll(path).toBe('/manage/device/list?sort=-name&search=QUAY00007');
    await expect.poll(names).toEqual(['Quay 07']);
    await search.fill('nothing is called so');
    await expect.element(page.getByText(t('common:table.noMatch'), { exact: true })).toBeVisible();
    await button('common:table.clear').first().click();
    await expect.element(range(1, 20, 28)).toBeVisible();
  });

  test('restores its state from the URL after going back', async () => {
    const { t, path } = await open('?sort=-name&search=QUAY0000', fleet, {
      answers: { readDevice: sample('readDevice', device(9) as never) },
    });
    await expect.poll(() => names()[0]).toBe('Quay 09');
    await page.getByRole('link', { name: 'Quay 09', exact: true }).click();
    await expect.poll(path).toBe('/manage/device/detail/9');
    history.back();
    await expect.poll(path).toBe('/manage/device/list?sort=-name&search=QUAY0000');
    await expect.poll(() => names()[0]).toBe('Quay 09');
    await expect.element(page.getByLabelText(t('fleet:list.search'), { exact: true })).toHaveValue('QUAY0000');
  });

  test('explains how to connect a device when there is none', async () => {
    const { text } = await open('', []);
    await expect.element(text('fleet:list.empty')).toBeVisible();
    await expect.element(page.getByText(/\/ocpp\//)).toBeVisible();
  });

  test('shows cards on a phone, and lets several be selected', async () => {
    const { button, text } = await open('', fleet, {
      size: [390, 844],
      answers: {
        listCommonControls: sample('listCommonControls', {
          devices: 2,
          sites: [{ id: 4, name: 'North quay', devices: 2 }],
        }),
      },
    });
    const cards = page.elementLocator(document.body).getByRole('row');
    await expect.element(page.getByText('Quay 01')).toBeVisible();
    expect(document.querySelectorAll('.list-card')).toHaveLength(20);
    expect(page.getByRole('checkbox', { name: /Quay/ }).elements()).toEqual([]);
    await button('common:list.choose').click();
    await cards.nth(0).click();
    await expect.element(text('common:list.selected', { count: 1 })).toBeVisible();
    await cards.nth(1).click();
    await expect.element(text('common:list.selected', { count: 2 })).toBeVisible();
    await expect.element(button('fleet:action.move')).toBeVisible();
    await button('common:list.chooseEnd').click();
    await expect.element(text('common:list.selected', { count: 2 })).not.toBeInTheDocument();
    const { scrollWidth, clientWidth } = document.documentElement;
    expect(scrollWidth).toBe(clientWidth);
    await button('common:list.choose').click();
    await cards.nth(0).click();
    await button('fleet:bulk.control').click();
    await expect.element(text('batches:who', { count: 2, site: 'North quay' })).toBeVisible();
  });

  test.each([
    ['en-US', 'Everlasting'],
    ['zh-CN', '充电桩名称'],
  ] as const)('keeps its actions visible with very long names (%s)', async (locale, word) => {
    const long = word.repeat(64).slice(0, 60);
    const sn = 'PARK-'.repeat(10).slice(0, 48);
    const { t, button } = await open(
      '',
      [device(1, { sn, name: long, siteName: long, customerName: long, deviceModelName: long })],
      { locale },
    );
    const actions = button('fleet:action.more', { name: long });
    await expect.element(actions).toBeVisible();
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(1280);
    expect(actions.element().getBoundingClientRect().right).toBeLessThanOrEqual(1280);
    for (const title of [long, sn]) expect(page.getByTitle(title, { exact: true }).elements()).not.toEqual([]);

    // Shortened in other rows, complete in the row with the focus.
    const name = () => document.querySelector<HTMLElement>('tbody .device-name')!;
    const cut = () => name().scrollWidth > name().clientWidth;
    expect(cut()).toBe(true);
    (page.getByLabelText(t('fleet:list.search'), { exact: true }).element() as HTMLElement).focus();
    const row = name().closest('tr');
    for (let step = 0; step < 60 && document.activeElement !== row; step += 1) await userEvent.tab();
    await expect.poll(cut).toBe(false);
  });
});

describe('columns and density', () => {
  test('are arranged with the keyboard, saved to the account, and reset', async () => {
    const { t, server, button, dialog } = await open('', fleet, { answers: { setPreference: null } });
    const headings = () =>
      [...document.querySelectorAll('thead th')].map((one) => one.textContent?.trim()).filter((one) => one !== '');
    await expect.poll(headings).toContain(t('fleet:sn'));
    (button('common:list.columns').element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
    await dialog.getByRole('checkbox', { name: t('fleet:sn'), exact: true }).click();
    (button('common:list.moveUp', { name: t('fleet:version') }).element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
    await expect.element(button('common:list.moveUp', { name: t('fleet:version') })).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await dialog.getByText(t('common:list.comfortable'), { exact: true }).click();
    await dialog.getByRole('button', { name: t('common:save'), exact: true }).click();
    await expect
      .poll(headings)
      .toEqual([
        ...['status', 'name', 'alarms', 'site', 'version', 'model', 'lastSeen'].map((key) => t(`fleet:${key}`)),
        t('common:table.actions'),
      ]);
    await expect.poll(() => document.querySelectorAll('table[data-density="comfortable"]')).toHaveLength(1);
    expect(server.sent('setPreference')[0]?.body).toMatchObject({
      list: 'devices',
      view: { density: 'comfortable', columns: expect.arrayContaining([{ name: 'sn', shown: false }]) },
    });
    await button('common:list.columns').click();
    await button('common:list.reset').click();
    await expect.poll(headings).toContain(t('fleet:sn'));
    expect(server.sent('setPreference').at(-1)?.body).toEqual({ list: 'devices', view: null });
  });

  test('are applied immediately when they were saved before', async () => {
    const view = { density: 'comfortable' as const, columns: [{ name: 'sn', shown: false }] };
    const { t } = await open('', fleet, { info: { lists: { devices: view } } });
    await expect.element(page.getByRole('columnheader', { name: t('fleet:model'), exact: true })).toBeVisible();
    expect(page.getByRole('columnheader', { name: t('fleet:sn'), exact: true }).elements()).toEqual([]);
  });
});

describe('bulk actions', () => {
  test('delete all except rejected ones, which stay selected with the reason', async () => {
    const reason = 'It is charging.';
    const { t, button, text, dialog, shown, server } = await open('', fleet.slice(0, 3), {
      answers: {
        deleteDevices: () => {
          shown.shift();
          return {
            results: [
              { id: 1, code: 0, message: '' },
              { id: 2, code: 1, message: reason },
            ],
          };
        },
      },
    });
    const select = (index: number) =>
      box(t('common:list.selectRow', { name: `${fleet[index]?.name} · ${fleet[index]?.sn}` }));
    await select(0).click();
    await select(1).click();
    await expect.element(text('common:list.selected', { count: 2 })).toBeVisible();
    await page
      .getByRole('toolbar')
      .getByRole('button', { name: t('fleet:action.delete'), exact: true })
      .click();
    await expect.element(text('fleet:bulk.delete')).toBeVisible();
    const confirm = dialog.getByRole('button', { name: t('fleet:action.delete'), exact: true });
    await expect.element(confirm).toBeDisabled();
    await dialog.getByRole('textbox').fill('2');
    await confirm.click();
    await expect.element(dialog.getByText(reason)).toBeVisible();
    await expect.element(dialog.getByText(t('common:list.notDone', { count: 1 }))).toBeVisible();
    expect(server.sent('deleteDevices')[0]?.body).toEqual({ ids: [1, 2] });
    await button('common:close').last().click();
    await expect.element(text('common:list.selected', { count: 1 })).toBeVisible();
    await expect.poll(names).toEqual(['Quay 02', 'Quay 03']);
  });

  test('change all devices that match the filters, except deselected ones, in slices', async () => {
    let matching = Array.from({ length: 250 }, (_, index) => ({ id: index + 1, name: `Pile ${index + 1}` }));
    const { t, text, dialog, server } = await open('?siteId=4', fleet, {
      answers: {
        selectDevices: () => ({ items: matching }),
        disableDevices: ({ input }) => ({
          results: input.body.ids.map((id) => ({ id, code: id === 120 ? 1 : 0, message: id === 120 ? 'Busy.' : '' })),
        }),
      },
    });
    await box(t('common:list.selectPage')).click();
    await expect.element(text('common:list.selected', { count: 20 })).toBeVisible();
    await page.getByRole('button', { name: t('common:list.selectAll', { total: '28' }) }).click();
    await expect.element(text('common:list.selected', { count: 250 })).toBeVisible();
    expect(server.sent('selectDevices')[0]?.query).toEqual({ siteId: '4' });
    await box(t('common:list.selectRow', { name: `${fleet[0]?.name} · ${fleet[0]?.sn}` })).click();
    await expect.element(text('common:list.selected', { count: 249 })).toBeVisible();

    matching = [...matching.slice(0, 248), ...[251, 252, 253].map((id) => ({ id, name: `Pile ${id}` }))];
    const toolbar = page.getByRole('toolbar');
    await toolbar.getByRole('button', { name: t('fleet:disable.ok'), exact: true }).click();
    await expect.element(dialog.getByText(t('common:list.joined', { count: 3 }), { exact: false })).toBeVisible();
    await expect.element(dialog.getByText(t('common:list.left', { count: 2 }), { exact: false })).toBeVisible();
    await dialog.getByRole('button', { name: t('fleet:disable.ok'), exact: true }).click();
    await expect.element(dialog.getByText(t('common:list.notDone', { count: 1 }))).toBeVisible();
    await expect.element(dialog.getByText('Busy.')).toBeVisible();
    const sent = server.sent('disableDevices').map(({ body }) => (body as { ids: number[] }).ids);
    expect(sent.map((ids) => ids.length)).toEqual([100, 100, 50]);
    expect(sent.flat()).not.toContain(1);
    expect(sent.flat()).toContain(253);
    expect(sent.flat()).not.toContain(250);
  });

  test('are searched, selected and opened with the keyboard', async () => {
    const { t, text, path } = await open('', fleet, {
      answers: { readDevice: sample('readDevice', device(2) as never) },
    });
    await expect.poll(names).toHaveLength(20);
    await userEvent.keyboard('/');
    const search = page.getByLabelText(t('fleet:list.search'), { exact: true });
    await expect.element(search).toHaveFocus();
    await userEvent.keyboard('QUAY0000');
    await expect.poll(names).toHaveLength(9);
    document.querySelector<HTMLElement>('tbody tr[data-row-key]')!.focus();
    await userEvent.keyboard(' {ArrowDown} ');
    await expect.element(text('common:list.selected', { count: 2 })).toBeVisible();
    await userEvent.keyboard('?');
    await expect.element(text('common:keys.title')).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await expect.element(text('common:keys.title')).not.toBeInTheDocument();
    await userEvent.keyboard('{Enter}');
    await expect.poll(path).toBe('/manage/device/detail/2');
  });

  test('open the labels of devices', async () => {
    const { t, path } = await open('', fleet.slice(0, 2));
    await box(t('common:list.selectPage')).click();
    await page
      .getByRole('toolbar')
      .getByRole('button', { name: t('fleet:action.label'), exact: true })
      .click();
    await expect.poll(path).toBe('/manage/device/labels?ids=1,2');
  });

  test('move devices to another site, and name rejected ones with the reason', async () => {
    const { t, dialog, server } = await open('', fleet.slice(0, 2), {
      answers: {
        listSites: sampleList('listSites', [{ id: 5, name: 'North mill' }]),
        moveDevices: {
          results: [
            { id: 1, code: 0, message: '' },
            { id: 2, code: 1, message: 'It is charging.' },
          ],
        },
      },
    });
    await box(t('common:list.selectPage')).click();
    await page
      .getByRole('toolbar')
      .getByRole('button', { name: t('fleet:action.move'), exact: true })
      .click();
    await dialog.getByRole('combobox').click();
    await page.elementLocator(document.body).getByText('North mill', { exact: true }).last().click();
    await expectAccessible();
    await dialog.getByRole('button', { name: t('devices:move.ok'), exact: true }).click();
    await expect.element(page.getByText(t('devices:move.done', { count: 1 }), { exact: true })).toBeVisible();
    await expect.element(dialog.getByText('It is charging.')).toBeVisible();
    expect(server.sent('moveDevices')[0]?.body).toEqual({ ids: [1, 2], siteId: 5 });
  });
});

test('devices that are moved in several requests have a progress, which can be stopped', async () => {
  const second = Promise.withResolvers<void>();
  const all = Array.from({ length: 250 }, (_, index) => ({ id: index + 1, name: `Pile ${index + 1}` }));
  const { t, dialog, server, button } = await open('', fleet.slice(0, 2), {
    answers: {
      listSites: sampleList('listSites', [{ id: 5, name: 'North mill' }]),
      selectDevices: { items: all },
      moveDevices: async ({ input }) => {
        if (input.body.ids[0] !== 1) await second.promise;
        return { results: input.body.ids.map((id) => ({ id, code: 0, message: '' })) };
      },
    },
  });
  await rowWith('Quay 01').getByRole('checkbox').click();
  await page
    .getByRole('toolbar')
    .getByRole('button', { name: t('common:list.selectAll', { total: 2 }) })
    .click();
  await page
    .getByRole('toolbar')
    .getByRole('button', { name: t('fleet:action.move'), exact: true })
    .click();
  await dialog.getByRole('combobox').click();
  await page.elementLocator(document.body).getByText('North mill', { exact: true }).last().click();
  await dialog.getByRole('button', { name: t('devices:move.ok'), exact: true }).click();
  await sees(dialog.getByRole('progressbar', { name: t('devices:move.ok') }), dialog.getByText('100 / 250'));
  await button('common:list.stop').click();
  second.resolve();
  await sees(dialog.getByText(t('common:list.notTried', { count: 50 })));
  expect(server.sent('moveDevices')).toHaveLength(2);
});

test.each([
  [1, true],
  [5, false],
] as const)('actions that level %j does not allow are hidden: shown %s', async (level, shown) => {
  const { button, t } = await open('', fleet, { user: { root: false, level } });
  await expect.element(page.getByText('Quay 01', { exact: true })).toBeVisible();
  const actions = [
    page.getByRole('link', { name: t('fleet:register'), exact: true }),
    page.getByRole('button', { name: t('fleet:register'), exact: true }),
    button('common:list.export'),
  ];
  const visible = actions.flatMap((action) => action.elements()).length > 0;
  expect(visible).toBe(shown);
});
