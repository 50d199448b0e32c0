import { createECDH, randomBytes } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request that an HTTP receiver got, accepted or not. */
export interface ReceivedRequest {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A real HTTP server: a webhook, a chat program or a push service. */
export interface HttpReceiver {
  url: string;
  requests: ReceivedRequest[];
  /** how it answers */
  answer: { status: number; text: string };
  /** Requests wait for this before they are answered. */
  hold: Promise<void> | null;
  stop(): void;
}

/** What every receiver that understands the answer accepts: chat programs look at `errcode`. */
export const ACCEPTED = { status: 200, text: '{"errcode":0}' };

export async function startHttpReceiver(): Promise<HttpReceiver> {
  const server = createServer((request, response) => {
    void text(request).then(async (body) => {
      self.requests.push({ path: request.url ?? '', headers: request.headers, body });
      await self.hold;
      response.writeHead(self.answer.status).end(self.answer.text);
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const self: HttpReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    answer: ACCEPTED,
    hold: null,
    stop: () => server.close(),
  };
  return self;
}

/** The subscription of a browser at a push service, with real keys. */
export function newSubscription(pushUrl: string): { pushUrl: string; p256dh: string; auth: string } {
  const keys = createECDH('prime256v1');
  keys.generateKeys();
  return { pushUrl, p256dh: keys.getPublicKey('base64url'), auth: randomBytes(16).toString('base64url') };
}
