import type { ServerResponse } from 'node:http';
import { type EventsMessage, STREAM_HEARTBEAT_MS } from '@chargehand/contract';
import type { Cancel, Clock } from '../platform/clock.ts';
import type { ListenerEvents } from './listener.ts';

/** The time after which a reader that reads nothing is disconnected. Milliseconds. */
const STALLED_MS = 45_000;
/** Events kept for a slow reader. Beyond it they are dropped and the reader fetches everything again. */
export const WAITING_LIMIT = 2_000;

export interface EventConnection {
  /**
   * Sends events. They are merged while the reader is slow. The position up to which they are complete is sent as the ID of
   * the next message, at the latest with a heartbeat.
   */
  events(events: ListenerEvents, position?: string): void;
  /** Sends that events were lost. */
  resync(): void;
  send(event: string, data: object): void;
  /** Ends the connection, after an optional last event. */
  end(event?: string, data?: object): void;
}

/**
 * A connection of server-sent events, with a heartbeat every `STREAM_HEARTBEAT_MS`, so that neither a proxy nor the reader
 * closes it as dead. Unsent events of a slow reader are merged by topic and id and bounded, never queued: the memory of
 * a connection does not depend on its reader.
 */
export function eventConnection(
  response: ServerResponse,
  headers: Record<string, string | number | string[] | undefined>,
  clock: Clock,
): EventConnection {
  let waiting: ListenerEvents = new Map();
  let waitingCount = 0;
  let lost = false;
  let position: string | undefined;
  let sentPosition: string | undefined;
  let blockedSince: number | null = null;

  const write = (text: string) => {
    if (response.destroyed || response.writableEnded) return;
    if (!response.write(text)) blockedSince ??= clock.now().getTime();
  };
  const send = (event: string, data: object) => {
    const id = position === sentPosition ? '' : `id: ${position}\n`;
    sentPosition = position;
    write(`${id}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  };
  const forget = () => {
    waiting = new Map();
    waitingCount = 0;
  };
  const flush = () => {
    if (blockedSince !== null) return;
    if (lost) {
      lost = false;
      forget();
      send('resync', {});
    } else if (waitingCount > 0) {
      const message = messageOf(waiting);
      forget();
      send('events', message);
    }
  };

  response.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  response.flushHeaders();
  response.on('drain', () => {
    blockedSince = null;
    flush();
  });
  let cancelHeartbeat: Cancel;
  const scheduleHeartbeat = () => {
    cancelHeartbeat = clock.after(STREAM_HEARTBEAT_MS, () => {
      scheduleHeartbeat();
      if (blockedSince === null) send('alive', {});
      else if (clock.now().getTime() - blockedSince > STALLED_MS) response.destroy();
    });
  };
  scheduleHeartbeat();
  response.on('close', () => cancelHeartbeat());

  return {
    events(events, reached) {
      position = reached ?? position;
      if (!lost) waitingCount += merge(waiting, events);
      if (waitingCount > WAITING_LIMIT && blockedSince !== null) {
        lost = true;
        forget();
      }
      flush();
    },
    resync() {
      lost = true;
      flush();
    },
    send,
    end(event, data) {
      cancelHeartbeat();
      if (event !== undefined) send(event, data ?? {});
      response.end();
    },
  };
}

/** Adds events to others; the newest payload of each id counts. Returns how many were added. */
function merge(into: ListenerEvents, events: ListenerEvents): number {
  let more = 0;
  for (const [topic, payloads] of events) {
    const known = into.get(topic) ?? new Map<number, unknown>();
    into.set(topic, known);
    more -= known.size;
    for (const [id, payload] of payloads) known.set(id, payload);
    more += known.size;
  }
  return more;
}

function messageOf(events: ListenerEvents): EventsMessage {
  return Object.fromEntries([...events].map(([topic, payloads]) => [topic, [...payloads]]));
}
