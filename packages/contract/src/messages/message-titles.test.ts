import type { NoticeType } from '@chargehand/domain';
import { describe, expect, test } from 'vitest';
import { type BothNames, messageEnd, messageTitle } from './message-titles.ts';

const NAMES: BothNames = { nameEn: 'Hot', nameZh: '过热' };
const NO_NAME: BothNames = { nameEn: null, nameZh: null };

describe('the title of a message', () => {
  test.each<[NoticeType, Record<string, unknown>, BothNames | undefined, string, string]>([
    ['fault', { code: 'T1' }, NAMES, 'Fault: Hot (T1)', '故障 过热（T1）'],
    ['fault', { code: 'T1' }, undefined, 'Fault: T1', '故障 T1'],
    ['fault', { code: 'T1' }, NO_NAME, 'Fault: T1', '故障 T1'],
    ['alarmOA', { code: 'T1' }, NAMES, 'Alarm: Hot (T1)', '告警 过热（T1）'],
    [
      'unavailable',
      { code: 'T1' },
      { nameEn: 'a\nb {code}', nameZh: null },
      'Unavailable: a b {code} (T1)',
      '不可用：T1',
    ],
    ['deviceOffline', { code: 'Offline' }, NAMES, 'Device offline', '设备离线'],
    ['shareLocked', { name: 'Manual' }, undefined, 'Share locked: Manual', '分享已锁定：Manual'],
  ])('%s %j', (type, data, names, en, zh) => {
    expect(messageTitle({ type, data, names }, 'en-US')).toBe(en);
    expect(messageTitle({ type, data, names }, 'zh-CN')).toBe(zh);
  });
});

describe('the end of an issue', () => {
  test.each<[BothNames | null | undefined, BothNames | null | undefined, string, string]>([
    [NAMES, NAMES, 'Cause: Hot · Remedy: Hot', '原因：过热 · 处理措施：过热'],
    [NAMES, null, 'Cause: Hot', '原因：过热'],
    [null, NAMES, 'Remedy: Hot', '处理措施：过热'],
    [NO_NAME, undefined, '', ''],
  ])('%j %j', (cause, remedy, en, zh) => {
    expect(messageEnd({ cause, remedy }, 'en-US')).toBe(en);
    expect(messageEnd({ cause, remedy }, 'zh-CN')).toBe(zh);
  });
});
