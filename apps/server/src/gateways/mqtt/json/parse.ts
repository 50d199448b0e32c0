import { exceededJsonLimit, jsonLimitSentence } from '@chargehand/domain';

/**
 * A place where a JSON text may contain a number that JavaScript cannot represent: too large, or with more digits than
 * it keeps.
 */
const SUSPICIOUS = /\d[eE]\+?\d{3}|\d{16}/;
/** The third argument of a reviver (ECMAScript 2026, JSON.parse source text access). */
type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown;

/**
 * Parses the JSON of a message, and returns the problem. A number that JavaScript cannot represent is a problem, because
 * `1e400` would become infinite and `9007199254740993` another number; in the message it is the text of its digits.
 */
export function parseMessage(bytes: Buffer, limitBytes: number): { message?: unknown; problem: string | null } {
  let problem: string | null = null;
  const reviver: Reviver = (key, value, { source = '' }) => {
    if (typeof value !== 'number') return value;
    const whole = /^-?\d+$/.test(source);
    if (Number.isFinite(value) && !(whole && !Number.isSafeInteger(value))) return value;
    problem ??= `${key.slice(0, 60)}: ${source.slice(0, 40)} is ${whole ? 'longer than 2^53 - 1' : 'not a finite number'}`;
    return source;
  };
  try {
    if (bytes.length > limitBytes) return { problem: `longer than ${limitBytes} bytes` };
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const exceeded = exceededJsonLimit(text);
    if (exceeded !== null) return { problem: jsonLimitSentence(exceeded) };
    const message = SUSPICIOUS.test(text) ? JSON.parse(text, reviver as never) : JSON.parse(text);
    return { message, problem };
  } catch {
    // The message of the parser quotes the text, so only report that it is not JSON.
    return { problem: 'not JSON' };
  }
}
