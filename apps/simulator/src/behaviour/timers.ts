/** The longest delay of a Node timer (2^31 - 1 ms); a longer one would fire immediately. */
const LONGEST_MS = 2 ** 31 - 1;

export type Timer = NodeJS.Timeout;

/**
 * The timers of one charge point, which all end with it. Node keeps timers of equal length in one list, so a few timers
 * for each of thousands of charge points cost little.
 */
export class Timers {
  readonly #speed: number;
  readonly #running = new Set<Timer>();
  readonly #end = new AbortController();

  /** @param speed simulated seconds per real second. */
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
   * Runs `action` once after `seconds` of simulated time, which `speed` shortens.
   * @param action gets the time at which it was due; @param from such a time, of `performance.now()`. A chain that
   * passes it on does not accumulate delays.
   */
  afterBehaviour(seconds: number, action: (due: number) => void, from = performance.now()): Timer {
    const due = from + (seconds * 1000) / this.#speed;
    return this.after(due - performance.now(), () => action(due));
  }

  /** The simulated seconds that pass in `ms` real milliseconds. */
  behaviourSeconds(ms: number): number {
    return (ms / 1000) * this.#speed;
  }

  /** Aborted when the timers end; for other work that must stop then. */
  get ended(): AbortSignal {
    return this.#end.signal;
  }

  cancel(timer: Timer | null): void {
    if (timer === null) return;
    clearTimeout(timer);
    this.#running.delete(timer);
  }

  /** Ends all timers and prevents new ones: a retry started by the closing socket would keep the program running. */
  end(): void {
    this.#end.abort();
    for (const timer of this.#running) clearTimeout(timer);
    this.#running.clear();
  }
}
