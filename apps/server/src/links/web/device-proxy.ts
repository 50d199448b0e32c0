import { type ClientRequest, type IncomingMessage, request as requestOf, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ActivityResult, Locale } from '@chargehand/contract';
import type { Cancel, Clock } from '../../platform/clock.ts';
import type { Activity } from '../activity/activity.ts';
import { type DeviceCookies, deviceCookies } from './cookies.ts';
import { deviceOriginOf, type PageTarget, recordedRequest, requestHeaders, responseHeaders } from './headers.ts';
import { type Notice, noticeStatus, sendNotice } from './notices.ts';
import { receiveOnly } from './receive-only.ts';
import { connectToPages, TunnelAgent } from './tunnel-agent.ts';

/** How long a device may take to start its response after it has the whole request. */
const ANSWER_MS = 60_000;
/** Requests and WebSockets of one link at a time. */
const MAX_AT_ONCE = 64;
/** Connections to the device for them: an embedded web server has few. Further requests wait. WebSockets are not counted. */
const MAX_CONNECTIONS = 8;
const MAX_HEADER_BYTES = 64 * 1024;
/** Requests and WebSockets of one guest at a time: the others are for the user of the link. */
const MAX_OF_GUEST = 16;
/** With these, a device may take a GET for another method. */
const METHOD_HEADERS = ['x-http-method-override', 'x-http-method', 'x-method-override'];

export interface ProxyParts {
  linkId: number;
  port: number;
  connect(linkId: number, port: number): Promise<Duplex>;
  activity: Pick<Activity, 'begin'>;
  clock: Clock;
  /** the name of the product in a language */
  productName(locale: Locale): string;
}

/** Who uses the pages of a device, and what of theirs is running. */
export interface PageUser {
  locale: Locale;
  /** Each ends one request or WebSocket. */
  running: Set<() => void>;
  /** for guests of the user of the link */
  guest?: PageGuest;
}

/** A guest, as far as their requests are concerned. */
export interface PageGuest {
  name: string;
  /** the device cookies of this guest; null: those of the user of the link */
  cookies: DeviceCookies | null;
  /** Why the guest may only read now; null when they may make changes. */
  refusal(): 'readOnly' | 'hostAway' | null;
}

export type DeviceProxy = ReturnType<typeof deviceProxy>;

