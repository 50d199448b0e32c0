import type { EditedText, SavedText } from '@chargehand/contract';
import type { ContentNode, DocumentContent } from '@chargehand/domain';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { cleanup } from 'vitest-browser-react';
import { expectAccessible } from '../../../testing/accessibility.ts';
import { expectShortNames, LONG_NAME, misses, sees, tooWide } from '../../../testing/on-screen.ts';
import { atEnd, show } from '../../../testing/show.tsx';
import { type Answers, HttpFailure } from '../../../testing/stub-server.ts';
import ContentPage from './content-page.tsx';
import { readCopy } from './drafts/local-copy.ts';

const NO_FILES = { opened: [], withheld: 0, ended: 0 };

const paragraph = (text: string): ContentNode => ({ type: 'paragraph', content: [{ type: 'text', text }] });
const doc = (...content: ContentNode[]): DocumentContent => ({ type: 'doc', content });
const text: EditedText = {
  ...{ documentId: 5, locale: 'en-US', version: 3, title: 'Ground failure', description: 'Stop charging' },
  ...{ body: doc(paragraph('Open the door'), paragraph('Wait')), updatedAt: '2026-01-01T00:00:00.000Z' },
  ...{ updatedBy: 'ada', draft: null, other: { version: 2, follows: null }, editors: [] },
};
const SAVED = { state: 'saved', savedAt: '2026-01-01T06:05:00.000Z' } as const;
const DRAFT_ID = '00000000-0000-4000-8000-000000000001';
const at = { path: '/manage/docs/update/content/1/5', route: '/manage/docs/update/content/:categoryId/:id' };

beforeEach(() => localStorage.clear());

async function open(answers: Answers = {}, options: { size?: [number, number]; locale?: 'en-US' | 'zh-CN' } = {}) {
  const stage = await show(<ContentPage />, {
    ...{ ...at, ...options },
    answers: {
      readText: text,
      saveDraft: SAVED,
      announceEditing: { version: 3, editors: [] },
      ...answers,
    },
  });
  const content = page.getByRole('textbox', { name: stage.t('editor:content') });
  await expect.element(content).toBeVisible();
  const contains = (part: string) => expect.poll(() => content.element().textContent).toContain(part);
  return { ...stage, content, contains };
}

/** The text that was sent, as the server publishes it. */
const textOf = ({ title, description, body }: SavedText) => ({ title, description, body });
/** The content that was sent last as a draft. */
const draftOf = ({ server }: Awaited<ReturnType<typeof open>>) =>
  (server.sent('saveDraft').at(-1)?.body as EditedText['draft'])?.body;
const lines = (content: DocumentContent | undefined) =>
  content?.content.map((node) => node.content?.map((one) => one.text ?? `<${one.type}>`).join('') ?? '');

/** Pastes HTML as a browser does. */
function paste(html: string, plain = ''): void {
  const data = new DataTransfer();
  data.setData('text/html', html);
  data.setData('text/plain', plain);
  const target = document.querySelector('.ProseMirror')!;
  target.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
}

