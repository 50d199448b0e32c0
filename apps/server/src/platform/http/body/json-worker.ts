import { Problem } from '../problem.ts';
import { tooMuchJson } from './json-limits.ts';

/** What a body holds, or why it holds nothing. */
export type JsonRead = { value: unknown } | { problem: ConstructorParameters<typeof Problem> };

/** Reads a long JSON body on a thread of its own. Fields that its endpoint does not know, `__proto__` among them, are for the schema. */
export default function readJson(bytes: Uint8Array): JsonRead {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const exceeded = tooMuchJson(text);
    return exceeded ? { problem: exceeded.parts } : { value: JSON.parse(text) };
  } catch {
    return { problem: new Problem('badBody').parts };
  }
}