/** Passes requests of a browser to the web server of a device through the tunnel of a link, and records each. */
export function deviceProxy({ linkId, port, connect, activity, clock, productName }: ProxyParts) {
  const deviceOrigin = deviceOriginOf(port);
  const shared: DeviceCookies = deviceCookies(deviceOrigin);
  const cookiesOf = ({ guest }: PageUser) => guest?.cookies ?? shared;
  const open = () => connectToPages(() => connect(linkId, port), port);
  const limits = { maxSockets: MAX_CONNECTIONS };
  const pool = new TunnelAgent({ ...limits, keepAlive: true }, clock, open);
  // For requests that must not be repeated: a device may close a kept connection at any moment.
  const single = new TunnelAgent({ ...limits, keepAlive: false }, clock, open);
  let atOnce = 0;

  function refusalOf(request: IncomingMessage, { guest, running }: PageUser): Notice | null {
    const { url = '', headers, method } = request;
    if (!url.startsWith('/')) return 'badRequest';
    if (headers['service-worker'] !== undefined) return 'noWorkers';
    const reads = (method === 'GET' || method === 'HEAD') && !bodyOf(request);
    const refusal = reads ? null : guest?.refusal();
    if (refusal) return refusal;
    if (guest && running.size >= MAX_OF_GUEST) return 'busy';
    return atOnce >= MAX_AT_ONCE ? 'busy' : null;
  }

  function start(
    request: IncomingMessage,
    user: PageUser,
    target: PageTarget,
    more: { agent: TunnelAgent; hasBody?: boolean; upgrade?: true },
  ) {
    const path = request.url ?? '/';
    const headers = requestHeaders(request.headers, target, cookiesOf(user).of(path));
    if (user.guest?.refusal()) for (const name of METHOD_HEADERS) delete headers[name];
    // Node uses no length and no chunks for some methods otherwise.
    if (more.hasBody && headers['content-length'] === undefined) headers['transfer-encoding'] = 'chunked';
    if (more.upgrade) Object.assign(headers, { connection: 'Upgrade', upgrade: 'websocket' });
    return requestOf({
      ...{ method: request.method, path, headers, agent: more.agent, setHost: false },
      ...{ host: '127.0.0.1', port, maxHeaderSize: MAX_HEADER_BYTES },
    });
  }

  /** Records a request and runs it, unless it is refused. `run` gets a function that records its end, once. */
  function begin(
    request: IncomingMessage,
    user: PageUser,
    refuse: (notice: Notice) => void,
    run: (end: ReturnType<typeof ending>) => void,
  ): void {
    const text = recordedRequest(request.method ?? '', request.url ?? '');
    const record = activity.begin(linkId, 'request', text, user.guest?.name);
    const refusal = record ? refusalOf(request, user) : 'busy';
    if (record && refusal === null) {
      atOnce += 1;
      run(
        ending(record, () => {
          atOnce -= 1;
        }),
      );
    } else {
      record?.end('refused', { status: noticeStatus(refusal ?? 'busy') });
      refuse(refusal ?? 'busy');
    }
  }

  return {
    port,
    deviceOrigin,

    /** Passes a request on. Every response to the browser is one of the device, or a notice. */
    forward(request: IncomingMessage, response: ServerResponse, user: PageUser, pageOrigin: string): void {
      const target: PageTarget = { port, deviceOrigin, pageOrigin };
      const say = (notice: Notice, values: Record<string, number> = {}) =>
        sendNotice(response, {
          ...{ method: request.method, locale: user.locale, notice, values: { port, ...values } },
          product: productName(user.locale),
        });
      begin(request, user, say, (end) => {
        const traffic = { bytesIn: 0, bytesOut: 0 };
        const hasBody = bodyOf(request);
        let outgoing: ClientRequest;
        let status: number | null = null;
        let cancelWait: Cancel = () => undefined;
        let sent = false;
        let over = false;
        const finish = (result: ActivityResult) => {
          over = true;
          cancelWait();
          user.running.delete(stop);
          end(result, { status, ...traffic });
        };
        const fail = (notice: Notice, result: ActivityResult = 'failed', values: Record<string, number> = {}) => {
          finish(result);
          outgoing?.destroy();
          say(notice, values);
        };
        const stop = () => fail('over', 'cancelled');
        const waitForAnswer = () => {
          cancelWait();
          cancelWait = clock.after(ANSWER_MS, () => fail('noAnswer'));
        };
        user.running.add(stop);
        request.on('error', () => undefined);
        response.once('finish', () => {
          sent = true;
        });
        response.once('close', () => {
          finish(sent ? 'done' : 'cancelled');
          if (!sent) outgoing?.destroy();
        });

        const send = (agent: TunnelAgent) => {
          try {
            outgoing = start(request, user, target, { agent, hasBody });
          } catch {
            return fail('badRequest', 'refused');
          }
          outgoing.on('error', (error) => {
            if (over) return;
            if (response.headersSent) return void response.destroy();
            // The device closed a kept connection while the request was being sent.
            if (agent === pool && outgoing.reusedSocket) send(single);
            else fail(noticeOf(error));
          });
          outgoing.on('upgrade', (_incoming, socket) => {
            socket.destroy();
            fail('invalid');
          });
          outgoing.on('response', receive);
          waitForAnswer();
          if (!hasBody) return void outgoing.end();
          request.on('data', (data: Buffer) => {
            traffic.bytesOut += data.length;
            if (status === null) waitForAnswer();
          });
          request.pipe(outgoing);
        };

        const receive = (incoming: IncomingMessage) => {
          cancelWait();
          status = incoming.statusCode ?? 502;
          cookiesOf(user).store(request.url ?? '/', incoming.headers['set-cookie']);
          const answer = responseHeaders(incoming.headers, target);
          if ('otherPort' in answer) return fail('otherPort', 'done', { other: answer.otherPort });
          try {
            response.writeHead(status, answer.headers);
          } catch {
            return fail('invalid');
          }
          // Events may come much later than the headers.
          response.flushHeaders();
          incoming.on('data', (data: Buffer) => {
            traffic.bytesIn += data.length;
          });
          incoming.on('error', () => {
            finish('failed');
            response.destroy();
          });
          incoming.pipe(response);
        };

        send(hasBody ? single : pool);
      });
    },

    /** Connects a WebSocket of a page with the device. */
    upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, user: PageUser, pageOrigin: string): void {
      const target: PageTarget = { port, deviceOrigin, pageOrigin };
      const refuse = (notice: Notice) => refuseUpgrade(socket, noticeStatus(notice));
      begin(request, user, refuse, (end) => {
        const traffic = { bytesIn: 0, bytesOut: 0 };
        let status: number | null = null;
        let device: Duplex | null = null;
        let outgoing: ClientRequest | null = null;
        const finish = (result: ActivityResult) => {
          cancelWait();
          user.running.delete(stop);
          outgoing?.destroy();
          device?.destroy();
          socket.destroy();
          end(result, { status, ...traffic });
        };
        const stop = () => finish('cancelled');
        const fail = (notice: Notice) => {
          refuse(notice);
          cancelWait();
          user.running.delete(stop);
          end('failed', { status });
        };
        const cancelWait = clock.after(ANSWER_MS, () => fail('noAnswer'));
        user.running.add(stop);
        socket.on('error', () => finish('cancelled'));
        socket.on('close', () => finish(status === 101 ? 'done' : 'cancelled'));
        try {
          outgoing = start(request, user, target, { agent: single, upgrade: true });
        } catch {
          return fail('badRequest');
        }
        outgoing.on('error', (error) => fail(noticeOf(error)));
        outgoing.on('response', (incoming) => {
          status = incoming.statusCode ?? null;
          incoming.destroy();
          refuseUpgrade(socket, status ?? 502);
          cancelWait();
          user.running.delete(stop);
          end('done', { status });
        });
        outgoing.on('upgrade', (incoming, opened, first) => {
          cancelWait();
          status = 101;
          device = opened;
          cookiesOf(user).store(request.url ?? '/', incoming.headers['set-cookie']);
          socket.write(acceptedUpgrade(incoming.headers));
          if (first.length > 0) opened.unshift(first);
          if (head.length > 0) socket.unshift(head);
          opened.on('error', () => finish('failed'));
          opened.on('close', () => finish('done'));
          opened.on('data', (data: Buffer) => {
            traffic.bytesIn += data.length;
          });
          opened.pipe(socket);
          const { guest } = user;
          const messages = guest ? socket.pipe(receiveOnly(() => guest.refusal() === null)) : socket;
          if (guest) messages.on('error', () => finish('refused'));
          messages.on('data', (data: Buffer) => {
            traffic.bytesOut += data.length;
          });
          messages.pipe(opened);
        });
        outgoing.end();
      });
    },

    /** Closes the connections that no request uses. */
    close(): void {
      pool.destroy();
      single.destroy();
    },
  };
}

