import { expect, test } from 'vitest';
import { MANUAL_PAGES, manualPageOf } from './manual.ts';

test.each([
  ['/manage/home', 'manual-home'],
  ['/manage/device/list', 'manual-devices'],
  ['/manage/device/batches', 'manual-batches'],
  ['/manage/device/batch/3', 'manual-batches'],
  ['/manage/device-model/4', 'manual-models'],
  ['/manage/device-model-firmware', 'manual-transfers'],
  ['/manage/system/role/auth/menu/3', 'manual-users'],
  ['/manage/system/online', 'manual-system'],
  ['/manage/message/channels', 'manual-messages'],
  ['/manage/welcome', 'manual-overview'],
])('%s is explained by %s', (path, page) => {
  expect(manualPageOf(path, null)).toBe(page);
});

test.each([
  ['operations', 'manual-control'],
  ['charts', 'manual-charts'],
  ['pictures', 'manual-devices'],
  ['toString', 'manual-devices'],
  [null, 'manual-devices'],
] as const)('the part %s of a device is explained by %s', (part, page) => {
  expect(manualPageOf('/manage/device/list/detail/7', part)).toBe(page);
});

test('every page is listed once', () => {
  expect(new Set(MANUAL_PAGES).size).toBe(MANUAL_PAGES.length);
});
