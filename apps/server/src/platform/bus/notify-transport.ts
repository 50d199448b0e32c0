import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { type DirectClient, directClient } from '../database/connections/direct.ts';
import type { Log } from '../log.ts';
import type { Transport, TransportEvents } from './transport.ts';

/** The first key of the advisory locks that show which processes are connected: "CHGH" in ASCII. The second is the process. */
const PRESENCE = 0x43_48_47_49;
const CHANNEL = 'chargehand_bus';
/** A notification has at most 8,000 bytes. The rest is for the sender and the number. */
const NOTIFY_BYTES = 7_000;
/** What may wait to be sent while the database is away. Beyond it, the others learn that messages are missing. */
const WAITING_BYTES = 8 * 1024 * 1024;
/** How often the connection is checked, how long it may take to answer, and the pause before a new one. Milliseconds. */
const CHECK_MS = 5_000;
const ANSWER_MS = 5_000;
const AGAIN_MS = 500;
const LAST_AGAIN_MS = 5_000;
/** How long the other servers of a subject may take after the first one. Milliseconds. */
const OTHERS_MS = 200;
/** How long large messages are available. */
const LARGE_SECONDS = 60;

interface Outgoing {
  channel: string;
  text: string;
  bytes: number;
  /** ms of `performance.now()` */
  expiresAt: number;
  sent(peers: readonly number[]): void;
}

/** A notification that may have been sent already: it is repeated with the same number. */
interface Notification {
  channel: string;
  payload: string;
}

interface Batch {
  items: Outgoing[];
  notifications: Notification[];
  large: { id: string; body: string }[];
}

/**
 * Sends texts between the processes on a database. Each sender numbers its notifications, so that PostgreSQL does not
 * fold equal ones, receivers ignore repeated ones, and they notice missing ones (`onGap`, also after a lost connection).
 * Texts that do not fit in a notification are in the table `bus_messages`.
 */
