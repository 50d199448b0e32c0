/**
 * A reproducible stream of random numbers: the same seed and labels give the same numbers on every machine. The
 * generator is the 128-bit xorshift of G. Marsaglia, "Xorshift RNGs" (2003), section 4. Suitable for simulated
 * behavior, but not for secrets.
 */
export class Random {
  #x: number;
  #y: number;
  #z: number;
  #w: number;

  /**
   * @param seed the seed of the whole fleet. @param labels the user and purpose of the stream, for example an SN and
   * `session`.
   */
  constructor(seed: string | number, ...labels: (string | number)[]) {
    const text = [seed, ...labels].join('\u0000');
    this.#x = hash(text, 1);
    this.#y = hash(text, 2);
    this.#z = hash(text, 3);
    // The state must not be all zero, otherwise every number would be zero.
    this.#w = hash(text, 4) || 1;
  }

  /** The next number, from 0 (inclusive) to 1 (exclusive). */
  next(): number {
    const t = this.#x ^ (this.#x << 11);
    this.#x = this.#y;
    this.#y = this.#z;
    this.#z = this.#w;
    this.#w = (this.#w ^ (this.#w >>> 19) ^ t ^ (t >>> 8)) | 0;
    return (this.#w >>> 0) / 2 ** 32;
  }

  /** A real number from `low` (inclusive) to `high` (exclusive). */
  between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }

  /** An integer from `low` to `high`, both inclusive. */
  integer(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  /** True with the given probability (0 to 1). Always draws exactly one number. */
  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** One of the given items, all equally likely. The list must not be empty. */
  pick<T>(items: readonly T[]): T {
    const item = items[this.integer(0, items.length - 1)];
    if (item === undefined) throw new RangeError('pick() requires at least one item');
    return item;
  }

  /** A waiting time with the given mean, as between independent events (exponential distribution). */
  exponential(mean: number): number {
    return -mean * Math.log(1 - this.next());
  }

  /** A UUID of version 4 (RFC 9562) that is the same on every machine. Not for secrets. */
  uuid(): string {
    const hex = Array.from({ length: 32 }, () => this.integer(0, 15).toString(16));
    hex[12] = '4';
    hex[16] = '89ab'[this.integer(0, 3)] ?? '8';
    return hex.join('').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  }

  /** `length` decimal digits. The first may be zero. */
  digits(length: number): string {
    let text = '';
    for (let i = 0; i < length; i++) text += this.integer(0, 9);
    return text;
  }
}

/**
 * A 32-bit hash (FNV-1a, draft-eastlake-fnv) with a salt and a final mix, so that similar texts give different states.
 */
function hash(text: string, salt: number): number {
  let h = 0x811c9dc5 ^ Math.imul(salt, 0x9e3779b1);
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x7feb352d);
  return h ^ (h >>> 15);
}
