import { expect, test } from 'vitest';
import { type LinkedMessage, pagesOfMessage } from './message-paths.ts';

const fault: LinkedMessage = {
  type: 'alarmCA',
  subject: { kind: 'alarm', id: '5' },
  siteId: 4,
  deviceCount: 1,
  deviceIds: [7],
  events: 1,
};
const news = (kind: LinkedMessage['subject']['kind'], id: string, change: Partial<LinkedMessage> = {}) => ({
  ...fault,
  ...{ type: 'issueAssigned' as const, subject: { kind, id }, siteId: null, deviceCount: 0, deviceIds: [], events: 1 },
  ...change,
});
const ALARMS = '/manage/device/detail/7?tab=details&section=alarms';

test.each<[string, LinkedMessage, string | undefined]>([
  ['an alarm', fault, `${ALARMS}&alarm=5`],
  ['several alarms of a device', { ...fault, events: 3 }, `${ALARMS}&state=all`],
  ['several devices', { ...fault, events: 3, deviceCount: 3 }, '/manage/site/detail/4?tab=faults'],
  ['a deleted device', { ...fault, deviceIds: [] }, '/manage/site/detail/4?tab=faults'],
  ['no place', { ...fault, deviceIds: [], siteId: null }, '/manage/device/alarms?alarm=5'],
  ['a device', news('device', '7'), '/manage/device/detail/7'],
  ['a site', news('site', '4'), '/manage/site/detail/4'],
  ['a command', news('execution', 'd9b3', { deviceIds: [7] }), '/manage/device/detail/7?tab=operations'],
  ['a command to a deleted device', news('execution', 'd9b3'), undefined],
  ['a batch', news('commandBatch', '3'), '/manage/device/batches/3'],
  ['an issue', news('issue', '9'), '/manage/issue/detail/9'],
  ['a share', news('share', '2'), '/manage/attach/shares?share=2'],
  ['a waiting device', news('waitingDevice', 'SN 1'), '/manage/system/list'],
  ['the account', news('user', '1'), '/manage/my'],
  ['the system', news('system', 'disk'), undefined],
])('a message about %s leads to its page', (_title, message, path) => {
  expect(pagesOfMessage(message)[0]?.path).toBe(path);
});

test('a message about a fault leads to a page for every user who receives it', () => {
  expect(pagesOfMessage(fault).flatMap(({ keys }) => keys)).toEqual([
    ...['auth_device_detail', 'auth_site_detail', 'auth_device_list', 'auth_home'],
  ]);
});

test('IDs are encoded', () => {
  expect(pagesOfMessage(news('issue', '../9?x'))[0]?.path).toBe('/manage/issue/detail/..%2F9%3Fx');
});
