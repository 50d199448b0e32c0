import type { NoticeType } from '@chargehand/domain';
import type { Locale } from '../constants.ts';
import { noticeValues } from '../texts/notice-texts.ts';

type Both = Readonly<{ en: string; zh: string }>;
export type TextValues = Readonly<Record<string, unknown>>;

/** The title of a message of each type, in mails and in the console. `{…}` are values of its notice. */
const TITLES: Readonly<Record<NoticeType, Both>> = {
  deviceOffline: { en: 'Device offline', zh: '设备离线' },
  // The level is shown beside the title.
  alarmOA: { en: 'Alarm: {code}', zh: '告警 {code}' },
  alarmMA: { en: 'Alarm: {code}', zh: '告警 {code}' },
  alarmCA: { en: 'Alarm: {code}', zh: '告警 {code}' },
  fault: { en: 'Fault: {code}', zh: '故障 {code}' },
  unavailable: { en: 'Unavailable: {code}', zh: '不可用：{code}' },
  commandFinished: { en: 'Command finished: {name} · {result}', zh: '指令已结束：{name} · {result}' },
  firmwareRollout: { en: 'Firmware rollout finished: {result}', zh: '固件批量升级已结束：{result}' },
  issueCreated: { en: 'New issue: {issue} {title}', zh: '新问题：{issue} {title}' },
  issueAssigned: { en: 'Issue assigned to you: {issue} {title}', zh: '有问题分配给您：{issue} {title}' },
  issueAnswered: { en: 'New answer to the issue: {issue} {title}', zh: '问题有新回复：{issue} {title}' },
  issueDue: { en: 'Issue due: {issue} {title}', zh: '问题即将到期：{issue} {title}' },
  shareLocked: { en: 'Share locked: {name}', zh: '分享已锁定：{name}' },
  waitingDevice: { en: 'A device waits for registration: {sn}', zh: '有设备待注册：{sn}' },
  accountSecurity: { en: 'Account security: {event}', zh: '账号安全提醒：{event}' },
  system: { en: 'System: {event}', zh: '系统消息：{event}' },
};

const NAMED_CODE: Both = { en: '{name} ({code})', zh: '{name}（{code}）' };
const CAUSE: Both = { en: 'Cause: {name}', zh: '原因：{name}' };
const REMEDY: Both = { en: 'Remedy: {name}', zh: '处理措施：{name}' };

/** Titles of what happened to an issue, where it is not an answer. Old messages about new issues have the type of answers. */
const OCCASIONS: Readonly<Record<string, Both>> = {
  mention: { en: 'You were mentioned in the issue: {issue} {title}', zh: '有人在问题中提到了您：{issue} {title}' },
  watching: { en: 'You watch a new issue: {issue} {title}', zh: '您已被设为新问题的关注人：{issue} {title}' },
  closed: { en: 'Issue closed: {issue} {title}', zh: '问题已关闭：{issue} {title}' },
  reopened: { en: 'Issue reopened: {issue} {title}', zh: '问题已重新打开：{issue} {title}' },
  reported: { en: 'New report of a problem: {issue} {title}', zh: '收到新的报修：{issue} {title}' },
};

/** Names in both languages; null: there is none. */
export interface BothNames {
  nameEn: string | null;
  nameZh: string | null;
}

/** What a message is about, in one line. `names` are those of the code of its alarm. */
export function messageTitle(
  { type, data, names }: { type: NoticeType; data: TextValues; names?: BothNames | undefined },
  locale: Locale,
): string {
  const title =
    ((type === 'issueAnswered' || type === 'issueCreated') && OCCASIONS[String(data.occasion)]) || TITLES[type];
  const values = noticeValues(type, data, locale);
  const name = names && nameIn(names, locale);
  if (name) values.code = fillText(locale === 'zh-CN' ? NAMED_CODE.zh : NAMED_CODE.en, { name, code: data.code });
  const text = locale === 'zh-CN' ? title.zh : title.en;
  // Notices before keys name the issue by its title alone.
  return fillText(data.issue === undefined ? text.replace('{issue} ', '') : text, values);
}

/** How the problem behind a message was solved, in one line; empty if its issue says nothing. */
export function messageEnd(
  { cause, remedy }: { cause?: BothNames | null | undefined; remedy?: BothNames | null | undefined },
  locale: Locale,
): string {
  const parts = [
    { text: CAUSE, name: cause && nameIn(cause, locale) },
    { text: REMEDY, name: remedy && nameIn(remedy, locale) },
  ];
  return parts
    .flatMap(({ text, name }) => (name ? fillText(locale === 'zh-CN' ? text.zh : text.en, { name }) : []))
    .join(' · ');
}

/** The name in a language; empty if there is none. */
export function nameIn({ nameEn, nameZh }: BothNames, locale: Locale): string {
  return (locale === 'zh-CN' ? nameZh : nameEn) ?? '';
}

/** A text with its values. Values may contain anything. They are shown on one line. */
export function fillText(text: string, values: TextValues): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) =>
    String(values[name] ?? '').replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' '),
  );
}
