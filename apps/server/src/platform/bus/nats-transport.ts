import { randomInt } from 'node:crypto';
import { connect, type Msg, type NatsConnection, type Subscription } from '@nats-io/transport-node';
import type { Log } from '../log.ts';
import type { Transport, TransportEvents } from './transport.ts';

/** How long to wait for a server at the start. Milliseconds. */
const CONNECT_MS = 10_000;
/** How often the connection is checked; without two answers it is opened again. Milliseconds. */
const PING_MS = 5_000;
const MISSED_PINGS = 2;
const RECONNECT_MS = 500;
/** How long the other servers of a subject may take after the first one. Milliseconds. */
const OTHERS_MS = 2;
/** What may wait for the connection. Messages to everyone do not wait: all processes read again afterwards. */
const MOST_WAITING = 10_000;
/** Room for the head of a part of a message. Bytes. */
const HEAD_BYTES = 64;
/** The status of a message that no process has subscribed to. */
const NO_RESPONDERS = 503;

interface Waiting {
  /** ms of `performance.now()` */
  expiresAt: number;
  publish(): void;
  drop(): void;
}

/**
 * Sends texts between processes through NATS, with a head: sender, number of the message, part and count of parts. NATS
 * itself tells when no process serves a subject. It does not repeat messages, so that after a lost connection all
 * processes read again (`onGap`).
 */
