/**
 * Reading a text from outside character by character. A pattern that starts again at each character can take a time
 * that grows with the square of the text; a scan never reads a character twice.
 */

/** `A-Z` and `a-z`, by character code. */
export function isLetter(code: number): boolean {
  const small = code | 0x20;
  return small >= 0x61 && small <= 0x7a;
}

/** `0-9`. */
export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** What `\w` matches. */
export function isWordSign(code: number): boolean {
  return isLetter(code) || isDigit(code) || code === 0x5f;
}

/** What `[\w-]` matches: the characters of Base64url. */
export function isTokenSign(code: number): boolean {
  return isWordSign(code) || code === 0x2d;
}

/** What `\s` matches, without the rare spaces of typography. */
export function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d) || code === 0xa0 || code === 0x3000 || code === 0xfeff;
}

/** A line feed or carriage return. */
export function isLineEnd(code: number): boolean {
  return code === 0x0a || code === 0x0d;
}

/**
 * The first position from `from` whose character does not belong to the run, at most `longest` further. The end of the
 * text ends every run.
 */
export function endOfRun(
  text: string,
  from: number,
  belongs: (code: number) => boolean,
  longest: number = Number.POSITIVE_INFINITY,
): number {
  const last = Math.min(text.length, from + longest);
  let at = from;
  while (at < last && belongs(text.charCodeAt(at))) at += 1;
  return at;
}

/** A text without some signs at its end. */
export function withoutEnd(text: string, signs: string): string {
  let end = text.length;
  while (end > 0 && signs.includes(text[end - 1]!)) end -= 1;
  return text.slice(0, end);
}

/** A text without the characters at its start and end that belong to a set. */
export function withoutEnds(text: string, belongs: (code: number) => boolean): string {
  const start = endOfRun(text, 0, belongs);
  let end = text.length;
  while (end > start && belongs(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** Replaces parts of a text, from its beginning to its end. */
export class Rewriter {
  /** where the next part can start */
  at = 0;
  readonly #source: string;
  readonly #parts: string[] = [];

  constructor(source: string) {
    this.#source = source;
  }

  /** `from` is at least the end of the part that was replaced before. */
  replace(from: number, to: number, by: string): void {
    this.#parts.push(this.#source.slice(this.at, from), by);
    this.at = to;
  }

  /** The whole text; the same one if nothing was replaced. */
  text(): string {
    return this.at === 0 && this.#parts.length === 0
      ? this.#source
      : this.#parts.join('') + this.#source.slice(this.at);
  }
}
