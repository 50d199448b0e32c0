import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../../testing/accessibility.ts';
import { linkOptions, linkRow } from '../../../testing/links.ts';
import { misses, pick, sees, tooWide } from '../../../testing/on-screen.ts';
import { sample, sampleList, sampleRow } from '../../../testing/sample.ts';
import { showConsole } from '../../../testing/show-console.tsx';
import type { Answers } from '../../../testing/stub-server.ts';

const PAST = linkRow({
  ...{ state: 'ended', end: 'expired', openedAt: '2026-01-01T00:00:00Z', endedAt: '2026-01-01T01:00:00Z' },
  ...{ recordings: 2, executionId: '00000000-0000-4000-8000-000000000001', address: '192.0.2.1' },
});
const activity = (number: number, text: string) =>
  sampleRow('listLinkActivity', { number, kind: 'request', text, result: 'done', status: 200, bytesIn: 2_048 });
/** For what is read again after some seconds. */
const LATER = { timeout: 15_000 };
const answers: Answers = {
  readLink: PAST,
  listLinks: ({ query }) => ({ items: query.ended === 'true' ? [PAST] : [], next: null }),
  listRecordings: sampleList('listRecordings'),
  exportLinkActivity: () => new Response('number', { headers: { 'content-type': 'text/csv' } }),
  listLinkActivity: ({ query }) => {
    if (query.search) return { items: [activity(7, 'GET /found')], next: null };
    return query.before === undefined
      ? { items: [activity(8, 'GET /status')], next: 8 }
      : { items: [activity(1, 'GET /login')], next: null };
  },
};

test.each([
  ['en-US', [1280, 800]],
  ['zh-CN', [375, 700]],
] as const)('a past link has its facts and its activity, with search and export (%s)', async (locale, size) => {
  const { t, server, button, dialog } = await showConsole('/manage/device/links?link=3', { answers, locale, size });
  await sees(dialog.getByText('192.0.2.1'), dialog.getByText(PAST.executionId!), dialog.getByText('GET /status'));
  await sees(dialog.getByText(t('links:recordings.none')));
  await expectAccessible();
  expect(tooWide()).toEqual([]);
  await dialog.getByRole('button', { name: t('common:older') }).click();
  await sees(dialog.getByText('GET /login'), dialog.getByText('GET /status'));
  await dialog.getByRole('textbox', { name: t('links:activity.search') }).fill('found');
  await sees(dialog.getByText('GET /found'));
  await misses(dialog.getByText('GET /login'));
  const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  server.calls.length = 0;
  await button('links:activity.csv').click();
  await expect.poll(() => server.sent('exportLinkActivity')[0]?.query).toEqual({ search: 'found', format: 'csv' });
  await expect.poll(() => saved.mock.calls.length).toBe(1);
  saved.mockRestore();
});

test('the recordings of an open link are read again', async () => {
  const state = { recordings: sampleList('listRecordings') };
  const { t, dialog } = await showConsole('/manage/device/links?link=3', {
    answers: {
      ...answers,
      readLink: linkRow({ state: 'open', openedAt: '2026-01-01T00:00:00Z' }),
      listRecordings: () => state.recordings,
      listLinkActivity: { items: [activity(1, 'GET /%E8%AE%BE%E7%BD%AE')], next: null },
    },
  });
  await sees(dialog.getByText('GET /设置'), dialog.getByText(t('links:recordings.none')));
  state.recordings = sampleList('listRecordings', [{ id: 5, userName: 'admin', endedAt: null }]);
  await expect.element(dialog.getByText(t('links:recordings.running')), LATER).toBeVisible();
});

test('the activity names transfers and the issue in the language of the user', async () => {
  const { t, dialog } = await showConsole('/manage/device/links?link=3', {
    locale: 'zh-CN',
    answers: {
      ...answers,
      readLink: { ...PAST, issueId: 7 },
      readIssue: sample('readIssue', { id: 7, key: 'HVC-12', title: 'No power' }),
      listLinkActivity: { items: [{ ...activity(1, 'upload /home/a.csv'), kind: 'transfer' }], next: null },
    },
  });
  await sees(dialog.getByText(t('links:files.upload', { name: '/home/a.csv' })));
  await sees(dialog.getByRole('link', { name: 'HVC-12 No power' }));
});

test('past links are filtered by kind, device, user and recording', async () => {
  const { t, server } = await showConsole('/manage/device/links', {
    answers: {
      ...answers,
      listLinks: ({ query }) => ({ items: query.deviceId === undefined ? [PAST] : [], next: null }),
      listDevices: sampleList('listDevices', [{ id: 8, name: 'Pile 8', sn: 'PILE-8' }]),
    },
  });
  const last = () => expect.poll(() => server.sent('listLinks').at(-1)?.query);
  await pick(t('links:filter.kind'), t('links:kinds.vpn'));
  await last().toEqual({ ended: 'true', kind: 'vpn' });
  await pick(t('links:filter.device'), 'Pile 8');
  await last().toEqual({ ended: 'true', kind: 'vpn', deviceId: '8' });
  await sees(t('links:pastNoMatch'));
  await page.getByRole('textbox', { name: t('links:filter.user') }).fill('ann');
  await last().toEqual({ ended: 'true', kind: 'vpn', deviceId: '8', user: 'ann' });
  await page.getByText(t('links:filter.recorded')).click();
  await last().toEqual({ ended: 'true', kind: 'vpn', deviceId: '8', user: 'ann', recorded: 'true' });
  await expectAccessible();
  expect(tooWide()).toEqual([]);
});

test('the page of an issue has its links, and requests one for the issue', async () => {
  const issue = sample('readIssue', {
    ...{ id: 7, key: 'HVC-12', title: 'No power', status: 'open', type: 1, deviceId: 7, deviceName: 'Pile 7' },
    ...{ labels: [], links: [], merged: [], watchers: [], reports: [] },
  });
  const { t, server, button, field, dialog } = await showConsole('/manage/issue/detail/7?tab=links', {
    answers: {
      ...answers,
      readIssue: issue,
      readLinkOptions: linkOptions(),
      listIssues: sampleList('listIssues'),
      requestLink: linkRow({ state: 'requested' }),
    },
  });
  await sees(page.getByRole('table', { name: t('links:past') }).getByText('root_user'));
  expect(server.sent('listLinks').every(({ query }) => query.issueId === '7')).toBe(true);
  await expectAccessible();
  await button('links:ofIssue.request').click();
  await sees(dialog.getByText('HVC-12 No power'));
  await field('links:request.reason').fill('Check the log');
  await button('links:request.ok').click();
  await expect.poll(() => server.sent('requestLink')[0]?.body).toMatchObject({ issueId: 7, reason: 'Check the log' });
});
