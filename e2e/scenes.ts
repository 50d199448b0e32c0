import { CODES, ENDPOINTS, messageOf } from '@chargehand/contract';
import type { Page } from 'playwright-core';
import { WORLD_PASSWORD } from '../apps/server/src/testing/world.ts';
import type { DemoWorld } from './demo-world.ts';
import { PAGES } from './harness/routes.ts';
import type { Words } from './harness/words.ts';
import type { Scene } from './scene.ts';
import { messageScenes } from './scenes-messages.ts';

/** Every page of the console: pages, their sections, dialogs, and error pages. */
export async function scenesOf(world: DemoWorld, application: number): Promise<Scene[]> {
  const ids = { ...(await idsOf(world)), application: { id: application } };
  const messages = messageScenes({ device: ids.charging.id, site: ids.site.id, customer: ids.customer.id });
  const scenes = [...pages(ids), ...parts(ids), ...dialogs(ids), ...messages];
  return [...scenes, acceptance(world), changes(world)];
}

type Ids = Awaited<ReturnType<typeof idsOf>> & { application: { id: number } };

/** The ids of the rows that the pages show. */
async function idsOf({ database }: DemoWorld) {
  const one = async (query: string) => {
    const { rows } = await database.pool.query<{ id: number; name: string }>(query);
    return rows[0]!;
  };
  const device = (sn: string) => one(`select id::int, name from devices where sn = '${sn}'`);
  const alarm = (where: string) =>
    one(`select id::int, code as name from alarms where ${where} order by id desc limit 1`);
  return {
    charging: await device('SIM00001'),
    faulted: await device('SIM00002'),
    worked: await device('SIM00003'),
    newer: await device('SIM00004'),
    silent: await device('SIM00024'),
    storage: await device('SIMESS00001'),
    brokenStorage: await device('SIMESS00002'),
    model: await one(`select id::int, name from device_models where name = 'Generic OCPP 1.6 pile'`),
    storageModel: await one(`select id::int, name from device_models where name = 'Home storage unit'`),
    site: await one(`select site_id::int as id, sn as name from devices where sn = 'SIM00001'`),
    customer: await one(`select customer_id::int as id, sn as name from devices where sn = 'SIM00001'`),
    user: await one(`select id::int, user_name as name from users where user_name = 'mandy_ho'`),
    role: await one(`select id::int, name from roles order by id limit 1`),
    batch: await one(`select id::int, '' as name from command_batches order by id limit 1`),
    document: await one(
      `select document_id::int as id, title as name from document_texts where title = 'Ground failure' or locale = 'en-US' order by title <> 'Ground failure', document_id limit 1`,
    ),
    alarm: await alarm('acknowledged_at is not null'),
    newAlarm: await alarm('acknowledged_at is null and cleared_at is null'),
  };
}

