import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { session } from '../../../shared/session/session.ts';
import { expectAccessible } from '../../../testing/accessibility.ts';
import { expectShortNames, LONG_NAME, misses, sees, tooWide } from '../../../testing/on-screen.ts';
import { show } from '../../../testing/show.tsx';
import { holdUploads, UPLOAD_CREDENTIAL } from '../../../testing/stub-uploads.ts';
import { storedRecords, type UploadRecord } from './records.ts';
import UploadPanel from './upload-panel.tsx';
import { uploadQueue } from './upload-queue.ts';
import { uploadTabs } from './upload-tabs.ts';

/** Each test has its own user, because the queue of a user remains. */
let userId = 9_000;
const TARGET = { folderId: 7, folderName: 'Photos', type: 'normal' } as const;
const ROOM = { customerId: 1, files: 3, used: 0, limit: 1_024 ** 3 };

const registeredAs = (name: string) => ({ results: [{ code: 0, message: '', name }] });
const text = (name: string) => new File(['some text'], name, { type: 'text/plain', lastModified: 1_000 });

test('shows progress, pauses, continues, and names what failed', async () => {
  userId += 1;
  const waiting = holdUploads();
  const stage = await show(<UploadPanel />, {
    user: { id: userId },
    answers: { writeCredentials: UPLOAD_CREDENTIAL, readQuota: ROOM, registerAttachments: registeredAs('a (2).txt') },
  });
  const { t, server } = stage;
  const button = (key: string, name: string) =>
    page.getByRole('button', { name: t(`attachments:uploads.${key}`, { name }) });
  uploadQueue().add([{ file: text('a.txt') }, { file: text('b.exe') }], TARGET);
  await sees(page.getByText(/Unsupported file type/));
  await expect.poll(() => waiting.length).toBe(1);
  waiting[0]!.progress(4);
  await sees(t('attachments:uploads.states.sending', { sent: '4 Bytes', size: '9 Bytes' }));
  await expectAccessible();
  await button('pauseOf', 'a.txt').click();
  await sees(page.getByText(/^Paused/));
  await button('resumeOf', 'a.txt').click();
  await expect.poll(() => waiting.length).toBe(2);
  waiting[1]!.finish();
  await sees(t('attachments:uploads.states.done', { folder: 'Photos', size: '9 Bytes' }), 'a (2).txt');
  expect(server.sent('registerAttachments')[0]?.body).toMatchObject({
    ...{ files: [{ name: 'a.txt' }], folderId: 7, type: 'normal' },
  });
  await page.getByRole('button', { name: t('attachments:uploads.close') }).click();
  await misses(page.getByRole('region', { name: t('attachments:uploads.title') }));
});

test('sends nothing of a file that does not fit, and names its size and the free space', async () => {
  userId += 1;
  const waiting = holdUploads();
  let readQuota = { ...ROOM, used: ROOM.limit - 4 };
  const { t } = await show(<UploadPanel />, {
    user: { id: userId },
    answers: { writeCredentials: UPLOAD_CREDENTIAL, readQuota: () => readQuota },
  });
  uploadQueue().add([{ file: text('a.txt') }], TARGET);
  await sees(t('attachments:uploads.noSpace', { size: '9 Bytes', free: '4 Bytes' }));
  expect(waiting).toHaveLength(0);
  readQuota = ROOM;
  await page.getByRole('button', { name: t('attachments:uploads.retryOf', { name: 'a.txt' }) }).click();
  await expect.poll(() => waiting.length).toBe(1);
});

test('after a reload, asks for the same file', async () => {
  userId += 1;
  const waiting = holdUploads();
  const record: UploadRecord = {
    ...{ id: 'r1', name: 'a.txt', size: 9, lastModified: 1_000, target: TARGET, stored: null, handle: null },
    at: Date.now(),
  };
  await storedRecords(userId).put(record);
  const { t } = await show(<UploadPanel />, {
    user: { id: userId },
    answers: { writeCredentials: UPLOAD_CREDENTIAL, readQuota: ROOM, registerAttachments: registeredAs('a.txt') },
  });
  await sees(t('attachments:uploads.missingText', { count: 1 }));
  const input = page.elementLocator(document.querySelector<HTMLElement>('input[type=file]')!);
  await input.upload(new File(['another text'], 'a.txt', { lastModified: 1_000 }));
  await sees(t('attachments:uploads.otherFile', { name: 'a.txt' }));
  expect(uploadQueue().giveFile('r1', { file: text('a.txt') })).toBe(true);
  await expect.poll(() => waiting.length).toBe(1);
  waiting[0]!.finish();
  await sees(t('attachments:uploads.states.done', { folder: 'Photos', size: '9 Bytes' }));
  await expect.poll(() => storedRecords(userId).all()).toEqual([]);
});

test('after signing out and in again, the uploads of the user are still there', async () => {
  userId += 1;
  const waiting = holdUploads();
  const { t } = await show(<UploadPanel />, {
    user: { id: userId },
    answers: { writeCredentials: UPLOAD_CREDENTIAL, readQuota: ROOM },
  });
  const signedIn = session.get();
  uploadQueue().add([{ file: text('a.txt') }], TARGET);
  await expect.poll(() => waiting.length).toBe(1);
  await expect.poll(async () => (await storedRecords(userId).all()).length).toBe(1);
  session.set({ status: 'anonymous' });
  expect(uploadQueue().items.get()).toEqual([]);
  session.set(signedIn);
  await expect
    .poll(() =>
      uploadQueue()
        .items.get()
        .map(({ state }) => state),
    )
    .toEqual(['fileMissing']);
  await sees(t('attachments:uploads.missingText', { count: 1 }));
});

test('shows the uploads of another tab with its own, and why nothing is sent', async () => {
  userId += 1;
  const { t } = await show(<UploadPanel />, {
    user: { id: userId },
    answers: { writeCredentials: UPLOAD_CREDENTIAL, readQuota: ROOM },
  });
  const total = { sent: 10, size: 40, counts: { interrupted: 2, done: 1 }, done: 1, failed: 0, open: 2 };
  const tab = uploadTabs(
    userId,
    () => total,
    () => undefined,
  );
  await sees(
    t('attachments:uploads.otherTab', { count: 2 }),
    t('attachments:uploads.progress', { percent: 25, done: 1, count: 3 }),
    t('attachments:uploads.still.noConnection'),
  );
  tab.close();
  await misses(page.getByRole('region', { name: t('attachments:uploads.title') }));
});

test('a long name is one line, also when it failed', async () => {
  userId += 1;
  const waiting = holdUploads();
  const { t } = await show(<UploadPanel />, {
    user: { id: userId },
    size: [390, 844],
    answers: { writeCredentials: UPLOAD_CREDENTIAL, readQuota: ROOM },
  });
  uploadQueue().add([{ file: text(LONG_NAME) }, { file: text(`${LONG_NAME}.exe`) }], TARGET);
  await expect.poll(() => waiting.length).toBe(1);
  const panel = page.getByRole('region', { name: t('attachments:uploads.title') });
  await expectShortNames(panel, 2);
  for (const row of panel.getByRole('listitem').elements())
    expect(row.getBoundingClientRect().height).toBeLessThanOrEqual(120);
  expect(tooWide()).toEqual([]);
});
