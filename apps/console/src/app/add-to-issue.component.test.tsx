import { afterEach, describe, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { deviceDetail } from '../testing/devices.ts';
import { pick, sees } from '../testing/on-screen.ts';
import { sampleList } from '../testing/sample.ts';
import { showConsole } from '../testing/show-console.tsx';
import type { Answers } from '../testing/stub-server.ts';
import { stubUploads, UPLOAD_CREDENTIAL } from '../testing/stub-uploads.ts';

const frames = [
  { id: 2, at: '2026-01-01T00:00:01Z', type: 2, action: null, messageId: '9', body: '[3,"9",{}]', bytes: 10 },
  {
    id: 1,
    at: '2026-01-01T00:00:00Z',
    type: 3,
    action: 'Reset',
    messageId: '9',
    body: '[2,"9","Reset",{}]',
    bytes: 18,
  },
];
let registered = 0;
const answers: Answers = {
  readDevice: deviceDetail({ id: 7, name: 'Pile 7' }),
  listIssues: sampleList('listIssues', [{ id: 8, key: 'HVC-3', title: 'Plug melts', deviceId: 7 }]),
  listAttachments: sampleList('listAttachments', [
    { id: 1, name: 'manual.pdf', size: 2_048, scan: 'clean', may: { write: false, download: true } },
  ]),
  listDeviceLogs: sampleList('listDeviceLogs', [{ id: 3, attachmentId: 33, fileName: 'boot.log', size: 400 }]),
  listFrames: { items: frames.map((frame) => ({ ...frame, note: null })), next: null },
  listReadingItems: {
    items: [
      {
        ...{ connector: 1, key: 'Power.Active.Import', unit: 'W', counter: false, name: null, part: '' },
        ...{ group: null, entries: '' },
      },
    ],
  },
  readSeries: ({ query }) => {
    const from = Date.parse(query.from!) / 1_000;
    const at = Array.from({ length: 60 }, (_, index) => from + index * 60);
    return {
      series: [
        {
          ...{ deviceId: 7, connector: 1, key: 'Power.Active.Import', unit: 'W', counter: false, resolution: 'raw' },
          ...{ step: 0, rise: false, at, value: at.map((_, index) => index) },
        },
      ],
    };
  },
  writeCredentials: UPLOAD_CREDENTIAL,
  registerAttachment: ({ input }) => {
    registered += 1;
    return { id: 70 + registered, name: input.body.name };
  },
  commentIssue: { id: 1 },
};
afterEach(() => {
  registered = 0;
});

const detail = (section: string) => `/manage/device/detail/7?tab=details&section=${section}`;

/** Opens a page, opens the dialog, adds to the open issue, and returns the parts of the comment and the stored names. */
async function added(path: string, openDialog: (stage: Awaited<ReturnType<typeof showConsole>>) => Promise<void>) {
  stubUploads();
  const stage = await showConsole(path, { answers });
  const { t, server } = stage;
  await openDialog(stage);
  await pick(t('issue-files:issue'), 'HVC-3 Plug melts');
  await page
    .getByRole('dialog')
    .last()
    .getByRole('button', { name: t('issue-files:add'), exact: true })
    .click();
  await sees(t('issue-files:added', { issue: 'HVC-3' }));
  const [comment] = server.sent('commentIssue');
  expect(comment!.params).toEqual({ id: '8' });
  const { content } = (comment!.body as { body: { content: { type: string; attrs?: { file?: string } }[] } }).body;
  const stored = server.sent('registerAttachment').map(({ body }) => body as { name: string; issueId: number });
  expect(stored.every(({ issueId }) => issueId === 8)).toBe(true);
  return { content, names: stored.map(({ name }) => name).sort() };
}

describe('an issue gets', () => {
  test('a file of the library from its menu', async () => {
    const { content, names } = await added('/manage/attach/list', async ({ button, entry }) => {
      await button('attachments:actionsOf', { name: 'manual.pdf' }).click();
      await entry('common:issue.add').click();
    });
    expect(content).toEqual([{ type: 'attachment', attrs: { file: '1', name: 'manual.pdf', size: 2_048 } }]);
    expect(names).toEqual([]);
  });

  test('the log of a device from its row', async () => {
    const { content, names } = await added(detail('logs'), async ({ button }) => {
      await button('common:issue.addOf', { name: 'boot.log' }).click();
    });
    expect(content).toEqual([{ type: 'attachment', attrs: { file: '33', name: 'boot.log', size: 400 } }]);
    expect(names).toEqual([]);
  });

  test('a chart as a picture and as a table', async () => {
    const { content, names } = await added(detail('charts&range=24h'), async ({ button }) => {
      await expect.element(button('common:issue.add')).toBeEnabled();
      await vi.waitUntil(() => document.querySelector('.chart canvas') !== null);
      await button('common:issue.add').click();
    });
    expect(content.map(({ type }) => type)).toEqual(['image', 'attachment']);
    expect(names).toEqual(['Pile 7.csv', 'Pile 7.png']);
  });

  test('the protocol log as a file', async () => {
    const { content, names } = await added(detail('protocol'), async ({ button }) => {
      await expect.element(button('common:issue.add')).toBeEnabled();
      await button('common:issue.add').click();
    });
    expect(content).toMatchObject([{ type: 'attachment', attrs: { file: '71' } }]);
    expect(names).toEqual(['Pile 7 2026-01-01T00-00-00.json']);
  });

  test('a request and its response as text', async () => {
    const { content, names } = await added(detail('protocol'), async ({ t }) => {
      await page
        .getByRole('listbox', { name: t('audit:frame.title') })
        .getByRole('option')
        .first()
        .click();
      const aside = page.getByRole('complementary', { name: t('audit:frame.detail') });
      await aside.getByRole('button', { name: t('common:issue.add'), exact: true }).click();
    });
    expect(content.map(({ type }) => type)).toEqual(['paragraph', 'codeBlock', 'paragraph', 'codeBlock']);
    expect(JSON.stringify(content[1])).toContain('Reset');
    expect(names).toEqual([]);
  });
});
