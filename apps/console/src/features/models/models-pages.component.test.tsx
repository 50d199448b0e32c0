import { type DeviceModelDetail, type ModelRule, messageOf } from '@chargehand/contract';
import { describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Answer } from '../../shared/api/client.ts';
import { expectAccessible } from '../../testing/accessibility.ts';
import { pick, rowWith, sees } from '../../testing/on-screen.ts';
import { listed, sample, sampleList, sampleRow } from '../../testing/sample.ts';
import { showConsole } from '../../testing/show-console.tsx';

const own = { configs: [], parameters: [], controls: [], rules: [] };
const model = (values: Partial<DeviceModelDetail> = {}): DeviceModelDetail =>
  sample('readDeviceModel', {
    ...{ id: 9, name: 'Acme Fast', type: 1, version: 1, own, resolved: own, may: { edit: true } },
    ...values,
  });
const described = (dataItemId: number, key: string, values: object = {}) =>
  ({
    ...{ dataItemId, key, name: { en: key, zh: key }, type: 1, groupId: 1, groupName: { en: 'Settings', zh: '设置' } },
    ...{ range: '10~600', unit: 's', priority: dataItemId, readLevel: 5, writeLevel: 3, batch: true, origin: 1 },
    ...values,
  }) as DeviceModelDetail['resolved']['parameters'][number];
const dataItem = (id: number, key: string, values: object = {}) =>
  sampleRow('listDataItems', {
    id,
    key,
    name: { en: key, zh: key },
    groupId: 1,
    type: 1,
    range: '10~600',
    unit: 's',
    ...values,
  });
const groups = { items: [{ id: 1, name: { en: 'Settings', zh: '设置' }, items: 2 }] };
const PARENT = 'Generic OCPP 1.6 pile';

describe('the data model', () => {
  test('groups and items are added and reordered with the keyboard', async () => {
    const groupRows = [...groups.items];
    let items: ReturnType<typeof dataItem>[] = [];
    const { t, button, dialog, field, server, path } = await showConsole('/manage/config-model/group', {
      answers: {
        listItemGroups: () => ({ items: groupRows }),
        createItemGroup: ({ input }) => {
          groupRows.push({ id: 2, name: input.body.name, items: 0 });
          return { id: 2 };
        },
        listDataItems: () => ({ items }),
        createDataItem: ({ input }) => {
          const id = items.length + 1;
          items = [...items, sampleRow('listDataItems', { id, ...input.body, usedBy: [] })];
          return { id };
        },
        orderDataItems: ({ input }) => {
          items = input.body.ids.map((id) => items.find((one) => one.id === id)!);
          return null;
        },
      },
    });
    await button('models:groups.add').click();
    await field('models:nameEn').fill('Cooling');
    await field('models:nameZh').fill('散热');
    await expectAccessible();
    await dialog.getByRole('button', { name: t('models:item.addOk'), exact: true }).click();
    await page.getByRole('listitem').filter({ hasText: 'Cooling' }).getByRole('link').click();
    await expect.poll(path).toMatch(/^\/manage\/config-model\/list\b/);
    for (const key of ['Fan.A', 'Fan.B']) {
      await button('models:item.add').click();
      await field('models:nameEn').fill(`Fan ${key}`);
      await field('models:nameZh').fill(`风扇 ${key}`);
      await field('models:key').fill(key);
      await field('models:range.label').fill('0~5');
      await dialog.getByRole('button', { name: t('models:item.addOk'), exact: true }).click();
      await expect.element(dialog).not.toBeInTheDocument();
    }
    expect(server.sent('createDataItem').map(({ body }) => (body as { groupId: number }).groupId)).toEqual([2, 2]);
    const keys = () => [...document.querySelectorAll('.sortable > li .item-names code')].map((one) => one.textContent);
    await expect.poll(keys).toEqual(['Fan.A', 'Fan.B']);
    const handle = [...document.querySelectorAll<HTMLElement>('.sortable-handle > button')].at(-1)!;
    handle.focus();
    await userEvent.keyboard('{ArrowUp}');
    await expect.poll(keys).toEqual(['Fan.B', 'Fan.A']);
    await expect.poll(() => items.map(({ key }) => key)).toEqual(['Fan.B', 'Fan.A']);
  });
});

