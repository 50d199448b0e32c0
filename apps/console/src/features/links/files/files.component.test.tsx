import { type LinkTransfer, messageOf } from '@chargehand/contract';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../../testing/accessibility.ts';
import { LANGUAGES } from '../../../testing/languages.ts';
import { expectShortNames, LONG_NAME, sees, tooWide } from '../../../testing/on-screen.ts';
import { show } from '../../../testing/show.tsx';
import { type Answers, Refused } from '../../../testing/stub-server.ts';
import FilesPanel from './files-panel.tsx';

const FILE = { kind: 'file', link: false, size: 2_048, modifiedAt: '2026-01-02T03:04:05Z', usable: true } as const;
const ROOT = {
  path: '/root',
  more: false,
  files: [
    { ...FILE, name: '日志.txt' },
    { ...FILE, name: 'etc', kind: 'folder' as const },
  ],
};
const ID = '00000000-0000-4000-8000-000000000001';
const DOWNLOAD: LinkTransfer = {
  ...{ id: ID, path: '/root/日志.txt', size: 2_048, bytes: 1_024, problem: null, startedAt: '2026-01-02T03:04:05Z' },
  direction: 'download',
  state: 'running',
};

function open(answers: Answers = {}, options: object = {}) {
  return show(<FilesPanel linkId={3} terminalKey="k1" hidden={false} />, {
    ...options,
    answers: { listDeviceFiles: ROOT, listFileTransfers: { items: [] }, ...answers },
  });
}

const upload = (received: number, size: number) => ({ id: ID, received, size, partBytes: 8, done: received === size });
const chooser = () => document.querySelector<HTMLInputElement>('input[type=file]')!;
const choose = (...names: string[]) =>
  userEvent.upload(
    page.elementLocator(chooser()),
    names.map((name) => new File(['0123456789'], name)),
  );

test.each(LANGUAGES)('folders are opened and files are downloaded (%s)', async (locale) => {
  const started: string[] = [];
  const { t, server } = await open(
    {
      listDeviceFiles: ({ query }) => ({ ...ROOT, path: query.path ?? '/root' }),
      startDownload: { ...DOWNLOAD, state: 'waiting' },
      listFileTransfers: () => ({ items: started.length === 0 ? [] : [DOWNLOAD] }),
    },
    { locale },
  );
  await expectAccessible();
  const onClick = (event: Event) => {
    const { href, download } = event.target as HTMLAnchorElement;
    if (!download) return;
    event.preventDefault();
    started.push(`${new URL(href).pathname}${new URL(href).search} ${download}`);
  };
  addEventListener('click', onClick, { capture: true });
  // A link outside of the page does not bubble to it.
  const { click } = HTMLAnchorElement.prototype;
  HTMLAnchorElement.prototype.click = function () {
    onClick({ target: this, preventDefault: () => undefined } as never);
  };
  await page.getByRole('button', { name: t('links:files.downloadName', { name: '日志.txt' }) }).click();
  await sees(page.getByRole('progressbar'), page.getByText('1 KB / 2 KB'));
  HTMLAnchorElement.prototype.click = click;
  removeEventListener('click', onClick, { capture: true });
  expect(started).toEqual([`/api/auth/sys/links/3/files/downloads/${ID}?key=k1 日志.txt`]);
  expect(server.sent('startDownload')[0]).toMatchObject({ body: { key: 'k1', path: '/root/日志.txt' } });
  await page.getByRole('button', { name: t('links:files.openName', { name: 'etc' }) }).click();
  await expect.element(page.getByLabelText(t('links:files.path'))).toHaveValue('/root/etc');
  await page.getByRole('button', { name: t('links:files.up') }).click();
  await expect.element(page.getByLabelText(t('links:files.path'))).toHaveValue('/root');
});

