import type { AccountEvent, NoticeType, SystemEvent } from '@chargehand/domain';
import type { Locale } from '../constants.ts';
import { COMMAND_TEXTS } from './logged-texts.ts';

interface Text {
  en: string;
  zh: string;
}

/** What happened to an account. */
export const ACCOUNT_EVENT_TEXTS: Readonly<Record<AccountEvent, Text>> = {
  passwordChanged: { en: 'Password changed', zh: '密码已修改' },
  passwordReset: { en: 'Password reset by an administrator', zh: '管理员重置了密码' },
  secondFactorOn: { en: 'Two-factor authentication turned on', zh: '两步验证已开启' },
  secondFactorOff: { en: 'Two-factor authentication turned off', zh: '两步验证已关闭' },
  recoveryCodesRenewed: { en: 'Recovery codes renewed', zh: '恢复码已重新生成' },
  recoveryCodeUsed: { en: 'Sign-in with a recovery code', zh: '使用恢复码登录' },
  emailChanged: { en: 'Email address changed', zh: '邮箱已更换' },
  newSignIn: { en: 'Sign-in from a new browser or network', zh: '在新的浏览器或网络登录' },
  signedOut: { en: 'Signed out by an administrator', zh: '被管理员强制下线' },
};

/** Conditions of the installation. */
export const SYSTEM_EVENT_TEXTS: Readonly<Record<SystemEvent, Text>> = {
  diskNearlyFull: { en: 'the disk of the data folder is nearly full', zh: '数据目录所在磁盘空间即将不足' },
  certificateExpires: { en: 'a certificate expires soon', zh: '证书即将到期' },
  webhookGivenUp: { en: 'a webhook of an application was disabled', zh: '应用的 Webhook 已被停用' },
};

const RESULTS: Readonly<Record<number, Text>> = {
  2: { en: 'succeeded', zh: '成功' },
  3: { en: 'failed', zh: '失败' },
  4: { en: 'timed out', zh: '超时' },
  5: { en: 'device offline', zh: '设备离线' },
};

const COUNTS = {
  succeeded: { en: '{n} succeeded', zh: '{n} 台成功' },
  failed: { en: '{n} failed', zh: '{n} 台失败' },
  cancelled: { en: '{n} cancelled', zh: '{n} 台已取消' },
  refused: { en: '{n} not possible', zh: '{n} 台无法执行' },
} as const;

export type NoticeData = Readonly<Record<string, unknown>>;

/**
 * The values of a notice as they are shown: `name`, `result` and `event` are words in the language of the reader, the
 * others stay as they were announced.
 */
export function noticeValues(type: NoticeType, data: NoticeData, locale: Locale): Record<string, string> {
  const say = (text: Text | undefined, other: unknown) =>
    text ? (locale === 'zh-CN' ? text.zh : text.en) : String(other ?? '');
  const values = Object.fromEntries(Object.entries(data).map(([key, value]) => [key, say(undefined, value)]));
  if (type === 'commandFinished' || type === 'firmwareRollout') {
    const kind = say(COMMAND_TEXTS[String(data.kind)], data.kind);
    const name = data.parameter ? `${kind} ${data.parameter}` : kind;
    return { ...values, name, result: resultOf(data, say) };
  }
  if (type === 'accountSecurity') {
    return { ...values, event: say(ACCOUNT_EVENT_TEXTS[data.event as AccountEvent], data.event) };
  }
  if (type === 'system') return { ...values, event: say(SYSTEM_EVENT_TEXTS[data.event as SystemEvent], data.event) };
  return values;
}

function resultOf(data: NoticeData, say: (text: Text | undefined, other: unknown) => string): string {
  if (data.result !== undefined) return say(RESULTS[Number(data.result)], data.result);
  const counts = Object.entries(COUNTS).filter(([key]) => Number(data[key] ?? 0) > 0);
  return counts.map(([key, text]) => say(text, '').replace('{n}', String(data[key]))).join(' · ');
}

const NOT_YOU = {
  en: 'If this was not you, change your password now and contact your administrator.',
  zh: '如非本人操作，请立即修改密码并联系管理员。',
} as const;
const DETAILS: Partial<Readonly<Record<NoticeType | SystemEvent | AccountEvent, Text>>> = {
  shareLocked: {
    en: 'A wrong code was entered too often. Nobody can use the link until you unlock it, which gives the share a new code. If you do not know who tried, end the share.',
    zh: '提取码连续输错次数过多，解锁前任何人都无法通过链接访问。解锁后将生成新的提取码；如无法确认是谁在尝试，建议直接取消分享。',
  },
  waitingDevice: {
    en: 'Check the SN on the device. Then register it, or remove it from the list of waiting devices.',
    zh: '请核对设备上的 SN，然后注册该设备，或将其从待注册设备中移除。',
  },
  accountSecurity: NOT_YOU,
  newSignIn: { en: `From the address {address}. ${NOT_YOU.en}`, zh: `登录地址：{address}。${NOT_YOU.zh}` },
  recoveryCodeUsed: { en: `From the address {address}. ${NOT_YOU.en}`, zh: `登录地址：{address}。${NOT_YOU.zh}` },
  diskNearlyFull: {
    en: 'Free space: {freeGB} GB. Delete files or enlarge the disk. Nothing can be stored when it is full.',
    zh: '剩余空间 {freeGB} GB，请清理文件或扩容。磁盘写满后将无法保存任何数据。',
  },
  certificateExpires: {
    en: '{setting} expires on {date}. Replace it before.',
    zh: '{setting} 将于 {date} 到期，请在此之前更换。',
  },
  webhookGivenUp: {
    en: 'The webhook at {host} of the application {application} failed for three days. Repair the receiver, enable the webhook, and replay what it missed.',
    zh: '应用“{application}”的 Webhook（{host}）已连续失败三天。请修复接收方，重新启用 Webhook 并重新投递遗漏的事件。',
  },
};

/** What the reader should know and do about a notice; null: its title says it. */
export function noticeDetail(type: NoticeType, data: NoticeData, locale: Locale): string | null {
  const text = DETAILS[data.event as SystemEvent | AccountEvent] ?? DETAILS[type];
  if (!text) return null;
  const values = noticeValues(type, data, locale);
  return (locale === 'zh-CN' ? text.zh : text.en).replace(/\{(\w+)\}/g, (_, name: string) =>
    (values[name] ?? '').replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' '),
  );
}