/** Records the end of a request once. */
function ending(record: NonNullable<ReturnType<Activity['begin']>>, onEnd: () => void): typeof record.end {
  let over = false;
  return (result, more) => {
    if (over) return;
    over = true;
    onEnd();
    record.end(result, more);
  };
}

/** True if a request has a body, or may have one. */
function bodyOf({ method = '', headers }: IncomingMessage): boolean {
  if (headers['transfer-encoding'] !== undefined) return true;
  if (headers['content-length'] !== undefined) return Number(headers['content-length']) > 0 || !isSafe(method);
  return !isSafe(method) && method !== 'DELETE';
}

/** True for methods that read only, which may be repeated. */
function isSafe(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}

/** What a failed connection to the device means for its user. */
function noticeOf(error: Error & { code?: string; reason?: unknown }): Notice {
  const code = error.code ?? '';
  if (error.message.startsWith('link ')) return 'over';
  if (/^(?:HPE_|EPROTO|ERR_SSL|ERR_TLS)/.test(code)) return 'invalid';
  // The device refused the channel: nothing listens on its port.
  if (code === 'ECONNREFUSED' || error.reason !== undefined) return 'refused';
  return 'noAnswer';
}

/** The headers of an upgrade, as far as they concern the WebSocket. */
function acceptedUpgrade(headers: IncomingMessage['headers']): string {
  const names = ['sec-websocket-accept', 'sec-websocket-protocol', 'sec-websocket-extensions'];
  const kept = names.flatMap((name) => (headers[name] === undefined ? [] : [`${name}: ${headers[name]}`]));
  return ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade', ...kept, '', ''].join(
    '\r\n',
  );
}

/** Refuses a WebSocket with a status. */
export function refuseUpgrade(socket: Duplex, status: number): void {
  socket.on('error', () => undefined);
  if (!socket.destroyed) socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