describe('the editor', () => {
  test('shows a file with a long name in two lines, also on a phone', async () => {
    const file: ContentNode = { type: 'attachment', attrs: { file: '4503599627370495', name: LONG_NAME, size: 9 } };
    const { content } = await open({ readText: { ...text, body: doc(file) } }, { size: [390, 844] });
    await expectShortNames(content, 1);
    expect(tooWide()).toEqual([]);
  });

  test.each([
    ['en-US', [1280, 800]],
    ['zh-CN', [390, 844]],
  ] as const)('shows the text in a window of %s', async (locale, size) => {
    await open({ readText: { ...text, locale } }, { locale, size: [...size] });
    await sees('Open the door');
    expect(tooWide()).toEqual([]);
    await expectAccessible();
  });

  test('saves a draft when the text loses the focus, and publishes', async () => {
    const stage = await open({
      saveText: ({ input: { body } }) => ({ state: 'saved', files: NO_FILES, version: 4, ...textOf(body) }),
    });
    await stage.content.click();
    await userEvent.keyboard('{Control>}{End}{/Control} for it');
    await sees(stage.text('editor:draft.unsaved'));
    await page.getByRole('textbox', { name: stage.t('editor:title') }).click();
    await sees(stage.text('editor:draft.savedAt', { at: '14:05' }));
    expect(lines(draftOf(stage))).toEqual(['Open the door', 'Wait for it']);
    await stage.button('editor:publish.open').click();
    await stage.button('editor:publish.ok').click();
    await sees(stage.text('editor:draft.published', { version: 4 }));
    expect(stage.server.sent('saveText')[0]?.body).toMatchObject({ baseVersion: 3, title: 'Ground failure' });
    await misses(stage.dialog);
  });

  test('handles a key at the cursor of the page, before the browser reports it', async () => {
    const stage = await open();
    await stage.content.click();
    const line = page.getByText('Open the door').element();
    const press = (key: string) =>
      line.parentElement!.dispatchEvent(
        new KeyboardEvent('keydown', { key, keyCode: 13, bubbles: true, cancelable: true }),
      );
    // In one turn, as on a busy page: no event about the cursor arrives between.
    getSelection()!.collapse(line.firstChild, 'Open'.length);
    press('Enter');
    await expect.poll(() => stage.content.element().querySelectorAll('p').length).toBe(3);
    expect(stage.content.element().querySelector('p')!.textContent).toBe('Open');
  });

  test('keeps saying that a draft is not saved, and leaves only after a question', async () => {
    const stage = await open({
      saveDraft: () => {
        throw new HttpFailure(500);
      },
    });
    await stage.content.click();
    await userEvent.keyboard('More ');
    await stage.go('/elsewhere');
    await sees(stage.text('common:leave.text'));
    await stage.button('common:leave.stay').click();
    await sees(page.getByRole('alert'));
    await stage.contains('More');
  });

  test('keeps the copy in the browser on a stalled connection, and asks before it leaves', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
    atEnd(() => void vi.useRealTimers());
    const stage = await open({ saveDraft: () => new Promise<never>(() => undefined) });
    await stage.content.click();
    await userEvent.keyboard('More ');
    await expect.poll(() => localStorage.getItem('chargehand.text.1.5.en-US')).toContain('More');
    vi.advanceTimersByTime(10 * 60_000);
    expect(JSON.stringify(readCopy('chargehand.text.1.5.en-US'))).toContain('More');
    await stage.go('/elsewhere');
    await sees(stage.text('common:leave.text'));
    await stage.button('common:leave.stay').click();
    await stage.contains('More');
  });

  test('leaves without a question after it has saved the draft', async () => {
    const stage = await open();
    await stage.content.click();
    await userEvent.keyboard('More ');
    await stage.go('/elsewhere');
    await expect.poll(stage.path).toBe('/elsewhere');
    expect(lines(draftOf(stage))?.join()).toContain('More');
  });

  test('opens the draft of the author, and discards it on request', async () => {
    const { savedAt } = SAVED;
    const draft = {
      ...{ draftId: DRAFT_ID, baseVersion: 3, title: 'Mine', description: '', body: doc(paragraph('Half')), savedAt },
    };
    let discarded = false;
    const stage = await open({
      readText: () => (discarded ? text : { ...text, draft }),
      discardDraft: () => {
        discarded = true;
        return null;
      },
    });
    await stage.contains('Half');
    await stage.button('editor:discard.open').click();
    await stage.button('editor:discard.ok').click();
    await stage.contains('Open the door');
  });

  test('recovers what was typed before a crash from this browser', async () => {
    const failing: Answers = {
      saveDraft: () => {
        throw new HttpFailure(500);
      },
    };
    const stage = await open(failing);
    await stage.content.click();
    await userEvent.keyboard('Typed ');
    await expect.poll(() => localStorage.getItem('chargehand.text.1.5.en-US')).toContain('Typed');
    await cleanup();
    const again = await open(failing);
    await again.contains('Typed');
    await sees(page.getByText(/^Recovered from this browser/));
  });

  test('says who else is editing', async () => {
    const editors = [{ userId: 2, userName: 'Li Wei' }];
    const { t } = await open({ announceEditing: { version: 4, editors } });
    await sees(t('editor:others.editing', { names: 'Li Wei', count: 1 }), t('editor:others.newer', { version: 4 }));
  });
});

