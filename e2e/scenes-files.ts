import type { Page } from 'playwright-core';
import type { DemoFiles } from './demo-files.ts';
import type { Words } from './harness/words.ts';
import type { Scene } from './scene.ts';

const opened = (page: Page) => page.getByRole('dialog').last().waitFor();
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first();
const press = (key: string) => async (page: Page, t: Words) => {
  await button(page, t(key)).click();
  await opened(page);
};
/** Opens a menu and selects an entry, which opens a dialog. */
const choose = (menu: (t: Words) => string, entry: string) => async (page: Page, t: Words) => {
  await button(page, menu(t)).click();
  await page.getByRole('menuitem', { name: t(entry), exact: true }).click();
  await opened(page);
};

/** Files, shares with the pages of their visitors, and documents, with their dialogs. */
export function fileScenes({ folder, files, links, share, document }: DemoFiles): Scene[] {
  const scene = (name: string, path: string, act?: Scene['act']): Scene => ({
    ...{ name, path, signedIn: true },
    ...(act && { act }),
  });
  const inFolder = `/manage/attach/list?folder=${folder}`;
  const ofFile = (entry: string) => choose((t) => t('attachments:actionsOf', { name: 'controller.txt' }), entry);
  const ofFolder = (entry: string) => choose((t) => t('attachments:folder.actionsOf', { name: 'Manuals' }), entry);
  const newShare = (kind: string, id: number, name: string) =>
    `/manage/attach/shares?${new URLSearchParams({ new: kind, id: String(id), name })}`;
  const editor = `/manage/docs/update/content/${document.categoryId}/${document.id}`;
  const page = `/manage/docs/detail/${document.id}`;
  return [
    scene('attach-folder', inFolder),
    scene('attach-search', '/manage/attach/list?search=relay'),
    scene('attach-search-nothing', '/manage/attach/list?search=nothing%20at%20all'),
    scene('attach-trash', '/manage/attach/list?tab=trash'),
    ...Object.entries(files).map(([key, id]) => scene(`attach-file-${key}`, `${inFolder}&file=${id}`, shown)),
    scene('attach-file-menu', inFolder, async (page, t) => {
      await button(page, t('attachments:actionsOf', { name: 'controller.txt' })).click();
      await page.getByRole('menu').last().waitFor();
    }),
    scene('attach-file-edited', inFolder, ofFile('attachments:edit.do')),
    scene('attach-file-moved', inFolder, ofFile('attachments:move.do')),
    scene('attach-file-deleted', inFolder, ofFile('attachments:delete')),
    scene('attach-folder-added', inFolder, press('attachments:folder.new')),
    scene('attach-folder-edited', inFolder, ofFolder('attachments:folder.edit')),
    scene('attach-folder-shares', inFolder, ofFolder('attachments:share.list')),
    scene('attach-folder-deleted', inFolder, ofFolder('attachments:folder.delete')),
    scene('shares-ended', '/manage/attach/shares?ended=true'),
    scene('shares-new', newShare('file', files.text, 'controller.txt'), opened),
    scene('shares-request', newShare('request', folder, 'Manuals'), opened),
    scene('shares-opened', `/manage/attach/shares?share=${share}`, shown),
    scene('shares-limits', `/manage/attach/shares?share=${share}`, press('shares:change')),
    scene('shares-destroyed', `/manage/attach/shares?share=${share}`, press('shares:destroy')),
    ...Object.entries(links).map(([key, token]) => ({
      ...{ name: `share-of-${key}`, path: `/share/file?s=${token}`, signedIn: false },
      act: async (page: Page) => {
        await page.locator('h1').waitFor();
        await page.waitForLoadState('networkidle');
      },
    })),
    scene('docs-every-block', page, drawn),
    { ...scene('docs-every-block-printed', page, drawn), print: true },
    scene('docs-editor-every-block', editor, drawn),
    scene('docs-editor-table', editor, async (page) => {
      await page.locator('.ProseMirror td').first().click();
    }),
    scene('docs-editor-blocks', editor, async (page, t) => {
      await page
        .getByRole('toolbar')
        .getByRole('button', { name: t('editor:tool.insert'), exact: true })
        .click();
      await page.getByRole('menu').last().waitFor();
    }),
    scene('docs-editor-slash', editor, async (page) => {
      await page.locator('.ProseMirror p').first().click();
      await page.keyboard.press('End');
      await page.keyboard.press('Enter');
      await page.keyboard.type('/');
      await page.getByRole('option').first().waitFor();
    }),
    scene('docs-editor-link', editor, async (page, t) => {
      await page.locator('.ProseMirror p').nth(1).click();
      await page
        .getByRole('toolbar')
        .getByRole('button', { name: t('editor:tool.link'), exact: true })
        .click();
      await opened(page);
    }),
    scene('docs-editor-publish', editor, press('editor:publish.open')),
    scene('docs-editor-versions', editor, async (page, t) => {
      await press('editor:versions.open')(page, t);
      await page.waitForLoadState('networkidle');
    }),
    scene('docs-import', '/manage/docs/list', press('documents:import.open')),
    scene('docs-category-added', '/manage/docs/category', press('documents:category.add')),
  ];
}

/** Waits for what an opened dialog loads. */
async function shown(page: Page): Promise<void> {
  await opened(page);
  await page.waitForLoadState('networkidle');
}

/** Makes the window high enough for the whole text. */
async function drawn(page: Page): Promise<void> {
  await page.locator('main img').first().waitFor();
  const size = page.viewportSize();
  if (size) await page.setViewportSize({ ...size, height: 2_000 });
}
