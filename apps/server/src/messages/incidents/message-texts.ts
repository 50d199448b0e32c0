import { type Locale, noticeDetail, noticeValues } from '@chargehand/contract';
import { isStateType, type NoticeType } from '@chargehand/domain';
import type { IncidentRecord } from './incidents.store.ts';

type Both = Readonly<{ en: string; zh: string }>;

/** The title of a message of each type. `{…}` are values of its notice. */
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

const WORDS = {
  greeting: { en: 'Hello {userName},', zh: '{userName}，您好：' },
  over: { en: 'Over: {title}', zh: '已恢复：{title}' },
  at: { en: '{title} · {site}', zh: '{site}：{title}' },
  many: { en: '{site}: {count} messages', zh: '{site}：{count} 条消息' },
  manyAnywhere: { en: '{count} messages', zh: '{count} 条消息' },
  devices: { en: '{count} devices: {names}', zh: '共 {count} 台设备：{names}' },
  device: { en: 'Device: {names}', zh: '设备：{names}' },
  more: { en: '{names} and {count} more', zh: '{names} 等，另有 {count} 台' },
  events: { en: '{open} of {count} still going on', zh: '共 {count} 项，{open} 项未恢复' },
  link: { en: 'Open in Chargehand', zh: '在 Chargehand 中查看' },
  settings: {
    en: 'Choose what you are notified of on the page Message settings.',
    zh: '可在“消息设置”中选择接收哪些通知。',
  },
  signature: {
    en: 'Chargehand. This is an automated message. Replies are not read.',
    zh: 'Chargehand（系统自动发送，请勿回复）',
  },
} as const satisfies Record<string, Both>;

/** The names of devices that a text lists; the others are counted. */
const NAMED_DEVICES = 10;
const LONGEST_SUBJECT = 160;

/** The names that texts need, by id. */
export interface Names {
  devices: ReadonlyMap<number, string>;
  sites: ReadonlyMap<number, string>;
}

/** The text of a mail about one or more incidents, as they are now. */
export function mailTextOf(
  incidents: readonly IncidentRecord[],
  to: { userName: string; locale: Locale },
  names: Names,
): { subject: string; paragraphs: string[]; linkLabel: string; notes: string[]; signature: string } {
  const { locale } = to;
  const say = (text: Both, values: Values = {}) => fill(locale === 'zh-CN' ? text.zh : text.en, values);
  const titles = incidents.map((incident) => titleOf(incident, locale));
  const sites = [...new Set(incidents.map(({ siteId }) => siteId))];
  const [siteId] = sites;
  const site = sites.length === 1 && siteId != null ? names.sites.get(siteId) : undefined;
  const [title = ''] = titles;
  const subject =
    titles.length > 1
      ? say(site === undefined ? WORDS.manyAnywhere : WORDS.many, { site: site ?? '', count: titles.length })
      : site === undefined
        ? title
        : say(WORDS.at, { title, site });
  const lines = incidents.map((incident, index) =>
    [
      titles[index],
      site === undefined && incident.siteId !== null ? names.sites.get(incident.siteId) : undefined,
      devicesOf(incident, names, say),
      isStateType(incident.type) && incident.members > 1
        ? say(WORDS.events, { open: incident.open, count: incident.members })
        : undefined,
    ]
      .filter((part) => part !== undefined && part !== '')
      .join(' · '),
  );
  return {
    subject: [...subject].slice(0, LONGEST_SUBJECT).join(''),
    paragraphs: [say(WORDS.greeting, { userName: to.userName }), ...lines, ...detailsOf(incidents, locale)],
    linkLabel: say(WORDS.link),
    notes: [say(WORDS.settings)],
    signature: say(WORDS.signature),
  };
}

/** The title of an incident; says so when it is over. */
function titleOf(incident: IncidentRecord, locale: Locale): string {
  const say = (text: Both, values: Values) => fill(locale === 'zh-CN' ? text.zh : text.en, values);
  const title = say(TITLES[incident.type], noticeValues(incident.type, incident.data, locale));
  return incident.recoveredAt === null ? title : say(WORDS.over, { title });
}

/** What the reader should know and do, once each. */
function detailsOf(incidents: readonly IncidentRecord[], locale: Locale): string[] {
  const going = incidents.filter(({ recoveredAt }) => recoveredAt === null);
  return [...new Set(going.flatMap(({ type, data }) => noticeDetail(type, data, locale) ?? []))];
}

function devicesOf(
  { devices }: IncidentRecord,
  names: Names,
  say: (text: Both, values: Values) => string,
): string | undefined {
  if (devices.length === 0) return undefined;
  const known = devices.slice(0, NAMED_DEVICES).map((id) => names.devices.get(id) ?? `#${id}`);
  const rest = devices.length - known.length;
  const list = known.join(', ');
  const text = rest > 0 ? say(WORDS.more, { names: list, count: rest }) : list;
  return say(devices.length === 1 ? WORDS.device : WORDS.devices, { count: devices.length, names: text });
}

type Values = Readonly<Record<string, string | number | null | undefined>>;

/** Values may contain anything. They are shown on one line. */
function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) =>
    String(values[name] ?? '').replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' '),
  );
}
