import { CODES, type Endpoint, type Envelope } from '@chargehand/contract';
import { addressOf, type Client } from './client.ts';

/** The inputs of a call, valid or not. */
export interface Inputs {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
}

/** The result: an envelope, or the bytes of a file. */
export interface Invoked extends Envelope<unknown> {
  status: number;
  bytes: Buffer;
}

/** Calls an endpoint of the contract. A file or a stream that starts is code 0. */
export async function invoke(
  caller: Client,
  endpoint: Endpoint,
  inputs: Inputs,
  headers: Record<string, string> = {},
): Promise<Invoked> {
  const abort = new AbortController();
  const path = addressOf(endpoint, inputs.params ?? {}, inputs.query);
  const init = {
    method: endpoint.method,
    headers: { ...headers, ...(endpoint.method === 'GET' ? {} : { 'content-type': 'application/json' }) },
    ...(endpoint.method === 'GET' ? {} : { body: JSON.stringify(inputs.body ?? {}) }),
  };
  const response = endpoint.answer
    ? await caller.send(path, init)
    : await caller.fetch(path, { ...init, signal: abort.signal });
  const type = response.headers.get('content-type') ?? '';
  if (/^application\/json(;|$)/.test(type)) {
    const envelope = (await response.json()) as Envelope<unknown>;
    return { status: response.status, ...envelope, bytes: Buffer.alloc(0) };
  }
  // Mails lead to pages that also say why a link is not valid.
  if (response.status === 404 && type.startsWith('text/html')) {
    return { status: 404, code: CODES.notFound.code, message: '', data: null, bytes: Buffer.alloc(0) };
  }
  if (response.status !== 200) throw new Error(`${endpoint.id} answered ${response.status} ${type}`);
  if (type.startsWith('text/event-stream')) {
    abort.abort();
    return { status: 200, code: 0, message: '', data: null, bytes: Buffer.alloc(0) };
  }
  return { status: 200, code: 0, message: '', data: null, bytes: Buffer.from(await response.arrayBuffer()) };
}
