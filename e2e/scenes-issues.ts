import type { Page } from 'playwright-core';
import type { DemoIssues } from './demo-issues.ts';
import type { Words } from './harness/words.ts';
import type { Scene } from './scene.ts';

const opened = (page: Page) => page.getByRole('dialog').last().waitFor();
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first();

/** The issues: their list, their board, their times, one of them with its dialogs, and its page for people outside. */
export function issueScenes(issues: DemoIssues): Scene[] {
  const scene = (name: string, path: string, act?: Scene['act']): Scene => ({
    ...{ name, path, signedIn: true },
    ...(act && { act }),
  });
  const { place, links } = issues;
  const detail = (id: number) => `/manage/issue/detail/${id}`;
  const choose = (entry: string) => async (page: Page, t: Words) => {
    await button(page, t('issue:action.more')).click();
    await page.getByRole('menuitem', { name: t(entry), exact: true }).click();
    await opened(page);
  };
  const share = async (page: Page, t: Words) => {
    await button(page, t('issue:share.do')).click();
    await opened(page);
  };
  return [
    scene('issues', '/manage/issue/list'),
    scene('issues-all', '/manage/issue/list?tab=all'),
    scene('issues-board', '/manage/issue/list?display=board'),
    scene('issues-times', '/manage/issue/list?display=times'),
    scene('issue-fresh', detail(issues.fresh)),
    scene('issue-evidence', `${detail(issues.fresh)}?tab=evidence`),
    scene('issue-pending', detail(issues.pending)),
    scene('issue-reopened', detail(issues.reopened)),
    scene('issue-closed', detail(issues.closed)),
    scene('issue-reported', detail(issues.reported)),
    scene('issue-add', `/manage/issue/add?alarmId=${issues.alarm}`),
    scene('issue-add-blank', '/manage/issue/add'),
    scene('issue-edit', `/manage/issue/update/${issues.late}`),
    scene('issue-close', detail(issues.fresh), async (page, t) => {
      await button(page, t('issue:action.close')).click();
      await opened(page);
    }),
    scene('issue-share', detail(issues.fresh), share),
    scene('issue-share-new', detail(issues.fresh), async (page, t) => {
      await share(page, t);
      await page
        .getByRole('button', { name: t('issue:share.new') })
        .or(page.getByRole('radio', { name: t('shares:access.read'), exact: true }))
        .first()
        .waitFor();
      if (await button(page, t('issue:share.new')).isVisible()) await button(page, t('issue:share.new')).click();
      await page.getByRole('radio', { name: t('shares:access.read'), exact: true }).waitFor();
    }),
    scene('issue-merge', detail(issues.fresh), choose('issue:link.merge.do')),
    scene('issue-insert-file', detail(issues.fresh), async (page, t) => {
      await button(page, t('issue:comment.open')).click();
      await button(page, t('issue-files:library.do')).click();
      await opened(page);
    }),
    scene(
      'issue-add-frames',
      `/manage/device/detail/${place.deviceId}?tab=details&section=protocol`,
      async (page, t) => {
        await button(page, t('common:issue.add')).click();
        await opened(page);
      },
    ),
    scene('issues-of-device', `/manage/device/detail/${place.deviceId}?tab=details&section=issues`),
    scene('issues-of-site', `/manage/site/detail/${place.siteId}?tab=issues`),
    scene('issues-of-customer', `/manage/customer/detail/${place.customerId}?tab=issues`),
    ...Object.entries(links).map(([key, token]) => ({
      ...{ name: `issue-shared-${key}`, path: `/share/file?s=${token}`, signedIn: false },
    })),
  ];
}
