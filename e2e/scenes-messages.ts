import type { Page } from 'playwright-core';
import type { Words } from './harness/words.ts';
import type { Scene } from './scene.ts';

const opened = (page: Page) => page.getByRole('dialog').last().waitFor();
const scene = (name: string, path: string, act?: Scene['act']): Scene => ({
  name,
  path,
  signedIn: true,
  ...(act && { act }),
});

/** The dialogs of messages. */
export function messageScenes(ids: { device: number; site: number; customer: number }): Scene[] {
  return [
    scene('message-channels-templates', '/manage/message/channels?tab=templates'),
    scene('message-channels-sends', '/manage/message/channels?tab=sends'),
    scene('message-channels-add', '/manage/message/channels', async (page, t: Words) => {
      await page
        .getByRole('button', { name: t('channels:add'), exact: true })
        .first()
        .click();
      await opened(page);
    }),
    scene('message-channels-template', '/manage/message/channels?tab=templates', async (page, t: Words) => {
      await page
        .getByRole('button', { name: t('channels:edit'), exact: true })
        .or(page.getByRole('button', { name: new RegExp(t('channels:template.editOf', { type: '.*' })) }))
        .first()
        .click();
      await opened(page);
      await page
        .getByRole('region', { name: t('channels:template.preview') })
        .locator('pre')
        .waitFor();
    }),
    scene('message-on-call-site', `/manage/site/detail/${ids.site}?tab=onCall`),
    scene('message-on-call', `/manage/customer/detail/${ids.customer}?tab=onCall`),
    scene('message-on-call-add', `/manage/customer/detail/${ids.customer}?tab=onCall`, async (page, t: Words) => {
      await page.getByRole('button', { name: t('on-call:add'), exact: true }).click();
      await opened(page);
    }),
    scene('message-list-why', '/manage/message/list', async (page, t: Words) => {
      await page
        .getByRole('button', { name: t('messages:why.do') })
        .first()
        .click();
      await opened(page);
      await page.getByText(t('messages:why.now')).waitFor();
    }),
    scene('message-mute', `/manage/device/detail/${ids.device}`, async (page, t: Words) => {
      await page.getByRole('button', { name: t('messages:mute.do'), exact: true }).click();
      await opened(page);
    }),
  ];
}
