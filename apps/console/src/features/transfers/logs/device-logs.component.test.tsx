import type { DeviceLogRow, TransferRow } from '@chargehand/contract';
import { transferReasons } from '@chargehand/contract/transfer-reasons';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { deviceDetail } from '../../../testing/devices.ts';
import { misses, pick, sees, tooWide } from '../../../testing/on-screen.ts';
import { sample, sampleList, sampleRow } from '../../../testing/sample.ts';
import { showConsole } from '../../../testing/show-console.tsx';
import type { Answers } from '../../../testing/stub-server.ts';

const LOG: Partial<DeviceLogRow> = { id: 3, fileName: 'pile.log', size: 400_000, type: 'diagnostics' };

const open = (answers: Answers = {}, options: Parameters<typeof showConsole>[1] = {}) =>
  showConsole('/manage/device/detail/7?tab=details&section=logs', {
    ...options,
    answers: { readDevice: deviceDetail(), listDeviceLogs: sampleList('listDeviceLogs', [LOG]), ...answers },
  });

test('a requested log shows its progress immediately in the list', async () => {
  const transfer = (values: Partial<TransferRow>): TransferRow =>
    sampleRow('listTransfers', { kind: 'log', logType: 'diagnostics', ...values });
  let transfers: TransferRow[] = [];
  const { t, button, stream, path } = await open({
    listTransfers: () => ({ items: transfers, total: transfers.length }),
    listCommonControls: sample('listCommonControls'),
  });
  const underWay = page.getByRole('list', { name: t('transfers:logs.underWay') });
  await sees('pile.log');
  await misses(underWay);
  transfers = [transfer({ state: 'requested' })];
  stream('resync');
  await sees(underWay.getByText(t('transfers:states.requested')).first());
  transfers = [transfer({ state: 'uploading', bytes: 2_048, size: null })];
  stream('resync');
  await sees(underWay.getByRole('progressbar'));
  transfers = [transfer({ state: 'failed', reason: 'uploadFailed', endedAt: '2026-01-01T00:00:00Z' })];
  stream('resync');
  await sees(underWay.getByText(transferReasons.uploadFailed.en));
  transfers = [transfer({ state: 'stored', endedAt: '2026-01-01T00:00:00Z' })];
  stream('resync');
  await misses(underWay);
  await button('transfers:log.do').click();
  await expect.poll(path).toBe('/manage/device/batches/new?ids=7&what=uploadLog');
});

const PARTS: Record<string, { text: string; complete: boolean; next: number | null }> = {
  0: { text: 'boot\nError: relay stuck\nok\n', complete: false, next: 262_000 },
  262000: { text: 'error again\nlast line\n', complete: true, next: null },
};

test.each([['wide'], ['narrow']] as const)(
  'a preview is searched, wrapped, loaded on and downloaded (%s)',
  async (width) => {
    const { t, dialog, server } = await open(
      { previewDeviceLog: ({ query }) => PARTS[String(query.from ?? 0)]! },
      width === 'narrow' ? { size: [390, 844] } : {},
    );
    await page.getByRole('button', { name: t('transfers:logs.previewOf', { name: 'pile.log' }) }).click();
    const text = dialog.getByRole('region', { name: 'pile.log' });
    await sees(text.getByText('relay stuck', { exact: false }), dialog.getByText(/of .* loaded/));
    await misses(text.getByText('last line', { exact: false }));
    await dialog.getByRole('button', { name: t('files:text.more') }).click();
    await sees(text.getByText('last line', { exact: false }));
    await misses(dialog.getByRole('button', { name: t('files:text.more') }));
    expect(server.sent('previewDeviceLog').map(({ query }) => query.from)).toEqual(['0', '262000']);
    await dialog.getByLabelText(t('files:text.search')).fill('ERROR');
    await sees(dialog.getByText(t('files:text.found', { count: 2 })));
    await misses(text.getByText('last line', { exact: false }));
    expect([...document.querySelectorAll('mark')].map(({ textContent }) => textContent)).toEqual(['Error', 'error']);
    await dialog.getByLabelText(t('files:text.search')).fill('');
    const wraps = dialog.getByRole('checkbox', { name: t('files:text.wrap') });
    await expect.element(text).toHaveAttribute('data-wraps', 'true');
    await wraps.click();
    await expect.element(text).toHaveAttribute('data-wraps', 'false');
    await expect.element(dialog.getByRole('button', { name: t('transfers:download'), exact: true })).toBeEnabled();
    await expect.poll(tooWide).toEqual([]);
  },
);

test('a log is added to an issue from its preview', async () => {
  const { t, dialog, server } = await open({
    listDeviceLogs: sampleList('listDeviceLogs', [{ ...LOG, attachmentId: 70 }]),
    previewDeviceLog: PARTS[262000]!,
    listIssues: sampleList('listIssues', [{ id: 8, key: 'HVC-3', title: 'Plug melts', deviceId: 7 }]),
    commentIssue: { id: 1 },
  });
  await page.getByRole('button', { name: t('transfers:logs.previewOf', { name: 'pile.log' }) }).click();
  await dialog.getByRole('button', { name: t('common:issue.add'), exact: true }).click();
  await pick(t('issue-files:issue'), 'HVC-3 Plug melts');
  await page.getByRole('button', { name: t('issue-files:add'), exact: true }).click();
  await sees(t('issue-files:added', { issue: 'HVC-3' }));
  expect(server.sent('commentIssue')[0]?.body).toMatchObject({
    body: { content: [{ type: 'attachment', attrs: { file: '70', name: 'pile.log' } }] },
  });
});
