import type { IssueEvidence } from '@chargehand/contract';
import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { cleanup } from 'vitest-browser-react';
import type { Answer } from '../../../shared/api/client.ts';
import { misses, sees } from '../../../testing/on-screen.ts';
import { sample } from '../../../testing/sample.ts';
import { show } from '../../../testing/show.tsx';
import { type Answers, HttpFailure } from '../../../testing/stub-server.ts';
import EvidencePanel from './evidence/evidence-panel.tsx';
import IssuePage from './issue-page.tsx';

const issue = sample('readIssue', {
  ...{ id: 7, key: 'HVC-12', title: 'No power at pile 3', status: 'open', priority: 2, type: 1, mergedInto: null },
  ...{ body: null, links: [], merged: [], watchers: [], labels: [], hasEvidence: false, may: { edit: true } },
  ...{ assignee: null, dueAt: null, closedAt: null, deviceId: null, deviceName: 'Pile 3', alarmCode: null },
});
const EVIDENCE: IssueEvidence = {
  ...{ takenAt: '2026-01-01T00:00:00.000Z', readings: [], parameters: [], commands: [], withheld: 0 },
  device: {
    ...{ name: 'Pile 3', sn: 'P3', model: 'Pile', softVersion: '1.4.2', site: 'North', customer: 'North' },
    ...{ status: 'faulted', connected: true, protocol: 'ocpp1.6', lastSeenAt: null },
  },
  alarms: [
    {
      ...{ connector: 1, code: 'GroundFailure', level: 'CA', kind: 'fault', info: null, repeats: 0 },
      raisedAt: '2026-01-01T00:00:00.000Z',
    },
  ],
  frames: { count: 0, complete: true },
};
const open = (
  status: 'open' | 'pending' | 'closed' | 'reopen',
  edit = true,
  comment: Answers['commentIssue'] = { id: 1 },
) =>
  show(<IssuePage />, {
    path: '/manage/issue/detail/7',
    route: '/manage/issue/detail/:id',
    answers: {
      readIssue: { ...issue, status, may: { edit } },
      listIssueEntries: { items: [], next: null },
      listIssueLabels: { items: [] },
      commentIssue: comment,
    },
  });

beforeEach(() => localStorage.clear());

test.each([
  ['open', ['action.start', 'action.close'], ['action.reopen']],
  ['pending', ['action.close'], ['action.start', 'action.reopen']],
  ['closed', ['action.reopen'], ['action.start', 'action.close']],
  ['reopen', ['action.start', 'action.close'], ['action.reopen']],
] as const)('an issue that is %s offers the actions of its status', async (status, offered, hidden) => {
  const { button } = await open(status);
  await sees(page.getByRole('heading', { level: 1, name: /^HVC-12/ }));
  for (const key of offered) await expect.element(button(`issue:${key}`)).toBeVisible();
  for (const key of hidden) await expect.element(button(`issue:${key}`)).not.toBeInTheDocument();
});

test('an issue and its timeline appear in one step, and nothing moves after it', async () => {
  const entries = Promise.withResolvers<Answer<'listIssueEntries'>>();
  // Layout shifts: the types of the DOM do not know them.
  const shifts: number[] = [];
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value);
  });
  observer.observe({ type: 'layout-shift' });
  const end = { cause: 'hardware', remedy: 'replaced', causeText: 'Worn', remedyText: 'New cable' } as const;
  const { t } = await show(<IssuePage />, {
    ...{ path: '/manage/issue/detail/7', route: '/manage/issue/detail/:id', size: [390, 844] },
    answers: {
      readIssue: { ...issue, ...end, status: 'closed' },
      listIssueEntries: () => entries.promise,
      listIssueLabels: { items: [] },
      readDictionaryNames: sample('readDictionaryNames'),
    },
  });
  await expect.element(page.getByRole('status', { name: t('common:loading') })).toBeInTheDocument();
  await misses(page.getByRole('heading', { level: 1 }));
  entries.resolve({ items: [], next: null });
  await sees(
    page.getByRole('heading', { name: t('issue:solution') }),
    page.getByRole('heading', { name: t('issue:timeline.title') }),
    page.getByRole('tab', { name: t('issue:tab.work') }),
  );
  observer.disconnect();
  expect(shifts.reduce((sum, value) => sum + value, 0)).toBeLessThanOrEqual(0.05);
});

test('an empty comment is refused at the field, and a text is sent and cleared', async () => {
  const { button, t, server } = await open('open');
  await button('issue:comment.open').click();
  const field = page.getByRole('textbox', { name: t('issue:comment.new') });
  await expect.element(field).toBeVisible();
  await button('issue:comment.send').click();
  await expect.element(page.getByRole('alert')).toHaveTextContent(t('issue:comment.empty'));
  expect(server.sent('commentIssue')).toEqual([]);
  await field.fill('Fuse replaced');
  await button('issue:comment.send').click();
  await expect.poll(() => server.sent('commentIssue').length).toBe(1);
  await expect.element(button('issue:comment.open')).toBeVisible();
});

