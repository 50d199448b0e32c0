import { type ExecutionRow, executionReasons, messageOf, type ParameterRow } from '@chargehand/contract';
import { transferReasons } from '@chargehand/contract/transfer-reasons';
import { formatSize } from '@chargehand/domain';
import { onlineManager } from '@tanstack/react-query';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../testing/accessibility.ts';
import { deviceDetail } from '../../testing/devices.ts';
import { misses, pick, sees, tooWide } from '../../testing/on-screen.ts';
import { sample, sampleList, sampleRow } from '../../testing/sample.ts';
import { showConsole } from '../../testing/show-console.tsx';
import { type Answers, HttpFailure } from '../../testing/stub-server.ts';

const ID = '00000000-0000-4000-8000-000000000001';
const RESULTS = { waiting: 1, success: 2, failure: 3, timeout: 4, offline: 5 } as const;
const soon = () => new Date(Date.now() + 60_000).toISOString();
const execution = (values: Partial<ExecutionRow> = {}): ExecutionRow =>
  sampleRow('listExecutions', {
    ...{ id: ID, kind: 'softReset', state: 'sent', result: RESULTS.waiting, deadlineAt: soon(), requestedBy: 'Ada' },
    outcome: values.result ?? RESULTS.waiting,
    ...values,
  });
const control = (type: number, kinds: ExecutionRow['kind'][], may = true) =>
  ({ type, kinds, name: null, param1: null, param2: null, precondition: null, unmet: false, may }) as const;
const controls = (may = true) =>
  ({
    items: [control(1, ['softReset'], may), control(2, ['hardReset'], may), control(4, ['disableConnector'], may)],
  }) as Exclude<Answers['listControls'], ((...given: never[]) => unknown) | undefined | Response>;
const runtime = sample('readRuntime', {
  connectors: [
    {
      ...{
        connector: 1,
        status: 'Available',
        errorCode: 'NoError',
        vendorErrorCode: null,
        errorName: null,
        info: null,
      },
      ...{ since: soon(), updatedAt: soon(), transaction: null, readings: [] },
    },
  ],
});

const openParameters = (answers: Answers, more = '', options: Parameters<typeof showConsole>[1] = {}) =>
  open(answers, more, options, 'parameters');

async function open(
  answers: Answers = {},
  more = '',
  options: Parameters<typeof showConsole>[1] = {},
  tab = 'operations',
) {
  const stage = await showConsole(`/manage/device/detail/7?tab=${tab}${more}`, {
    ...options,
    answers: { readDevice: deviceDetail(), listControls: controls(), readRuntime: runtime, ...answers },
  });
  const { t, dialog } = stage;
  const panel = page.getByRole('tabpanel');
  return {
    ...stage,
    panel,
    /** Presses the button of a command and confirms it. */
    async give(kind: string, connector?: number) {
      const name = t(`operations:kinds.${kind}.do`);
      const place = t('common:connectorName.alone.number', { number: connector ?? 0 });
      const label = connector === undefined ? name : `${name}, ${place}`;
      await panel.getByRole('button', { name: label, exact: true }).click();
      await dialog.getByRole('button', { name, exact: true }).click();
    },
    result: (name: string) => dialog.getByText(t(`common:executionResult.${name}`), { exact: true }),
  };
}

