import type { Station } from '../behaviour/station.ts';
import { type Answer, answerCall } from '../ocpp16/calls.ts';
import { answerCall as answerCall201, CODES_201 } from '../ocpp201/calls.ts';
import { CallError, errorText, resultText } from './wire.ts';

/** A received CALL of the central system. */
export interface ReceivedCall {
  id: string;
  action: string;
  payload: unknown;
}

/** How a charge point handles received CALLs. */
export interface InboxOptions {
  /** The share (0 to 1) of CALLs with a late response, by up to `maxMs`. */
  slowAnswers: { share: number; maxMs: number };
  /** The share (0 to 1) of rejected CALLs. */
  refuseShare: number;
}

/** The received CALLs: counted, passed to listeners, and answered in time, late, with a rejection or never. */
export class Inbox {
  readonly counts: Record<string, number> = {};
  readonly refuseNext: string[] = [];
  readonly neverAnswer = new Set<string>();
  readonly listeners = new Set<(call: ReceivedCall) => void>();
  /** The delay of every response; null: as configured. */
  delayMs: number | null = null;
  readonly #station: Station;
  readonly #options: InboxOptions;

  constructor(station: Station, options: InboxOptions) {
    this.#station = station;
    this.#options = options;
  }

  /**
   * Handles a CALL.
   * @param reply sends the response on the socket of the CALL only
   */
  take(call: ReceivedCall, reply: (text: string) => void): void {
    const { id, action, payload } = call;
    this.counts[action] = (this.counts[action] ?? 0) + 1;
    for (const listener of this.listeners) listener(call);
    if (this.neverAnswer.has(action)) return;
    const refuse = this.#drawRefusal(action);
    const newer = this.#station.settings.protocol !== '1.6';
    let text: string;
    let afterwards: Answer['afterwards'];
    try {
      const answer = (newer ? answerCall201 : answerCall)(this.#station, action, payload, refuse);
      text = resultText(id, answer.payload);
      afterwards = answer.afterwards;
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      const code = newer ? (CODES_201[error.code] ?? error.code) : error.code;
      text = errorText(id, code, error.message);
    }
    const send = (): void => {
      reply(text);
      // Executed even if the connection broke in the meantime, because the charge point has received the request.
      afterwards?.();
    };
    const delay = this.#drawDelay();
    if (delay > 0) this.#station.timers.after(delay, send);
    else send();
  }

  #drawRefusal(action: string): boolean {
    const index = this.refuseNext.indexOf(action);
    if (index >= 0) this.refuseNext.splice(index, 1);
    const { refuseShare } = this.#options;
    return index >= 0 || (refuseShare > 0 && this.#station.random('refusals').chance(refuseShare));
  }

  #drawDelay(): number {
    if (this.delayMs !== null) return this.delayMs;
    const { share, maxMs } = this.#options.slowAnswers;
    if (share <= 0) return 0;
    const random = this.#station.random('delays');
    return random.chance(share) ? random.between(0, maxMs) : 0;
  }
}
