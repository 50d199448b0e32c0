import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto';
import type { OPEN_ENDPOINTS, OpenEvent, OpenEventType } from '@chargehand/contract';
import type { Static, TObject, TSchema } from 'typebox';
import { readMessages } from './server-sent-events.ts';

type Operations = typeof OPEN_ENDPOINTS;
/** The name of an operation, such as `listDevices`. Events have a function of their own. */
export type OperationName = Exclude<keyof Operations, 'streamEvents'>;

type Part<E, K extends string> = E extends { [key in K]: infer S extends TObject } ? Static<S> : undefined;
type Given<E, K extends string> = E extends { [key in K]: TObject } ? { [key in K]: Part<E, K> } : unknown;

/** The inputs of an operation. Fields with a default value may be left out. */
export type InputsOf<N extends OperationName> = Given<Operations[N], 'params'> &
  (Operations[N] extends { query: TObject } ? { query?: Partial<Part<Operations[N], 'query'>> } : unknown) &
  Given<Operations[N], 'body'> & {
    /** a repeated request with the same key has the effect of one: a UUID */
    idempotencyKey?: string;
  };

/** The data of the answer of an operation. */
export type DataOf<N extends OperationName> = Operations[N]['answer'] extends TSchema
  ? Static<Operations[N]['answer']>
  : never;

/** An answer with an error. */
export class OpenApiError extends Error {
  override name = 'OpenApiError';
  readonly status: number;
  /** the code of the error; 0 for an answer that is not from the product */
  readonly code: number;
  /** the name of the invalid input */
  readonly field: string | undefined;

  constructor(status: number, error: { code?: number; message?: string; field?: string }) {
    super(error.message ?? `HTTP status ${status}`);
    this.status = status;
    this.code = error.code ?? 0;
    this.field = error.field;
  }
}

export interface ClientOptions {
  /** the address of the console, such as `https://chargehand.example.com` */
  url: string;
  appId: string;
  appSecret: string;
  /** of the messages of errors */
  locale?: 'en-US' | 'zh-CN';
}

/** Methods and paths of the operations of version 1. */
const OPERATIONS: Record<OperationName, `${'GET' | 'POST'} /${string}`> = {
  listCustomers: 'GET /customers',
  listSites: 'GET /sites',
  listDevices: 'GET /devices',
  readDevice: 'GET /devices/:id',
  readReadings: 'GET /devices/:id/readings',
  readChart: 'GET /devices/:id/chart',
  listAlarms: 'GET /alarms',
  listIncidents: 'GET /incidents',
  sendCommand: 'POST /devices/:id/commands',
  readCommand: 'GET /devices/:id/commands/:executionId',
  listIssues: 'GET /issues',
  readIssue: 'GET /issues/:id',
  createIssue: 'POST /devices/:id/issues',
  listFiles: 'GET /files',
  readFileAddress: 'GET /files/:id/address',
};

