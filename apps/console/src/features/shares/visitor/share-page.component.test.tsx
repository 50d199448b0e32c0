import type { OpenedShare, SharedEntry, SharedUpload } from '@chargehand/contract';
import { describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../../testing/accessibility.ts';
import { LANGUAGES } from '../../../testing/languages.ts';
import { expectShortNames, LONG_NAME, misses, sees, tooWide } from '../../../testing/on-screen.ts';
import { type Options, show } from '../../../testing/show.tsx';
import { Refused, type SentCall } from '../../../testing/stub-server.ts';
import SharePage from './share-page.tsx';

type Content = NonNullable<OpenedShare['content']>;
const content = (values: Partial<Content>): OpenedShare => ({
  codeNeeded: false,
  content: {
    ...{ kind: 'download', isFolder: true, name: 'Photos', size: null, preview: null, owner: 'Ms Li', note: '' },
    ...{ unavailable: null, expiresAt: null, usesLeft: null, bytesLeft: null, interactive: false, ...values },
  },
});
const open = (answers: Options['answers'], token = 'link-1', options: Options = {}) =>
  show(<SharePage />, {
    ...{ path: `/share/file?s=${token}`, user: null, size: [390, 844], answers: answers ?? {} },
    ...options,
  });
const link = (name: string) => page.getByRole('link', { name, exact: true });

test.each(LANGUAGES)('the time zone is after the time (%s)', async (locale) => {
  const expiresAt = '2030-03-04T05:06:00Z';
  await open({ openShare: content({ isFolder: false, expiresAt }) }, 'link-1', { locale });
  await sees(page.getByText(/06 ?([AP]M)? (GMT|UTC)[^ ]*$/));
});

describe('a shared folder', () => {
  const entry = (values: Partial<SharedEntry>): SharedEntry => ({
    ...{ kind: 'file', id: 1, name: 'a.txt', size: 2_048, preview: null, unavailable: null, ...values },
  });
  const TOP = { id: 5, name: 'Photos' };
  const answers = {
    openShare: content({}),
    listShared: ({ query }: SentCall) =>
      query.folderId === '6'
        ? { path: [TOP, { id: 6, name: 'Roof' }], items: [entry({ id: 9, name: 'tiles.txt' })] }
        : {
            path: [TOP],
            items: [
              entry({ kind: 'folder', id: 6, name: 'Roof', size: null }),
              entry({ id: 1, name: 'notes.txt', preview: 'text' }),
              entry({ id: 2, name: 'plan.zip' }),
              entry({ id: 3, name: 'late.txt', unavailable: 'waiting' }),
              entry({ id: 4, name: 'bad.txt', unavailable: 'infected' }),
            ],
          },
  };

  test('has a download for each file, a preview where there is one, and all as an archive', async () => {
    const { t, server } = await open({
      ...answers,
      downloadShared: () => new Response('Remove the cover.', { status: 206, headers: { 'content-range': 'x/17' } }),
    });
    await sees(page.getByRole('heading', { name: 'Photos' }), 'notes.txt', 'plan.zip');
    await expect
      .element(link(t('share:downloadOf', { name: 'plan.zip' })))
      .toHaveAttribute('href', '/api/unauth/share/content?s=link-1&fileId=2');
    await expect.element(link(t('share:folder.archive'))).toHaveAttribute('href', '/api/unauth/share/archive?s=link-1');
    const preview = page.getByRole('button', { name: t('share:preview.of', { name: 'notes.txt' }) });
    await misses(page.getByRole('button', { name: t('share:preview.of', { name: 'plan.zip' }) }));
    await preview.click();
    await sees('Remove the cover.');
    expect(server.sent('downloadShared')[0]?.query).toEqual({ s: 'link-1', fileId: '1', preview: 'true' });
    await expectAccessible();
    await expect.poll(tooWide).toEqual([]);
    await preview.click();
    await misses(page.getByText('Remove the cover.'));
  });

  test('says which files are not available, and offers them neither alone nor for a preview', async () => {
    const { t } = await open(answers);
    await sees(t('share:unavailable.waiting'), t('share:unavailable.infected'));
    for (const name of ['late.txt', 'bad.txt']) await misses(link(t('share:downloadOf', { name })));
    await sees(link(t('share:folder.archive')));
  });

  test('a long name takes two lines at most', async () => {
    const items = [entry({ name: LONG_NAME }), entry({ kind: 'folder', id: 6, name: LONG_NAME, size: null })];
    await open({ ...answers, listShared: { path: [TOP], items } });
    await expectShortNames(page.getByRole('main'), 2);
    await expect.poll(tooWide).toEqual([]);
  });

  test('offers no archive when no file is available', async () => {
    const items = [entry({ name: 'bad.txt', unavailable: 'infected' })];
    const { t } = await open({ ...answers, listShared: { path: [TOP], items } });
    await sees('bad.txt');
    await misses(link(t('share:folder.archive')));
  });

  test('leads into its folders and back', async () => {
    const { t } = await open(answers);
    await page.getByRole('button', { name: t('share:folder.named', { name: 'Roof' }), exact: true }).click();
    await sees('tiles.txt');
    await expect
      .element(link(t('share:folder.archive')))
      .toHaveAttribute('href', '/api/unauth/share/archive?s=link-1&folderId=6');
    await page.getByRole('navigation').getByRole('button', { name: 'Photos' }).click();
    await sees('plan.zip');
    await misses(page.getByText('tiles.txt'));
  });

  test('says when a folder was removed meanwhile', async () => {
    const { t } = await open({
      ...answers,
      listShared: (call) => {
        if (call.query.folderId) throw new Refused('shareFileGone');
        return answers.listShared(call);
      },
    });
    await page.getByRole('button', { name: t('share:folder.named', { name: 'Roof' }), exact: true }).click();
    await sees(page.getByRole('alert'));
  });
});

describe('a shared file', () => {
  const shared = (values: Partial<Content> = {}) => content({ isFolder: false, name: 'a.txt', size: 2_048, ...values });

  test('that is available has a download and a preview', async () => {
    const { t } = await open({
      openShare: shared({ preview: 'text' }),
      downloadShared: () => new Response('Remove the cover.', { status: 206, headers: { 'content-range': 'x/17' } }),
    });
    await sees('Remove the cover.');
    await expect.element(link(t('share:download'))).toHaveAttribute('href', '/api/unauth/share/content?s=link-1');
    await misses(page.getByText(t('share:unavailable.waiting')));
  });

  test('that waits for the virus scan has no download until the scan has finished, also after a lost connection', async () => {
    let checks = 0;
    const { t, server } = await open({
      openShare: () => {
        checks += 1;
        if (checks === 2) throw new TypeError('Failed to fetch');
        return shared(checks < 3 ? { unavailable: 'waiting' } : { preview: null });
      },
    });
    await sees(t('share:unavailable.waiting'));
    await misses(link(t('share:download')));
    await expectAccessible();
    await expect.poll(tooWide).toEqual([]);
    await expect.element(link(t('share:download'))).toBeVisible();
    await misses(page.getByText(t('share:unavailable.waiting')));
    expect(server.sent('openShare')).toHaveLength(3);
  });

  test('that waits for the virus scan says when the share has ended', async () => {
    let checks = 0;
    const { t } = await open({
      openShare: () => {
        checks += 1;
        if (checks > 1) throw new Refused('shareDestroyed');
        return shared({ unavailable: 'waiting' });
      },
    });
    await sees(t('share:unavailable.waiting'));
    await expect.element(page.getByText(t('share:end.destroyed'))).toBeVisible();
  });

  test('with a virus says so and has no download', async () => {
    const { t } = await open({ openShare: shared({ unavailable: 'infected' }) });
    await sees('a.txt', t('share:unavailable.infected'));
    await misses(link(t('share:download')));
  });
});

describe('an upload request', () => {
  const ID = '00000000-0000-4000-8000-000000000001';
  const request = (values: Partial<Content> = {}) =>
    content({ kind: 'upload', isFolder: false, name: 'From outside', ...values });
  const upload = (received: number, size: number): SharedUpload => ({
    ...{ id: ID, received, size, partBytes: 8_000_000, done: received >= size },
  });
  const choose = async (...files: File[]) => {
    await expect.poll(() => document.querySelector('input[type=file]')).not.toBeNull();
    await page.elementLocator(document.querySelector<HTMLElement>('input[type=file]')!).upload(files);
  };
  const file = (name: string, size = 9) => new File(['x'.repeat(size)], name, { type: 'text/plain', lastModified: 1 });

  test('takes files one after another, each in parts, and shows what is left', async () => {
    const large = 600 * 1024;
    let usesLeft = 2;
    const { t, server, field } = await open(
      {
        openShare: () => request({ usesLeft, bytesLeft: 5 * 1024 ** 2 }),
        startSharedUpload: ({ body }) => upload(0, (body as { size: number }).size),
        sendSharedPart: ({ query, body }) => {
          const [offset, sent] = [Number(query.offset), (body as string).length];
          const size = sent === 9 ? 9 : large;
          if (offset + sent === size) usesLeft -= 1;
          return upload(offset + sent, size);
        },
      },
      'link-parts',
    );
    await sees(page.getByRole('heading', { name: t('share:upload.title', { owner: 'Ms Li' }) }));
    await sees(t('share:filesLeft', { count: 2 }), t('share:upload.left', { size: '5 MB' }));
    await field('share:upload.name').fill('Mr Wu');
    await expectAccessible();
    await choose(file('large.txt', large), file('small.txt'));
    await expect.poll(() => page.getByText(t('share:upload.state.done'), { exact: true }).elements()).toHaveLength(2);
    expect(server.sent('startSharedUpload').map(({ body }) => body)).toEqual([
      { s: 'link-parts', name: 'large.txt', size: large, uploader: 'Mr Wu' },
      { s: 'link-parts', name: 'small.txt', size: 9, uploader: 'Mr Wu' },
    ]);
    expect(server.sent('sendSharedPart').map(({ query }) => query.offset)).toEqual(['0', String(512 * 1024), '0']);
    expect(server.sent('sendSharedPart')[0]?.params).toEqual({ id: ID });
    // The request is full now, and says so.
    await sees(t('share:filesLeft', { count: 0 }));
    await misses(page.getByRole('button', { name: t('share:upload.choose') }));
    await sees('large.txt', 'small.txt');
  });

  test('continues a file when the connection is back, where the server says', async () => {
    let failures = 1;
    const { t, server } = await open(
      {
        openShare: request(),
        startSharedUpload: upload(0, 9),
        readSharedUpload: upload(4, 9),
        sendSharedPart: ({ body }) => {
          if (failures-- > 0) throw new TypeError('Failed to fetch');
          return upload(4 + (body as string).length, 9);
        },
      },
      'link-lost',
    );
    await choose(file('a.txt'));
    await sees(t('share:upload.state.waiting'));
    await sees(t('share:upload.state.done'));
    expect(server.sent('startSharedUpload')).toHaveLength(1);
    expect(server.sent('sendSharedPart').map(({ query, body }) => [query.offset, body])).toEqual([
      ['0', 'x'.repeat(9)],
      ['4', 'x'.repeat(5)],
    ]);
  });

  test('names the reason why a file is refused, tries it again, and cancels one', async () => {
    let refused = true;
    const { promise, resolve } = Promise.withResolvers<SharedUpload>();
    const { t, server } = await open(
      {
        openShare: request(),
        startSharedUpload: ({ body }) => {
          if ((body as { name: string }).name === 'slow.txt') return promise;
          if (refused) throw new Refused('shareSpaceFull', { size: '9 Bytes', free: '4 Bytes' });
          return upload(0, 9);
        },
        sendSharedPart: upload(9, 9),
      },
      'link-refused',
    );
    await choose(file('a.txt'));
    const retry = page.getByRole('button', { name: t('share:upload.retryOf', { name: 'a.txt' }) });
    await sees(retry);
    expect(server.sent('sendSharedPart')).toHaveLength(0);
    refused = false;
    await retry.click();
    await sees(t('share:upload.state.done'));
    await choose(file('slow.txt'));
    await sees(t('share:upload.state.sending'));
    await page.getByRole('button', { name: t('share:upload.cancelOf', { name: 'slow.txt' }) }).click();
    await misses(page.getByText('slow.txt'));
    await sees('a.txt');
    resolve(upload(0, 9));
  });

  test('takes dropped files', async () => {
    const { t, server } = await open(
      { openShare: request(), startSharedUpload: upload(0, 9), sendSharedPart: upload(9, 9) },
      'link-drop',
    );
    await sees(t('share:upload.drop'));
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(file('dropped.txt'));
    const target = page.getByText(t('share:upload.drop'), { exact: true }).element();
    target.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    await sees('dropped.txt', t('share:upload.state.done'));
    expect(server.sent('startSharedUpload')).toHaveLength(1);
  });

  test('says when its size limit is reached, and takes nothing more', async () => {
    const { t } = await open({ openShare: request({ bytesLeft: 0 }) });
    await sees(t('share:upload.full'));
    await misses(page.getByRole('button', { name: t('share:upload.choose') }));
  });
});
