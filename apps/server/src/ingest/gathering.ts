/** The largest rate (submissions per second) for gathering: above it, those that arrive during a commit are enough. */
const GATHER_RATE = 500;
/** Without a gain from waiting, it is tried again with every such batch. */
const GATHER_TRIAL = 16;

/** Decides whether a lane waits for more submissions before it stores some. */
export function gatheringRule() {
  /** submissions per second, over about the last second */
  let rate = 0;
  let last = Number.NEGATIVE_INFINITY;
  /** how many came while the lane waited, averaged over the last ten times */
  let gain = 0;
  let batches = 0;
  return {
    arrives(at: number): void {
      rate = rate * Math.exp((last - at) / 1_000) + 1;
      last = at;
    },
    /** True if the next batch waits. One device that waits for each answer gains nothing, and many need no waiting. */
    begins(): boolean {
      batches += 1;
      return rate > 2 && rate <= GATHER_RATE && (gain >= 0.2 || batches % GATHER_TRIAL === 0);
    },
    ends(waited: boolean, size: number): void {
      if (waited) gain = 0.9 * gain + 0.1 * (size - 1);
    },
  };
}
