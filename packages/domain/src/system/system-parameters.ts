/**
 * The settings of the installation that root accounts change at runtime. This catalogue is the only declaration of a
 * parameter: the form, the validation, the API and `docs/parameters.md` use it.
 */

export const PARAMETER_GROUPS = ['sessions', 'passwords', 'limits', 'retention'] as const;
export type ParameterGroup = (typeof PARAMETER_GROUPS)[number];

export const PARAMETER_UNITS = ['minutes', 'hours', 'days', 'characters', 'count'] as const;
export type ParameterUnit = (typeof PARAMETER_UNITS)[number];

interface Text {
  en: string;
  zh: string;
}

/** The declaration of a parameter: a whole number within bounds. */
export interface SystemParameter {
  group: ParameterGroup;
  unit: ParameterUnit;
  least: number;
  most: number;
  fallback: number;
  /** the environment variable that sets the default of an installation */
  setting?: string;
  /** a lower value deletes stored data */
  erases?: true;
  /** the parameter whose value must not be greater */
  notBelow?: string;
  label: Text;
  help: Text;
  /** why a value below `least` is refused */
  why: Text;
}

const SHORT_SESSION: Text = {
  en: 'Shorter sessions end while users still read a page.',
  zh: '过短的会话会在用户阅读页面时中断。',
};
const NO_SESSION: Text = { en: 'Otherwise nobody could sign in.', zh: '否则任何人都无法登录。' };
const EMPTY_LOG: Text = { en: 'With 0, everything would be deleted at once.', zh: '设为 0 会立即清空全部数据。' };
const FEW_ATTEMPTS: Text = {
  en: 'With fewer attempts, a typing error locks accounts.',
  zh: '次数过少时，输错密码就会锁定账号。',
};

