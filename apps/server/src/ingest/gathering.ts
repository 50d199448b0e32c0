/** The largest rate (submissions per second) for gathering: above it, those that arrive during a commit are enough. */
const GATHER_RATE = 500;
/** Without a gain, waiting is tried again after so many batches: after twice as many each time, up to a limit. */
const FIRST_TRIAL = 16;
const LAST_TRIAL = 256;

/** Measures the submissions per second, over about the last second. Times in milliseconds. */
export function submissionRate() {
  let rate = 0;
  let last = Number.NEGATIVE_INFINITY;
  return {
    arrives(at: number): void {
      rate = rate * Math.exp((last - at) / 1_000) + 1;
      last = at;
    },
    /** so few that a transaction for each costs more than its data */
    isEveryday: () => rate <= GATHER_RATE,
    isSeldom: () => rate <= 2,
  };
}

/** Decides whether a lane waits for more submissions before it stores some. */
export function gatheringRule() {
  const rate = submissionRate();
  /** how many other devices sent something while the lane waited, averaged over the last ten times */
  let gain = 0;
  /** devices of a batch when it began to wait. One exchange is several submissions, so that only other devices are a gain. */
  let first: Set<number> | null = null;
  /** batches until the next trial, and between two of them */
  let untilTrial = FIRST_TRIAL;
  let trial = FIRST_TRIAL;
  return {
    arrives: rate.arrives,
    /**
     * True if the next batch waits, which holds `waiting` so far. One device that waits for each answer gains nothing,
     * and many need no waiting.
     */
    begins(waiting: readonly { deviceId: number }[]): boolean {
      untilTrial -= 1;
      const waits = !rate.isSeldom() && rate.isEveryday() && (gain >= 0.2 || untilTrial <= 0);
      first = waits ? devicesOf(waiting) : null;
      return waits;
    },
    /** The batch that was begun is stored as `batch`. */
    ends(batch: readonly { deviceId: number }[]): void {
      const before = first;
      if (!before) return;
      const others = [...devicesOf(batch)].filter((id) => !before.has(id)).length;
      gain = 0.9 * gain + 0.1 * others;
      trial = others > 0 ? FIRST_TRIAL : Math.min(2 * trial, LAST_TRIAL);
      untilTrial = trial;
    },
  };
}

const devicesOf = (submissions: readonly { deviceId: number }[]) =>
  new Set(submissions.map(({ deviceId }) => deviceId));