describe('a device model', () => {
  const tab = (name: string) => page.getByRole('tab', { name: new RegExp(`^${name.split(/[(（{]/)[0]!.trim()}`) });

  test('marks inherited and overridden parts, and is saved with the keyboard', async () => {
    const parameters = [described(1, 'HeartbeatInterval'), described(2, 'LightIntensity'), described(3, 'BlinkRepeat')];
    const control = {
      type: 7,
      removed: false,
      name: { en: 'Upgrade', zh: '升级' },
      level: 3,
      param1: null,
      param2: null,
    };
    const controls = [
      { ...control, reading: null, precondition: null, origin: 1 },
    ] as DeviceModelDetail['resolved']['controls'];
    let now = model({
      parentId: 1,
      parentName: PARENT,
      resolved: { ...own, parameters, controls },
      origins: [{ id: 1, name: PARENT }],
    });
    const { t, button, dialog, field, server } = await showConsole('/manage/device-model/9?part=parameters', {
      answers: {
        listItemGroups: groups,
        listDataItems: { items: parameters.map(({ dataItemId, key }) => dataItem(dataItemId, key)) },
        readDeviceModel: ({ params }) =>
          params.id === '9' ? now : model({ id: 1, name: PARENT, resolved: { ...own, parameters, controls } }),
        updateDeviceModel: ({ input }) => {
          now = { ...now, version: 2, own: { ...own, ...(input.body as object) } };
          return { version: 2 };
        },
      },
    });
    const heartbeat = rowWith('HeartbeatInterval');
    await sees(heartbeat.getByText(t('models:state.inherited', { name: PARENT })));
    await page.elementLocator(heartbeat.element().querySelector('.item-open')!).click();
    await dialog.getByText(t('models:rules.ownRange'), { exact: true }).click();
    await field('models:range.label').fill('60~x');
    await sees(messageOf('rangeNotInteger', 'en-US', { text: 'x' }));
    await expectAccessible();
    await field('models:range.label').fill('60~600');
    await dialog.getByRole('button', { name: t('models:rules.apply'), exact: true }).click();
    await sees(heartbeat.getByText(t('models:state.overridden', { name: PARENT })), page.getByText('60~600 s'));

    // Several at once.
    for (const key of ['LightIntensity', 'BlinkRepeat']) await rowWith(key).getByRole('checkbox').first().click();
    await pick(t('models:bulk.writeLevel'), t('common:level.1'));
    await button('models:bulk.batchOff').click();

    await tab(t('models:part.controls')).click();
    // The part before has a button to remove its selected items.
    const remove = `${t('models:controls.remove')} ${t('models:control.7')}`;
    await page.getByRole('button', { name: remove, exact: true }).click();
    await sees(t('models:state.removed', { name: PARENT }));
    await userEvent.keyboard('{Control>}s{/Control}');
    await sees(t('models:model.saved', { name: 'Acme Fast', version: 2 }));
    const [saved] = server.sent('updateDeviceModel').map(({ body }) => body as typeof own & { version: number });
    expect(saved).toMatchObject({ version: 1, controls: [{ type: 7, removed: true }] });
    expect(saved?.parameters).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ dataItemId: 1, range: '60~600' }),
        expect.objectContaining({ dataItemId: 2, writeLevel: 1, batch: false }),
        expect.objectContaining({ dataItemId: 3, writeLevel: 1, batch: false }),
      ]),
    );
  });

  test('is added with a parent, and lists its versions', async () => {
    const { t, button, dialog, field, server, path } = await showConsole('/manage/device-model', {
      answers: {
        listDeviceModels: sampleList('listDeviceModels', [{ id: 1, name: PARENT }]),
        createDeviceModel: { id: 9 },
        readDeviceModel: model(),
        listDeviceModelVersions: {
          items: [
            {
              version: 1,
              at: '2026-01-01T00:00:00Z',
              changedBy: 'vendor_staff',
              configs: 0,
              parameters: 0,
              controls: 0,
            },
          ],
          total: 1,
        },
      },
    });
    await button('models:model.add').click();
    await field('models:name').fill('Acme Fast');
    await pick(t('models:parent'), PARENT);
    await expectAccessible();
    await dialog.getByRole('button', { name: t('models:item.addOk'), exact: true }).click();
    await expect.poll(path).toMatch(/^\/manage\/device-model\/9/);
    expect(server.sent('createDeviceModel')[0]?.body).toMatchObject({ name: 'Acme Fast', parentId: 1 });
    await tab(t('models:part.versions')).click();
    await sees(page.getByRole('table', { name: t('models:part.versions') }).getByText('vendor_staff'));
  });

  test('is imported from a file unless the dry run finds problems', async () => {
    const report = (problems: Answer<'importDeviceModel'>['report']['problems']) => ({
      ...sample('importDeviceModel').report,
      ...{ name: 'Acme Fast II', problems },
    });
    const problem = { path: 'model/name', message: 'There is a model of this name already.' };
    const { t, button, dialog, server, path } = await showConsole('/manage/device-model', {
      answers: {
        importDeviceModel: ({ input }) =>
          input.body.dryRun
            ? { id: null, report: report(input.body.text.includes('broken') ? [problem] : []) }
            : { id: 9, report: report([]) },
        readDeviceModel: model({ name: 'Acme Fast II' }),
      },
    });
    await button('models:import.open').click();
    const take = dialog.getByRole('button', { name: t('models:import.import'), exact: true });
    const choose = (content: string) =>
      page
        .elementLocator(document.querySelector('input[type=file]')!)
        .upload(new File([content], 'model.json', { type: 'application/json' }));
    await choose('{"broken":1}');
    await sees(dialog.getByText(problem.message, { exact: false }));
    await expectAccessible();
    await expect.element(take).toBeDisabled();
    // With the byte-order mark that some editors write at the start of a file.
    await choose('\uFEFF{"model":1}');
    await sees(dialog.getByText(t('models:import.would', { name: 'Acme Fast II' }), { exact: false }));
    await take.click();
    await expect.poll(path).toMatch(/^\/manage\/device-model\/9/);
    expect(server.sent('importDeviceModel').at(-1)?.body).toMatchObject({ text: '{"model":1}', dryRun: false });
  });

  test('asks before unsaved changes are lost on a phone', async () => {
    const { t, field, text, button, path } = await showConsole('/manage/device-model/9', {
      ...{ size: [390, 844], answers: { readDeviceModel: model() } },
    });
    await sees(page.getByRole('heading', { level: 1, name: 'Acme Fast' }));
    await field('models:vendor').fill('Mine');
    await page.getByRole('link', { name: t('models:model.back'), exact: true }).click();
    await sees(text('common:leave.text'));
    await button('common:leave.leave').click();
    await expect.poll(path).toBe('/manage/device-model');
  });
});

