import { randomUUID } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import type { ConnectionQuestions, Question } from './questions.ts';
import { type ErrorFrame, type ResultFrame, writeCall } from './wire.ts';

/** What these requests need from a connection. */
interface TriggerSender {
  /** The connection is open, and no command waits for its answer. */
  isFree(now: number): boolean;
  /** The requests that are needed now. */
  look(): Promise<Question[]>;
  /** Sends a request on the connection. */
  write(messageId: string, action: string, text: string): void;
}

/**
 * The requests that the server sends by itself on one connection, in addition to commands: one CALL is in flight at a
 * time.
 */
export interface Triggers {
  /** Determines what to request; rejects when that cannot be read. */
  look(): Promise<void>;
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
  /** Resolves when no request blocks a command: it was answered, timed out, or the connection has ended. */
  clear(): Promise<void>;
  /** The connection has ended. */
  end(): void;
}

/**
 * How long a command waits for the answer to such a request. Shorter than the timeout of the code that sends the
 * command.
 */
const TIMEOUT_MS = 3_000;

export function triggers(sender: TriggerSender, questions: ConnectionQuestions, clock: Clock): Triggers {
  let waiting: (() => void)[] = [];
  const letGo = () => {
    for (const go of waiting) go();
    waiting = [];
  };
  return {
    async look() {
      questions.put(await sender.look());
    },
    next(now) {
      if (!sender.isFree(now)) return;
      const question = questions.next(now, () => randomUUID().slice(0, 13));
      if (!question) return;
      const { action, payload } = question.question;
      sender.write(question.id, action, writeCall(question.id, action, payload));
    },
    answered(frame, at) {
      const answered = questions.answered(frame);
      if (!answered) return null;
      letGo();
      const { question } = answered;
      const { note = answered.note, stored = null } = question.settle?.(frame, at) ?? {};
      return { action: question.action, note, stored };
    },
    clear() {
      if (!questions.open(clock.now().getTime())) return Promise.resolve();
      return new Promise((resolve) => {
        const cancel = clock.after(TIMEOUT_MS, () => {
          questions.giveUp();
          letGo();
        });
        waiting.push(() => {
          cancel();
          resolve();
        });
      });
    },
    end: letGo,
  };
}
