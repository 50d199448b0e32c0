import { setTimeout as pass } from 'node:timers/promises';
import { CSRF_COOKIE, CSRF_HEADER, ENDPOINTS, LOCALE_COOKIE, TOKEN_COOKIE } from '@chargehand/contract';
import type { Session } from './world.ts';

/** A request of a page while it was open: the milliseconds since its start, and the request. */
export interface Request {
  after: number;
  method: string;
  path: string;
  body: string | null;
}

/** Sends the same requests as an open page: reads the live stream and repeats the recorded requests of one minute. */
export async function openConsole(
  url: string,
  { session, deviceId, requests }: { session: Session; deviceId?: number | undefined; requests: readonly Request[] },
  signal: AbortSignal,
): Promise<void> {
  const cookie = `${LOCALE_COOKIE}=en-US; ${TOKEN_COOKIE}=${session.token}; ${CSRF_COOKIE}=${session.csrf}`;
  const headers = { cookie, [CSRF_HEADER]: session.csrf, 'content-type': 'application/json' };
  const query = deviceId === undefined ? '' : `?deviceId=${deviceId}`;
  const begin = performance.now();
  const stream = await fetch(`${url}${ENDPOINTS.stream.path}${query}`, { headers: { cookie }, signal });
  if (!stream.ok || !stream.body) throw new Error(`The stream was answered with ${stream.status}`);
  const reading = drain(stream.body);
  for (const { after, method, path, body } of requests) {
    await pass(Math.max(0, after - (performance.now() - begin)), undefined, { signal });
    const response = await fetch(url + path, { method, headers, body, signal });
    if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}`);
    await response.arrayBuffer();
  }
  await reading;
}

async function drain(body: ReadableStream<Uint8Array>): Promise<void> {
  for await (const _ of body);
}