export const SYSTEM_PARAMETERS = {
  sessionMinutes: {
    ...{ group: 'sessions', unit: 'minutes', least: 5, most: 1_440, fallback: 30 },
    setting: 'CHARGEHAND_SESSION_MINUTES',
    label: { en: 'Session idle timeout', zh: '会话空闲时长' },
    help: {
      en: 'A session ends after this time without a request. Open sessions follow at once.',
      zh: '无操作超过该时长后会话结束，对已登录的会话立即生效。',
    },
    why: SHORT_SESSION,
  },
  sessionHours: {
    ...{ group: 'sessions', unit: 'hours', least: 1, most: 720, fallback: 12 },
    setting: 'CHARGEHAND_SESSION_HOURS',
    label: { en: 'Length of a session', zh: '会话最长时长' },
    help: {
      en: 'A session ends this long after sign-in, even if it is active. Open sessions follow at once.',
      zh: '登录后达到该时长，会话即使仍在使用也会结束，对已登录的会话立即生效。',
    },
    why: SHORT_SESSION,
  },
  sessionsPerUser: {
    ...{ group: 'sessions', unit: 'count', least: 1, most: 100, fallback: 5 },
    setting: 'CHARGEHAND_SESSIONS_PER_USER',
    label: { en: 'Sessions per account', zh: '每个账号的会话数' },
    help: {
      en: 'A further sign-in ends the oldest session of the account.',
      zh: '超出后再次登录会结束该账号最早的会话。',
    },
    why: NO_SESSION,
  },
  passwordLength: {
    ...{ group: 'passwords', unit: 'characters', least: 8, most: 16, fallback: 8 },
    label: { en: 'Minimum password length', zh: '密码最短长度' },
    help: {
      en: 'Applies to new passwords. They always need upper and lower case letters, digits and a special character.',
      zh: '对新设置的密码生效。密码始终须同时包含大写字母、小写字母、数字和特殊字符。',
    },
    why: { en: 'Shorter passwords can be guessed.', zh: '过短的密码容易被破解。' },
  },
  signInFailures: {
    ...{ group: 'limits', unit: 'count', least: 3, most: 20, fallback: 5 },
    label: { en: 'Failed sign-ins of an account', zh: '账号允许的登录失败次数' },
    help: {
      en: 'After this many failures the account is locked for a time.',
      zh: '达到该次数后，账号会被锁定一段时间。',
    },
    why: FEW_ATTEMPTS,
  },
  signInLockMinutes: {
    ...{ group: 'limits', unit: 'minutes', least: 1, most: 1_440, fallback: 15 },
    label: { en: 'Lock after failed sign-ins', zh: '登录失败后的锁定时长' },
    help: {
      en: 'How long failures are counted, and how long an account or an address is locked.',
      zh: '登录失败的统计时长，也是账号或网络地址的锁定时长。',
    },
    why: { en: 'Without a lock, passwords can be guessed.', zh: '不锁定时密码可能被暴力破解。' },
  },
  addressFailures: {
    ...{ group: 'limits', unit: 'count', least: 10, most: 1_000, fallback: 30 },
    label: { en: 'Failed sign-ins per IP address', zh: '网络地址允许的登录失败次数' },
    help: {
      en: 'The same for a network address. An office often shares one address.',
      zh: '针对同一网络地址。同一办公室通常共用一个地址。',
    },
    why: FEW_ATTEMPTS,
  },
  protocolLogDays: {
    ...{ group: 'retention', unit: 'days', least: 1, most: 3_650, fallback: 30, erases: true },
    setting: 'CHARGEHAND_PROTOCOL_LOG_DAYS',
    label: { en: 'Protocol log', zh: '协议日志' },
    help: { en: 'Messages between devices and the server.', zh: '设备与服务器之间的报文。' },
    why: EMPTY_LOG,
  },
  actionLogDays: {
    ...{ group: 'retention', unit: 'days', least: 30, most: 36_500, fallback: 1_095, erases: true },
    setting: 'CHARGEHAND_ACTION_LOG_DAYS',
    label: { en: 'Action log', zh: '操作日志' },
    help: { en: 'Who changed what, and when.', zh: '记录谁在何时修改了什么。' },
    why: { en: 'Changes of the last month must stay traceable.', zh: '最近一个月的操作必须可追溯。' },
  },
  signInLogDays: {
    ...{ group: 'retention', unit: 'days', least: 30, most: 36_500, fallback: 365, erases: true },
    setting: 'CHARGEHAND_SIGN_IN_LOG_DAYS',
    label: { en: 'Sign-in log', zh: '登录日志' },
    help: { en: 'Sign-ins, sign-outs and failures.', zh: '登录、退出与登录失败记录。' },
    why: { en: 'Sign-ins of the last month must stay traceable.', zh: '最近一个月的登录必须可追溯。' },
  },
  errorLogDays: {
    ...{ group: 'retention', unit: 'days', least: 1, most: 3_650, fallback: 90, erases: true },
    setting: 'CHARGEHAND_ERROR_LOG_DAYS',
    label: { en: 'Error log', zh: '错误日志' },
    help: { en: 'Counted from the last time that an error happened.', zh: '从错误最后一次出现时起算。' },
    why: EMPTY_LOG,
  },
  deviceLogDays: {
    ...{ group: 'retention', unit: 'days', least: 1, most: 3_650, fallback: 90, erases: true },
    setting: 'CHARGEHAND_DEVICE_LOG_DAYS',
    label: { en: 'Device logs', zh: '设备日志文件' },
    help: { en: 'Log files that devices uploaded.', zh: '设备上传的日志文件。' },
    why: EMPTY_LOG,
  },
  linkDays: {
    ...{ group: 'retention', unit: 'days', least: 1, most: 3_650, fallback: 90, erases: true },
    setting: 'CHARGEHAND_LINK_DAYS',
    label: { en: 'Past links', zh: '历史远程连接' },
    help: { en: 'Ended links to devices with their recordings.', zh: '已结束的设备远程连接及其录像。' },
    why: EMPTY_LOG,
  },
  readingDays: {
    ...{ group: 'retention', unit: 'days', least: 1, most: 36_500, fallback: 400, erases: true },
    setting: 'CHARGEHAND_READING_DAYS',
    label: { en: 'Readings', zh: '原始采样数据' },
    help: { en: 'Readings in full resolution.', zh: '全分辨率的采样数据。' },
    why: EMPTY_LOG,
  },
  rollup5minDays: {
    ...{ group: 'retention', unit: 'days', least: 1, most: 36_500, fallback: 400, erases: true },
    ...{ setting: 'CHARGEHAND_ROLLUP_5MIN_DAYS', notBelow: 'readingDays' },
    label: { en: '5-minute rollups', zh: '5 分钟汇总' },
    help: {
      en: 'For charts of older days. At least as long as readings.',
      zh: '用于较早日期的图表，保留时间不短于原始数据。',
    },
    why: EMPTY_LOG,
  },
  rollupHourDays: {
    ...{ group: 'retention', unit: 'days', least: 1, most: 36_500, fallback: 800, erases: true },
    ...{ setting: 'CHARGEHAND_ROLLUP_HOUR_DAYS', notBelow: 'rollup5minDays' },
    label: { en: 'Hourly rollups', zh: '小时汇总' },
    help: { en: 'At least as long as 5-minute rollups.', zh: '保留时间不短于 5 分钟汇总。' },
    why: EMPTY_LOG,
  },
  rollupDayDays: {
    ...{ group: 'retention', unit: 'days', least: 1, most: 36_500, fallback: 3_660, erases: true },
    ...{ setting: 'CHARGEHAND_ROLLUP_DAY_DAYS', notBelow: 'rollupHourDays' },
    label: { en: 'Daily rollups', zh: '每日汇总' },
    help: { en: 'At least as long as hourly rollups.', zh: '保留时间不短于小时汇总。' },
    why: EMPTY_LOG,
  },
} as const satisfies Record<string, SystemParameter>;

