import { Problem } from '../problem.ts';
import { tooMuchJson } from './json-limits.ts';

/** The content of a body, or why it has none. */
export type JsonRead = { value: unknown } | { problem: ConstructorParameters<typeof Problem> };

/**
 * Parses a long JSON body in a worker thread. The schema handles fields that its endpoint does not have, such as
 * `__proto__`.
 */
export default function readJson(bytes: Uint8Array): JsonRead {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const exceeded = tooMuchJson(text);
    return exceeded ? { problem: exceeded.parts } : { value: JSON.parse(text) };
  } catch {
    return { problem: new Problem('badBody').parts };
  }
}
