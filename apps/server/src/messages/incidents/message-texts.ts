import { fillText, type Locale, messageEnd, messageTitle, noticeDetail, type TextValues } from '@chargehand/contract';
import { isStateType } from '@chargehand/domain';
import { cutSubject } from '../../platform/mail/mailbox.ts';
import type { IncidentRecord } from './incidents.store.ts';
import type { Names } from './names.store.ts';

type Both = Readonly<{ en: string; zh: string }>;

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
  reply: {
    en: 'Reply to this mail to add an internal comment to the issue.',
    zh: '直接回复此邮件，即可在该问题下添加内部评论。',
  },
  signatureWithReplies: { en: 'Chargehand. This is an automated message.', zh: 'Chargehand（系统自动发送）' },
  signature: {
    en: 'Chargehand. This is an automated message. Replies are not read.',
    zh: 'Chargehand（系统自动发送，请勿回复）',
  },
} as const satisfies Record<string, Both>;

/** The names of devices that a text lists; the others are counted. */
const NAMED_DEVICES = 10;

/** The text of a mail about one or more incidents, as they are now. */
export function mailTextOf(
  incidents: readonly IncidentRecord[],
  to: { userName: string; locale: Locale; replies?: boolean },
  names: Names,
  /** the text that administrators wrote for the type of an incident */
  textOf: (incident: IncidentRecord) => { title: string; text: string } | undefined = () => undefined,
): { subject: string; paragraphs: string[]; linkLabel: string; notes: string[]; signature: string } {
  const { locale } = to;
  const say = (text: Both, values: TextValues = {}) => fillText(locale === 'zh-CN' ? text.zh : text.en, values);
  const titles = incidents.map((incident) => titleOf(incident, names, locale));
  const sites = [...new Set(incidents.map(({ siteId }) => siteId))];
  const [siteId] = sites;
  const site = sites.length === 1 && siteId != null ? names.sites.get(siteId) : undefined;
  const [title = ''] = titles;
  const own = incidents.map(textOf);
  const subject =
    titles.length === 1 && own[0] !== undefined
      ? own[0].title
      : titles.length > 1
        ? say(site === undefined ? WORDS.manyAnywhere : WORDS.many, { site: site ?? '', count: titles.length })
        : site === undefined
          ? title
          : say(WORDS.at, { title, site });
  const lines = incidents.flatMap((incident, index) => {
    const written = own[index]?.text;
    if (written !== undefined) return written.split('\n').filter((line) => line !== '');
    const { devices, events } = lineParts(incident, names, locale);
    return [
      titles[index],
      site === undefined && incident.siteId !== null ? names.sites.get(incident.siteId) : undefined,
      devices,
      events,
      messageEnd(names.endOf(incident), locale),
    ]
      .filter((part) => part !== undefined && part !== '')
      .join(' · ');
  });
  return {
    subject: cutSubject(subject),
    paragraphs: [say(WORDS.greeting, { userName: to.userName }), ...lines, ...detailsOf(incidents, locale)],
    linkLabel: say(WORDS.link),
    notes: [...(to.replies ? [say(WORDS.reply)] : []), say(WORDS.settings)],
    signature: say(to.replies ? WORDS.signatureWithReplies : WORDS.signature),
  };
}

/** The devices of an incident, and how much of it is going on, as sentences; empty if there is nothing to say. */
export function lineParts(incident: IncidentRecord, names: Names, locale: Locale): { devices: string; events: string } {
  const say = (text: Both, values: TextValues = {}) => fillText(locale === 'zh-CN' ? text.zh : text.en, values);
  const { open, members: count } = incident;
  return {
    devices: devicesOf(incident, names, say) ?? '',
    events: isStateType(incident.type) && count > 1 ? say(WORDS.events, { open, count }) : '',
  };
}

/** The title of an incident; says so when it is over. */
export function titleOf(incident: IncidentRecord, names: Names, locale: Locale): string {
  const title = messageTitle({ ...incident, names: names.alarmOf(incident) }, locale);
  if (incident.recoveredAt === null) return title;
  return fillText(locale === 'zh-CN' ? WORDS.over.zh : WORDS.over.en, { title });
}

/** What the reader should know and do, once each. */
function detailsOf(incidents: readonly IncidentRecord[], locale: Locale): string[] {
  const going = incidents.filter(({ recoveredAt }) => recoveredAt === null);
  return [...new Set(going.flatMap(({ type, data }) => noticeDetail(type, data, locale) ?? []))];
}

function devicesOf(
  { devices }: IncidentRecord,
  names: Names,
  say: (text: Both, values: TextValues) => string,
): string | undefined {
  if (devices.length === 0) return undefined;
  const known = devices.slice(0, NAMED_DEVICES).map((id) => names.devices.get(id) ?? `#${id}`);
  const rest = devices.length - known.length;
  const list = known.join(', ');
  const text = rest > 0 ? say(WORDS.more, { names: list, count: rest }) : list;
  return say(devices.length === 1 ? WORDS.device : WORDS.devices, { count: devices.length, names: text });
}
