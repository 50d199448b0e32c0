import type { CodeEntry } from '../operations/message.ts';

/** The system dashboard and its jobs: 11700-11719. */
export const SYSTEM_CODES = {
  jobRuns: {
    code: 11700,
    en: 'The job is running already. Wait until it has finished.',
    zh: '该任务正在运行，请等待其完成。',
  },
  jobUnknown: {
    code: 11701,
    en: 'No process runs this job now.',
    zh: '当前没有进程运行该任务。',
  },
} as const satisfies Record<string, CodeEntry>;

/** Parameters of the installation: 11760-11779. */
export const SYSTEM_PARAMETER_CODES = {
  parameterRange: {
    code: 11760,
    en: '{name} must be a whole number from {least} to {most}. {why}',
    zh: '“{name}”须为 {least} 到 {most} 的整数。{why}',
  },
  parameterTooLow: {
    code: 11761,
    en: '{name} must be at least {value} days, the value of {other}. Lower that first.',
    zh: '“{name}”不得少于“{other}”的 {value} 天，请先调低后者。',
  },
  parameterTooHigh: {
    code: 11762,
    en: '{name} must be at most {value} days, the value of {other}. Raise that first.',
    zh: '“{name}”不得多于“{other}”的 {value} 天，请先调高后者。',
  },
  parameterChanged: {
    code: 11763,
    en: '{user} changed this parameter in the meantime. It is {value} now. Check it and change it again.',
    zh: '{user} 刚刚修改了该参数，当前值为 {value}。请确认后重新修改。',
  },
  parameterChangeOld: {
    code: 11764,
    en: 'The parameter was changed again after this. Only its last change can be undone.',
    zh: '该参数之后又被修改过，只能撤销最近一次修改。',
  },
  passwordShort: {
    code: 11765,
    en: 'The password must have at least {least} characters in this installation.',
    zh: '本系统要求密码至少 {least} 个字符。',
  },
} as const satisfies Record<string, CodeEntry>;