describe('a command', () => {
  test.each([
    ['is refused', 'hardReset', 'failure', 'rejected'],
    ['is not answered', 'softReset', 'timeout', 'noAnswer'],
  ] as const)('that %s shows its result and the reason', async (_, kind, result, reason) => {
    let now = execution({ kind });
    const {
      give,
      result: shows,
      dialog,
      stream,
      server,
    } = await open({
      sendCommand: () => now,
      listExecutions: () => ({ items: [now], total: 1 }),
    });
    await give(kind);
    await sees(shows('waiting'));
    expect(server.sent('sendCommand')[0]?.body).toMatchObject({ kind });
    now = execution({ kind, state: 'ended', result: RESULTS[result], reason, endedAt: soon() });
    stream('resync');
    await sees(shows(result), dialog.getByText(executionReasons[reason].en));
  });

  test('without a network is tried at once, and does not wait for the network', async () => {
    const { give, panel, server, t } = await open({ sendCommand: () => execution({ kind: 'hardReset' }) });
    await sees(panel.getByRole('button', { name: t('operations:kinds.hardReset.do'), exact: true }));
    onTestFinished(() => onlineManager.setOnline(true));
    onlineManager.setOnline(false);
    await give('hardReset');
    await expect.poll(() => server.sent('sendCommand').length).toBe(1);
    onlineManager.setOnline(true);
    expect(server.sent('sendCommand')).toHaveLength(1);
  });

  test('to restart is accepted, then offline, and a success only after the restart', async () => {
    let now = execution({ kind: 'hardReset', state: 'accepted' });
    let connected = true;
    const { t, give, result, stream, panel } = await open({
      readDevice: () => deviceDetail({ connected, status: connected ? 'idle' : 'offline' }),
      sendCommand: () => now,
      listExecutions: () => ({ items: [now], total: 1 }),
    });
    await give('hardReset');
    await sees(result('accepted'));
    await misses(result('success'));
    const row = panel.getByRole('table', { name: t('operations:history') });
    await sees(row.getByText(t('operations:progress.short.restarted')));
    connected = false;
    stream('resync');
    await sees(row.getByText(t('operations:progress.short.restarting')));
    now = execution({ kind: 'hardReset', state: 'ended', result: 2, reason: 'restarted', endedAt: soon() });
    connected = true;
    stream('resync');
    await sees(result('success'), row.getByText(executionReasons.restarted.en));
  });

  test('with a file transfer shows its progress and its result in one row', async () => {
    const transfer = { kind: 'software', state: 'downloading', reason: null, detail: null, size: 1_000, bytes: 250 };
    const upgrade = (values: Partial<ExecutionRow>, moved: object) =>
      execution({
        ...{ kind: 'upgradeSoftware', state: 'ended', result: RESULTS.success, reason: 'accepted', endedAt: soon() },
        ...values,
        transfer: { ...transfer, endedAt: null, ...moved } as ExecutionRow['transfer'],
      });
    let now = upgrade({ outcome: RESULTS.waiting }, {});
    const { t, panel, stream } = await open({ listExecutions: () => ({ items: [now], total: 1 }) });
    const row = panel.getByRole('table', { name: t('operations:history') });
    const shows = (name: string) => row.getByText(t(`common:executionResult.${name}`), { exact: true });
    await sees(shows('accepted'), row.getByText(t('transfers:states.downloading')), row.getByRole('progressbar'));
    await misses(shows('success'));
    now = upgrade({ outcome: RESULTS.failure }, { state: 'failed', reason: 'wrongVersion', endedAt: soon() });
    stream('resync');
    await sees(shows('failure'), row.getByText(transferReasons.wrongVersion.en));
    now = upgrade({ outcome: RESULTS.success }, { state: 'verified', endedAt: soon() });
    stream('resync');
    await sees(shows('success'), row.getByText(t('transfers:states.verified')));
  });

  test('to a connector is sent with its number', async () => {
    const { give, server } = await open({ sendCommand: execution({ kind: 'disableConnector', connector: 1 }) });
    await give('disableConnector', 1);
    await expect
      .poll(() => server.sent('sendCommand').map(({ body }) => body))
      .toMatchObject([{ kind: 'disableConnector', connector: 1 }]);
  });

  test('whose answer was lost is sent again with the same key, until its content changes', async () => {
    let lost = true;
    const { t, give, dialog, result, server } = await open({
      sendCommand: () => {
        if (lost) throw new HttpFailure(502);
        return execution({ kind: 'softReset' });
      },
    });
    const name = t('operations:kinds.softReset.do');
    const send = dialog.getByRole('button', { name, exact: true });
    const keys = () => server.sent('sendCommand').map(({ body }) => (body as { requestKey: string }).requestKey);
    await give('softReset');
    await expect.poll(keys).toHaveLength(1);
    await sees(dialog.getByRole('alert'));
    await send.click();
    await expect.poll(keys).toHaveLength(2);
    await sees(dialog.getByRole('alert'));
    await dialog.getByText(t('operations:policy.queue'), { exact: true }).click();
    lost = false;
    await send.click();
    await sees(result('waiting'));
    const [first, again, changed] = keys();
    expect(again).toBe(first);
    expect(changed).not.toBe(first);
  });

  test('to an offline device can be queued and cancelled', async () => {
    let now = execution({ state: 'queued', whenOffline: 'queue' });
    const { t, panel, dialog, result, server, text } = await open({
      readDevice: deviceDetail({ connected: false, status: 'offline' }),
      sendCommand: () => now,
      listExecutions: () => ({ items: [now], total: 1 }),
      cancelExecution: () => {
        now = execution({ state: 'ended', result: RESULTS.failure, reason: 'cancelled', endedAt: soon() });
        return now;
      },
    });
    await sees(page.getByText(t('operations:offlineNote')).first());
    const name = t('operations:kinds.softReset.do');
    await panel.getByRole('button', { name, exact: true }).click();
    await sees(text('operations:policy.offlineNow'));
    await dialog.getByText(t('operations:policy.queue'), { exact: true }).click();
    await dialog.getByRole('button', { name, exact: true }).click();
    await sees(result('waiting'));
    expect(server.sent('sendCommand')[0]?.body).toMatchObject({ kind: 'softReset', whenOffline: 'queue' });
    await dialog.getByRole('button', { name: t('operations:cancel.do'), exact: true }).click();
    await sees(dialog.getByText(executionReasons.cancelled.en));
  });

  test('is hidden without permission', async () => {
    const { t } = await open({
      readDevice: deviceDetail({
        may: { edit: false, control: false, readParameters: false, setParameters: false, download: false },
      }),
      listControls: controls(false),
    });
    await sees(t('operations:history'));
    await misses(page.getByRole('button', { name: t('operations:kinds.softReset.do') }));
  });
});