describe('the alarm rules of a model', () => {
  const RULE: ModelRule = {
    ...{
      dataItemId: 5,
      code: 'HOT',
      removed: false,
      enabled: true,
      name: { en: 'Too hot', zh: '温度过高' },
      kind: 'alarm',
    },
    ...{ level: 'MA', connector: null, condition: 'outside', low: -5, high: 60, values: [], hysteresis: 0 },
    durationSeconds: 90,
  };
  const temperature = dataItem(5, 'Temperature', { type: 2, range: '-50~200|1', unit: '°C' });
  const config = {
    dataItemId: 5,
    groupId: null,
    removed: false,
    priority: 1,
    readLevel: 5,
    writeLevel: 3,
    batch: false,
    range: null,
    unit: null,
  } as const;

  test('use the items of the model, and are saved with it', async () => {
    const { t, button, dialog, field, server } = await showConsole('/manage/device-model/9?part=rules', {
      answers: {
        listItemGroups: groups,
        listDataItems: { items: [temperature] },
        readDeviceModel: model({ own: { ...own, configs: [config] } as never }),
        updateDeviceModel: { version: 2 },
      },
    });
    await sees(t('rules:part.empty'));
    await button('rules:part.add').click();
    await field('rules:dialog.code').fill('HOT');
    await field('rules:dialog.nameEn').fill('Too hot');
    await field('rules:dialog.nameZh').fill('温度过高');
    await field('rules:dialog.condition').click();
    await page.elementLocator(document.body).getByText(t('rules:condition.outside'), { exact: true }).last().click();
    await field('rules:dialog.low').fill('-5');
    await field('rules:dialog.high').fill('60');
    await field('rules:dialog.duration').fill('90');
    await expectAccessible();
    await dialog.getByRole('button', { name: t('rules:dialog.apply'), exact: true }).click();
    await expect.poll(() => document.querySelector('.rule-list > li')?.textContent).toContain('HOT');
    await button('common:save').click();
    await expect.poll(() => server.sent('updateDeviceModel').length).toBe(1);
    expect(server.sent('updateDeviceModel')[0]?.body).toMatchObject({
      rules: [{ code: 'HOT', condition: 'outside', low: -5, high: 60, durationSeconds: 90 }],
    });
  });

  test('are inherited, and can be removed from the child only', async () => {
    const inherited = {
      ...RULE,
      key: 'Temperature',
      itemName: temperature.name,
      type: 2 as const,
      unit: '°C',
      origin: 1,
    };
    const resolved = { ...own, configs: [described(5, 'Temperature')], rules: [inherited] };
    const { t, server, button } = await showConsole('/manage/device-model/9?part=rules', {
      answers: {
        listItemGroups: groups,
        listDataItems: { items: [temperature] },
        readDeviceModel: ({ params }) =>
          model({
            id: Number(params.id),
            parentId: params.id === '9' ? 1 : null,
            resolved,
            origins: [{ id: 1, name: PARENT }],
          }),
        updateDeviceModel: { version: 2 },
      },
    });
    const line = () => document.querySelector('.rule-list > li')?.textContent;
    await expect.poll(line).toContain(t('models:state.inherited', { name: PARENT }));
    await button('rules:part.of', { word: t('rules:part.remove'), code: 'HOT' }).click();
    await expect.poll(line).toContain(t('models:state.removed', { name: PARENT }));
    await button('common:save').click();
    await expect.poll(() => server.sent('updateDeviceModel').length).toBe(1);
    expect(server.sent('updateDeviceModel')[0]?.body).toMatchObject({ rules: [{ code: 'HOT', removed: true }] });
  });

  test('have codes that are added, overridden and deleted', async () => {
    let codes = sampleList('listAlarmCodes', [
      { id: 1, code: 'WeakSignal', nameEn: 'Weak signal', nameZh: '信号弱', shared: true },
    ]).items;
    const { t, button, dialog, field, server } = await showConsole('/manage/device-model/9?part=codes', {
      answers: {
        readDeviceModel: model(),
        listAlarmCodes: () => ({ items: codes }),
        saveAlarmCode: ({ input }) => {
          const id = codes.length + 1;
          codes = [...codes.filter(({ code }) => code !== input.body.code), { id, ...input.body, shared: false }];
          return { id };
        },
        deleteAlarmCode: ({ params }) => {
          codes = codes.filter(({ id }) => id !== Number(params.id));
          return null;
        },
      },
    });
    const of = (word: 'override' | 'delete', code: string) =>
      button('rules:codes.of', { word: t(`rules:codes.${word}`), code });
    const ok = (key: string) => dialog.getByRole('button', { name: t(key), exact: true }).click();
    await button('rules:codes.add').click();
    await field('rules:dialog.code').fill('E42');
    await field('rules:dialog.nameEn').fill('Fan stuck');
    await field('rules:dialog.nameZh').fill('风扇卡死');
    await field('rules:dialog.kind').click();
    await page.elementLocator(document.body).getByText(t('rules:kinds.fault'), { exact: true }).last().click();
    await expectAccessible();
    await ok('rules:codes.save');
    const mine = page.getByRole('region', { name: t('rules:codes.own'), exact: true });
    await sees(mine.getByText('E42'), mine.getByText(t('rules:codes.kindIs', { kind: t('rules:kinds.fault') })));
    await of('override', 'WeakSignal').click();
    await field('rules:dialog.nameEn').fill('No bars');
    await ok('rules:codes.save');
    await sees(mine.getByText('WeakSignal'), mine.getByText('No bars'));
    expect(server.sent('saveAlarmCode').at(-1)?.body).toMatchObject({ code: 'WeakSignal', nameEn: 'No bars' });
    await of('delete', 'E42').click();
    await ok('rules:codes.delete');
    await expect.element(mine.getByText('E42')).not.toBeInTheDocument();
  });
});