export type ParameterKey = keyof typeof SYSTEM_PARAMETERS;
export type ParameterValues = Record<ParameterKey, number>;

/** Every parameter, in the order of the page. */
export const PARAMETER_KEYS = Object.keys(SYSTEM_PARAMETERS) as ParameterKey[];

/** The declaration of a parameter, with its optional fields. */
export function systemParameter(key: ParameterKey): SystemParameter {
  return SYSTEM_PARAMETERS[key];
}

export function isParameterKey(text: string): text is ParameterKey {
  return Object.hasOwn(SYSTEM_PARAMETERS, text);
}

/** Why a value is refused. `order`: another parameter would then be greater or less than it may be. */
export type ParameterFault = { kind: 'range' } | { kind: 'order'; other: ParameterKey; value: number; above: boolean };

/** True for a whole number within the bounds of a parameter. */
export function isParameterValue(key: ParameterKey, value: unknown): value is number {
  const { least, most } = systemParameter(key);
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most;
}

/** Why a parameter cannot have a value while the others have `values`; null if it can. */
export function parameterFault(key: ParameterKey, value: unknown, values: ParameterValues): ParameterFault | null {
  if (!isParameterValue(key, value)) return { kind: 'range' };
  return orderFault(key, value, values);
}

/** The order of retentions: a coarser rollup is stored at least as long as a finer one. */
export function orderFault(key: ParameterKey, value: number, values: ParameterValues): ParameterFault | null {
  const below = systemParameter(key).notBelow as ParameterKey | undefined;
  if (below !== undefined && value < values[below]) {
    return { kind: 'order', other: below, value: values[below], above: false };
  }
  const above = PARAMETER_KEYS.find((other) => systemParameter(other).notBelow === key && value > values[other]);
  return above === undefined ? null : { kind: 'order', other: above, value: values[above], above: true };
}