const item = (key: string, values: object) => ({
  ...{ dataItemId: 1, key, name: { en: key, zh: key }, type: 1, groupId: 1, groupName: { en: 'Settings', zh: '设置' } },
  ...{ range: '10~600', unit: 's', priority: 1, readLevel: 5, writeLevel: 5, batch: true, origin: 8, ...values },
});
const HEARTBEAT = item('HeartbeatInterval', { name: { en: 'Heartbeat interval', zh: '心跳间隔' } });
const CHOICE = item('LocalPreAuthorize', { type: 4, range: 'No / 否|false|string\nYes / 是|true|string', unit: '' });
const parameter = (key: string, value: string | null, values: object = {}): ParameterRow =>
  ({
    ...{ key, value, readonly: false, readAt: '2026-01-01T00:00:00Z', secret: false, item: null, documentId: null },
    ...{ may: { set: true }, ...values },
  }) as ParameterRow;
const parameters = (heartbeat = '300') => ({
  items: [
    parameter('HeartbeatInterval', heartbeat, { item: HEARTBEAT }),
    parameter('LocalPreAuthorize', 'false', { item: CHOICE }),
    parameter('AuthorizationKey', null, { secret: true }),
    parameter('ConnectionTimeOut', '60'),
  ],
});

describe('a parameter', () => {
  test('that was never read has one action, which reads all parameters and then shows their age', async () => {
    const unread = { items: [parameter('HeartbeatInterval', null, { readAt: null, item: HEARTBEAT })] };
    let items: { items: ParameterRow[] } = unread;
    const read = execution({ kind: 'refreshParameters', state: 'sent' });
    let executions: ExecutionRow[] = [];
    const { t, panel, server, stream } = await openParameters({
      listParameters: () => items,
      sendCommand: () => {
        executions = [read];
        return read;
      },
      listExecutions: () => ({ items: executions, total: executions.length }),
    });
    await sees(panel.getByText(t('operations:parameter.none')));
    await misses(panel.getByRole('table', { name: t('operations:parameters') }));
    const name = t('operations:kinds.refreshParameters.do');
    await panel.getByRole('button', { name, exact: true }).click();
    await sees(panel.getByText(t('operations:parameter.reading')));
    expect(server.sent('sendCommand').map(({ body }) => body)).toMatchObject([{ kind: 'refreshParameters' }]);
    items = parameters();
    stream('resync');
    await sees(
      panel
        .getByRole('table', { name: t('operations:parameters') })
        .getByText('300')
        .first(),
    );
    await sees(panel.getByText(t('operations:parameter.readAt'), { exact: false }).first());
  });

  const key = 'HeartbeatInterval';
  const fields = ({ t }: Awaited<ReturnType<typeof open>>) => {
    const row = (of: string): Locator =>
      page
        .getByRole('table', { name: t('operations:parameters') })
        .getByRole('row')
        .filter({ hasText: of });
    const opener = (of: string) => row(of).getByRole('button', { name: t('operations:parameter.change', { key: of }) });
    const field = (of: string) => page.getByLabelText(t('operations:parameter.newValue', { key: of }));
    return { row, opener, field };
  };

  test('is set within its range only, and not to its present value', async () => {
    let value = '300';
    const stage = await openParameters({
      listParameters: () => parameters(value),
      sendCommand: ({ input }) => {
        value = input.body.value ?? '';
        return execution({ kind: 'setParameter', params: { key, value }, state: 'ended', result: RESULTS.success });
      },
      listExecutions: () => ({
        items: [
          execution({
            ...{
              kind: 'setParameter',
              params: { key, value },
              state: 'ended',
              result: RESULTS.success,
              endedAt: soon(),
            },
            verification: { state: 'same', value: null },
          }),
        ],
        total: 1,
      }),
    });
    const { t, server } = stage;
    const { row, opener, field } = fields(stage);
    await sees(row(key).getByText('Heartbeat interval', { exact: true }));
    await sees(page.getByRole('cell', { name: t('parameters:undescribed') }));
    await sees(row('AuthorizationKey').getByText(t('parameters:secret')));
    await opener(key).click();
    await field(key).fill('5');
    await userEvent.keyboard('{Enter}');
    await sees(row(key).getByText(messageOf('valueTooSmall', 'en-US', { limit: 10 })));
    await expectAccessible();
    await field(key).fill('0300');
    await userEvent.keyboard('{Enter}');
    await sees(row(key).getByText(t('operations:parameter.same')));
    expect(server.sent('sendCommand')).toEqual([]);
    await field(key).fill('120');
    await userEvent.keyboard('{Enter}');
    await sees(row(key).getByText('120', { exact: true }));
    expect(server.sent('sendCommand').map(({ body }) => body)).toMatchObject([
      { kind: 'setParameter', key, value: '120' },
    ]);
    const executions = page.getByRole('table', { name: t('operations:history') });
    await sees(
      executions
        .getByRole('row')
        .filter({ hasText: `${key} = 120` })
        .getByText(t('parameters:verification.same.tag')),
    );
  });

  test('returns the focus after editing, and keeps no draft for another device', async () => {
    const stage = await openParameters({
      readDevice: ({ params }) => deviceDetail({ id: Number(params.id), name: `Pile ${params.id}` }),
      listParameters: parameters(),
    });
    const { go } = stage;
    const { opener, field } = fields(stage);
    await opener(key).click();
    await expect.element(field(key)).toHaveFocus();
    await userEvent.keyboard('{Escape}');
    await expect.element(opener(key)).toHaveFocus();
    await opener('LocalPreAuthorize').click();
    await expect.poll(() => document.querySelector('.parameter-edit input:focus')).not.toBeNull();
    await userEvent.keyboard('{Escape}');
    await expect.element(opener('LocalPreAuthorize')).toHaveFocus();
    await opener(key).click();
    await field(key).fill('77');
    await go('/manage/device/detail/8?tab=parameters');
    await sees(page.getByRole('heading', { name: 'Pile 8', exact: true }), opener(key));
    expect(field(key).elements()).toEqual([]);
  });

  test('has a history and can be reverted', async () => {
    const row = (id: number, value: string, values: object) =>
      sampleRow('listParameterHistory', { id, key, value, source: 'read', item: HEARTBEAT as never, ...values });
    const { t, dialog, server } = await openParameters(
      {
        listParameters: parameters('120'),
        listParameterHistory: {
          items: [row(2, '120', { source: 'set', changedBy: 'north_admin', executionId: ID }), row(1, '300', {})],
          next: null,
        },
        readExecution: { ...execution({ state: 'ended', result: RESULTS.success }), answer: null },
        sendCommand: execution({ kind: 'setParameter' }),
      },
      `&history=${key}`,
    );
    const history = page.getByRole('table', { name: t('parameters:history.title') });
    const of = (value: string) => history.getByRole('row').filter({ hasText: value });
    await sees(of('120').getByText(t('parameters:history.by', { name: 'north_admin' }), { exact: false }));
    await sees(of('300').getByText(t('parameters:history.read')));
    await expectAccessible();
    expect(
      of('120')
        .getByRole('button', { name: t('parameters:history.revert') })
        .elements(),
    ).toEqual([]);
    await of('300')
      .getByRole('button', { name: t('parameters:history.revert') })
      .click();
    await dialog
      .getByRole('button', { name: t('operations:parameter.set'), exact: true })
      .last()
      .click();
    await expect
      .poll(() => server.sent('sendCommand').map(({ body }) => body))
      .toMatchObject([{ kind: 'setParameter', key, value: '300' }]);
  });

  test('is compared with another device, differences first, and set to the value there', async () => {
    const difference = (of: string, here: string, there: string) => ({
      ...{
        key: of,
        item: null,
        here,
        there,
        difference: here === there ? 'same' : 'differs',
        settable: here !== there,
      },
    });
    const { t, server } = await openParameters(
      {
        listParameters: parameters(),
        listDevices: sampleList('listDevices', [{ id: 8, name: 'Pile 8', sn: 'PILE-8' }]),
        compareParameters: {
          items: [difference(key, '300', '120'), difference('ConnectionTimeOut', '60', '60')] as never,
        },
        setParameters: { results: [{ key, executionId: null, code: 1, message: 'It is offline.' }] },
      },
      '&compare=device:8',
    );
    const table = page.getByRole('table', { name: t('parameters:compare.table') });
    const of = (text: string) => table.getByRole('row').filter({ hasText: text });
    await sees(of(key).getByText('300', { exact: true }), of(key).getByText('120', { exact: true }));
    await expectAccessible();
    expect(of('ConnectionTimeOut').elements()).toEqual([]);
    await page.getByText(t('parameters:compare.onlyDifferent')).click();
    await sees(of('ConnectionTimeOut'));
    expect(server.sent('compareParameters')[0]?.query).toEqual({ deviceId: '8' });
    await page.getByLabelText(t('parameters:compare.chooseOne', { key })).click();
    await page.getByRole('button', { name: t('parameters:compare.set', { count: 1 }) }).click();
    await sees(of(key).getByText('It is offline.'));
    expect(server.sent('setParameters')[0]?.body).toMatchObject({ values: [{ key, value: '120' }] });
  });

  test('is saved with the others as a baseline', async () => {
    let rows = sampleList('listParameterBaselines');
    const { t, dialog, button, path } = await openParameters(
      {
        listParameters: parameters(),
        listParameterBaselines: () => rows,
        createParameterBaseline: ({ input }) => {
          rows = sampleList('listParameterBaselines', [
            { id: 3, name: input.body.name, values: 4, may: { change: true } },
          ]);
          return { id: 3 };
        },
      },
      '&baselines=',
    );
    await dialog.getByLabelText(t('parameters:baseline.newName')).fill('Quay');
    await expectAccessible();
    await button('parameters:baseline.save').click();
    const row = dialog.getByRole('row').filter({ hasText: 'Quay' });
    await row.getByRole('button', { name: t('parameters:compare.open') }).click();
    await expect.poll(path).toContain('compare=baseline');
  });

  test.each(['', '&history=', '&history=HeartbeatInterval', '&compare=device:8', '&baselines='])(
    'fits on a phone (%s)',
    async (aside) => {
      const { t } = await openParameters(
        {
          listParameters: parameters(),
          listExecutions: { items: [execution({ state: 'ended', result: RESULTS.success })], total: 1 },
          listParameterHistory: {
            items: [sampleRow('listParameterHistory', { id: 1, key, value: '300' })],
            next: null,
          },
          listParameterBaselines: sampleList('listParameterBaselines', [{ id: 3, name: 'On the phone', values: 4 }]),
        },
        aside,
        { size: [390, 844] },
      );
      await sees(
        page
          .getByRole('table', { name: t('operations:parameters') })
          .getByText('300')
          .first(),
      );
      if (aside !== '') await sees(page.getByRole('dialog'));
      await expect.poll(tooWide).toEqual([]);
    },
  );
});

