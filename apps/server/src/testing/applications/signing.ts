import { createHash, createHmac, randomBytes } from 'node:crypto';
import { createSigner, httpbis } from 'http-message-signatures';

/** An application as its owner has it. */
export interface Credentials {
  appId: string;
  appSecret: string;
}

/** How a test changes a signed request. */
export interface Signing {
  created?: Date;
  nonce?: string;
  fields?: string[];
  alg?: string | null;
  /** the body that is signed, instead of the one that is sent */
  signedBody?: string;
}

/** The headers of a request that is signed with a third-party library (RFC 9421). */
export async function signedHeaders(
  { appId, appSecret }: Credentials,
  method: string,
  url: string,
  body?: string,
  signing: Signing = {},
): Promise<Record<string, string>> {
  const digest = createHash('sha256')
    .update(signing.signedBody ?? body ?? '')
    .digest('base64');
  const headers: Record<string, string> =
    body === undefined ? {} : { 'content-type': 'application/json', 'content-digest': `sha-256=:${digest}:` };
  const signed = await httpbis.signMessage(
    {
      key: {
        ...createSigner(appSecret, 'hmac-sha256', appId),
        sign: async (data: Buffer) => createHmac('sha256', appSecret).update(data).digest(),
      },
      fields: signing.fields ?? ['@method', '@path', '@query', ...(body === undefined ? [] : ['content-digest'])],
      params: ['created', 'nonce', 'keyid', ...(signing.alg === null ? [] : ['alg'])],
      paramValues: {
        created: signing.created ?? new Date(),
        nonce: signing.nonce ?? randomBytes(16).toString('hex'),
        ...(signing.alg ? { alg: signing.alg } : {}),
      },
    },
    { method, url, headers },
  );
  return Object.fromEntries(Object.entries(signed.headers).map(([name, value]) => [name.toLowerCase(), String(value)]));
}

/** The JSON of an answer: data or an error. */
// biome-ignore lint/suspicious/noExplicitAny: tests check the data
export type OpenAnswer = { data?: any; code?: number; message?: string };

/** A client of the open API that signs each request. */
export function openClient(url: string, credentials: Credentials) {
  return {
    async send(
      method: string,
      path: string,
      body?: object | string,
      signing?: Signing,
      more: Record<string, string> = {},
    ) {
      const text = typeof body === 'object' ? JSON.stringify(body) : body;
      const headers = await signedHeaders(credentials, method, `${url}${path}`, text, signing);
      const answer = await fetch(`${url}${path}`, {
        method,
        headers: { ...headers, ...more },
        ...(text === undefined ? {} : { body: text }),
        signal: AbortSignal.timeout(30_000),
      });
      return { status: answer.status, headers: answer.headers, body: (await answer.json()) as OpenAnswer };
    },
  };
}
