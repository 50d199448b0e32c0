/** Reproducible random numbers from a seed. */
export interface Random {
  /** An integer from 0 to below `limit`. */
  below(limit: number): number;
}

/** A linear congruential generator (multiplier and increment of ISO C's `rand`). Only the upper bits are used. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return {
    below(limit) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return Math.floor(((state >>> 8) / 2 ** 24) * limit);
    },
  };
}
