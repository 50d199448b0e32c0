import { type Locale, nameIn } from '@chargehand/contract';
import {
  DEFAULT_ZONE,
  fillTemplate,
  isFaultType,
  type MessageChannel,
  type MessageType,
  TEMPLATE_PLACEHOLDERS,
  type TemplatePlaceholder,
} from '@chargehand/domain';
import { cutSubject } from '../../platform/mail/mailbox.ts';
import type { IncidentRecord } from '../incidents/incidents.store.ts';
import { lineParts, titleOf } from '../incidents/message-texts.ts';
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

const SUBJECTS: Readonly<Record<Locale, string>> = { 'en-US': '{title} · {site}', 'zh-CN': '{site} · {title}' };
const BODIES: Readonly<Record<Locale, string>> = {
  'en-US': '{devices}\n{events}\nCause: {cause} · Remedy: {remedy}\nSince {since}',
  'zh-CN': '{devices}\n{events}\n原因：{cause} · 处理措施：{remedy}\n开始时间：{since}',
};

const LINES: Readonly<Record<Locale, string>> = {
  'en-US': '{title} · {site} · {devices} · {events} · Cause: {cause} · Remedy: {remedy}',
  'zh-CN': '{title} · {site} · {devices} · {events} · 原因：{cause} · 处理措施：{remedy}',
};

/** The text of the product. Mails list one line for each incident, because several share a mail. */
export function defaultTemplate(channel: MessageChannel, locale: Locale): TemplateText {
  return {
    subject: SUBJECTS[locale],
    body: channel === 'email' ? LINES[locale] : BODIES[locale],
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
  const { devices, events } = lineParts(incident, names, locale);
  const { cause, remedy } = names.endOf(incident);
  const alarm = names.alarmOf(incident);
  const values: Partial<Record<TemplatePlaceholder, string>> = {
    title: titleOf(incident, names, locale),
    site: incident.siteId === null ? '' : (names.sites.get(incident.siteId) ?? ''),
    ...{ devices, events, link },
    deviceCount: String(incident.devices.length),
    open: String(incident.open),
    level: incident.level ?? '',
    code: String(incident.data.code ?? ''),
    name: alarm ? nameIn(alarm, locale) : '',
    cause: cause ? nameIn(cause, locale) : '',
    remedy: remedy ? nameIn(remedy, locale) : '',
    since: new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: DEFAULT_ZONE }).format(
      new Date(incident.openedAt),
    ),
  };
  return Object.fromEntries(TEMPLATE_PLACEHOLDERS.map((name) => [name, values[name] ?? ''])) as Record<
    TemplatePlaceholder,
    string
  >;
}

/** The texts of mails that administrators changed, for the incidents of a mail. */
export function changedTexts(templates: Templates, locale: Locale, names: Names, link: string) {
  return (incident: IncidentRecord): { title: string; text: string } | undefined => {
    const template = templates.get(templateKey(typeOf(incident), 'email', locale));
    return template && fillText(template, templateValues(incident, locale, names, link));
  };
}

function typeOf({ type, closedAt }: IncidentRecord): MessageType {
  return closedAt !== null && isFaultType(type) ? 'recovery' : type;
}
