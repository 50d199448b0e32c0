import type { CodeEntry } from '../operations/message.ts';

export const TELEMETRY_CODES = {
  rangeTurned: { code: 10251, en: 'The end of the range must be after its start.', zh: '结束时间必须晚于开始时间。' },
  rangeTooLong: {
    code: 10252,
    en: 'The range may span at most {days} days.',
    zh: '时间范围最多 {days} 天。',
  },
  transactionEnded: {
    code: 10960,
    en: 'The charging session has already ended.',
    zh: '该充电会话已结束。',
  },
} as const satisfies Record<string, CodeEntry>;
