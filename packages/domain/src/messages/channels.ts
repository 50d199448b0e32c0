import type { MessageType } from './message-types.ts';

/** The ways by which messages leave the product. */
export const MESSAGE_CHANNELS = ['email', 'webhook', 'push'] as const;
export type MessageChannel = (typeof MESSAGE_CHANNELS)[number];

/** The body that a webhook sends: Standard Webhooks, or that of a chat program. */
export const WEBHOOK_FORMATS = ['standard', 'dingtalk', 'feishu', 'wecom', 'slack', 'teams'] as const;
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

/** The formats whose receiver checks a signature with a secret that it gave out itself. */
export const SIGNED_BY_RECEIVER: readonly WebhookFormat[] = ['dingtalk', 'feishu'];

/**
 * `waiting`: not accepted by its receiver yet, with another attempt to come. `sent`: accepted by the receiving server.
 * `failed`: given up. `dropped`: not sent, because its receiver may not or does not want to receive it any more.
 */
export const SEND_STATES = ['waiting', 'sent', 'failed', 'dropped'] as const;
export type SendState = (typeof SEND_STATES)[number];

/** Seconds until the next attempt after the first failure, the second, and so on: about nine hours in total. */
const DELAYS = [5, 30, 120, 600, 1_800, 3_600, 7_200, 18_000] as const;

/** The answer of a receiving server to one attempt. */
export interface SendAnswer {
  /** HTTP status; null without an answer */
  status: number | null;
  /** the beginning of what the server answered, or why there is no answer */
  text: string;
  /** the server accepted it */
  accepted: boolean;
  /** another attempt cannot succeed */
  final?: boolean;
  /** the receiver does not exist any more */
  gone?: boolean;
  /** how long the server asked to wait */
  retryAfterSeconds?: number;
}

/** Seconds to wait after a failed attempt, null to give up. `attempts` is the number of attempts so far. */
export function retrySend(attempts: number, answer: SendAnswer): number | null {
  if (answer.final || answer.gone) return null;
  const delay = DELAYS[attempts - 1];
  return delay === undefined ? null : Math.min(Math.max(delay, answer.retryAfterSeconds ?? 0), 21_600);
}

/** What a webhook subscribes to. Empty lists are every type or site. */
export interface WebhookFilter {
  customerId: number;
  types: readonly MessageType[];
  siteIds: readonly number[];
}

/** True if a webhook sends messages of a type about a place. Messages to named users are never for a webhook. */
export function webhookTakes(
  filter: WebhookFilter,
  message: { type: MessageType; customerId: number | null; siteId: number | null; named: boolean },
): boolean {
  const { type, customerId, siteId, named } = message;
  if (named || customerId !== filter.customerId) return false;
  if (filter.types.length > 0 && !filter.types.includes(type)) return false;
  return filter.siteIds.length === 0 || (siteId !== null && filter.siteIds.includes(siteId));
}

/** The values that a template of a message may use. */
export const TEMPLATE_PLACEHOLDERS = [
  'title',
  'site',
  'devices',
  'deviceCount',
  'events',
  'open',
  'level',
  'levelName',
  'code',
  'name',
  'place',
  'since',
  'meaning',
  'steps',
  'others',
  'held',
  'cause',
  'remedy',
  'link',
] as const;
export type TemplatePlaceholder = (typeof TEMPLATE_PLACEHOLDERS)[number];

/** The first placeholder of a template that does not exist; null if there is none. A single brace is text. */
export function unknownPlaceholder(text: string): string | null {
  for (const [, name = ''] of text.matchAll(/\{([^{}\s]{1,40})\}/g)) {
    if (!(TEMPLATE_PLACEHOLDERS as readonly string[]).includes(name)) return name;
  }
  return null;
}

/**
 * Fills a template. Values may contain anything: each is shown on one line. Lines and separators around values that are
 * empty are left out.
 */
export function fillTemplate(text: string, values: Readonly<Record<TemplatePlaceholder, string>>): string {
  return text
    .split('\n')
    .map((line) => {
      if (line.trim() === '') return '';
      const filled = line
        .split(' · ')
        .map((part) => fillPart(part, values))
        .filter((part) => part !== null);
      return filled.length === 0 ? null : filled.join(' · ');
    })
    .filter((line) => line !== null)
    .join('\n');
}

/** A part of a line; null if it has placeholders and all of them are empty. */
function fillPart(part: string, values: Readonly<Record<TemplatePlaceholder, string>>): string | null {
  const used: string[] = [];
  const filled = part.replace(/\{(\w+)\}/g, (whole, name: string) => {
    if (!(name in values)) return whole;
    const value = values[name as TemplatePlaceholder].replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
    used.push(value);
    return value;
  });
  return used.length > 0 && used.every((value) => value === '') ? null : filled.trim();
}