test('an unknown reported name is mapped to a model', async () => {
  const aliases: { id: number; vendor: string; model: string; deviceModelId: number; deviceModelName: string }[] = [];
  const { t, button, dialog, server } = await showConsole('/manage/device-model-alias', {
    answers: {
      listModelAliases: listed('listModelAliases', () => aliases),
      listUnmatchedNames: () => ({
        items:
          aliases.length > 0 ? [] : [{ vendor: 'Volt', model: 'One', devices: 1, lastSeenAt: '2026-01-01T00:00:00Z' }],
      }),
      listDeviceModels: listed('listDeviceModels', () => [
        { id: 2, name: 'V2G pile' },
        { id: 3, name: 'Another' },
      ]),
      createModelAlias: ({ input }) => {
        aliases.push({ id: 1, ...input.body, deviceModelName: 'V2G pile' });
        return { id: 1 };
      },
    },
  });
  await button('models:alias.assignOf', { name: 'Volt One' }).click();
  await pick(t('models:alias.standsFor'), 'V2G pile', 'V2G');
  await dialog.getByRole('button', { name: t('models:item.addOk'), exact: true }).click();
  await sees(t('models:alias.saved', { name: 'Volt One' }));
  await sees(rowWith('Volt').getByRole('link', { name: 'V2G pile' }));
  await expect.element(button('models:alias.assignOf', { name: 'Volt One' })).not.toBeInTheDocument();
  expect(server.sent('createModelAlias')[0]?.body).toEqual({ vendor: 'Volt', model: 'One', deviceModelId: 2 });
});