describe('two windows of one author', () => {
  const other = (...lines: string[]) => ({
    ...{ draftId: DRAFT_ID, baseVersion: 3, title: text.title, description: text.description },
    ...{ body: doc(...lines.map(paragraph)), savedAt: SAVED.savedAt },
  });
  /** The server has the draft of the other window until it is replaced. */
  const withOther = (draft: ReturnType<typeof other>): Answers => ({
    saveDraft: ({ input: { body } }) => (body.replaces === DRAFT_ID ? SAVED : { state: 'conflict', draft }),
    readVersion: {
      ...{ version: 3, title: text.title, author: 'ada', createdAt: '2026-01-01T00:00:00.000Z', restored: null },
      ...{ description: text.description, body: text.body },
    },
  });

  test('changes of different parts are merged, and the author goes on writing where they were', async () => {
    const stage = await open({
      ...withOther(other('Open the left door', 'Wait')),
      saveText: ({ input: { body } }) => ({ state: 'saved', files: NO_FILES, version: 4, ...textOf(body) }),
    });
    await stage.content.click();
    await userEvent.keyboard('{Control>}{End}{/Control} for it');
    await userEvent.click(page.getByRole('textbox', { name: stage.t('editor:title') }));
    await stage.contains('Open the left doorWait for it');
    await sees(stage.text('editor:otherWindow.merged'), stage.text('editor:draft.savedAt', { at: '14:05' }));
    expect(lines(draftOf(stage))).toEqual(['Open the left door', 'Wait for it']);
    await stage.button('editor:publish.open').click();
    await stage.button('editor:publish.ok').click();
    await expect.poll(() => stage.server.sent('saveText')[0]?.body).toMatchObject({ baseVersion: 3 });
    const last = stage.server.sent('saveDraft').at(-1)?.body as { draftId: string };
    expect(stage.server.sent('saveText')[0]?.body).toMatchObject({ replaces: last.draftId });
  });

  test('a part that both changed is chosen by the author, and nothing is overwritten until then', async () => {
    const stage = await open(withOther(other('Open the door', 'Wait long')));
    await stage.content.click();
    await userEvent.keyboard('{Control>}{End}{/Control} for it');
    await userEvent.click(page.getByRole('textbox', { name: stage.t('editor:title') }));
    await sees(stage.text('editor:otherWindow.title'));
    await expectAccessible();
    expect(stage.server.sent('saveDraft').every(({ body }) => (body as { replaces: unknown }).replaces === null)).toBe(
      true,
    );
    await page.getByRole('radio', { name: stage.t('editor:conflict.both') }).click();
    await stage.button('editor:otherWindow.ok').click();
    await expect.poll(() => lines(draftOf(stage))).toEqual(['Open the door', 'Wait long', 'Wait for it']);
    await sees(stage.text('editor:draft.savedAt', { at: '14:05' }));
    await misses(stage.dialog);
  });

  test('a draft whose answer was lost is not taken for one of another window', async () => {
    let saved: EditedText['draft'] = null;
    const stage = await open({
      saveDraft: ({ input: { body } }) => {
        const { replaces, ...draft } = body;
        if ((saved?.draftId ?? null) !== replaces) return { state: 'conflict', draft: saved! };
        const lost = saved === null;
        saved = { ...draft, savedAt: SAVED.savedAt };
        if (lost) throw new HttpFailure(502);
        return SAVED;
      },
    });
    await stage.content.click();
    await userEvent.keyboard('{Control>}{End}{/Control} for it');
    await userEvent.click(page.getByRole('textbox', { name: stage.t('editor:title') }));
    await sees(page.getByRole('alert'));
    await stage.button('common:error.retry').click();
    await sees(stage.text('editor:draft.savedAt', { at: '14:05' }));
    await misses(stage.dialog);
  });

  test('the other window is announced', async () => {
    const editors = [{ userId: 1, userName: 'Own' }];
    const { t } = await open({ announceEditing: { version: 3, editors } });
    await sees(t('editor:otherWindow.open'));
  });
});

