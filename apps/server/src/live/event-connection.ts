import type { ServerResponse } from 'node:http';
import { STREAM_BEAT_MS } from '@chargehand/contract';

/** A reader that takes nothing for so long is let go. Milliseconds. */
const STALLED_MS = 45_000;
/** Changed devices kept for a reader that is slow; beyond it they are dropped and it is told to fetch all again. */
export const WAITING_LIMIT = 2_000;

export interface EventLine {
  /** Tells which devices changed, each with its topics as bits; kept together for as long as the reader is slow. */
  changed(changes: ReadonlyMap<number, number>): void;
  /** Tells that changes were lost. */
  resync(): void;
  /** Tells an event without data; told once, however often it happens while the reader is slow. */
  told(event: string): void;
  send(event: string, data: object): void;
  /** Ends the line, after a last event if there is one. */
  end(event?: string, data?: object): void;
}

/**
 * One reader's line of server-sent events, which says every `beatMs` (ms) that it is there: neither a proxy nor the reader
 * takes it for dead. What a slow reader has not taken is merged by device and bounded, never
 * queued: the line's memory does not depend on the reader.
 */
export function eventLine(
  response: ServerResponse,
  headers: Record<string, string | number | string[] | undefined>,
  encode: (changes: ReadonlyMap<number, number>) => object,
  beatMs = STREAM_BEAT_MS,
): EventLine {
  let waiting = new Map<number, number>();
  let lost = false;
  const waitingEvents = new Set<string>();
  let blockedSince: number | null = null;

  const write = (text: string) => {
    if (response.destroyed || response.writableEnded) return;
    if (!response.write(text)) blockedSince ??= Date.now();
  };
  const send = (event: string, data: object) => write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  const flush = () => {
    if (blockedSince !== null) return;
    for (const event of waitingEvents) send(event, {});
    waitingEvents.clear();
    if (lost) {
      lost = false;
      waiting = new Map();
      send('resync', {});
    } else if (waiting.size > 0) {
      const changes = waiting;
      waiting = new Map();
      send('change', encode(changes));
    }
  };

  response.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    connection: 'keep-alive',
  });
  response.flushHeaders();
  response.on('drain', () => {
    blockedSince = null;
    flush();
  });
  const beat = setInterval(() => {
    if (blockedSince === null) send('alive', {});
    else if (Date.now() - blockedSince > STALLED_MS) response.destroy();
  }, beatMs);
  beat.unref();
  response.on('close', () => clearInterval(beat));

  return {
    changed(changes) {
      if (!lost) for (const [id, bits] of changes) waiting.set(id, (waiting.get(id) ?? 0) | bits);
      if (waiting.size > WAITING_LIMIT && blockedSince !== null) {
        lost = true;
        waiting = new Map();
      }
      flush();
    },
    resync() {
      lost = true;
      flush();
    },
    told(event) {
      waitingEvents.add(event);
      flush();
    },
    send,
    end(event, data) {
      clearInterval(beat);
      if (event !== undefined) send(event, data ?? {});
      response.end();
    },
  };
}
