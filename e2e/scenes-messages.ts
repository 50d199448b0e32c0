import type { Page } from 'playwright-core';
import type { Words } from './harness/words.ts';
import type { Scene } from './scenes.ts';

const opened = (page: Page) => page.getByRole('dialog').last().waitFor();
const scene = (name: string, path: string, act: Scene['act']): Scene => ({
  name,
  path,
  signedIn: true,
  ...(act && { act }),
});

/** The dialogs of messages. */
export function messageScenes(ids: { device: number }): Scene[] {
  return [
    scene('message-list-why', '/manage/message/list', async (page, t: Words) => {
      await page
        .getByRole('button', { name: new RegExp(t('messages:actionsOf', { title: '.*' })) })
        .first()
        .click();
      await page.getByRole('menuitem', { name: t('messages:why.do') }).click();
      await opened(page);
      await page.getByText(t('messages:why.now')).waitFor();
    }),
    scene('message-mute', `/manage/device/detail/${ids.device}`, async (page, t: Words) => {
      await page.getByRole('button', { name: t('messages:mute.do'), exact: true }).click();
      await opened(page);
    }),
  ];
}
