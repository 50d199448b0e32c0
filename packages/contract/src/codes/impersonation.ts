import type { CodeEntry } from '../operations/message.ts';

export const IMPERSONATION_CODES = {
  impersonationReadOnly: {
    code: 10171,
    en: 'You are viewing the console as {name} and cannot change anything. Stop viewing first.',
    zh: '您正在以 {name} 的身份查看，不能做任何更改，请先结束查看。',
  },
  impersonationOver: {
    code: 10172,
    en: 'Viewing as another user has ended, or was started in another tab. Reload the page to continue.',
    zh: '以其他用户身份查看的状态已变化，请刷新页面后继续。',
  },
  impersonationOfRoot: {
    code: 10173,
    en: 'You cannot view the console as another root account.',
    zh: '不能以其他超级管理员的身份查看。',
  },
  impersonationOfDisabled: {
    code: 10174,
    en: 'This user or their customer is disabled. You cannot view the console as this user.',
    zh: '该用户或其所属客户已停用，无法以其身份查看。',
  },
} as const satisfies Record<string, CodeEntry>;
