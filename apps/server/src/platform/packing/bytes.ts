/** Writes integers (up to 2^53) as bytes, seven bits in each, and texts into a part of their own. */
export class Writer {
  #bytes = Buffer.alloc(4_096);
  #length = 0;
  readonly #texts: string[] = [];

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  unsigned(value: number): void {
    this.#reserve(8);
    let rest = value;
    for (; rest > 127; rest = Math.floor(rest / 128)) this.#bytes[this.#length++] = (rest % 128) + 128;
    this.#bytes[this.#length++] = rest;
  }

  signed(value: number): void {
    this.unsigned(value < 0 ? -2 * value - 1 : 2 * value);
  }

  text(value: string): void {
    this.unsigned(Buffer.byteLength(value));
    this.#texts.push(value);
  }

  /** What was written: the integers, and the texts one after another. */
  parts(): { numbers: Buffer; texts: Buffer } {
    return { numbers: this.#bytes.subarray(0, this.#length), texts: Buffer.from(this.#texts.join('')) };
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return;
    const larger = Buffer.alloc(this.#bytes.length * 2);
    this.#bytes.copy(larger);
    this.#bytes = larger;
  }
}

/** Reads what a `Writer` wrote. */
export class Reader {
  readonly #numbers: Uint8Array;
  readonly #texts: Buffer;
  #at = 0;
  #textAt = 0;

  constructor(numbers: Uint8Array, texts: Buffer) {
    this.#numbers = numbers;
    this.#texts = texts;
  }

  byte(): number {
    const value = this.#numbers[this.#at++];
    if (value === undefined) throw new RangeError('The packed data is incomplete');
    return value;
  }

  unsigned(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.byte();
      if (byte < 128) return value + byte * factor;
      value += (byte - 128) * factor;
    }
  }

  signed(): number {
    const value = this.unsigned();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  /** Skips integers. */
  skip(count: number): void {
    for (let left = count; left > 0; ) if (this.byte() < 128) left -= 1;
  }

  skipBytes(count: number): void {
    this.#at += count;
  }

  text(): string {
    const start = this.#textAt;
    this.#textAt += this.unsigned();
    return this.#texts.toString('utf8', start, this.#textAt);
  }
}