/** A client of the open API that signs each request. */
export function openApiClient({ url, appId, appSecret, locale = 'en-US' }: ClientOptions) {
  async function call<N extends OperationName>(name: N, inputs: InputsOf<N>): Promise<DataOf<N>> {
    const { params, query, body, idempotencyKey } = inputs as Inputs;
    const [method = '', path = ''] = OPERATIONS[name].split(' ');
    const filled = path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(String(params?.[key])));
    const search = new URLSearchParams(
      Object.entries(query ?? {})
        .filter(([, value]) => value !== undefined)
        .map(([key, value]): [string, string] => [key, String(value)]),
    ).toString();
    const target = `/api/open/v1${filled}${search ? `?${search}` : ''}`;
    const text = body === undefined ? undefined : JSON.stringify(body);
    const changes = method !== 'GET';
    const answer = await fetch(new URL(target, url), {
      method,
      headers: {
        ...signedHeaders({ appId, appSecret }, method, target, text),
        'accept-language': locale,
        ...(changes ? { 'idempotency-key': idempotencyKey ?? randomUUID() } : {}),
      },
      ...(text === undefined ? {} : { body: text }),
    });
    const content = (await answer.json().catch(() => ({}))) as {
      data?: unknown;
      code?: number;
      message?: string;
      field?: string;
    };
    if (!answer.ok) throw new OpenApiError(answer.status, content);
    return content.data as DataOf<N>;
  }

  /** Messages of one connection. @throws {OpenApiError} if the server refuses it */
  async function* connection(
    { types, signal }: EventOptions,
    lastId: string | undefined,
  ): AsyncGenerator<StreamMessage & { id: string }> {
    const target = `/api/open/v1/events${types ? `?types=${types.join(',')}` : ''}`;
    const answer = await fetch(new URL(target, url), {
      headers: {
        ...signedHeaders({ appId, appSecret }, 'GET', target),
        'accept-language': locale,
        ...(lastId === undefined ? {} : { 'last-event-id': lastId }),
      },
      ...(signal ? { signal } : {}),
    });
    if (!answer.ok || !answer.body) {
      const content = (await answer.json().catch(() => ({}))) as { code?: number; message?: string; field?: string };
      throw new OpenApiError(answer.status, content);
    }
    for await (const { id, event, data } of readMessages(answer.body)) {
      if (event === 'gap') yield { id, gap: JSON.parse(data) };
      else if (event === 'ready') yield { id };
      else if (event !== 'end' && data !== '') yield { id, event: JSON.parse(data) };
      else yield { id };
    }
  }

  return {
    call,
    /**
     * Events from now on, or after an ID. It connects again after errors and continues where it was. `gap` instead of an
     * event: events are missing, so read the present state again. Ends with `signal`.
     * @throws {OpenApiError} if the application may receive no events
     */
    async *events(options: EventOptions = {}): AsyncGenerator<StreamMessage> {
      const { signal, after, pauseMs = 1_000 } = options;
      let lastId = after;
      let pause = pauseMs;
      while (!signal?.aborted) {
        try {
          for await (const { id, ...message } of connection(options, lastId)) {
            lastId = id || lastId;
            pause = pauseMs;
            if (message.event || message.gap) yield message;
          }
        } catch (error) {
          if (signal?.aborted) return;
          const final = error instanceof OpenApiError && error.status >= 400 && error.status < 500;
          if (final && error.status !== 429) throw error;
        }
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, pause);
          signal?.addEventListener('abort', () => resolve(clearTimeout(timer)), { once: true });
        });
        pause = Math.min(pause * 2, 30_000);
      }
    },
    /** All rows of a list, page by page. */
    async *all<N extends ListName>(name: N, inputs: InputsOf<N>): AsyncGenerator<RowOf<N>> {
      let cursor: string | null = null;
      do {
        const { query, ...rest } = inputs as Inputs;
        const page = (await call(name, {
          ...rest,
          query: { ...query, ...(cursor === null ? {} : { cursor }) },
        } as unknown as InputsOf<N>)) as { items: RowOf<N>[]; next: string | null };
        yield* page.items;
        cursor = page.next;
      } while (cursor !== null);
    },
  };
}

/** Which events to receive. */
export interface EventOptions {
  /** without it, all that the application may receive */
  types?: readonly OpenEventType[];
  /** the `id` of the last event that was processed */
  after?: string;
  signal?: AbortSignal;
  /** the first pause before it connects again; it doubles up to 30 s. Milliseconds */
  pauseMs?: number;
}

/** An event, or a gap: the events after `after` and up to `next` are no longer stored. */
export interface StreamMessage {
  event?: OpenEvent;
  gap?: { after: string; next: string };
}

/** The operations that answer page by page. */
export type ListName = {
  [N in OperationName]: DataOf<N> extends { items: unknown[]; next: string | null } ? N : never;
}[OperationName];
export type RowOf<N extends ListName> = DataOf<N> extends { items: (infer Row)[] } ? Row : never;

interface Inputs {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  idempotencyKey?: string;
}

/**
 * The headers of a signed request (RFC 9421, RFC 9530).
 * @param target the path with the query, as it is sent
 */
export function signedHeaders(
  { appId, appSecret }: Pick<ClientOptions, 'appId' | 'appSecret'>,
  method: string,
  target: string,
  body?: string,
): Record<string, string> {
  const mark = target.indexOf('?');
  const lines: [string, string][] = [
    ['@method', method],
    ['@path', mark < 0 ? target : target.slice(0, mark)],
    ['@query', mark < 0 ? '?' : target.slice(mark)],
  ];
  const headers: Record<string, string> = {};
  if (body !== undefined) {
    const digest = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
    headers['content-type'] = 'application/json';
    headers['content-digest'] = digest;
    lines.push(['content-digest', digest]);
  }
  const components = lines.map(([name]) => `"${name}"`).join(' ');
  const created = Math.floor(Date.now() / 1_000);
  const nonce = randomBytes(16).toString('hex');
  const params = `(${components});created=${created};nonce="${nonce}";keyid="${appId}";alg="hmac-sha256"`;
  lines.push(['@signature-params', params]);
  const base = lines.map(([name, value]) => `"${name}": ${value}`).join('\n');
  const signature = createHmac('sha256', appSecret).update(base).digest('base64');
  return { ...headers, 'signature-input': `sig=${params}`, signature: `sig=:${signature}:` };
}
