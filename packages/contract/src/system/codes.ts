import type { CodeEntry } from '../operations/message.ts';

/** The system dashboard and its jobs: 11700-11719, 12100. */
export const SYSTEM_CODES = {
  jobRuns: {
    code: 11700,
    en: 'The job is running already. Wait until it has finished.',
    zh: '该任务正在运行，请等待其完成。',
  },
  outgoingNotHeld: {
    code: 12100,
    en: 'Nothing is held. Somebody has released it already.',
    zh: '当前没有暂停发送的内容，可能已被他人恢复。',
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

/** Branding of the installation: 11800-11819. */
export const BRANDING_CODES = {
  brandingText: {
    code: 11800,
    en: '{name} must have 1 to {most} characters. Use the default to remove it.',
    zh: '“{name}”须为 1 到 {most} 个字符。如需清除，请恢复默认值。',
  },
  brandingCharacters: {
    code: 11801,
    en: '{name} must have one line without invisible characters or characters that change the text direction.',
    zh: '“{name}”只能有一行，且不能包含不可见字符或改变文字方向的字符。',
  },
  brandingColor: {
    code: 11802,
    en: '{name} must be a color such as #1d5fd0.',
    zh: '“{name}”须为 #1d5fd0 格式的颜色值。',
  },
  brandingContrast: {
    code: 11803,
    en: 'White text on this color is hard to read. Choose a darker color: the contrast must be at least 4.5.',
    zh: '该颜色上的白色文字不易辨认，请选择更深的颜色（对比度须不低于 4.5）。',
  },
  brandingLogo: {
    code: 11804,
    en: 'The logo must be a PNG, JPEG or WebP file of at most {limit}, 16 to 1024 pixels wide and high.',
    zh: '标志须为 PNG、JPEG 或 WebP 图片，不超过 {limit}，宽高均为 16 到 1024 像素。',
  },
} as const satisfies Record<string, CodeEntry>;
