import type { CategoryRow } from '@chargehand/contract';
import { describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../../testing/accessibility.ts';
import { category } from '../../../testing/documents.ts';
import { misses, sees, tooWide } from '../../../testing/on-screen.ts';
import { showConsole } from '../../../testing/show-console.tsx';
import { Refused } from '../../../testing/stub-server.ts';
import { branchesOf, moved } from './tree.ts';

const TREE = [
  category(1, 'Alarms', '告警', { documents: 2 }),
  category(2, 'Manuals', '手册'),
  category(3, 'OCPP 1.6', 'OCPP 1.6', { parentId: 1, documents: 5 }),
];

/** A server that keeps the tree. */
function store(rows: CategoryRow[]) {
  let now = rows;
  return {
    listCategories: () => ({ items: now }),
    createCategory: ({ input }: { input: { body: Pick<CategoryRow, 'parentId' | 'nameEn' | 'nameZh'> } }) => {
      const id = now.length + 1;
      now = [...now, { id, documents: 0, ...input.body }];
      return { id };
    },
    updateCategory: ({ params, body }: { params: Record<string, string>; body: unknown }) => {
      now = now.map((one) => (String(one.id) === params.id ? { ...one, ...(body as object) } : one));
      return null;
    },
    moveCategory: ({ params, body }: { params: Record<string, string>; body: unknown }) => {
      now = moved(now, Number(params.id), body as never);
      return null;
    },
    deleteCategory: ({ params }: { params: Record<string, string> }) => {
      now = now.filter(({ id }) => String(id) !== params.id);
      return null;
    },
    shape: () => branchesOf(now).map(({ category: { nameEn }, depth }) => `${'>'.repeat(depth)}${nameEn}`),
  };
}

async function open(rows = TREE, options: Parameters<typeof showConsole>[1] = {}) {
  const { shape, ...answers } = store(rows);
  const stage = await showConsole('/manage/docs/category', { ...options, answers: { ...answers, ...options.answers } });
  const tree = page.getByRole('list', { name: stage.t('documents:categories') });
  const seen = () => [...tree.element().querySelectorAll('strong')].map(({ textContent }) => textContent);
  const handle = (name: string) => page.getByRole('button', { name: new RegExp(`^Move ${name}.*:`) });
  return { ...stage, shape, seen, handle };
}

describe('the categories', () => {
  test('are added below others, renamed and deleted', async () => {
    const { t, shape, seen, dialog, entry } = await open();
    await page.getByRole('button', { name: t('documents:more', { name: 'Manuals' }) }).click();
    await entry('documents:category.addBelow').click();
    await dialog.getByLabelText(t('documents:category.nameEn')).fill('Tools');
    await dialog.getByLabelText(t('documents:category.nameZh')).fill('工具');
    await expectAccessible();
    await dialog.getByRole('button', { name: t('documents:category.add') }).click();
    await sees(t('documents:category.saved', { name: 'Tools' }));
    expect(shape()).toEqual(['Alarms', '>OCPP 1.6', 'Manuals', '>Tools']);

    await page.getByRole('button', { name: t('documents:more', { name: 'Tools' }) }).click();
    await entry('documents:category.rename').click();
    await dialog.getByLabelText(t('documents:category.nameEn')).fill('Vehicles');
    await dialog.getByRole('button', { name: t('common:save') }).click();
    await expect.poll(seen).toContain('Vehicles');

    await page.getByRole('button', { name: t('documents:more', { name: 'Vehicles' }) }).click();
    await entry('documents:category.delete').click();
    await dialog.getByRole('button', { name: t('documents:category.delete') }).click();
    await sees(t('documents:category.deleted', { name: 'Vehicles' }));
    expect(shape()).toEqual(['Alarms', '>OCPP 1.6', 'Manuals']);
  });

  test('with documents or categories cannot be deleted', async () => {
    const { t, entry } = await open();
    await page.getByRole('button', { name: t('documents:more', { name: 'Alarms' }) }).click();
    await expect.element(entry('documents:category.delete')).toHaveAttribute('aria-disabled', 'true');
  });

  test('are moved with the keyboard, and the focus stays on the handle', async () => {
    const { handle, shape, seen, t } = await open();
    await sees(handle('Manuals'));
    (handle('Manuals').element() as HTMLElement).focus();
    await userEvent.keyboard('{ArrowUp}');
    await expect.poll(shape).toEqual(['Manuals', 'Alarms', '>OCPP 1.6']);
    await expect.element(handle('Manuals')).toHaveFocus();
    await userEvent.keyboard('{ArrowDown}');
    await expect.poll(shape).toEqual(['Alarms', '>OCPP 1.6', 'Manuals']);
    await expect.poll(seen).toEqual(['Alarms', 'OCPP 1.6', 'Manuals']);
    await userEvent.keyboard('{ArrowRight}');
    await expect.poll(shape).toEqual(['Alarms', '>OCPP 1.6', '>Manuals']);
    await expect.poll(seen).toEqual(['Alarms', 'OCPP 1.6', 'Manuals']);
    await expect
      .element(page.getByText(t('documents:category.movedInto', { name: 'Manuals', parent: 'Alarms', place: 2 })))
      .toBeInTheDocument();
    await userEvent.keyboard('{ArrowLeft}');
    await expect.poll(shape).toEqual(['Alarms', '>OCPP 1.6', 'Manuals']);
    await expect.element(handle('Manuals')).toHaveFocus();
  });

  test('are moved several times before the server answers', async () => {
    const { handle, shape, seen } = await open();
    await sees(handle('Manuals'));
    (handle('Manuals').element() as HTMLElement).focus();
    await userEvent.keyboard('{ArrowUp}');
    await expect.poll(seen).toEqual(['Manuals', 'Alarms', 'OCPP 1.6']);
    await userEvent.keyboard('{ArrowDown}');
    await expect.poll(seen).toEqual(['Alarms', 'OCPP 1.6', 'Manuals']);
    await userEvent.keyboard('{ArrowRight}');
    await expect.poll(shape).toEqual(['Alarms', '>OCPP 1.6', '>Manuals']);
  });

  test('are moved with the mouse', async () => {
    const { handle, shape } = await open();
    await sees(handle('Manuals'));
    const row = (name: string) => handle(name).element().closest('li')!;
    await userEvent.dragAndDrop(handle('Manuals'), page.elementLocator(row('OCPP')), {
      targetPosition: { x: 200, y: 18 },
    });
    await expect.poll(shape).toEqual(['Alarms', '>OCPP 1.6', '>>Manuals']);
    await userEvent.dragAndDrop(handle('Manuals'), page.elementLocator(row('Alarms')), {
      targetPosition: { x: 200, y: 3 },
    });
    await expect.poll(shape).toEqual(['Manuals', 'Alarms', '>OCPP 1.6']);
  });

  test('return to their place when the server refuses', async () => {
    const { handle, seen } = await open(TREE, {
      answers: {
        moveCategory: () => {
          throw new Refused('documentCategoryTaken', {}, 'nameEn');
        },
      },
    });
    await sees(handle('Manuals'));
    (handle('Manuals').element() as HTMLElement).focus();
    await userEvent.keyboard('{ArrowUp}');
    await sees(page.getByRole('alert'));
    await expect.poll(seen).toEqual(['Alarms', 'OCPP 1.6', 'Manuals']);
  });

  test('are fixed for users who may not change them', async () => {
    const { t } = await open(TREE, {
      user: { root: false, platformVendor: false, readOnly: true, keys: ['auth_docs', 'auth_docs_category_manage'] },
    });
    await sees(page.getByText('Manuals', { exact: true }));
    await misses(page.getByRole('button', { name: t('documents:category.add') }));
    await misses(page.getByRole('button', { name: /^Move/ }));
  });

  test.each(['en-US', 'zh-CN'] as const)('fit a phone (%s)', async (locale) => {
    await open(TREE, { locale, size: [390, 844] });
    await sees('OCPP 1.6');
    expect(tooWide()).toEqual([]);
    await expectAccessible();
  });
});
