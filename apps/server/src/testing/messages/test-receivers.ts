import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A request that an HTTP receiver got, accepted or not. */
export interface ReceivedRequest {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  bytes: Buffer;
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
    void buffer(request).then(async (bytes) => {
      self.requests.push({ path: request.url ?? '', headers: request.headers, body: bytes.toString(), bytes });
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

/** A subscription of a browser, as a browser describes it to the server. */
interface Subscription {
  pushUrl: string;
  p256dh: string;
  auth: string;
}

/** The subscription of a browser at a push service, with real keys. */
export function newSubscription(pushUrl: string): Subscription {
  return subscribeTo(pushUrl).subscription;
}

/** A subscription, and what its browser does with a push: decrypting it. */
export function subscribeTo(pushUrl: string): { subscription: Subscription; decrypt(push: Buffer): string } {
  const keys = createECDH('prime256v1');
  const publicKey = keys.generateKeys();
  const auth = randomBytes(16);
  const subscription = { pushUrl, p256dh: publicKey.toString('base64url'), auth: auth.toString('base64url') };
  return {
    subscription,
    /** RFC 8188 in one record, with keys as in RFC 8291. @throws {Error} when it is encrypted for another browser */
    decrypt(push) {
      const salt = push.subarray(0, 16);
      const sender = push.subarray(21, 21 + push.readUInt8(20));
      const record = push.subarray(21 + sender.length);
      const derive = (key: Uint8Array, from: Uint8Array, info: Uint8Array | string, bytes: number) =>
        Buffer.from(hkdfSync('sha256', key, from, info, bytes));
      const about = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, sender]);
      const secret = derive(keys.computeSecret(sender), auth, about, 32);
      const nonce = derive(secret, salt, 'Content-Encoding: nonce\0', 12);
      const open = createDecipheriv(
        'aes-128-gcm',
        derive(secret, salt, 'Content-Encoding: aes128gcm\0', 16),
        nonce,
      ).setAuthTag(record.subarray(-16));
      const padded = Buffer.concat([open.update(record.subarray(0, -16)), open.final()]);
      // The last record ends with 2 and any number of zeros.
      return padded.subarray(0, padded.lastIndexOf(2)).toString();
    },
  };
}

/** What a push service checks before it accepts a push: who sends it, signed for this service (RFC 8292). */
export function senderOf({ headers }: ReceivedRequest): { publicKey: string; signed: boolean; audience: string } {
  const [, token = '', publicKey = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(headers.authorization ?? '') ?? [];
  const [head = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(publicKey, 'base64url');
  const key = createPublicKey({
    format: 'jwk',
    key: {
      ...{ kty: 'EC', crv: 'P-256' },
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33, 65).toString('base64url'),
    },
  });
  const signed = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  const { aud } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { aud: string };
  return { publicKey, signed, audience: aud };
}
