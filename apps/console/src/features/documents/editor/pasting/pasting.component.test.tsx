import type { EditedText } from '@chargehand/contract';
import type { ContentNode } from '@chargehand/domain';
import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { sees } from '../../../../testing/on-screen.ts';
import { show } from '../../../../testing/show.tsx';
import ContentPage from '../content-page.tsx';
import { EXCEL, LIBRE_OFFICE, WORD } from './office-clipboards.ts';

beforeEach(() => localStorage.clear());

async function open() {
  const readText: EditedText = {
    ...{ documentId: 5, locale: 'en-US', version: 3, title: 'Ground failure', description: '' },
    ...{ body: { type: 'doc', content: [{ type: 'paragraph' }] }, updatedAt: '2026-01-01T00:00:00.000Z' },
    ...{ updatedBy: 'ada', draft: null, other: { version: 0, follows: null }, editors: [] },
  };
  const stage = await show(<ContentPage />, {
    ...{ path: '/manage/docs/update/content/1/5', route: '/manage/docs/update/content/:categoryId/:id' },
    answers: {
      readText,
      saveDraft: { state: 'saved', savedAt: '2026-01-01T06:05:00.000Z' },
      announceEditing: { version: 3, editors: [] },
    },
  });
  const content = page.getByRole('textbox', { name: stage.t('editor:content') });
  await content.click();
  const title = page.getByRole('textbox', { name: stage.t('editor:title') });
  /** The content as it is saved, in a short form. */
  const saved = async (): Promise<string[]> => {
    await title.click();
    await sees(stage.text('editor:draft.savedAt', { at: '14:05' }));
    const body = stage.server.sent('saveDraft').at(-1)?.body as { body: { content: ContentNode[] } };
    return body.body.content.map(shape);
  };
  return { ...stage, content, saved };
}

/** `name(children)`, and texts with the initials of their marks. */
function shape({ type, text, marks = [], content = [], attrs }: ContentNode): string {
  if (type === 'text') return [text, ...marks.map((mark) => mark.type)].join('|');
  const spans = [
    attrs?.level,
    attrs?.kind,
    attrs?.checked,
    (attrs?.colspan as number) > 1 ? attrs?.colspan : undefined,
  ];
  const name = [type, ...spans.filter((one) => one !== undefined && one !== null)].join(' ');
  return `${name}(${content.map(shape).join(', ')})`;
}

function paste(data: Record<string, string>): void {
  const transfer = new DataTransfer();
  for (const [type, text] of Object.entries(data)) transfer.setData(type, text);
  const event = new ClipboardEvent('paste', { clipboardData: transfer, bubbles: true, cancelable: true });
  document.querySelector('.ProseMirror')!.dispatchEvent(event);
}

test('text of Word keeps its structure, and says that its picture is left out', async () => {
  const stage = await open();
  paste({ 'text/html': WORD, 'text/plain': 'Ground failure' });
  await sees(stage.text('editor:files.leftOut', { count: 1 }));
  expect(await stage.saved()).toEqual([
    'heading 1(Ground failure)',
    'paragraph(Stop|bold,  the charging session, then wait for , ten|italic,  minutes.等待十分钟。)',
    'bulletList(listItem(paragraph(Lock the switch), bulletList(listItem(paragraph(Keep the key)))), listItem(paragraph(Measure)))',
    'paragraph()',
    'table(tableRow(tableCell(paragraph(Part)), tableCell(paragraph(Limit))), tableRow(tableCell 2(paragraph(K1))))',
    'paragraph()',
  ]);
});

test('what is pasted after a table does not land in its last cell', async () => {
  const stage = await open();
  paste({ 'text/html': EXCEL, 'text/plain': 'x' });
  paste({ 'text/plain': 'After the table' });
  expect((await stage.saved()).slice(1)).toEqual(['paragraph(After the table)']);
});

test('a range of Excel becomes a table', async () => {
  const stage = await open();
  paste({ 'text/html': EXCEL, 'text/plain': '部件\t\tLimit\r\n12.50 \t"K1\nleft"\t' });
  expect(await stage.saved()).toEqual([
    'table(tableRow(tableCell 2(paragraph(部件)), tableCell(paragraph(Limit))), ' +
      'tableRow(tableCell(paragraph(12.50)), tableCell(paragraph(K1, hardBreak(), left)), tableCell(paragraph(\u00a0))))',
    'paragraph()',
  ]);
});

test('text and a range of LibreOffice', async () => {
  const stage = await open();
  paste({ 'text/html': LIBRE_OFFICE, 'text/plain': 'Fan' });
  expect(await stage.saved()).toEqual([
    'heading 2(Fan)',
    'paragraph(Clean|bold,  the filter)',
    'orderedList(listItem(paragraph(Open)), listItem(paragraph(Clean)))',
    'table(tableRow(tableCell(paragraph(Speed)), tableCell(paragraph(1200))))',
    'paragraph()',
  ]);
});

const MARKDOWN = '# Relay\n\n> [!WARNING]\n> Hot\n\n- [x] Lock\n- [ ] Measure\n\n| A | B |\n| - | - |\n| 1 | 2 |\n';

test('Markdown becomes structure, and undoing once gives the text back', async () => {
  const stage = await open();
  paste({ 'text/plain': MARKDOWN });
  await sees(stage.text('editor:pasted.markdown'));
  expect(await stage.saved()).toEqual([
    'heading 1(Relay)',
    'callout warning(paragraph(Hot))',
    'taskList(taskItem true(paragraph(Lock)), taskItem false(paragraph(Measure)))',
    'table(tableRow(tableHeader(paragraph(A)), tableHeader(paragraph(B))), tableRow(tableCell(paragraph(1)), tableCell(paragraph(2))))',
    'paragraph()',
  ]);
  await stage.content.click();
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.poll(() => stage.content.element().textContent).toContain('# Relay');
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.poll(() => stage.content.element().textContent).toBe('');
});

test('the source of Markdown in Visual Studio Code is Markdown; with Shift, text stays text', async () => {
  const stage = await open();
  await userEvent.keyboard('{Shift>}');
  paste({ 'text/plain': '- a\n- b' });
  await userEvent.keyboard('{/Shift}');
  await expect.poll(() => stage.content.element().textContent).toBe('- a- b');
  await userEvent.keyboard('{Enter}');
  const html = '<meta charset="utf-8"><div style="color:#ccc;font-family:Consolas"><div><span>- c</span></div></div>';
  paste({ 'text/plain': '- c\n- d', 'text/html': html, 'vscode-editor-data': '{"version":1,"mode":"markdown"}' });
  await expect.poll(() => stage.content.element().querySelectorAll('li').length).toBe(2);
});
