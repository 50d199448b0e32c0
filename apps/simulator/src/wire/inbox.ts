import type { Station } from '../behaviour/station.ts';
import { type Answer, answerCall } from '../ocpp16/calls.ts';
import { answerCall as answerCall201, CODES_201 } from '../ocpp201/calls.ts';
import { CallError, errorText, resultText } from './wire.ts';

/** A CALL of the central system, as it was received. */
export interface ReceivedCall {
  id: string;
  action: string;
  payload: unknown;
}

/** How a charge point treats the CALLs it receives. */
export interface Manners {
  /** The share (0 to 1) of CALLs answered late, by up to `maxMs`. */
  slowAnswers: { share: number; maxMs: number };
  /** The share (0 to 1) of CALLs refused. */
  refuseShare: number;
}

/** The CALLs of the central system: counted, shown to listeners, and answered in time, late, with a refusal or never. */
export class Inbox {
  readonly counts: Record<string, number> = {};
  readonly refuseNext: string[] = [];
  readonly neverAnswer = new Set<string>();
  readonly listeners = new Set<(call: ReceivedCall) => void>();
  /** How late every answer is; null: as the manners have it. */
  delayMs: number | null = null;
  readonly #station: Station;
  readonly #manners: Manners;

  constructor(station: Station, manners: Manners) {
    this.#station = station;
    this.#manners = manners;
  }

  /**
   * Takes a CALL.
   * @param reply sends the answer on the socket the CALL came on, and on no other.
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
      // Done even when the connection has broken in the meantime: the charge point was asked, and obeys.
      afterwards?.();
    };
    const delay = this.#drawDelay();
    if (delay > 0) this.#station.timers.after(delay, send);
    else send();
  }

  #drawRefusal(action: string): boolean {
    const index = this.refuseNext.indexOf(action);
    if (index >= 0) this.refuseNext.splice(index, 1);
    const { refuseShare } = this.#manners;
    return index >= 0 || (refuseShare > 0 && this.#station.random('refusals').chance(refuseShare));
  }

  #drawDelay(): number {
    if (this.delayMs !== null) return this.delayMs;
    const { share, maxMs } = this.#manners.slowAnswers;
    if (share <= 0) return 0;
    const random = this.#station.random('delays');
    return random.chance(share) ? random.between(0, maxMs) : 0;
  }
}