export async function notifyTransport(parts: TransportEvents & { url: string; log: Log }): Promise<Transport> {
  const { url, log, onMessage, onGap } = parts;
  const id = randomInt(1, 2 ** 31 - 1);
  const own = `${CHANNEL}_${id}`;
  const numbers = new Map<string, number>();
  /** the last notification of each sender to everyone */
  const seen = new Map<number, number>();
  let waiting: Outgoing[] = [];
  let waitingBytes = 0;
  let dropped = false;
  let batch: Batch | null = null;
  let sending: Promise<void> | null = null;
  let client: DirectClient | null = null;
  let cleanedAt = 0;
  let closed = false;
  let receiving = false;
  const arrived: { channel: string; payload: string }[] = [];

  async function open(): Promise<void> {
    const opened = await directClient(url, { name: 'chargehand bus', answerMs: ANSWER_MS });
    try {
      opened.on('notification', ({ channel, payload = '' }) => {
        arrived.push({ channel, payload });
        if (!receiving) void receive();
      });
      await opened.query(`listen ${CHANNEL}; listen ${own}`);
      await opened.query(`select pg_try_advisory_lock_shared(${PRESENCE}, ${id})`);
    } catch (error) {
      opened.drop();
      throw error;
    }
    client = opened;
    opened.once('end', () => {
      if (client === opened) client = null;
      if (!closed) void reopen();
    });
  }

  async function reopen(): Promise<void> {
    for (let pause = AGAIN_MS; !closed; pause = Math.min(2 * pause, LAST_AGAIN_MS)) {
      try {
        await open();
        seen.clear();
        arrived.length = 0;
        onGap();
        begin();
        return;
      } catch (error) {
        log.debug({ err: error }, 'the bus is not connected to the database; trying again');
        await wait(pause, undefined, { ref: false });
      }
    }
  }

  /** Handles notifications in order, also when the text of one has to be read from the table. */
  async function receive(): Promise<void> {
    receiving = true;
    for (let next = arrived.shift(); next; next = arrived.shift()) {
      const { channel, payload } = next;
      const [from = 0, number = 0] = payload.split(' ', 2).map(Number);
      const text = payload.slice(payload.indexOf(' ', payload.indexOf(' ') + 1) + 1);
      if (from === id) continue;
      if (channel === CHANNEL) {
        const last = seen.get(from);
        if (last !== undefined && number <= last) continue;
        if (last !== undefined && number > last + 1) onGap();
        seen.set(from, number);
      }
      try {
        const body = text.startsWith('@') ? await readLarge(text.slice(1)) : text;
        if (body === null) onGap();
        else for (const one of JSON.parse(body) as string[]) onMessage({ from, text: one });
      } catch (error) {
        log.warn({ err: error }, 'a message of another process could not be read');
        onGap();
      }
    }
    receiving = false;
  }

  async function readLarge(messageId: string): Promise<string | null> {
    const result = await client?.query<{ body: string }>('select body from bus_messages where id = $1', [messageId]);
    return result?.rows[0]?.body ?? null;
  }

  function begin(): void {
    sending ??= flush().finally(() => {
      sending = null;
      if ((waiting.length > 0 || batch) && client) begin();
    });
  }

  async function flush(): Promise<void> {
    // What is sent in this turn of the event loop becomes one statement.
    await new Promise<void>((resolve) => setImmediate(resolve));
    while (client && (batch || waiting.length > 0)) {
      batch ??= nextBatch();
      const current = batch;
      try {
        const peers = await notify(client, current);
        batch = null;
        for (const { sent } of current.items) sent(peers);
      } catch (error) {
        // It may have been sent. It is repeated on the next connection, with the same numbers.
        log.debug({ err: error }, 'messages to other processes were not sent; trying again');
        client?.drop();
        return;
      }
    }
  }

  function nextBatch(): Batch {
    const now = performance.now();
    const items = waiting.filter(({ expiresAt }) => expiresAt > now);
    for (const { expiresAt, sent } of waiting) if (expiresAt <= now) sent([]);
    if (dropped) items.unshift({ ...GAP, sent: () => undefined });
    dropped = false;
    waiting = [];
    waitingBytes = 0;
    const notifications: Notification[] = [];
    const large: Batch['large'] = [];
    for (let index = 0; index < items.length; ) {
      const { channel } = items[index]!;
      const texts: string[] = [];
      let bytes = 0;
      do {
        const item = items[index]!;
        texts.push(item.text);
        bytes += item.bytes;
        index += 1;
      } while (items[index]?.channel === channel && bytes + items[index]!.bytes <= NOTIFY_BYTES);
      const number = (numbers.get(channel) ?? 0) + 1;
      if (channel === CHANNEL) numbers.set(channel, number);
      const head = `${id} ${channel === CHANNEL ? number : randomInt(2 ** 31)}`;
      const body = JSON.stringify(texts);
      if (bytes <= NOTIFY_BYTES) notifications.push({ channel, payload: `${head} ${body}` });
      else {
        const messageId = `${id}-${randomInt(2 ** 47)}`;
        large.push({ id: messageId, body });
        notifications.push({ channel, payload: `${head} @${messageId}` });
      }
    }
    return { items, notifications, large };
  }

  async function notify(current: DirectClient, { notifications, large }: Batch): Promise<number[]> {
    if (large.length > 0) {
      await current.query(
        `insert into bus_messages (id, body) select * from unnest($1::text[], $2::text[]) on conflict do nothing`,
        [large.map((one) => one.id), large.map((one) => one.body)],
      );
      if (performance.now() - cleanedAt > LARGE_SECONDS * 1_000) {
        cleanedAt = performance.now();
        await current.query(`delete from bus_messages where at < now() - make_interval(secs => ${LARGE_SECONDS})`);
      }
    }
    // The locks are read before the commit: a process that is not among them cannot receive these notifications.
    const { rows } = await current.query<{ peers: number[] | null }>({
      name: 'bus_notify',
      text: `with sent as (select pg_notify(c, p) from unnest($1::text[], $2::text[]) as n (c, p))
        select count(*), (select array_agg(distinct objid::int) from pg_locks where locktype = 'advisory' and granted
          and classid = ${PRESENCE} and database = (select oid from pg_database where datname = current_database())) as peers
          from sent`,
      values: [notifications.map((one) => one.channel), notifications.map((one) => one.payload)],
    } as pg.QueryConfig);
    return (rows[0]?.peers ?? []).filter((peer) => peer !== id);
  }

  await open();
  const checking = setInterval(() => {
    // A statement that gets no answer closes the connection.
    client?.query('select 1').catch(() => client?.drop());
  }, CHECK_MS);
  checking.unref();

  return {
    othersMs: OTHERS_MS,
    send(text, { to, expiresMs = Number.POSITIVE_INFINITY }) {
      const { promise, resolve } = Promise.withResolvers<readonly number[]>();
      // In JSON the text is a string in an array, whose quotes and backslashes take a byte more.
      const bytes = Buffer.byteLength(JSON.stringify(text)) + 1;
      if (closed || waitingBytes + bytes > Math.max(WAITING_BYTES, bytes)) {
        dropped ||= to === undefined;
        resolve([]);
        return promise;
      }
      waitingBytes += bytes;
      const channel = to === undefined ? CHANNEL : `${CHANNEL}_${to}`;
      waiting.push({ channel, text, bytes, expiresAt: performance.now() + expiresMs, sent: resolve });
      if (client) begin();
      return promise;
    },
    async close() {
      clearInterval(checking);
      await sending;
      closed = true;
      for (const { sent } of waiting.splice(0)) sent([]);
      await client?.end().catch(() => undefined);
    },
  };
}

const GAP = {
  channel: CHANNEL,
  text: JSON.stringify({ kind: 'gap' }),
  bytes: 32,
  expiresAt: Number.POSITIVE_INFINITY,
};
