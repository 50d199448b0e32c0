/** The limits of a JSON text from outside. */
export interface JsonLimits {
  /** levels of arrays and objects */
  depth: number;
  /** total number of values: entries of arrays and members of objects */
  values: number;
  /** members of one object: many different names cost several times as much as the same number of array entries */
  members: number;
}

/**
 * Sufficient for every request and every device message: the largest, a device model with 4,000 items, has 45,000
 * values.
 */
export const JSON_LIMITS: JsonLimits = { depth: 32, values: 60_000, members: 1_000 };

/** The text for a device whose message exceeds a limit, also written to the protocol log. */
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
 * The limit that a JSON text exceeds, or null. Scans the text once before it is parsed: the parser would already use
 * the time and memory, and recursive functions could exhaust the stack on a deep value. The text need not be valid
 * JSON.
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

/**
 * Strings up to this length are scanned character by character. In longer ones, such as files of megabytes, the end is
 * searched with `indexOf`, which is a hundred times as fast.
 */
const WALKED = 64;

/** The end of the string whose first character is at `start`: its closing quote, or the end of the text. */
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