describe('one command to several devices', () => {
  const none = { ...sample('readBatch').counts, total: 0, queued: 0, inFlight: 0, accepted: 0, succeeded: 0, same: 0 };
  const counts = (values: Partial<typeof none>) => ({
    ...{ ...none, failed: 0, timedOut: 0, offline: 0, cancelled: 0, refused: 0, total: 5 },
    ...values,
  });
  const batch = (values: object = {}) =>
    sample('readBatch', {
      ...{ id: 5, kind: 'softReset', connector: 0, params: {}, requestedBy: 'Ada', parallel: 1, may: true },
      ...{ sites: [{ siteId: 4, siteName: 'North quay', counts: counts({}), stopped: null, stoppedBy: null }] },
      ...{ outside: { sites: 0, devices: 0 }, failures: [], values: null, stopped: null, endedAt: null },
      ...{ queueMinutes: null, stopAfter: null, rerunOf: null, counts: counts({ queued: 5 }) },
      ...values,
    });
  const rows = (reasons: (ExecutionRow['reason'] | 'waiting')[]) =>
    sampleList(
      'listBatchExecutions',
      reasons.map((reason, index) => ({
        ...{ id: `00000000-0000-4000-8000-00000000000${index}`, deviceId: index + 1, deviceName: `Pile ${index + 1}` },
        ...(reason === 'waiting'
          ? { state: 'queued' as const, outcome: 1, result: 1, reason: null }
          : { state: 'ended' as const, outcome: reason === 'accepted' ? 2 : 3, result: 3, reason }),
        ...{ sn: `BEN-${index + 1}`, logId: null, transfer: null },
      })),
    );

  test('shows why it stopped with the failures by reason, and repeats it for one reason or all', async () => {
    const stopped = batch({
      counts: counts({ succeeded: 1, failed: 2, cancelled: 2 }),
      failures: [
        { outcome: 3, reason: 'batchStopped', transferReason: null, devices: 2 },
        { outcome: 3, reason: 'rejected', transferReason: null, devices: 2 },
      ],
      ...{ stopped: 'failures', stopAfter: 2, endedAt: soon() },
    });
    const { t, dialog, path, server } = await showConsole('/manage/device/batch/5', {
      answers: {
        readBatch: ({ params }) =>
          params.id === '5' ? stopped : batch({ id: 6, rerunOf: 5, counts: counts({ queued: 2, total: 2 }) }),
        listBatchExecutions: rows(['accepted', 'rejected', 'rejected', 'batchStopped', 'batchStopped']),
        rerunBatch: sample('rerunBatch', { ...batch({ id: 6 }) }),
      },
    });
    await sees(t('batches:succeeded', { done: 1, total: 5 }), t('batches:stopped.failures', { count: 2, name: '' }));
    await expect.poll(path).toBe('/manage/device/batches/5');
    // With failures it is never only finished.
    await sees(t('batches:endedWithout', { count: 4 }));
    const row = (sn: string) =>
      page
        .getByRole('table', { name: t('batches:devices') })
        .getByRole('row')
        .filter({ hasText: sn });
    await sees(row('BEN-2').getByText(executionReasons.rejected.en));
    await expectAccessible();
    await page
      .getByRole('button', { name: t('batches:failures.retryOf', { reason: executionReasons.rejected.en }) })
      .click();
    await dialog.getByRole('button', { name: t('batches:rerun'), exact: true }).click();
    await expect.poll(path).toBe('/manage/device/batches/6');
    expect(server.sent('rerunBatch')[0]).toMatchObject({ params: { id: '5' }, body: { reason: 'rejected' } });
    await sees(page.getByRole('link', { name: t('batches:rerunOf', { id: 5 }) }));
    await misses(page.getByRole('button', { name: t('batches:rerun'), exact: true }));
  });

  test('waits for offline devices, and can be cancelled; accepted and sent are not done', async () => {
    let now = batch({ counts: counts({ succeeded: 1, inFlight: 3, accepted: 1, queued: 1 }) });
    let reasons: Parameters<typeof rows>[0] = ['accepted', 'waiting', 'waiting', 'waiting', 'waiting'];
    const { t, dialog, button } = await showConsole('/manage/device/batches/5', {
      answers: {
        readBatch: () => now,
        listBatchExecutions: () => rows(reasons),
        cancelBatch: () => {
          now = batch({ counts: counts({ succeeded: 4, cancelled: 1 }), stopped: 'person', stoppedBy: 'Ada' });
          reasons = ['sameValue', 'accepted', 'accepted', 'accepted', 'batchStopped'];
          return sample('cancelBatch', { ...now });
        },
      },
    });
    await sees(t('batches:progress', { done: 1, total: 5 }));
    const bar = () => document.querySelector('.batch-bar')?.getAttribute('aria-label');
    expect(bar()).toContain(`${t('batches:results.accepted')} 1, ${t('batches:results.sent')} 2`);
    await button('batches:cancelRest').click();
    await dialog.getByRole('button', { name: t('batches:cancelRest'), exact: true }).click();
    await sees(executionReasons.batchStopped.en, t('batches:progress', { done: 5, total: 5 }));
    expect(bar()).toContain(t('batches:results.cancelled'));
    await misses(page.getByRole('button', { name: t('batches:cancelRest'), exact: true }));
  });

  test('shows its sites with the values now, and devices outside the access of the user as a number', async () => {
    const site = (siteId: number, siteName: string) => ({
      ...{ siteId, siteName, counts: counts({ succeeded: 2, total: 2 }), stopped: null, stoppedBy: null },
    });
    const { t } = await showConsole('/manage/device/batches/5', {
      answers: {
        readBatch: batch({
          ...{ kind: 'setParameter', params: { key: 'Interval', value: '60' }, endedAt: soon() },
          ...{ sites: [site(4, 'North quay'), site(7, 'South park')], outside: { sites: 1, devices: 3 } },
          counts: counts({ succeeded: 4, total: 4 }),
          values: [
            { siteId: 4, value: '60', devices: 2 },
            { siteId: 7, value: null, devices: 2 },
          ],
        }),
        listBatchExecutions: rows(['accepted']),
      },
    });
    const sites = page.getByRole('table', { name: t('batches:sites.title') });
    await sees(
      sites.getByRole('row').filter({ hasText: 'North quay' }).getByText('60'),
      sites.getByRole('row').filter({ hasText: 'South park' }).getByText(t('batches:plan.unknown')),
      t('batches:sites.outside', { count: 3 }),
      t('batches:sites.count', { count: 3 }),
    );
  });

  test('is prepared with what it would do on each device, and sent to several sites as one operation in 7 steps', async () => {
    let steps = 0;
    const step = async (action: Promise<unknown>) => {
      await action;
      steps += 1;
    };
    const device = (deviceId: number, value: string | null, effect: 'changes' | 'has' | 'cannot') => ({
      ...{ deviceId, name: `Pile ${deviceId}`, sn: `P${deviceId}`, value, effect },
      reason: { changes: null, has: 'sameValue' as const, cannot: 'deviceDisabled' as const }[effect],
    });
    // 1: the device list.
    steps += 1;
    const { t, server, path } = await showConsole('/manage/device/list', {
      answers: {
        listDevices: sampleList('listDevices', [
          { id: 1, name: 'Pile 1', sn: 'P1' },
          { id: 2, name: 'Pile 2', sn: 'P2' },
          { id: 3, name: 'Pile 3', sn: 'P3' },
        ]),
        listCommonControls: sample('listCommonControls', {
          devices: 3,
          sites: [
            { id: 4, name: 'North quay', devices: 2 },
            { id: 7, name: 'South park', devices: 1 },
          ],
          parameters: [
            { key: 'MeterValueSampleInterval', name: null, type: null, range: '', unit: '', devices: 3 },
            { key: 'Volume', name: null, type: null, range: '', unit: '', devices: 2 },
          ],
        }),
        previewBatches: {
          sites: [
            { siteId: 4, siteName: 'North quay', devices: [device(1, '300', 'changes'), device(2, null, 'cannot')] },
            { siteId: 7, siteName: 'South park', devices: [device(3, '45', 'has')] },
          ],
          value: '45',
        },
        createBatch: sample('createBatch', { ...batch() }),
        readBatch: batch(),
        listBatchExecutions: rows(['waiting']),
      },
    });
    await step(page.getByRole('searchbox').first().fill('P'));
    await step(page.getByRole('checkbox', { name: t('common:list.selectPage'), exact: true }).click());
    await step(page.getByRole('button', { name: t('fleet:bulk.control'), exact: true }).click());
    await expect.poll(path).toBe('/manage/device/batches/new?ids=1,2,3');
    await sees(t('batches:sites.who', { count: 3, sites: 2 }));
    await page.getByRole('combobox', { name: t('batches:what') }).click();
    await sees(page.getByTitle(`Volume · ${t('batches:ofDevices', { count: 3, devices: 2 })}`));
    await userEvent.keyboard('{Escape}');
    await step(pick(t('batches:what'), 'MeterValueSampleInterval'));
    await step(page.getByLabelText(t('batches:value'), { exact: true }).fill('45'));
    const planned = (name: string) => page.getByRole('row').filter({ hasText: name });
    await sees(
      planned('P1').getByText('300'),
      planned('P1').getByText('45'),
      planned('P2').getByText(t('batches:plan.reasons.deviceDisabled')),
      planned('P3').getByText(t('batches:effects.has')),
    );
    await expectAccessible();
    expect(server.sent('createBatch')).toEqual([]);
    await step(page.getByRole('button', { name: t('batches:send', { count: 1 }), exact: true }).click());
    expect(steps).toBe(7);
    await expect.poll(path).toBe('/manage/device/batches/5');
    expect(server.sent('createBatch')).toHaveLength(1);
    expect(server.sent('createBatch')[0]?.body).toMatchObject({
      ...{ kind: 'setParameter', key: 'MeterValueSampleInterval', value: '45', deviceIds: [1, 2, 3], leaveOut: true },
    });
  });

  test('is sent with limits and a policy for offline devices, and only as it was shown', async () => {
    const device = { deviceId: 1, name: 'Pile 1', sn: 'P1', value: null, effect: 'changes' as const, reason: null };
    const { t, server, path } = await showConsole('/manage/device/batches/new?ids=1,2&what=softReset', {
      answers: {
        listCommonControls: sample('listCommonControls', {
          ...{ devices: 2, sites: [{ id: 4, name: 'North quay', devices: 2 }], parameters: [] },
          controls: [{ kind: 'softReset', name: null, param1: null, param2: null }],
        }),
        previewBatches: { sites: [{ siteId: 4, siteName: 'North quay', devices: [device] }], value: null },
        createBatch: sample('createBatch', { ...batch() }),
        readBatch: batch(),
        listBatchExecutions: rows(['waiting']),
      },
      size: [390, 844],
    });
    await page.getByLabelText(t('batches:parallel'), { exact: true }).fill('1');
    await page.getByLabelText(t('batches:stopAfter'), { exact: true }).fill('2');
    await page.getByText(t('operations:policy.queue'), { exact: true }).click();
    await sees('P1');
    await expect.poll(tooWide).toEqual([]);
    await page.getByRole('button', { name: t('batches:send', { count: 1 }), exact: true }).click();
    await expect.poll(path).toBe('/manage/device/batches/5');
    const wanted = { parallel: 1, stopAfter: 2, whenOffline: 'queue' };
    expect(server.sent('previewBatches').at(-1)?.body).toMatchObject(wanted);
    expect(server.sent('createBatch')[0]?.body).toMatchObject(wanted);
    await expect.poll(tooWide).toEqual([]);
  });

  test.each([
    ['whenIdle', null, { start: 'whenIdle' }],
    ['at', '2030-02-01 00:05', { start: 'at', startAt: '2030-01-31T16:05:00.000Z' }],
  ] as const)('to upgrade starts %s', async (start, at, sent) => {
    const kind = 'upgradeSoftware';
    const { t, server } = await showConsole(`/manage/device/batches/new?ids=7&what=${kind}`, {
      answers: {
        listCommonControls: sample('listCommonControls', {
          ...{ devices: 1, sites: [{ id: 4, name: 'North quay', devices: 1 }], parameters: [] },
          controls: [{ kind, name: null, param1: null, param2: null }],
        }),
        commonFirmware: sample('commonFirmware', {
          versions: [{ version: '1.0', devices: 1 }],
          items: [{ id: 3, version: '2.0', fileName: 'pile-2.0.bin', size: 10, note: '', uploadedAt: soon() }],
        }),
        previewBatches: ({ body }) => ({
          sites: [
            {
              ...{ siteId: 4, siteName: 'North quay' },
              devices: [
                {
                  ...{ deviceId: 7, name: 'Pile 7', sn: 'P7', value: '1.0' },
                  ...(['whenIdle', 'at'].includes((body as { start?: string }).start ?? '')
                    ? { effect: 'changes' as const, reason: null }
                    : { effect: 'cannot' as const, reason: 'sessionInProgress' as const }),
                },
              ],
            },
          ],
          value: '2.0',
        }),
        createBatch: sample('createBatch', { ...batch() }),
        readBatch: batch(),
        listBatchExecutions: rows(['waiting']),
      },
    });
    await pick(t('transfers:update.file'), `2.0 · pile-2.0.bin · ${formatSize(10)}`);
    const ask = page.getByRole('button', { name: /^Send to/ });
    // A vehicle is charging, and the model refuses the upgrade.
    await sees(t('batches:plan.reasons.sessionInProgress'));
    await expect.element(ask).toBeDisabled();
    await page.getByText(t(`transfers:start.${start}`), { exact: true }).click();
    if (at !== null) {
      await page.getByRole('textbox', { name: t('transfers:start.time') }).fill(at);
      await userEvent.keyboard('{Enter}');
    }
    await sees(page.getByRole('row').filter({ hasText: 'P7' }).getByText(t('batches:effects.changes')));
    await ask.click();
    await expect
      .poll(() => server.sent('createBatch').map(({ body }) => body))
      .toMatchObject([{ kind, firmwareId: 3, ...sent, startWithinMinutes: 1_440 }]);
  });

  test('fetches a log that is opened in 3 steps from the page of its device', async () => {
    const fetched = batch({
      kind: 'uploadLog',
      params: { logType: 'diagnostics' },
      counts: counts({ queued: 1, total: 1 }),
    });
    const arrived = rows(['accepted']);
    arrived.items[0] = { ...arrived.items[0]!, deviceId: 7, logId: 3, kind: 'uploadLog' };
    const { t, dialog } = await open({
      listControls: { items: [control(6, ['uploadLog'])] },
      listCommonControls: sample('listCommonControls', {
        ...{ devices: 1, sites: [{ id: 4, name: 'North quay', devices: 1 }], parameters: [] },
        controls: [{ kind: 'uploadLog', name: null, param1: null, param2: null }],
      }),
      previewBatches: {
        sites: [
          {
            ...{ siteId: 4, siteName: 'North quay' },
            devices: [{ deviceId: 7, name: 'Pile 7', sn: 'P7', value: null, effect: 'changes' as const, reason: null }],
          },
        ],
        value: null,
      },
      createBatch: sample('createBatch', { ...fetched }),
      readBatch: { ...fetched, counts: counts({ succeeded: 1, total: 1 }), endedAt: soon() },
      listBatchExecutions: arrived,
      listDeviceLogs: sampleList('listDeviceLogs', [{ id: 3, fileName: 'pile.log', size: 10 }]),
      previewDeviceLog: { text: 'boot', complete: true, next: null },
    });
    await page.getByRole('link', { name: t('operations:kinds.uploadLog.do'), exact: true }).click();
    await page.getByRole('button', { name: t('batches:send', { count: 1 }), exact: true }).click();
    await page.getByRole('button', { name: /^Open the log of/ }).click();
    await sees(dialog.getByText('boot'));
  });

  test('of an address without devices says what to do', async () => {
    const { t } = await showConsole('/manage/device/batches/new', {});
    await sees(t('batches:new.none'));
  });
});
