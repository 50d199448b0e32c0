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
  storage: { en: 'nothing can be stored', zh: '数据无法保存' },
  outgoingHeld: { en: 'nothing is sent after a restore', zh: '恢复备份后已暂停对外发送' },
  probeFailed: { en: 'the probe device failed', zh: '探测设备测试失败' },
  diskFull: { en: 'the disk of the data folder is nearly full', zh: '数据目录所在磁盘空间即将不足' },
  queueGrows: { en: 'messages of devices wait to be stored', zh: '设备消息积压，等待保存' },
  clockWrong: { en: 'the clocks of the server and the database differ', zh: '服务器与数据库时钟不一致' },
  deletionStopped: { en: 'old data is not deleted', zh: '过期数据已停止删除' },
  deletionBehind: { en: 'old data is deleted later', zh: '过期数据删除滞后' },
  certificateExpired: { en: 'a certificate has expired', zh: '证书已过期' },
  backupFailed: { en: 'the last backup failed', zh: '最近一次备份失败' },
  backupMissing: { en: 'there has never been a backup', zh: '从未备份' },
  backupOld: { en: 'the last backup is too old', zh: '最近一次备份已过旧' },
  databaseWaits: { en: 'requests wait for the database', zh: '有请求在等待数据库连接' },
  databaseSlow: { en: 'the database is slow', zh: '数据库响应缓慢' },
  probeSlow: { en: 'the probe device is slow', zh: '探测设备响应缓慢' },
  certificateExpires: { en: 'a certificate expires soon', zh: '证书即将到期' },
  sendsFail: { en: 'webhooks or push messages fail', zh: 'Webhook 或推送消息持续发送失败' },
  mailsFail: { en: 'mails cannot be sent', zh: '邮件无法发送' },
  queueWaits: { en: 'messages or mails wait to be sent', zh: '消息或邮件积压待发' },
  jobFails: { en: 'a job fails', zh: '任务失败' },
  jobLasts: { en: 'a job does not end', zh: '任务长时间未结束' },
  errorsSeen: { en: 'many errors in the error log', zh: '错误日志中错误频发' },
  busy: { en: 'the server is busy', zh: '服务器繁忙' },
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
  system: {
    en: 'The dashboard of the system shows details and what to do.',
    zh: '详情及处理办法请查看系统仪表盘。',
  },
  accountSecurity: NOT_YOU,
  newSignIn: { en: `From the address {address}. ${NOT_YOU.en}`, zh: `登录地址：{address}。${NOT_YOU.zh}` },
  recoveryCodeUsed: { en: `From the address {address}. ${NOT_YOU.en}`, zh: `登录地址：{address}。${NOT_YOU.zh}` },
  diskFull: {
    en: 'Free space: {freeGB} GB. Delete files or enlarge the disk. Nothing can be stored when it is full.',
    zh: '剩余空间 {freeGB} GB，请清理文件或扩容。磁盘写满后将无法保存任何数据。',
  },
  certificateExpires: {
    en: 'Renew it and replace the file before it expires. The dashboard of the system names it.',
    zh: '请在到期前续期并更换证书文件，具体证书请查看系统仪表盘。',
  },
  outgoingHeld: {
    en: 'Waiting: mails {mails}, messages and events {messages}, commands {commands}. Root releases them on the dashboard of the system.',
    zh: '等待中：{mails} 封邮件、{messages} 条消息和事件、{commands} 条指令。请由 root 在系统仪表盘中恢复发送。',
  },
  sendsFail: {
    en: 'Webhooks and browsers that receive nothing: {receivers}. Failed attempts in 24 hours: {failures}. Read the send log, and check that the receivers answer.',
    zh: '有 {receivers} 个 Webhook 或浏览器收不到消息，24 小时内失败 {failures} 次。请查看发送记录，并确认接收方可用。',
  },
  mailsFail: {
    en: 'Emails that could not be sent in 24 hours: {count}. Read the errors under Outgoing emails, and check SMTP_URL.',
    zh: '24 小时内有 {count} 封邮件发送失败，请查看发件箱中的错误，并检查 SMTP_URL。',
  },
  queueWaits: {
    en: '{count} waiting, the oldest for more than {minutes} minutes. Check the jobs of the system and whether the receivers can be reached.',
    zh: '{count} 条等待中，最早一条已等待超过 {minutes} 分钟。请检查系统任务以及接收方能否连接。',
  },
  backupFailed: {
    en: '{error} Check the space at its destination and the connection to its bucket.',
    zh: '{error} 请检查备份目标的空间以及与存储桶的连接。',
  },
  errorsSeen: {
    en: 'Unreviewed errors in the last hour: {count}. Read them in the error log.',
    zh: '最近一小时有 {count} 次未处理的错误，请查看错误日志。',
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
