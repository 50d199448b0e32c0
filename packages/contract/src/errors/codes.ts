import type { CodeEntry } from '../operations/message.ts';

export const ERROR_LOG_CODES = {
  errorStateUnchanged: {
    code: 11600,
    en: 'The error already has this state.',
    zh: '该错误已是此状态。',
  },
} as const satisfies Record<string, CodeEntry>;