test('a file is uploaded in parts, after a question if it exists', async () => {
  let received = 0;
  const { t, server } = await open({
    startUpload: ({ body }) => {
      if (!(body as { replace: boolean }).replace) throw new Refused('deviceFileExists', { path: '/root/a.bin' });
      return upload(0, 10);
    },
    sendUploadPart: ({ query, body }) => {
      received = Number(query.offset) + String(body).length;
      return upload(received, 10);
    },
  });
  await sees(page.getByText('etc/'));
  await choose('a.bin');
  await sees(page.getByText(t('links:files.states.exists')));
  await expectAccessible();
  await page.getByRole('button', { name: t('links:files.replaceName', { name: 'a.bin' }) }).click();
  await sees(page.getByText(t('links:files.states.done')));
  expect(received).toBe(10);
  expect(server.sent('startUpload').map(({ body }) => (body as { path: string }).path)).toEqual([
    '/root/a.bin',
    '/root/a.bin',
  ]);
});

test('two uploads run at a time; one that is cancelled is removed from the device', async () => {
  const { t, server } = await open({
    startUpload: upload(0, 10),
    sendUploadPart: () => new Promise<never>(() => undefined),
    cancelTransfer: {},
  });
  await sees(page.getByText('etc/'));
  await choose('a', 'b', 'c');
  await expect.poll(() => server.sent('sendUploadPart').length).toBe(2);
  await sees(page.getByText(t('links:files.states.queued')));
  await page.getByRole('button', { name: t('links:files.cancelName', { name: 'a' }), exact: true }).click();
  await expect.poll(() => server.sent('cancelTransfer').length).toBe(1);
  await expect.poll(() => server.sent('sendUploadPart').length).toBe(3);
  expect(server.sent('startUpload').length).toBe(3);
  for (const name of ['b', 'c']) {
    await page.getByRole('button', { name: t('links:files.cancelName', { name }), exact: true }).click();
  }
  await expect.poll(() => server.sent('cancelTransfer').length).toBe(3);
});

test('files are renamed and deleted, and folders created; the device may refuse it', async () => {
  const { t, server, dialog } = await open({
    createDeviceFolder: {},
    renameDeviceFile: () => {
      throw new Refused('deviceFileDenied', { path: '/root/etc' });
    },
    removeDeviceFile: {},
  });
  await page.getByRole('button', { name: t('links:files.newFolder') }).click();
  await dialog.getByLabelText(t('links:files.name')).fill('a/b');
  await dialog.getByRole('button', { name: t('links:files.create') }).click();
  await sees(dialog.getByText(t('links:files.nameInvalid')));
  await dialog.getByLabelText(t('links:files.name')).fill('new');
  await dialog.getByRole('button', { name: t('links:files.create') }).click();
  await expect.poll(() => server.sent('createDeviceFolder')[0]?.body).toEqual({ key: 'k1', path: '/root/new' });
  await page.getByRole('button', { name: t('links:files.renameName', { name: 'etc' }) }).click();
  await dialog.getByLabelText(t('links:files.name')).fill('etc2');
  await dialog.getByRole('button', { name: t('links:files.rename'), exact: true }).click();
  await sees(dialog.getByText(messageOf('deviceFileDenied', 'en-US', { path: '/root/etc' })));
  await dialog.getByRole('button', { name: t('cancel') }).click();
  await page.getByRole('button', { name: t('links:files.removeName', { name: '日志.txt' }) }).click();
  await dialog.getByRole('button', { name: t('links:files.remove'), exact: true }).click();
  await expect.poll(() => server.sent('removeDeviceFile')[0]?.body).toEqual({ key: 'k1', path: '/root/日志.txt' });
  // A list that is read after the test would be in the cache of the next one.
  await expect.poll(() => server.sent('listDeviceFiles').length).toBe(3);
});

test('a long name takes two lines at most, also on a phone', async () => {
  const files = [
    { ...FILE, name: LONG_NAME },
    { ...FILE, name: `${LONG_NAME}.new`, kind: 'folder' as const },
  ];
  await open({ listDeviceFiles: { ...ROOT, files }, listFileTransfers: { items: [{ ...DOWNLOAD, path: LONG_NAME }] } });
  await expectShortNames(page.elementLocator(document.body), 3);
});

test('a device without SFTP says so; on a phone, the panel is not wider than the page', async () => {
  await open(
    {
      listDeviceFiles: () => {
        throw new Refused('deviceWithoutSftp');
      },
    },
    { size: [375, 700] },
  );
  await sees(page.getByText(messageOf('deviceWithoutSftp', 'en-US')));
  expect(tooWide()).toEqual([]);
});