describe('writing', () => {
  test('inserts blocks after a slash with the keyboard', async () => {
    const stage = await open({ readText: { ...text, body: doc({ type: 'paragraph' }) } });
    await stage.content.click();
    await userEvent.keyboard('/warn');
    await sees(page.getByRole('option', { name: stage.t('editor:block.warning') }));
    await userEvent.keyboard('{Enter}Hot');
    await userEvent.click(page.getByRole('textbox', { name: stage.t('editor:title') }));
    await expect
      .poll(() => draftOf(stage)?.content[0])
      .toEqual({
        ...{ type: 'callout', attrs: { kind: 'warning' }, content: [paragraph('Hot')] },
      });
  });

  test('mentions a device, and a code', async () => {
    const device = { id: 7, name: 'Pile 7', code: 'SN7', within: [], enabled: true, status: null };
    const stage = await open({
      readText: { ...text, body: doc({ type: 'paragraph' }) },
      search: { groups: [{ kind: 'device', items: [device], more: false }] },
      listDocuments: { items: [], total: 0 },
      listDeviceModels: () => {
        throw new HttpFailure(500);
      },
    });
    await stage.content.click();
    await userEvent.keyboard('见@pile');
    await sees(page.getByRole('option', { name: /Pile 7/ }));
    await userEvent.keyboard('{Enter}');
    await userEvent.click(page.getByRole('textbox', { name: stage.t('editor:title') }));
    await expect
      .poll(() => draftOf(stage)?.content[0]?.content?.[1])
      .toEqual({ type: 'mention', attrs: { kind: 'device', id: '7', label: 'Pile 7' } });
  });

  test('drops scripts, styles, handlers and pictures of other servers from pasted HTML', async () => {
    const stage = await open({ readText: { ...text, body: doc({ type: 'paragraph' }) } });
    await stage.content.click();
    paste(
      '<p onclick="alert(1)" style="color:red">Text <script>window.hit = 1</script><a href="javascript:alert(1)">link</a></p>' +
        '<img src="https://example.org/x.png" onerror="window.hit = 1"><iframe src="https://example.org"></iframe>' +
        '<svg onload="window.hit = 1"></svg><h1>Head</h1>',
    );
    await userEvent.click(page.getByRole('textbox', { name: stage.t('editor:title') }));
    await expect
      .poll(() => draftOf(stage))
      .toEqual(
        doc(
          { type: 'paragraph', content: [{ type: 'text', text: 'Text link' }] },
          { type: 'heading', attrs: { level: 1 }, content: [{ type: 'text', text: 'Head' }] },
        ),
      );
    expect('hit' in window).toBe(false);
  });

  test('refuses 50 MB with a message, and flattens 5,000 nested lists', async () => {
    const stage = await open({ readText: { ...text, body: doc({ type: 'paragraph' }) } });
    await stage.content.click();
    paste('', 'x'.repeat(50 * 1024 * 1024));
    await sees(stage.text('editor:pasteTooLong'));
    paste(`${'<ul><li>a'.repeat(5_000)}deep${'</li></ul>'.repeat(5_000)}`);
    await stage.contains('deep');
    await userEvent.click(page.getByRole('textbox', { name: stage.t('editor:title') }));
    await expect.poll(() => draftOf(stage)).toBeDefined();
    // The server refuses JSON with more than 32 levels.
    expect(levels(stage.server.sent('saveDraft').at(-1)?.body)).toBeLessThanOrEqual(32);
  });
});

describe('what the server would not save', () => {
  const item = (...content: ContentNode[]): ContentNode => ({
    type: 'bulletList',
    content: [
      { type: 'listItem', content: [paragraph('above')] },
      { type: 'listItem', content },
    ],
  });

  test('a list is not indented beyond the limit, and nothing is lost', async () => {
    const nested = item(
      paragraph('a'),
      item(paragraph('b'), item(paragraph('c'), item(paragraph('d'), item(paragraph('e'))))),
    );
    const stage = await open({ readText: { ...text, body: doc(nested) } });
    await stage.content.click();
    await userEvent.keyboard('{Control>}{End}{/Control} stays');
    await stage.contains('e stays');
    await userEvent.keyboard('{Tab}');
    await sees(stage.text('editor:limit.levels'));
    await userEvent.click(page.getByRole('textbox', { name: stage.t('editor:title') }));
    await expect.poll(() => draftOf(stage)).toBeDefined();
    expect(JSON.stringify(draftOf(stage))).toBe(JSON.stringify(doc(nested)).replace('"e"', '"e stays"'));
    expect(levels(stage.server.sent('saveDraft').at(-1)?.body)).toBeLessThanOrEqual(32);
  });

  test('a text of too many blocks is not pasted', async () => {
    const stage = await open();
    await stage.content.click();
    paste('', 'x\n'.repeat(20_000));
    await sees(stage.text('editor:limit.values'));
    await stage.contains('Open the doorWait');
  });

  test('invisible characters of a pasted title are left out', async () => {
    const stage = await open();
    await page.getByRole('textbox', { name: stage.t('editor:title') }).fill('Ground\u200b failure');
    await stage.content.click();
    await expect.poll(() => stage.server.sent('saveDraft').length).toBe(0);
    await expect.element(page.getByRole('textbox', { name: stage.t('editor:title') })).toHaveValue('Ground failure');
  });
});

