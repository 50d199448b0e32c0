import webPush from 'web-push';
import type { Outbound } from '../../../platform/http/outbound/outbound.ts';
import type { MessageChannelDriver } from '../channel-driver.ts';
import { answered, retryAfterOf } from '../webhooks/webhook-driver.ts';

/** A browser that subscribed to pushes. */
export interface PushReceiver {
  endpoint: string;
  p256dh: string;
  auth: string;
}

/** The key pair with which this installation identifies itself to push services (RFC 8292). */
export interface PushKeys {
  publicKey: string;
  privateKey: string;
}

/** How long a push service keeps a push for a browser that is not running. Seconds. */
const TTL_SECONDS = 86_400;
/** A push has room for about 4,000 bytes. Characters. */
const LONGEST_BODY = 600;

/**
 * Sends messages to browsers (RFC 8030, encrypted as in RFC 8291). A browser shows one notification for each message,
 * however often it arrives.
 */
export function pushDriver(parts: {
  outbound: Outbound;
  keys: PushKeys;
  /** https: or mailto:, for the operator of the push service */
  contact: () => string;
}): MessageChannelDriver<PushReceiver> {
  const { outbound, keys, contact } = parts;
  return {
    async send({ endpoint, p256dh, auth }, message) {
      const { title, text, url, id } = message;
      const payload = JSON.stringify({ title, body: [...text].slice(0, LONGEST_BODY).join(''), url, tag: id });
      const request = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, payload, {
        vapidDetails: { subject: contact(), ...keys },
        TTL: TTL_SECONDS,
        urgency: 'high',
        contentEncoding: 'aes128gcm',
      });
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      return await answered(async () => {
        const answer = await outbound.post(request.endpoint, { headers, body: request.body ?? '' });
        const { status } = answer;
        return {
          ...{ status, text: answer.text },
          accepted: status >= 200 && status < 300,
          gone: status === 404 || status === 410,
          final: status === 400 || status === 403 || status === 413,
          ...retryAfterOf(answer.retryAfter),
        };
      });
    },
  };
}

/** A new key pair. */
export function createPushKeys(): PushKeys {
  return webPush.generateVAPIDKeys();
}
