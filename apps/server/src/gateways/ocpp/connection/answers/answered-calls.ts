import { hash } from 'node:crypto';

/** A CALL that was answered, with its answer. */
interface AnsweredCall {
  id: string;
  /** SHA-1 of the CALL: some devices reuse an id for different messages, which must not count as a repetition */
  call: string;
  answer: string;
}

/**
 * The two CALLs that were answered last. A device that missed an answer repeats its CALL and gets the same answer.
 */
export class AnsweredCalls {
  #last: AnsweredCall | null = null;
  #before: AnsweredCall | null = null;

  /** The answer that a CALL got before; `remember` stores the one that it gets now. */
  find(id: string, text: string): { former: string | undefined; remember(answer: string): void } {
    const call = hash('sha1', text);
    const former = [this.#last, this.#before].find((one) => one?.id === id && one.call === call)?.answer;
    const remember = (answer: string) => {
      this.#before = this.#last;
      this.#last = { id, call, answer };
    };
    return { former, remember };
  }
}
