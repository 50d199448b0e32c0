import { fillText, type Locale, messageTitle, noticeDetail, type TextValues } from '@chargehand/contract';
import { DEFAULT_ZONE, type IncidentCause, isStateType, urgencyOf, worstFirst } from '@chargehand/domain';
import { cutSubject } from '../../platform/mail/mailbox.ts';
import { sinceOf } from './about.ts';
import type { IncidentRecord } from './incidents.store.ts';
import { type Names, subjectOf } from './names.store.ts';

type Both = Readonly<{ en: string; zh: string }>;

const WORDS = {
  greeting: { en: 'Hello {userName},', zh: '{userName}，您好：' },
  over: { en: 'Over: {title}', zh: '已恢复：{title}' },
  andMore: { en: '{title} and {count} more', zh: '{title} 等 {total} 项' },
  devices: { en: '{count} devices: {names}', zh: '共 {count} 台设备：{names}' },
  device: { en: 'Device: {names}', zh: '设备：{names}' },
  more: { en: '{names} and {count} more', zh: '{names} 等，另有 {count} 台' },
  connector: { en: '{device}, connector {connector}', zh: '{device}（{connector} 号枪）' },
  events: { en: '{open} of {count} still going on', zh: '共 {count} 项，{open} 项未恢复' },
  other: { en: '{title} ({level}) since {since}', zh: '{title}（{level}），{since} 起' },
  otherOver: { en: '{title} ({level}), over', zh: '{title}（{level}），已恢复' },
  held: {
    en: 'The limit of announcements for this site is reached. Until {until}, further causes of this level are held back and then announced together: {names}',
    zh: '该站点的通知数已达上限，{until} 前同级的其他告警将暂缓，届时合并通知：{names}',
  },
  limited: {
    en: 'The limit of announcements for this site is reached. Further causes of this level are announced together at {until}.',
    zh: '该站点的通知数已达上限，同级的其他告警将于 {until} 合并通知。',
  },
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

/** The texts of an incident for its receiver, as administrators or the product wrote them. */
export interface IncidentText {
  title: string;
  text: string;
  /** administrators wrote them */
  changed: boolean;
}

/** The text of a mail about one or more incidents, as they are now. The subject names the worst of them and its level. */
export function mailTextOf(
  incidents: readonly IncidentRecord[],
  to: { userName: string; locale: Locale; replies?: boolean },
  names: Names,
  textOf: (incident: IncidentRecord) => IncidentText,
): { subject: string; paragraphs: string[]; linkLabel: string; notes: string[]; signature: string } {
  const { locale } = to;
  const say = (text: Both, values: TextValues = {}) => fillText(locale === 'zh-CN' ? text.zh : text.en, values);
  const sorted = incidents.toSorted(
    (a, b) =>
      Number(a.recoveredAt !== null) - Number(b.recoveredAt !== null) ||
      urgencyOf(b.level) - urgencyOf(a.level) ||
      b.alertedAt - a.alertedAt,
  );
  const texts = sorted.map(textOf);
  const [worst] = sorted;
  const [first] = texts;
  const subjectOfWorst = () => {
    if (!worst || !first) return '';
    if (incidents.length === 1 && first.changed) return first.title;
    const title = titleOf(worst, names, locale);
    const count = incidents.length - 1 + othersOf(worst).filter(({ open }) => open > 0).length;
    const sites = new Set(incidents.map(({ siteId }) => siteId));
    const site = sites.size === 1 && worst.siteId !== null ? names.sites.get(worst.siteId) : undefined;
    const named = count > 0 ? say(WORDS.andMore, { title, count, total: count + 1 }) : title;
    const level = worst.recoveredAt === null ? (worst.level ?? undefined) : undefined;
    const parts = locale === 'zh-CN' ? [level, site, named] : [level, named, site];
    return parts.filter((part) => part !== undefined).join(' · ');
  };
  return {
    subject: cutSubject(subjectOfWorst()),
    paragraphs: [say(WORDS.greeting, { userName: to.userName }), ...texts.map(({ text }) => text)],
    linkLabel: say(WORDS.link),
    notes: [...(to.replies ? [say(WORDS.reply)] : []), say(WORDS.settings)],
    signature: say(to.replies ? WORDS.signatureWithReplies : WORDS.signature),
  };
}

type Caused = Pick<IncidentRecord, 'causes' | 'subjectKind' | 'subjectId' | 'data'>;

/** The cause that the title of an incident names; undefined for anything but faults. */
export function shownCause({ causes, subjectKind, subjectId, data }: Caused): IncidentCause | undefined {
  if (subjectKind !== 'alarm') return undefined;
  const all = Object.values(causes);
  return all.find(({ key }) => key === subjectId) ?? all.find(({ code }) => code === data.code);
}

/** The causes of an incident that its title does not name, the worst first. */
export function othersOf(incident: Caused): IncidentCause[] {
  const shown = shownCause(incident);
  return worstFirst(Object.values(incident.causes).filter((cause) => cause !== shown));
}

/** When what the title names began. Milliseconds. */
export function sinceOfIncident(incident: Caused & Pick<IncidentRecord, 'openedAt'>): number {
  return shownCause(incident)?.since ?? sinceOf(incident.data) ?? incident.openedAt;
}

/** What the values of a text say beyond the title: where, since when, and what else. Empty if there is nothing to say. */
export function partsOf(
  incident: IncidentRecord,
  names: Names,
  locale: Locale,
): Record<'devices' | 'events' | 'place' | 'since' | 'meaning' | 'steps' | 'others' | 'held', string> {
  const say = (text: Both, values: TextValues = {}) => fillText(locale === 'zh-CN' ? text.zh : text.en, values);
  const chinese = locale === 'zh-CN';
  const { open, members: count, customerId, siteId, limitedUntil } = incident;
  const explanation = incident.recoveredAt === null ? names.explanationOf(incident) : undefined;
  const detail = incident.recoveredAt === null ? noticeDetail(incident.type, incident.data, locale) : null;
  const named = (cause: IncidentCause) => {
    const values = { title: titleOfCause(cause, names, locale), level: cause.level ?? '' };
    return say(cause.open > 0 ? WORDS.other : WORDS.otherOver, { ...values, since: timeText(cause.since) });
  };
  const others = othersOf(incident);
  const held = others.filter((cause) => cause.held);
  const place = [
    customerId === null ? undefined : names.customers.get(customerId),
    siteId === null ? undefined : names.sites.get(siteId),
    spotOf(incident, names, say),
  ];
  const until = limitedUntil === null ? '' : timeText(limitedUntil);
  return {
    devices: devicesOf(incident.devices, names, say) ?? '',
    events: isStateType(incident.type) && count > 1 ? say(WORDS.events, { open, count }) : '',
    place: place.filter((part) => part !== undefined).join(' · '),
    since: timeText(sinceOfIncident(incident)),
    meaning: (chinese ? explanation?.meaningZh : explanation?.meaningEn) ?? detail ?? '',
    steps: (chinese ? explanation?.stepsZh : explanation?.stepsEn) ?? '',
    others: others
      .filter((cause) => !cause.held)
      .map(named)
      .join(chinese ? '；' : '; '),
    held:
      held.length > 0
        ? say(WORDS.held, { until, names: held.map(named).join(chinese ? '；' : '; ') })
        : limitedUntil !== null && incident.recoveredAt === null
          ? say(WORDS.limited, { until })
          : '',
  };
}

/** The cause as a title, such as `Fault: Over-voltage (OverVoltage)`. */
function titleOfCause(cause: IncidentCause, names: Names, locale: Locale): string {
  const { type, code } = cause;
  return messageTitle({ type, data: { code }, names: names.alarmOf(subjectOf(cause)) }, locale);
}

/** A time with its zone, such as `2026-11-28 13:04:05 (GMT+8)`. */
function timeText(at: number): string {
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone: DEFAULT_ZONE, dateStyle: 'short', timeStyle: 'medium' });
  const zone = new Intl.DateTimeFormat('en-US', { timeZone: DEFAULT_ZONE, timeZoneName: 'shortOffset' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName');
  return `${day.format(at)} (${zone?.value})`;
}

/** The title of an incident; says so when it is over. */
export function titleOf(incident: IncidentRecord, names: Names, locale: Locale): string {
  const title = messageTitle({ ...incident, names: names.alarmOf(incident) }, locale);
  if (incident.recoveredAt === null) return title;
  return fillText(locale === 'zh-CN' ? WORDS.over.zh : WORDS.over.en, { title });
}

/** The device and connector of what the title names, or the devices. */
function spotOf(
  incident: IncidentRecord,
  names: Names,
  say: (text: Both, values: TextValues) => string,
): string | undefined {
  const shown = shownCause(incident);
  const devices = shown?.devices ?? incident.devices;
  const [only] = devices;
  if (devices.length !== 1 || only === undefined) return devicesOf(devices, names, say);
  const device = names.devices.get(only) ?? `#${only}`;
  const connector = shown?.connector ?? null;
  return connector === null || connector === 0 ? device : say(WORDS.connector, { device, connector });
}

function devicesOf(
  devices: readonly number[],
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
