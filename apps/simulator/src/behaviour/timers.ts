/** The longest delay a Node timer takes (2^31 - 1 ms); a longer one would fire at once. */
const LONGEST_MS = 2 ** 31 - 1;

export type Timer = NodeJS.Timeout;

/**
 * The timers of one charge point, so that all of them end with it. Node keeps timers of equal length in one list,
 * so a few of them for each of thousands of charge points cost little.
 */
export class Timers {
  readonly #speed: number;
  readonly #running = new Set<Timer>();
  readonly #end = new AbortController();

  /** @param speed how many seconds of behaviour pass in one real second. */
  constructor(speed: number) {
    this.#speed = speed;
  }

  /** Runs `action` once after `ms` real milliseconds; never after `end`. */
  after(ms: number, action: () => void): Timer {
    const timer = setTimeout(
      () => {
        this.#running.delete(timer);
        action();
      },
      Math.min(Math.max(ms, 0), LONGEST_MS),
    );
    if (this.#end.signal.aborted) clearTimeout(timer);
    else this.#running.add(timer);
    return timer;
  }

  /**
   * Runs `action` once after `seconds` of behaviour time, which `speed` makes shorter in reality.
   * @param action gets the instant at which it was due; @param from such an instant, of `performance.now()`: a chain
   * that passes it on does not run late by a little more each time.
   */
  afterBehaviour(seconds: number, action: (due: number) => void, from = performance.now()): Timer {
    const due = from + (seconds * 1000) / this.#speed;
    return this.after(due - performance.now(), () => action(due));
  }

  /** How many seconds of behaviour pass in `ms` real milliseconds. */
  behaviourSeconds(ms: number): number {
    return (ms / 1000) * this.#speed;
  }

  /** Ends with the timers: for what else would go on. */
  get ended(): AbortSignal {
    return this.#end.signal;
  }

  cancel(timer: Timer | null): void {
    if (timer === null) return;
    clearTimeout(timer);
    this.#running.delete(timer);
  }

  /** Ends them all, and those that are still asked for: a retry begun by the closing socket would keep the program alive. */
  end(): void {
    this.#end.abort();
    for (const timer of this.#running) clearTimeout(timer);
    this.#running.clear();
  }
}
