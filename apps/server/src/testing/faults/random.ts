/** Random numbers that a seed makes come again. */
export interface Random {
  /** A whole number from 0 up to and without `limit`. */
  below(limit: number): number;
}

/** A linear congruential generator (multiplier and increment of ISO C's `rand`), of which the upper bits are used. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return {
    below(limit) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return Math.floor(((state >>> 8) / 2 ** 24) * limit);
    },
  };
}
