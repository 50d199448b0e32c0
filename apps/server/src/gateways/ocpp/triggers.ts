import { randomUUID } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import type { ConnectionQuestions, Question } from './questions.ts';
import { type ErrorFrame, type ResultFrame, writeCall } from './wire.ts';

/** What asking needs of a connection. */
interface TriggerSender {
  /** The connection is open, and no command waits for its answer. */
  isFree(now: number): boolean;
  /** What is to be asked as things are. */
  look(): Promise<Question[]>;
  /** Puts a question on the connection. */
  write(messageId: string, action: string, text: string): void;
}

/** The questions of this system on one connection, beside the commands: one CALL is in flight at a time. */
export interface Triggers {
  /** Sees what is to be asked; rejects when that cannot be read. */
  look(): Promise<void>;
  /** Asks the next thing, if there is one and the connection is free. */
  next(now: number): void;
  /**
   * Takes the answer to a question, which came at a time; null when the frame answers something else. What there is to
   * store of it is under way then.
   */
  answered(
    frame: ResultFrame | ErrorFrame,
    at: Date,
  ): { action: string; note: string | null; stored: Promise<void> | null } | null;
  /**
   * Resolves when no question is in the way of a command: it was answered, was given up, or the connection has ended.
   */
  clear(): Promise<void>;
  /** The connection has ended. */
  end(): void;
}

/** A command waits so long for the answer to a question; shorter than the timeout of whoever hands it over. */
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