test('a picture gets an alternative text, and publishing says where none is', async () => {
  const stage = await open({ readText: { ...text, body: doc({ type: 'image', attrs: { file: '7' } }) } });
  await stage.button('editor:publish.open').click();
  await sees(stage.text('editor:publish.undescribed', { count: 1 }));
  await stage.dialog.getByRole('button', { name: stage.t('common:cancel'), exact: true }).click();
  document.querySelector<HTMLElement>('.ProseMirror img')?.click();
  await stage.button('editor:picture.menu').click();
  await page.getByText(stage.t('editor:picture.addAlt')).click();
  await expectAccessible();
  await page.getByRole('textbox', { name: stage.t('editor:picture.label') }).fill('The lever');
  await stage.button('editor:picture.ok').click();
  await userEvent.click(page.getByRole('textbox', { name: stage.t('editor:title') }));
  await expect.poll(() => draftOf(stage)).toEqual(doc({ type: 'image', attrs: { file: '7', alt: 'The lever' } }));
  await stage.button('editor:publish.open').click();
  await misses(stage.text('editor:publish.undescribed', { count: 1 }));
});

function levels(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(levels));
}

test('shows the title and description that another author changed, and publishes them again', async () => {
  const theirs = { title: 'Ground fault', description: 'Stop charging at once' };
  const stage = await open({
    saveText: ({ input: { body } }) =>
      body.baseVersion === 3
        ? { state: 'merged', files: NO_FILES, version: 5, ...theirs, body: body.body }
        : { state: 'saved', files: NO_FILES, version: 6, ...textOf(body) },
  });
  await stage.content.click();
  await userEvent.keyboard('{Control>}{End}{/Control} for it');
  await stage.button('editor:publish.open').click();
  await stage.button('editor:publish.ok').click();
  const title = page.getByRole('textbox', { name: stage.t('editor:title') });
  await expect.element(title).toHaveValue(theirs.title);
  await expect
    .element(page.getByRole('textbox', { name: stage.t('editor:description') }))
    .toHaveValue(theirs.description);
  await misses(stage.dialog);
  await stage.button('editor:publish.open').click();
  await stage.button('editor:publish.ok').click();
  await sees(stage.text('editor:draft.published', { version: 6 }));
  expect(stage.server.sent('saveText').at(-1)?.body).toMatchObject({ ...theirs, baseVersion: 5 });
});

test('a translation is published with the version of the other language that its author saw', async () => {
  const chinese: EditedText = { ...text, locale: 'zh-CN', version: 5, body: doc(paragraph('打开门')) };
  const stage = await open({
    readText: ({ params }) => (params.locale === 'zh-CN' ? chinese : { ...text, other: { version: 4, follows: 2 } }),
    saveText: ({ input: { body } }) => ({ state: 'saved', files: NO_FILES, version: 4, ...textOf(body) }),
  });
  const language = stage.t('documents:language.zh-CN');
  await stage.button('editor:publish.open').click();
  await sees(stage.text('editor:publish.translated', { language, version: 4 }));
  await stage.dialog.getByRole('button', { name: stage.t('common:cancel'), exact: true }).click();
  await stage.button('editor:beside.show', { language }).click();
  await sees('打开门');
  await stage.button('editor:publish.open').click();
  await page.getByRole('checkbox', { name: stage.t('editor:publish.translated', { language, version: 5 }) }).click();
  await stage.button('editor:publish.ok').click();
  await misses(stage.dialog);
  expect(stage.server.sent('saveText').at(-1)?.body).toMatchObject({ translatedFrom: 5 });
});

