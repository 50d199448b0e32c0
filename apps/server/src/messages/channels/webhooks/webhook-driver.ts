import type { SendAnswer } from '@chargehand/domain';
import type { Clock } from '../../../platform/clock.ts';
import { type Outbound, OutboundError } from '../../../platform/http/outbound/outbound.ts';
import type { MessageChannelDriver } from '../channel-driver.ts';
import { readWebhookAnswer, type WebhookReceiver, webhookRequest } from './webhook-formats.ts';

/** Sends messages to webhooks: Standard Webhooks and chat programs. Each answer except success is tried again. */
export function webhookDriver(parts: { outbound: Outbound; clock: Clock }): MessageChannelDriver<WebhookReceiver> {
  const { outbound, clock } = parts;
  return {
    async send(receiver, message) {
      const { url, headers, body } = webhookRequest(receiver, message, clock.now());
      return await answered(async () => {
        const { status, text, retryAfter } = await outbound.post(url, { headers, body });
        const { accepted } = readWebhookAnswer(receiver.format, status, text);
        return { status, text, accepted, gone: status === 410, ...retryAfterOf(retryAfter) };
      });
    },
  };
}

/** The answer to an attempt, also if there is none. */
export async function answered(attempt: () => Promise<SendAnswer>): Promise<SendAnswer> {
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return { status: null, text: error.message, accepted: false, final: error.forbidden };
  }
}

/** The seconds of a Retry-After header. */
export function retryAfterOf(text: string | undefined): { retryAfterSeconds?: number } {
  return text !== undefined && /^\d{1,6}$/.test(text) ? { retryAfterSeconds: Number(text) } : {};
}
