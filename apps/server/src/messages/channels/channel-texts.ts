import { type Locale, nameIn } from '@chargehand/contract';
import {
  type AlarmLevel,
  fillTemplate,
  isFaultType,
  type MessageChannel,
  type MessageType,
  TEMPLATE_PLACEHOLDERS,
  type TemplatePlaceholder,
} from '@chargehand/domain';
import { cutSubject } from '../../platform/mail/mailbox.ts';
import type { IncidentRecord } from '../incidents/incidents.store.ts';
import { type IncidentText, partsOf, titleOf } from '../incidents/message-texts.ts';
import type { Names } from '../incidents/names.store.ts';

/** The text of a type of message on a channel in a language. */
export interface TemplateText {
  subject: string;
  body: string;
}

/** The texts that administrators changed, by `templateKey`. */
export type Templates = ReadonlyMap<string, TemplateText>;

export const templateKey = (type: MessageType, channel: MessageChannel, locale: Locale) =>
  `${type} ${channel} ${locale}`;

const SUBJECTS: Readonly<Record<Locale, string>> = {
  'en-US': '{level} · {title} · {site}',
  'zh-CN': '{level} · {site} · {title}',
};
/** What a reader needs without the console: how urgent, where, since when, what it means and what to do first. */
const BODIES: Readonly<Record<Locale, string>> = {
  'en-US': [
    ...['Level: {levelName}', 'Where: {place}', 'Since: {since}', 'What it means: {meaning}'],
    ...['What to do first: {steps}', 'Also: {others}', '{held}', '{events}', 'Cause: {cause} · Remedy: {remedy}'],
  ].join('\n'),
  'zh-CN': [
    ...['级别：{levelName}', '位置：{place}', '开始时间：{since}', '含义：{meaning}'],
    ...['先做什么：{steps}', '同时存在：{others}', '{held}', '{events}', '原因：{cause} · 处理措施：{remedy}'],
  ].join('\n'),
};

/** The levels of alarms in words (spec §4). */
const LEVEL_NAMES: Readonly<Record<AlarmLevel, Readonly<Record<Locale, string>>>> = {
  OA: { 'en-US': 'Minor (OA)', 'zh-CN': 'OA（一般）' },
  MA: { 'en-US': 'Major (MA)', 'zh-CN': 'MA（重要）' },
  CA: { 'en-US': 'Critical (CA)', 'zh-CN': 'CA（紧急）' },
};

/** The text of the product. Several incidents share a mail, so each begins with its title there. */
export function defaultTemplate(channel: MessageChannel, locale: Locale): TemplateText {
  return {
    subject: SUBJECTS[locale],
    body: channel === 'email' ? `{title}\n${BODIES[locale]}` : BODIES[locale],
  };
}

/** The text of a message, as administrators or the product wrote it. */
export function templateOf(
  templates: Templates,
  type: MessageType,
  channel: MessageChannel,
  locale: Locale,
): TemplateText {
  return templates.get(templateKey(type, channel, locale)) ?? defaultTemplate(channel, locale);
}

/** Fills a template with an incident as it is now. */
export function fillText(
  template: TemplateText,
  values: Readonly<Record<TemplatePlaceholder, string>>,
): { title: string; text: string } {
  const title = cutSubject(fillTemplate(template.subject, values)) || cutSubject(values.title);
  return { title, text: fillTemplate(template.body, values) };
}

/** The values of an incident for templates. */
export function templateValues(
  incident: IncidentRecord,
  locale: Locale,
  names: Names,
  link: string,
): Record<TemplatePlaceholder, string> {
  const { cause, remedy } = names.endOf(incident);
  const alarm = names.alarmOf(incident);
  const values: Partial<Record<TemplatePlaceholder, string>> = {
    title: titleOf(incident, names, locale),
    site: incident.siteId === null ? '' : (names.sites.get(incident.siteId) ?? ''),
    ...partsOf(incident, names, locale),
    link,
    deviceCount: String(incident.devices.length),
    open: String(incident.open),
    level: incident.recoveredAt === null ? (incident.level ?? '') : '',
    levelName: incident.level === null ? '' : LEVEL_NAMES[incident.level][locale],
    code: String(incident.data.code ?? ''),
    name: alarm ? nameIn(alarm, locale) : '',
    cause: cause ? nameIn(cause, locale) : '',
    remedy: remedy ? nameIn(remedy, locale) : '',
  };
  return Object.fromEntries(TEMPLATE_PLACEHOLDERS.map((name) => [name, values[name] ?? ''])) as Record<
    TemplatePlaceholder,
    string
  >;
}

/** The texts of the incidents of a mail. */
export function mailTexts(templates: Templates, locale: Locale, names: Names, link: string) {
  return (incident: IncidentRecord): IncidentText => {
    const type = typeOf(incident);
    const filled = fillText(
      templateOf(templates, type, 'email', locale),
      templateValues(incident, locale, names, link),
    );
    return { ...filled, changed: templates.has(templateKey(type, 'email', locale)) };
  };
}

function typeOf({ type, closedAt }: IncidentRecord): MessageType {
  return closedAt !== null && isFaultType(type) ? 'recovery' : type;
}
