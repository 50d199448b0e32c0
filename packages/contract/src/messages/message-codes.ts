import type { CodeEntry } from '../operations/message.ts';

/** Messages: 114xx, from 11450. */
export const MESSAGE_CODES = {
  muteTooLong: {
    code: 11450,
    en: 'Messages can be muted for {days} days at most. Choose an earlier time for {field}.',
    zh: '消息最多可静音 {days} 天，请将{field}改为更早的时间。',
  },
} as const satisfies Record<string, CodeEntry>;
