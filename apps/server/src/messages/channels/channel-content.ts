import type { Locale } from '@chargehand/contract';
import { type MessageType, worstFirst } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { aboutOf, pathOf, shownAs } from '../incidents/about.ts';
import { type Current, findCurrent } from '../incidents/current.ts';
import { listReceived } from '../incidents/deliveries.store.ts';
import type { IncidentRecord } from '../incidents/incidents.store.ts';
import { shownCause, sinceOfIncident } from '../incidents/message-texts.ts';
import { findNames, type Names, subjectOf } from '../incidents/names.store.ts';
import { judgeUsers } from '../incidents/receivers.ts';
import type { MessageChannelDriver } from './channel-driver.ts';
import { fillText, templateOf, templateValues } from './channel-texts.ts';
import type { PushBrowsers } from './push/push-browsers.ts';
import type { PushReceiver } from './push/push-driver.ts';
import type { SendChannel } from './send-worker.ts';
import type { ClaimedSend, SendContent } from './sends.store.ts';
import { readTemplates } from './templates.store.ts';
import type { WebhookReceiver } from './webhooks/webhook-formats.ts';
import { findCalled, takes } from './webhooks/webhook-sends.ts';
import { disableWebhook, findWebhook } from './webhooks/webhooks.store.ts';

interface Parts {
  db: Kysely<Database>;
  clock: Clock;
  box: SecretBox;
  urlOf: (path: string) => string;
}

/** Webhooks: who may receive a message is decided again at the time of sending. */
export function webhookChannel(parts: Parts & { driver: MessageChannelDriver<WebhookReceiver> }): SendChannel {
  const { db, box, driver } = parts;
  const opened = (secret: string | null) => (secret === null ? null : box.open(secret));
  return {
    channel: 'webhook',
    async prepare(send) {
      const webhook = send.webhookId === null ? undefined : await findWebhook(db, send.webhookId);
      if (!webhook) return null;
      const { locale } = webhook;
      const content = await contentOf(parts, send, 'webhook', async (incident, type) => {
        if (!webhook.enabled || !takes(webhook, incident, type)) return null;
        const called = await findCalled(db, [incident]);
        return { locale, notified: type === 'recovery' ? called(webhook.id, incident.id)?.type : type };
      });
      if (!content) return null;
      const { webhookUrl: url, format, secret, previousSecret } = webhook;
      const receiver = { url, format, secret: opened(secret), previousSecret: opened(previousSecret) };
      return { content, deliver: (stored) => driver.send(receiver, messageOf(send, locale, stored)) };
    },
    async onGone({ webhookId }) {
      if (webhookId !== null) await disableWebhook(db, webhookId);
    },
  };
}

/** Pushes: the rights and settings of the user are those of the time of sending. */
export function pushChannel(
  parts: Parts & { driver: MessageChannelDriver<PushReceiver>; browsers: PushBrowsers },
): SendChannel {
  const { db, clock, driver, browsers } = parts;
  return {
    channel: 'push',
    async prepare(send) {
      const { userId, subscriptionId } = send;
      if (userId === null || subscriptionId === null) return null;
      const receiver = await browsers.receiver(subscriptionId, userId);
      if (!receiver) return null;
      let locale: Locale = 'en-US';
      const content = await contentOf(parts, send, 'push', async (incident, type) => {
        const about = { ...aboutOf(incident), type, escalated: true };
        const judge = await judgeUsers(db, [userId], [about], clock.now());
        const [user] = judge.candidates;
        locale = user?.locale ?? locale;
        const [received] = await listReceived(db, [incident.id], [userId]);
        if (user === undefined || judge.decide(user, about, received).pushAt === null) return null;
        return { locale, notified: type === 'recovery' ? received?.type : type };
      });
      if (!content) return null;
      return {
        content,
        async deliver(stored) {
          const answer = await driver.send(receiver, messageOf(send, locale, stored));
          if (answer.accepted) await browsers.used(subscriptionId, clock.now());
          return answer;
        },
      };
    },
    async onGone({ subscriptionId }) {
      if (subscriptionId !== null) await browsers.forget(subscriptionId);
    },
  };
}

/** How a receiver reads about an incident: the language, and the type of which they are notified. */
interface Reader {
  locale: Locale;
  notified: MessageType | undefined;
}

/** The content of a message: the stored one, or that of its incident as it is now; null if it may not be sent. */
async function contentOf(
  { db, urlOf }: Parts,
  send: ClaimedSend,
  channel: 'webhook' | 'push',
  /** null: the receiver may not, or does not want to, receive it any more */
  readerOf: (incident: IncidentRecord, type: MessageType) => Promise<Reader | null>,
): Promise<SendContent | null> {
  const { type, incidentId } = send;
  if (type === null || incidentId === null) return send.content;
  const [current] = await findCurrent(db, [incidentId]);
  if (!current) return null;
  const reader = await readerOf(current.stored, type);
  if (!reader) return null;
  if (send.content) return send.content;
  const { locale, notified } = reader;
  const incident = shownAs(current, notified);
  const names = await findNames(db, [incident]);
  const url = urlOf(pathOf([incident]));
  const template = templateOf(await readTemplates(db), type, channel, locale);
  const { title, text } = fillText(template, templateValues(incident, locale, names, url));
  return { title, text, url, data: dataOf(incident, type, names, { title, url }) };
}

/** What programs read. */
function dataOf(
  incident: Current<IncidentRecord>,
  type: MessageType,
  names: Names,
  texts: { title: string; url: string },
): Record<string, unknown> {
  const { id, level, customerId, siteId, devices, members, open, data, acknowledgedBy } = incident;
  const alarm = names.alarmOf(incident);
  const shown = shownCause(incident);
  const named = (ids: readonly number[]) =>
    ids.slice(0, 100).map((device) => ({ id: device, name: names.devices.get(device) ?? null }));
  const { meaningEn = null, meaningZh = null, stepsEn = null, stepsZh = null } = names.explanationOf(incident) ?? {};
  return {
    event: type === 'recovery' ? 'incident.recovered' : 'incident.started',
    ...{ id, type: incident.type, level, code: data.code ?? null },
    ...{ nameEn: alarm?.nameEn ?? null, nameZh: alarm?.nameZh ?? null, ...names.endOf(incident) },
    ...{ meaningEn, meaningZh, stepsEn, stepsZh, ...texts, customerId },
    customer: customerId === null ? null : { id: customerId, name: names.customers.get(customerId) ?? null },
    site: siteId === null ? null : { id: siteId, name: names.sites.get(siteId) ?? null },
    devices: named(devices),
    ...{ deviceCount: devices.length, connector: shown?.connector ?? null, events: members, open, acknowledgedBy },
    since: new Date(sinceOfIncident(incident)).toISOString(),
    causes: worstFirst(Object.values(incident.causes)).map((cause) => ({
      ...{ type: cause.type, level: cause.level, code: cause.code, connector: cause.connector },
      ...{ nameEn: null, nameZh: null, ...names.alarmOf(subjectOf(cause)) },
      ...{ devices: named(cause.devices), open: cause.open, heldBack: cause.held },
      since: new Date(cause.since).toISOString(),
    })),
    openedAt: new Date(incident.openedAt).toISOString(),
    recoveredAt: incident.recoveredAt === null ? null : new Date(incident.recoveredAt).toISOString(),
  };
}

function messageOf(send: ClaimedSend, locale: Locale, content: SendContent) {
  return { id: send.messageId, at: send.createdAt, locale, ...content };
}