test('what is typed while a comment is sent is kept', async () => {
  const sent = Promise.withResolvers<{ id: number }>();
  const { button, t, server } = await open('open', true, () => sent.promise);
  await button('issue:comment.open').click();
  const field = page.getByRole('textbox', { name: t('issue:comment.new') });
  await field.fill('Fuse replaced');
  await button('issue:comment.send').click();
  await expect.poll(() => server.sent('commentIssue').length).toBe(1);
  await field.fill('Fuse replaced, and the fan');
  const reads = server.sent('readIssue').length;
  sent.resolve({ id: 1 });
  await expect.poll(() => server.sent('readIssue').length).toBeGreaterThan(reads);
  await expect.element(field).toHaveTextContent('Fuse replaced, and the fan');
});

test('a comment that is sent again after an error has the same key, the next comment another one', async () => {
  let down = true;
  const answer = () => {
    if (down) throw new HttpFailure(500);
    return { id: 1 };
  };
  const before = await open('open', true, answer);
  await before.button('issue:comment.open').click();
  await page.getByRole('textbox', { name: before.t('issue:comment.new') }).fill('Fuse replaced');
  await before.button('issue:comment.send').click();
  await expect.element(page.getByRole('alert')).toBeVisible();
  const lost = before.server.sent('commentIssue')[0]?.body as { requestKey: string };
  await cleanup();
  // After a reload, the draft still has its key.
  const { button, t, server } = await open('open', true, answer);
  const field = page.getByRole('textbox', { name: t('issue:comment.new') });
  const keys = () => server.sent('commentIssue').map(({ body }) => (body as { requestKey: string }).requestKey);
  await expect.element(field).toHaveTextContent('Fuse replaced');
  down = false;
  await button('issue:comment.send').click();
  await button('issue:comment.open').click();
  await field.fill('Fuse replaced');
  await button('issue:comment.send').click();
  await expect.poll(keys).toHaveLength(2);
  const [again, next] = keys();
  expect(again).toBe(lost.requestKey);
  expect(next).not.toBe(again);
  // The issue was read again.
  await sees(button('issue:comment.open'));
});

test.each([
  ['the model of the device', 3, '&deviceModelId=3'],
  ['older evidence without a model', undefined, ''],
] as const)('the codes of the evidence lead to their documents: %s', async (_, deviceModelId, model) => {
  await show(<EvidencePanel issue={issue} />, {
    answers: {
      readIssueEvidence: {
        evidence: { ...EVIDENCE, device: { ...EVIDENCE.device, ...(deviceModelId && { deviceModelId }) } },
      },
    },
  });
  await expect
    .element(page.getByRole('link', { name: 'GroundFailure', exact: true }))
    .toHaveAttribute('href', `/manage/docs/detail/type/100?code=GroundFailure${model}`);
});

test('the codes of the evidence are plain text for users who may not read documents', async () => {
  await show(<EvidencePanel issue={issue} />, {
    user: { root: false, keys: ['auth_issue_list'] },
    answers: { readIssueEvidence: { evidence: EVIDENCE } },
  });
  await sees(page.getByText('GroundFailure', { exact: true }));
  expect(page.getByRole('link').elements()).toEqual([]);
});

test.each([
  ['en-US', 'Active power', 'Pile voltage', 'Earth leakage'],
  ['zh-CN', '有功功率', '桩电压', '漏电'],
] as const)(
  'the evidence has the names and units of the page of the device (%s)',
  async (locale, power, voltage, alarm) => {
    const item = (en: string, zh: string, range: string, unit: string) =>
      ({ name: { en, zh }, type: 2, range, unit }) as const;
    const at = EVIDENCE.takenAt;
    await show(<EvidencePanel issue={issue} />, {
      locale,
      answers: {
        readIssueEvidence: {
          evidence: {
            ...EVIDENCE,
            alarms: [{ ...EVIDENCE.alarms[0]!, name: { en: 'Earth leakage', zh: '漏电' } }],
            readings: [
              {
                ...{
                  connector: 1,
                  key: 'Power.Active.Import.L1',
                  value: '7040.5',
                  unit: 'W',
                  at,
                  number: true as const,
                },
                ...{ item: item('Active power', '有功功率', '', 'W'), variant: 'L1' },
              },
              {
                ...{ connector: 1, key: 'Voltage', value: '231.40001', unit: 'V', at, number: true as const },
                item: item('Pile voltage', '桩电压', '0~1000|1', 'V'),
              },
              { connector: 1, key: 'Temperature', value: '41', unit: 'Celsius', at },
            ],
          },
        },
      },
    });
    await sees(alarm, voltage, '7.04 kW', '231.4 V', '41 °C');
    await expect.element(page.getByTitle('Power.Active.Import.L1')).toHaveTextContent(`${power}L1`);
  },
);

test('the evidence fits a phone, with names of the model and the protocol in the language of the user', async () => {
  const { t } = await show(<EvidencePanel issue={issue} />, {
    locale: 'zh-CN',
    size: [390, 844],
    answers: {
      readIssueEvidence: {
        evidence: {
          ...EVIDENCE,
          device: { ...EVIDENCE.device, model: 'Generic OCPP 1.6 pile' },
          parameters: [
            {
              ...{ key: 'StopTransactionOnEVSideDisconnect', expected: null, baseline: 'As delivered' },
              actual: 'Core,FirmwareManagement,LocalAuthListManagement,RemoteTrigger,Reservation,SmartCharging',
            },
          ],
        },
      },
    },
  });
  await sees('通用 OCPP 1.6 充电桩', 'OCPP 1.6', page.getByText(t('issue:evidence.missing'), { exact: true }));
  expect(document.documentElement.scrollWidth).toBe(390);
});
