import { LOCALES } from '@chargehand/contract';
import { describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { rowWith, sees, tooWide } from '../testing/on-screen.ts';
import { sampleList } from '../testing/sample.ts';
import { showConsole } from '../testing/show-console.tsx';

const LISTS = [
  '/manage/device/list',
  '/manage/device/alarms',
  '/manage/site/list',
  '/manage/customer/list',
  '/manage/user/list',
  '/manage/logs/action',
  '/manage/logs/action?tab=logins',
];

const answers = {
  listAlarms: sampleList('listAlarms', [
    {
      ...{ id: 1, deviceId: 7, deviceName: 'A device with a long name 0123456789', siteId: 4 },
      ...{ siteName: 'A site with a long name, North quay', code: 'OverCurrentFailureOfTheSecondConnector' },
      ...{ info: 'Measured 63 A at phase 2 for 4 seconds', level: 'CA' as const, reports: 12 },
    },
  ]),
};

/** The labels of empty fields that their field cuts off. */
function cutLabels(): (string | null)[] {
  return [...document.querySelectorAll('search .select-field *')]
    .filter((part) => part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).overflow === 'hidden')
    .map((part) => part.textContent);
}

describe.each(LOCALES)('the lists (%s)', (locale) => {
  test.each(LISTS)('%s shows the labels of its filters in full at 1280 px, and fits a phone', async (path) => {
    const { settled } = await showConsole(path, { locale, answers });
    await expect.poll(() => document.querySelectorAll('search .select-field').length).toBeGreaterThan(0);
    await settled();
    await expect.poll(cutLabels).toEqual([]);
    await page.viewport(390, 844);
    await settled();
    if (path === '/manage/device/alarms') await sees(rowWith('OverCurrentFailure'));
    await expect.poll(tooWide).toEqual([]);
    await page.viewport(1280, 800);
  });
});
