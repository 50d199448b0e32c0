/** The largest rate (submissions per second) for gathering: above it, those that arrive during a commit are enough. */
const GATHER_RATE = 500;
/** Without a gain from waiting, it is tried again with every such batch. */
const GATHER_TRIAL = 16;

/** Decides whether a lane waits for more submissions before it stores some. */
export function gatheringRule() {
  /** submissions per second, over about the last second */
  let rate = 0;
  let last = Number.NEGATIVE_INFINITY;
  /** how many other devices sent something while the lane waited, averaged over the last ten times */
  let gain = 0;
  /** devices of a batch when it began to wait. One exchange is several submissions, so that only other devices are a gain. */
  let first: Set<number> | null = null;
  let batches = 0;
  return {
    arrives(at: number): void {
      rate = rate * Math.exp((last - at) / 1_000) + 1;
      last = at;
    },
    /**
     * True if the next batch waits, which holds `waiting` so far. One device that waits for each answer gains nothing,
     * and many need no waiting.
     */
    begins(waiting: readonly { deviceId: number }[]): boolean {
      batches += 1;
      const waits = rate > 2 && rate <= GATHER_RATE && (gain >= 0.2 || batches % GATHER_TRIAL === 0);
      first = waits ? devicesOf(waiting) : null;
      return waits;
    },
    /** The batch that was begun is stored as `batch`. */
    ends(batch: readonly { deviceId: number }[]): void {
      const before = first;
      if (before) gain = 0.9 * gain + 0.1 * [...devicesOf(batch)].filter((id) => !before.has(id)).length;
    },
  };
}

const devicesOf = (submissions: readonly { deviceId: number }[]) =>
  new Set(submissions.map(({ deviceId }) => deviceId));
