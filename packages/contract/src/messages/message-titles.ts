import type { NoticeType } from '@chargehand/domain';
import type { Locale } from '../constants.ts';
import { noticeValues } from '../texts/notice-texts.ts';

type Both = Readonly<{ en: string; zh: string }>;
export type TextValues = Readonly<Record<string, unknown>>;

/** The title of a message of each type, in mails and in the console. `{…}` are values of its notice. */
const TITLES: Readonly<Record<NoticeType, Both>> = {
  deviceOffline: { en: 'Device offline', zh: '设备离线' },
  alarmOA: { en: 'OA alarm {code}', zh: 'OA 级告警 {code}' },
  alarmMA: { en: 'MA alarm {code}', zh: 'MA 级告警 {code}' },
  alarmCA: { en: 'CA alarm {code}', zh: 'CA 级告警 {code}' },
  fault: { en: 'Fault {code}', zh: '故障 {code}' },
  unavailable: { en: 'Unavailable: {code}', zh: '不可用：{code}' },
  commandFinished: { en: 'Command finished: {name} · {result}', zh: '指令已结束：{name} · {result}' },
  firmwareRollout: { en: 'Firmware rollout finished: {result}', zh: '固件批量升级已结束：{result}' },
  issueAssigned: { en: 'Issue assigned to you: {title}', zh: '有问题分配给您：{title}' },
  issueAnswered: { en: 'New answer to the issue: {title}', zh: '问题有新回复：{title}' },
  issueDue: { en: 'Issue due: {title}', zh: '问题即将到期：{title}' },
  shareLocked: { en: 'Share locked: {name}', zh: '分享已锁定：{name}' },
  waitingDevice: { en: 'A device waits for registration: {sn}', zh: '有设备待注册：{sn}' },
  accountSecurity: { en: 'Account security: {event}', zh: '账号安全提醒：{event}' },
  system: { en: 'System: {event}', zh: '系统消息：{event}' },
};

/** Titles of what happened to an issue, where it is not an answer. */
const OCCASIONS: Readonly<Record<string, Both>> = {
  mention: { en: 'You were mentioned in the issue: {title}', zh: '有人在问题中提到了您：{title}' },
  watching: { en: 'You watch a new issue: {title}', zh: '您已被设为新问题的关注人：{title}' },
  closed: { en: 'Issue closed: {title}', zh: '问题已关闭：{title}' },
  reopened: { en: 'Issue reopened: {title}', zh: '问题已重新打开：{title}' },
  reported: { en: 'New report of a problem: {title}', zh: '收到新的报修：{title}' },
};

/** What a message is about, in one line. */
export function messageTitle({ type, data }: { type: NoticeType; data: TextValues }, locale: Locale): string {
  const title = (type === 'issueAnswered' && OCCASIONS[String(data.occasion)]) || TITLES[type];
  return fillText(locale === 'zh-CN' ? title.zh : title.en, noticeValues(type, data, locale));
}

/** A text with its values. Values may contain anything. They are shown on one line. */
export function fillText(text: string, values: TextValues): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) =>
    String(values[name] ?? '').replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' '),
  );
}
