import { CALLERROR, type ErrorFrame, type ResultFrame } from './wire.ts';

/** What a device is asked to tell by itself: a trigger message in the words of its protocol. */
export interface Question {
  action: string;
  payload: object;
  /** what it is to send */
  message: string;
  /** Of what is no trigger: takes the answer, which came at a time; `note` is what is to be said of it. */
  settle?(frame: ResultFrame | ErrorFrame, at: Date): { note: string | null; stored: Promise<void> | null };
}

interface OpenQuestion {
  id: string;
  question: Question;
  /** since when it waits for its answer */
  since: number;
}

/** A device that has not answered within this time is left in peace. */
export const ANSWER_MS = 30_000;

/** What the ids of questions begin with: they are no executions. */
const QUESTION_PREFIX = 'trigger-';

const NONE: readonly Question[] = [];

/**
 * What is asked of a device on one connection without anybody's order. A rule without a clock: times are told, in ms
 * since the epoch. There is one for each connection, and most have nothing to ask.
 */
export class ConnectionQuestions {
  #dueAt: number | null;
  #left = NONE;
  #open: OpenQuestion | null = null;
  /** what the device has asked for, and is told whether or not it knows triggers */
  #requested: Question[] | null = null;
  /** the last of these that was given up: its answer may take a device long, and still counts */
  #late: OpenQuestion | null = null;
  /** what the device does not want to be asked for */
  #refused: Set<string> | null = null;
  /** nothing more is asked on this connection */
  #silent = false;

  /** @param dueAt when a device that has not booted by then is asked; null: never */
  constructor(dueAt: number | null) {
    this.#dueAt = dueAt;
  }

  /** A CALL of the device was taken. One that boots tells everything by itself (OCPP 1.6 §4.2, OCPP 2.0.1 B01.FR.05). */
  onCall(action: string): void {
    if (action !== 'BootNotification') return;
    this.#dueAt = null;
    this.#left = NONE;
  }

  /** Somebody wishes to know everything anew. */
  requestAll(now: number): void {
    this.#dueAt = now;
  }

  /** True, once for each reason, when it is time to see what is to be asked. */
  isDue(now: number): boolean {
    if (this.#dueAt === null || now < this.#dueAt) return false;
    this.#dueAt = null;
    return !this.#silent;
  }

  /** What is to be asked, one after the other. */
  put(questions: readonly Question[]): void {
    this.#left = questions;
  }

  /** What the device is owed comes before what it may be asked. */
  request(question: Question): void {
    this.#requested ??= [];
    this.#requested.push(question);
  }

  /** The next question, which is open from now on under an id; null while one is open or none is left. */
  next(now: number, id: () => string): OpenQuestion | null {
    if (this.open(now)) return null;
    const question = this.#requested?.shift() ?? this.#nextTrigger();
    if (!question) return null;
    this.#open = { id: QUESTION_PREFIX + id(), question, since: now };
    return this.#open;
  }

  #nextTrigger(): Question | undefined {
    if (this.#left.length === 0 || this.#silent) return undefined;
    const at = this.#left.findIndex(({ message }) => !this.#refused?.has(message));
    const question = this.#left[at];
    this.#left = question ? this.#left.slice(at + 1) : NONE;
    return question;
  }

  /** The question that waits for its answer; one that is not answered in time is the last one on this connection. */
  open(now: number): OpenQuestion | null {
    if (this.#open && now - this.#open.since >= ANSWER_MS) this.giveUp();
    return this.#open;
  }

  /** The device does not answer: it is left in peace. */
  giveUp(): void {
    if (this.#open?.question.settle) this.#late = this.#open;
    else this.#silent = true;
    this.#open = null;
  }

  /** Takes the answer to the open question; null when the frame answers another call. */
  answered(frame: ResultFrame | ErrorFrame): { question: Question; note: string | null } | null {
    if (frame.id === this.#late?.id) {
      const { question } = this.#late;
      this.#late = null;
      return { question, note: null };
    }
    if (frame.id !== this.#open?.id) return null;
    const { question } = this.#open;
    this.#open = null;
    if (question.settle) return { question, note: null };
    if (frame.type === CALLERROR) {
      this.#silent = true;
      return { question, note: 'the device knows no triggers; it is asked for nothing more on this connection' };
    }
    if (isAgreed(frame.payload)) return { question, note: null };
    this.#refused ??= new Set();
    this.#refused.add(question.message);
    return { question, note: `the device is not asked for ${question.message} again on this connection` };
  }
}

/** TriggerMessageStatus (OCPP 1.6 §7.51, OCPP 2.0.1 part 2 §3.83): Accepted, Rejected or NotImplemented. */
function isAgreed(payload: unknown): boolean {
  return (payload as { status?: unknown } | null)?.status === 'Accepted';
}
