/** How much a JSON text from outside may hold. */
export interface JsonLimits {
  /** levels of arrays and objects */
  depth: number;
  /** values in all: entries of arrays and members of objects */
  values: number;
  /** members of one object: many different names are several times as dear as as many entries */
  members: number;
}

/** Enough for every request and every message of a device: the largest, a device model with 4,000 items, has 45,000 values. */
export const JSON_LIMITS: JsonLimits = { depth: 32, values: 60_000, members: 1_000 };

/** What a device is told whose message exceeds a limit, and what the protocol log says. */
export function jsonLimitSentence(exceeded: keyof JsonLimits): string {
  const most = JSON_LIMITS[exceeded];
  if (exceeded === 'depth') return `nested deeper than ${most} levels`;
  return exceeded === 'values' ? `more than ${most} values` : `an object with more than ${most} members`;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;

/**
 * Which limit a JSON text exceeds, null when none. Looks at each character once, before anything is parsed: a parser
 * would take the time and the memory first, and what walks through a deep value recursively would run out of stack. The
 * text need not be valid JSON.
 */
export function exceededJsonLimit(json: string, limits: JsonLimits = JSON_LIMITS): keyof JsonLimits | null {
  let depth = 0;
  let values = 1;
  const members: number[] = [0];
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(json, at + 1);
    } else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      values += 1;
      if (depth > limits.depth) return 'depth';
      members[depth] = 0;
    } else if (code === 0x5d || code === 0x7d) {
      depth = Math.max(0, depth - 1);
    } else if (code === COLON) {
      members[depth]! += 1;
      if (members[depth]! > limits.members) return 'members';
    } else if (code === COMMA) {
      values += 1;
    }
    if (values > limits.values) return 'values';
  }
  return null;
}

/** Short strings are walked; a file in a string of megabytes is searched for its end, which is a hundred times as fast. */
const WALKED = 64;

/** Where the string ends whose first character stands at `start`: its closing quote, or the end of the text. */
function endOfString(json: string, start: number): number {
  let at = start;
  while (at < json.length) {
    for (const until = at + WALKED; at < until; at += 1) {
      const code = json.charCodeAt(at);
      if (code === QUOTE || Number.isNaN(code)) return at;
      if (code === BACKSLASH) at += 1;
    }
    const quote = json.indexOf('"', at);
    if (quote === -1) return json.length;
    let before = quote;
    while (before > at && json.charCodeAt(before - 1) === BACKSLASH) before -= 1;
    if ((quote - before) % 2 === 0) return quote;
    at = quote + 1;
  }
  return json.length;
}