export async function natsTransport(
  parts: TransportEvents & { urls: readonly string[]; prefix: string; log: Log },
): Promise<Transport> {
  const { urls, prefix, log, onMessage, onGap } = parts;
  const id = randomInt(1, 2 ** 31 - 1);
  const all = `${prefix}.all`;
  const own = `${prefix}.to.${id}`;
  const serviceOf = (subject: string) => `${prefix}.find.${subject}`;
  const services = new Map<string, Subscription>();
  /** the requests whose sender learns when nobody serves their subject, by number */
  const finding = new Map<number, (peers: readonly number[] | null) => void>();
  /** the last message of each sender to everyone */
  const seen = new Map<number, number>();
  /** messages whose parts are arriving, by sender and number */
  const partial = new Map<string, Uint8Array[]>();
  const waiting: Waiting[] = [];
  let number = 0;
  let finds = 0;
  let isConnected = true;
  let hasLost = false;

  const connection = await open(urls);
  const partBytes = (connection.info?.max_payload ?? 1_048_576) - HEAD_BYTES;

  function receive(error: Error | null, { subject, data, headers }: Msg): void {
    if (error) log.debug({ err: error, subject }, 'a subscription to NATS ended');
    else if (!subject.startsWith(`${own}.`)) receiveMessage(subject, data);
    else if (headers?.code === NO_RESPONDERS) finding.get(Number(subject.slice(own.length + 1)))?.([]);
  }

  function receiveMessage(subject: string, data: Uint8Array): void {
    try {
      const headEnd = data.indexOf(0x0a);
      const head = Buffer.from(data.subarray(0, headEnd)).toString('latin1');
      const [from = 0, count = 0, part = 0, most = 1] = head.split(' ').map(Number);
      const body = data.subarray(headEnd + 1);
      if (subject === all && part === 0) {
        const last = seen.get(from);
        if (last !== undefined && count !== last + 1) onGap();
        seen.set(from, count);
      }
      const whole = most === 1 ? Buffer.from(body) : join(`${subject} ${from} ${count}`, body, part, most);
      if (whole) onMessage({ from, text: whole.toString('utf8') });
    } catch (cause) {
      log.warn({ err: cause }, 'a message of another process could not be read');
      onGap();
    }
  }

  /** The whole message once its last part has arrived. */
  function join(key: string, body: Uint8Array, part: number, most: number): Buffer | null {
    if (part === 0) partial.set(key, []);
    const before = partial.get(key);
    if (before?.length !== part) {
      partial.delete(key);
      onGap();
      return null;
    }
    before.push(body);
    if (before.length < most) return null;
    partial.delete(key);
    return Buffer.concat(before);
  }

  function publish(subject: string, text: string, reply?: string): void {
    if (subject === all) number += 1;
    const count = subject === all ? number : randomInt(2 ** 31);
    const body = Buffer.from(text, 'utf8');
    const most = Math.max(1, Math.ceil(body.length / partBytes));
    for (let part = 0; part < most; part += 1) {
      const piece = body.subarray(part * partBytes, (part + 1) * partBytes);
      const payload = Buffer.concat([Buffer.from(`${id} ${count} ${part} ${most}\n`, 'latin1'), piece]);
      connection.publish(subject, payload, reply === undefined ? {} : { reply });
    }
  }

  async function watch(): Promise<void> {
    for await (const { type } of connection.status()) {
      if (type === 'disconnect') {
        isConnected = false;
        hasLost = true;
        log.warn('the connection to NATS is lost; trying again');
      } else if (type === 'reconnect') {
        isConnected = true;
        reconnected();
      }
    }
  }

  function reconnected(): void {
    seen.clear();
    partial.clear();
    if (hasLost) {
      // The others missed what this process has sent, and this process what they have sent.
      publish(all, JSON.stringify({ kind: 'gap' }));
      onGap();
    }
    hasLost = false;
    const now = performance.now();
    for (const one of waiting.splice(0)) {
      if (one.expiresAt > now) one.publish();
      else one.drop();
    }
  }

  connection.subscribe(all, { callback: receive });
  connection.subscribe(own, { callback: receive });
  connection.subscribe(`${own}.*`, { callback: receive });
  void watch();
  await connection.flush();

  return {
    othersMs: OTHERS_MS,

    send(text, { to, service, expiresMs = Number.POSITIVE_INFINITY }) {
      const { promise, resolve } = Promise.withResolvers<readonly number[] | null>();
      const drop = () => resolve([]);
      const send = () => {
        try {
          if (service === undefined) {
            publish(to === undefined ? all : `${prefix}.to.${to}`, text);
            resolve(null);
            return;
          }
          const find = ++finds;
          const end = (peers: readonly number[] | null) => {
            clearTimeout(timer);
            finding.delete(find);
            resolve(peers);
          };
          const timer = setTimeout(end, Math.min(expiresMs, CONNECT_MS), null);
          timer.unref();
          finding.set(find, end);
          publish(serviceOf(service), text, `${own}.${find}`);
        } catch (error) {
          log.debug({ err: error }, 'a message to other processes was not sent');
          drop();
        }
      };
      if (isConnected) send();
      else if (to === undefined && service === undefined) drop();
      else if (waiting.length >= MOST_WAITING) drop();
      else waiting.push({ expiresAt: performance.now() + expiresMs, publish: send, drop });
      return promise;
    },

    serves(subject, now) {
      if (now && !services.has(subject))
        services.set(subject, connection.subscribe(serviceOf(subject), { callback: receive }));
      if (now) return;
      services.get(subject)?.unsubscribe();
      services.delete(subject);
    },

    async close() {
      for (const one of waiting.splice(0)) one.drop();
      await connection.flush().catch(() => undefined);
      await connection.close();
    },
  };
}

/** @throws with one sentence if no server can be reached */
async function open(urls: readonly string[]): Promise<NatsConnection> {
  const [first] = urls.map((url) => new URL(url));
  const { username = '', password = '' } = first ?? {};
  try {
    return await connect({
      servers: urls.map((url) => new URL(url).host),
      ...(username && password ? { user: decodeURIComponent(username), pass: decodeURIComponent(password) } : {}),
      ...(username && !password ? { token: decodeURIComponent(username) } : {}),
      ...(first?.protocol === 'tls:' ? { tls: {} } : {}),
      ...{ name: 'chargehand bus', noEcho: true, timeout: CONNECT_MS, pingInterval: PING_MS, maxPingOut: MISSED_PINGS },
      ...{ reconnectTimeWait: RECONNECT_MS, maxReconnectAttempts: -1 },
    });
  } catch (cause) {
    throw new Error(`NATS_URL cannot be reached: ${(cause as Error).message}`, { cause });
  }
}
