import { randomUUID } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import type { ServerRequest, ServerRequests } from './server-requests.ts';
import { type ErrorFrame, type ResultFrame, writeCall } from './wire.ts';

/** What these requests need from a connection. */
interface TriggerSender {
  /** The connection is open, and no command waits for its answer. */
  isFree(now: number): boolean;
  /** The requests that are needed now. */
  neededRequests(): Promise<ServerRequest[]>;
  /** Sends a request on the connection. */
  write(messageId: string, action: string, text: string): void;
}

/**
 * The requests that the server sends by itself on one connection, in addition to commands: one CALL is in flight at a
 * time.
 */
export interface Triggers {
  /** Determines what to request; rejects when that cannot be read. */
  determine(): Promise<void>;
  /** Sends the next request, if there is one and the connection is free. */
  next(now: number): void;
  /**
   * Reads the answer to a request and its time of receipt; null when the frame answers something else. Storing its
   * events has started by then.
   */
  answered(
    frame: ResultFrame | ErrorFrame,
    at: Date,
  ): { action: string; note: string | null; stored: Promise<void> | null } | null;
  /** Resolves when no request blocks a command: it was answered, gave way, or the connection has ended. */
  clear(): Promise<void>;
  /** The connection has ended. */
  end(): void;
}

/**
 * How long a command waits for the answer to such a request. Shorter than the timeout of the code that sends the
 * command.
 */
const TIMEOUT_MS = 3_000;

export function triggers(sender: TriggerSender, requests: ServerRequests, clock: Clock): Triggers {
  let waiting: (() => void)[] = [];
  const release = () => {
    for (const go of waiting) go();
    waiting = [];
  };
  return {
    async determine() {
      requests.put(await sender.neededRequests());
    },
    next(now) {
      if (!sender.isFree(now)) return;
      const request = requests.next(now, () => randomUUID().slice(0, 13));
      if (!request) return;
      const { action, payload } = request.request;
      sender.write(request.id, action, writeCall(request.id, action, payload));
    },
    answered(frame, at) {
      const answered = requests.answered(frame);
      if (!answered) return null;
      release();
      const { request } = answered;
      const { note = answered.note, stored = null } = request.readAnswer?.(frame, at) ?? {};
      return { action: request.action, note, stored };
    },
    clear() {
      if (!requests.open(clock.now().getTime())) return Promise.resolve();
      return new Promise((resolve) => {
        const cancel = clock.after(TIMEOUT_MS, () => {
          requests.giveWay();
          release();
        });
        waiting.push(() => {
          cancel();
          resolve();
        });
      });
    },
    end: release,
  };
}