test('the first text of a translation follows the version that its author started from', async () => {
  const stage = await open({
    readText: { ...text, version: 0, other: { version: 4, follows: null } },
    saveText: ({ input: { body } }) => ({ state: 'saved', files: NO_FILES, version: 1, ...textOf(body) }),
  });
  await stage.button('editor:publish.open').click();
  await stage.button('editor:publish.ok').click();
  await misses(stage.dialog);
  expect(stage.server.sent('saveText').at(-1)?.body).toMatchObject({ translatedFrom: 4 });
});

test('compares both texts when two authors changed the same part', async () => {
  const theirs = {
    ...{ state: 'conflict' as const, version: 4, title: 'Ground failure', description: 'Stop charging' },
    ...{ body: doc(paragraph('Open the LEFT door'), paragraph('Wait')), updatedBy: 'Li Wei' },
    updatedAt: '2026-01-01T00:00:00.000Z',
  };
  const stage = await open({
    saveText: ({ input: { body } }) =>
      body.baseVersion === 3 ? theirs : { state: 'saved', files: NO_FILES, version: 5, ...textOf(body) },
    readVersion: {
      ...{ version: 3, title: 'Ground failure', author: 'ada', createdAt: '2026-01-01T00:00:00.000Z', restored: null },
      ...{ description: 'Stop charging', body: text.body },
    },
  });
  await stage.content.click();
  await userEvent.keyboard('{Control>}{Home}{/Control}Slowly: ');
  await stage.button('editor:publish.open').click();
  await stage.button('editor:publish.ok').click();
  await sees(stage.text('editor:conflict.title'));
  await expect.element(stage.button('editor:conflict.publish')).toBeDisabled();
  await expectAccessible();
  await page.getByRole('radio', { name: stage.t('editor:conflict.both') }).click();
  await stage.button('editor:conflict.publish').click();
  await sees(stage.text('editor:draft.published', { version: 5 }));
  const sent = stage.server.sent('saveText').at(-1)?.body as { body: DocumentContent; baseVersion: number };
  expect(lines(sent.body)).toEqual(['Open the LEFT door', 'Slowly: Open the door', 'Wait']);
  expect(sent.baseVersion).toBe(4);
});

test('shows what a version changed in the short answer, and the answer where it is unchanged', async () => {
  const answers = ['Wait', 'Stop charging', 'Stop charging\nand call', 'Stop charging\nand call'];
  const row = (version: number) => ({
    ...{ version, title: 'Ground failure', author: 'ada', createdAt: '2026-01-01T00:00:00.000Z', restored: null },
  });
  const stage = await open({
    listVersions: { items: [row(4), row(3)], total: 4 },
    readVersion: ({ params }) => ({
      ...{ ...row(Number(params.version)), description: answers[Number(params.version) - 1]! },
      body: doc(paragraph('Same')),
    }),
  });
  await stage.button('editor:versions.open').click();
  const answer = stage.dialog.getByRole('region', { name: stage.t('editor:description') });
  await expect.element(answer).toHaveTextContent('Stop charging and call');
  expect(answer.element().querySelector('ins')).toBeNull();
  await page
    .getByRole('button', { name: /Version 3/ })
    .first()
    .click();
  await expect.poll(() => answer.element().textContent).toContain(stage.t('editor:diff.added'));
  await expectAccessible();
});

test('shows versions with their changes, and restores one', async () => {
  const row = (version: number) => ({
    ...{ version, title: 'Ground failure', author: 'ada', createdAt: '2026-01-01T00:00:00.000Z', restored: null },
  });
  const stage = await open({
    listVersions: { items: [row(3), row(2), row(1)], total: 3 },
    readVersion: ({ params }) => ({
      ...{ ...row(Number(params.version)), description: '' },
      body: doc(paragraph(`Wait ${params.version} minutes please`)),
    }),
    restoreVersion: { files: NO_FILES, version: 4 },
  });
  await stage.button('editor:versions.open').click();
  await sees(page.getByText('minutes please'));
  expect(document.querySelector('ins')?.textContent).toBe('3');
  await expectAccessible();
  await page
    .getByRole('button', { name: /Version 2/ })
    .first()
    .click();
  await stage.button('editor:versions.restore', { version: 2 }).click();
  await stage.button('editor:versions.restoreOk').click();
  await sees(stage.text('editor:versions.done', { version: 3 }));
  expect(stage.server.sent('restoreVersion')[0]?.params.version).toBe('2');
});