/** Every page of the route table that exists, and one of those that do not exist yet. */
function pages(ids: Ids): Scene[] {
  const subjects: [RegExp, number][] = [
    [/^\/manage\/site\//, ids.site.id],
    [/^\/manage\/customer\//, ids.customer.id],
    [/^\/manage\/user\//, ids.user.id],
    [/^\/manage\/role\//, ids.role.id],
    [/^\/manage\/device\/batch(es)?\//, ids.batch.id],
    [/^\/manage\/device-model\//, ids.model.id],
    [/^\/manage\/docs\//, ids.document.id],
    [/^\/manage\/system\/application\//, ids.application.id],
    [/./, ids.charging.id],
  ];
  const fill = (path: string) => {
    const id = subjects.find(([pattern]) => pattern.test(path))![1];
    return path
      .replace(/\/:listtype\?|\/:type\?\/:id\?/, '')
      .replace(/:id\b\??|:RoeId/, String(id))
      .replace(/\/:\w+\?/g, '');
  };
  const table = PAGES.map(({ path }) => ({
    name: nameOf(path),
    path: fill(path),
    signedIn: path.startsWith('/manage'),
  }));
  const errors = ['404', '403', '500', 'network'].map((type) => ({
    name: `error-${type}`,
    path: `/error?type=${type}`,
    signedIn: false,
  }));
  return [
    ...table,
    ...errors,
    { name: 'unknown-page', path: '/nowhere', signedIn: false },
    { name: 'manage-unknown-page', path: '/manage/nowhere', signedIn: true },
  ];
}

function nameOf(path: string): string {
  return path
    .slice(1)
    .replace(/^manage\//, '')
    .replace(/[/:?]+/g, '-')
    .replace(/-+$/, '');
}

const scene = (name: string, path: string, act?: Scene['act']): Scene => ({
  ...{ name, path, signedIn: true },
  ...(act && { act }),
});
const detail = ({ id }: { id: number }, place: string) => `/manage/device/detail/${id}?${place}`;
const section = (of: { id: number }, key: string) => detail(of, `tab=details&section=${key}`);

/** The tabs and sections of the pages that have some. */
function parts(ids: Ids): Scene[] {
  const tabs = (name: string, path: string, key: string, values: readonly string[]) =>
    values.map((value) => scene(`${name}-${value}`, `${path}?${key}=${value}`));
  const sections = ['config', 'alarms', 'charts', 'events', 'traffic', 'sessions', 'maintenance', 'pictures'];
  return [
    ...[...sections, 'logs', 'protocol'].map((key) => scene(`device-section-${key}`, section(ids.charging, key))),
    scene('logs-actions', '/manage/logs/action?tab=actions'),
    scene('device-operations', detail(ids.charging, 'tab=operations')),
    scene('device-faulted', section(ids.faulted, 'runtime')),
    scene('device-faulted-alarms', section(ids.faulted, 'alarms')),
    scene('device-faulted-events', section(ids.faulted, 'events')),
    scene('device-in-maintenance', section(ids.worked, 'maintenance')),
    scene('device-never-connected', section(ids.silent, 'runtime')),
    scene('device-never-connected-operations', detail(ids.silent, 'tab=operations')),
    scene('device-unknown', '/manage/device/detail/999999'),
    scene('device-ocpp201', section(ids.newer, 'runtime')),
    scene('device-ocpp201-config', section(ids.newer, 'config')),
    scene('device-ocpp201-operations', detail(ids.newer, 'tab=operations')),
    ...['runtime', 'config', 'charts'].map((key) => scene(`storage-${key}`, section(ids.storage, key))),
    scene('storage-alarms', section(ids.brokenStorage, 'alarms')),
    scene('storage-operations', detail(ids.storage, 'tab=operations')),
    scene('device-list-filtered', '/manage/device/list?status=faulted,working&search=SIM&sort=-name'),
    scene('device-list-nothing', '/manage/device/list?search=nothing%20at%20all'),
    scene('device-charts-of-two', `/manage/device/charts?devices=${ids.charging.id},${ids.faulted.id}`),
    scene('docs-search-results', '/manage/docs/search?q=connector'),
    scene('docs-search-nothing', '/manage/docs/search?q=conector%20xyz'),
    scene('docs-code', '/manage/docs/detail/type/100?code=GroundFailure'),
    scene('docs-code-missing', '/manage/docs/detail/type/100?code=E42'),
    scene('docs-list-missing', '/manage/docs/list?tab=missing'),
    scene('docs-category-documents', '/manage/docs/home?categoryId=1'),
    scene('waiting-attempts', '/manage/system/list?tab=attempts'),
    scene('device-register-from-waiting', '/manage/device/add/UNKNOWN-00001'),
    scene(
      'labels',
      `/manage/device/labels?ids=${[ids.charging, ids.faulted, ids.storage].map(({ id }) => id).join(',')}`,
    ),
    scene(
      'labels-of-connectors',
      `/manage/device/labels?ids=${[ids.charging, ids.faulted, ids.storage].map(({ id }) => id).join(',')}`,
      async (page, t) => {
        await page.getByRole('combobox', { name: t('devices:label.target') }).click();
        await page.getByTitle(t('devices:label.targets.connector')).click();
      },
    ),
    {
      ...scene(
        'labels-printed',
        `/manage/device/labels?ids=${[ids.charging, ids.faulted, ids.worked, ids.storage].map(({ id }) => id).join(',')}`,
      ),
      print: true,
    },
    scene('config-model-list-searched', '/manage/config-model/list?search=SoC'),
    scene('device-models-none-chosen', '/manage/device-model'),
    ...tabs('model', `/manage/device-model/${ids.model.id}`, 'part', [
      ...['base', 'configs', 'parameters', 'controls', 'rules', 'codes', 'versions'],
    ]),
    scene('model-storage-controls', `/manage/device-model/${ids.storageModel.id}?part=controls`),
    ...tabs('site-detail', `/manage/site/detail/${ids.site.id}`, 'tab', [
      ...['devices', 'faults', 'events', 'statuses', 'traffic', 'administrators', 'receivers'],
    ]),
    ...tabs('customer-detail', `/manage/customer/detail/${ids.customer.id}`, 'tab', ['sites', 'users']),
    ...tabs('privacy', '/manage/system/privacy', 'tab', ['next', 'acceptances']),
    scene('menus-of-one', '/manage/system/menu?menu=auth_device_list'),
    scene('interfaces', '/manage/system/menu?tab=interfaces'),
    ...tabs('system', '/manage/system/dashboard', 'tab', ['jobs']),
    ...tabs('system-parameters', '/manage/system/parameter', 'tab', ['history', 'environment']),
    scene('system-parameters-shorter', '/manage/system/parameter', async (page, t) => {
      await page.getByRole('button', { name: /Action log|操作日志/ }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('spinbutton').fill('30');
      await dialog
        .getByText(t('system-parameters:erased.final'))
        .or(dialog.getByText('30', { exact: false }))
        .first()
        .waitFor();
    }),
    ...tabs('tokens', '/manage/token/list', 'tab', ['tokens', 'unknown', 'lists', 'imports']),
    scene('tokens-add', '/manage/token/list', async (page, t) => {
      await page
        .getByRole('button', { name: t('tokens:add'), exact: true })
        .first()
        .click();
    }),
    ...tabs('dictionary', '/manage/system/dictionary', 'tab', ['causes', 'remedies', 'labels']),
    scene('dictionary-edit', '/manage/system/dictionary?tab=labels', async (page, t) => {
      await page.getByRole('button', { name: t('dictionary:editOf', { code: 'safety' }) }).click();
      await page.getByRole('dialog').waitFor();
    }),
  ];
}

/** Loads the page again with this response of an endpoint. */
async function answered(page: Page, endpoint: keyof typeof ENDPOINTS, data: unknown): Promise<void> {
  await page.route(`**${ENDPOINTS[endpoint].path}`, (route) => route.fulfill({ json: { code: 0, message: '', data } }));
  await page.reload();
}

/** What opens on top of pages. */
function dialogs(ids: Ids): Scene[] {
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first();
  const opened = (page: Page) => page.getByRole('dialog').last().waitFor();
  const press = (key: string) => async (page: Page, t: Words) => {
    await button(page, t(key)).click();
    await opened(page);
  };
  /** A command for the first connector; its button contains the name of the connector. */
  const ofConnector = (kind: string) => async (page: Page, t: Words) => {
    await page
      .getByRole('button', { name: new RegExp(`^${t(`operations:kinds.${kind}.do`)}.`) })
      .first()
      .click();
    await opened(page);
  };
  const model = (part: string) => `/manage/device-model/${ids.model.id}?part=${part}`;
  const operations = detail(ids.charging, 'tab=operations');
  const parameters = detail(ids.charging, 'tab=parameters');
  const choose = (key: string) => async (page: Page, t: Words) => {
    await button(page, t('fleet:action.more', { name: ids.charging.name })).click();
    await page.getByRole('menuitem', { name: t(`fleet:action.${key}`), exact: true }).click();
    await opened(page);
  };
  const toolbar = (page: Page, name: string) => page.getByRole('toolbar').getByRole('button', { name, exact: true });
  /** Selects all rows that match; on a phone after the selection mode is turned on. */
  const selectAll = async (page: Page, t: Words) => {
    const phone = page.getByRole('button', { name: t('common:list.choose'), exact: true });
    const check = page.getByRole('checkbox', { name: t('common:list.selectPage') });
    await phone.or(check).first().waitFor();
    if (await phone.isVisible()) {
      await phone.click();
      await button(page, t('common:list.selectPage')).click();
    } else await check.check();
    const beginning = t('common:list.selectAll', { total: '#' }).split('#')[0]!;
    const all = page.getByRole('toolbar').getByRole('button', { name: new RegExp(`^${beginning}`) });
    await all.click();
    await all.waitFor({ state: 'detached' });
  };
  const bySite = async (page: Page, t: Words) => {
    await selectAll(page, t);
    await toolbar(page, t('fleet:bulk.control')).click();
    await page.getByRole('combobox', { name: t('batches:what') }).waitFor();
  };
  return [
    scene('bell', '/manage/home', async (page, t) => {
      await page.getByRole('button', { name: new RegExp(`^${t('common:shell.bell')}`) }).click();
      await opened(page);
      await page.getByRole('region', { name: t('messages:newest') }).waitFor();
    }),
    scene('device-list-menu', '/manage/device/list', async (page, t) => {
      const name = new RegExp(t('fleet:action.more', { name: '' }).trim());
      await page.getByRole('button', { name }).first().click();
      await page.getByRole('menu').last().waitFor();
    }),
    scene('device-list-selected', '/manage/device/list?search=SIM', selectAll),
    scene('device-list-disable-all', '/manage/device/list?search=SIM', async (page, t) => {
      await selectAll(page, t);
      await toolbar(page, t('fleet:disable.ok')).click();
      await opened(page);
    }),
    scene('batch-by-site', '/manage/device/list?search=SIM', bySite),
    scene('batch-by-site-planned', '/manage/device/list?search=SIM', async (page, t) => {
      await bySite(page, t);
      await page.getByRole('combobox', { name: t('batches:what') }).fill(t('operations:kinds.softReset.do'));
      await page.keyboard.press('Enter');
      await page.getByText(t('batches:effects.changes')).first().waitFor();
    }),
    scene('session-close', section(ids.charging, 'sessions'), press('telemetry:close.action')),
    scene('device-disable', section(ids.charging, 'runtime'), choose('disable')),
    scene('device-delete', section(ids.charging, 'runtime'), choose('delete')),
    scene('device-move', section(ids.charging, 'runtime'), choose('move')),
    scene('device-register-incomplete', '/manage/device/add', (page, t) => button(page, t('fleet:register')).click()),
    scene('device-soft-reset', operations, press('operations:kinds.softReset.do')),
    scene('device-remote-start', operations, ofConnector('remoteStart')),
    scene('device-remote-stop', operations, ofConnector('remoteStop')),
    scene('device-trigger-message', operations, press('operations:kinds.triggerMessage.do')),
    scene('device-message', detail(ids.newer, 'tab=operations'), async (page, t) => {
      await press('operations:kinds.sendMessage.do')(page, t);
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('combobox').first().fill('ReserveNow');
      await page.locator('.ant-select-item-option').first().click();
    }),
    scene('device-upgrade', `/manage/device/batches/new?ids=${ids.charging.id}&what=upgradeSoftware`),
    scene('device-fetch-log', `/manage/device/batches/new?ids=${ids.charging.id}&what=uploadLog`),
    scene('device-log-preview', section(ids.charging, 'logs'), async (page, t) => {
      const name = new RegExp(t('transfers:logs.previewOf', { name: '' }).trim());
      await page.getByRole('button', { name }).first().click();
      await opened(page);
    }),
    scene('device-parameter-edited', parameters, async (page, t) => {
      const key = 'HeartbeatInterval';
      await button(page, t('operations:parameter.change', { key })).click();
      await page.getByLabel(t('operations:parameter.newValue', { key })).fill('-5');
    }),
    scene('device-parameter-history', `${parameters}&history=HeartbeatInterval`, opened),
    scene('device-parameter-histories', `${parameters}&history=`, opened),
    scene('device-compare', `${parameters}&compare=device:${ids.faulted.id}`, opened),
    scene('device-baselines', `${parameters}&baselines=`, opened),
    scene('device-maintenance-record', section(ids.charging, 'maintenance'), press('devices:maintenance.record')),
    scene('device-protocol-frame', section(ids.charging, 'protocol'), (page) =>
      page.getByRole('option').nth(3).click(),
    ),
    scene('device-import-checked', '/manage/device/import', async (page) => {
      const rows = Array.from({ length: 30 }, (_, index) => ({
        sn: index === 7 ? 'SIM00001' : `NEW${index}`,
        name: index === 3 ? '' : `New pile ${index}`,
        site: index === 11 ? 'Nowhere' : 'HK-KLB',
        model: index === 19 ? 'Generic OCPP 1.6 pille' : 'Generic OCPP 1.6 pile',
      }));
      const buffer = Buffer.from(JSON.stringify(rows));
      await page
        .locator('input[type=file]')
        .setInputFiles({ name: 'piles.json', mimeType: 'application/json', buffer });
      await page.locator('.import-problems').first().waitFor();
    }),
    scene('alarm', `/manage/device/alarms?alarm=${ids.alarm.id}`, opened),
    scene('alarm-acknowledge', `/manage/device/alarms?alarm=${ids.newAlarm.id}`, async (page, t) => {
      await page
        .getByRole('dialog')
        .getByRole('button', { name: t('alarms:acknowledge.ok'), exact: true })
        .click();
      await page.getByRole('dialog').nth(1).waitFor();
    }),
    scene('item-edited', '/manage/config-model/list?search=SoC', async (page) => {
      await page.locator('.item-open').first().click();
      await page.getByRole('dialog').locator('.range-preview').waitFor();
    }),
    scene('item-range-wrong', '/manage/config-model/list', async (page, t) => {
      await button(page, t('models:item.add')).click();
      await page.getByRole('dialog').getByLabel(t('models:range.label'), { exact: true }).fill('5~1');
    }),
    scene('item-choices-wrong', '/manage/config-model/list', async (page, t) => {
      await button(page, t('models:item.add')).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText(t('models:itemType.4'), { exact: true }).click();
      const line = (number: number) => dialog.getByLabel(t('models:range.line', { line: number }), { exact: true });
      await line(1).fill('Slow|1|number');
      await line(1).press('Enter');
      await line(2).fill('Fast|1.0|number');
      await line(2).press('Enter');
      await line(3).fill('Boost');
    }),
    scene('group-added', '/manage/config-model/group', press('models:groups.add')),
    scene('model-rule-added', model('rules'), press('rules:part.add')),
    scene('model-rule-edited', model('rules'), async (page) => {
      await page.locator('.rule-list > li').first().getByRole('button').first().click();
      await opened(page);
    }),
    scene('model-code-added', model('codes'), press('rules:codes.add')),
    scene('model-config-edited', model('configs'), async (page) => {
      await page.locator('tr[data-row-key] .item-open').first().click();
      await opened(page);
    }),
    scene('model-parameters-chosen', model('parameters'), async (page) => {
      for (const row of [1, 2]) await page.locator('tr[data-row-key] input[type=checkbox]').nth(row).check();
    }),
    scene('model-parameter-edited', model('parameters'), async (page) => {
      await page.locator('tr[data-row-key] .item-open').first().click();
      await opened(page);
    }),
    scene('model-control-edited', model('controls'), async (page) => {
      await page.locator('.control-list > li').first().getByRole('button').first().click();
      await opened(page);
    }),
    scene('model-added', '/manage/device-model', press('models:model.add')),
    scene('model-import', '/manage/device-model', press('models:import.open')),
    scene('firmware-added', '/manage/device-model-firmware', press('transfers:firmware.add')),
    scene('firmware-added-signed', '/manage/device-model-firmware', async (page, t) => {
      await button(page, t('transfers:firmware.add')).click();
      await page
        .getByRole('dialog')
        .getByRole('checkbox', { name: t('transfers:firmware.signed') })
        .check();
    }),
    scene('firmware-edited-signed', '/manage/device-model-firmware', async (page, t) => {
      await button(page, t('transfers:firmware.editOf', { version: '4.3.1' })).click();
      await opened(page);
    }),
    scene('firmware-deleted', '/manage/device-model-firmware', async (page, t) => {
      await button(page, t('transfers:firmware.deleteOf', { version: '4.3.1' })).click();
      await opened(page);
    }),
    scene('my-second-factor', '/manage/my', press('account:factor.turnOn')),
    scene('my-second-factor-code', '/manage/my', async (page, t) => {
      await press('account:factor.turnOn')(page, t);
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel(t('account:password.current'), { exact: true }).fill(WORLD_PASSWORD);
      await dialog.getByRole('button', { name: t('account:factor.next'), exact: true }).click();
      await dialog.locator('.factor-secret').waitFor();
    }),
    ...['turnOff', 'renew'].map((key) =>
      scene(`my-second-factor-${key}`, '/manage/my', async (page, t) => {
        await answered(page, 'readSecondFactor', { enabled: true, required: false, recoveryCodes: 2 });
        await press(`account:factor.${key}`)(page, t);
      }),
    ),
    scene('second-factor-due', '/manage/welcome', async (page) => {
      await page.route(`**${ENDPOINTS.info.path}`, async (route) => {
        const answer = await (await route.fetch()).json();
        answer.data.user.secondFactorDue = true;
        await route.fulfill({ json: answer });
      });
      await page.reload();
      await page.waitForURL('**/second-factor*');
    }),
    {
      name: 'login-code',
      path: '/login',
      signedIn: false,
      act: async (page, t) => {
        const answer = { code: CODES.secondFactorNeeded.code, message: '', field: 'code' };
        await page.route(`**${ENDPOINTS.login.path}`, (route) => route.fulfill({ json: answer }));
        await page.getByLabel(t('access:login.userName'), { exact: true }).fill('administrator');
        await page.getByLabel(t('access:login.password'), { exact: true }).fill(WORLD_PASSWORD);
        await button(page, t('access:login.submit')).click();
        await page.getByLabel(t('access:login.code'), { exact: true }).waitFor();
      },
    },
    scene('storage-banner', '/manage/welcome', async (page) => {
      await page.route('**/readyz', async (route) => {
        const chinese = route.request().headers()['accept-language']?.startsWith('zh');
        const message = messageOf('databaseClock', chinese ? 'zh-CN' : 'en-US', { seconds: 300 });
        const warnings = [{ code: CODES.databaseClock.code, cause: 'databaseClock', message }];
        await route.fulfill({ json: { code: 0, message: '', data: { status: 'ready', warnings } } });
      });
      await page.reload();
      await page.locator('.storage-banner').waitFor();
      await page.unrouteAll({ behavior: 'ignoreErrors' });
    }),
    scene('search-start', '/manage/device/list', async (page) => {
      await page.keyboard.press('Control+k');
      await page.locator('dialog').getByRole('combobox').waitFor();
    }),
    scene('search', '/manage/device/list', async (page) => {
      await page.keyboard.press('Control+k');
      await page.locator('dialog').getByRole('combobox').fill('s');
      await page.getByRole('option').nth(3).waitFor();
    }),
    scene('search-command', '/manage/device/list', async (page, t) => {
      await page.keyboard.press('Control+k');
      const field = page.locator('dialog').getByRole('combobox');
      await field.fill(`${t('search:command.restart')} SIM00001`);
      await page.getByRole('option').first().waitFor();
    }),
    scene('menu-account', '/manage/welcome', async (page) => {
      await page.locator('.header-user').click();
      await page.getByRole('menu').last().waitFor();
    }),
  ];
}

/** The last scene, in which nobody has accepted the privacy policy. */
function acceptance({ database }: DemoWorld): Scene {
  return {
    ...scene('privacy-to-accept', '/manage/device/charts', (page) => page.getByRole('dialog').waitFor()),
    before: () => database.pool.query('delete from privacy_acceptances'),
  };
}

/** The history of parameters. */
function changes({ database }: DemoWorld): Scene {
  return {
    ...scene('system-parameters-changes', '/manage/system/parameter?tab=history'),
    before: () =>
      database.pool.query(
        `insert into system_parameter_changes (key, user_name, before, after)
         values ('actionLogDays', 'administrator', null, '900'), ('sessionMinutes', 'administrator', null, '45'),
                ('sessionMinutes', 'administrator', '45', '60')`,
      ),
  };
}
