import { exceededJsonLimit, JSON_LIMITS, type JsonLimits } from '@chargehand/domain';
import { Problem } from '../problem.ts';

const EXCEEDED = { depth: 'jsonTooDeep', values: 'jsonTooMany', members: 'jsonTooManyFields' } as const;

/**
 * The limit that a JSON text exceeds; null when it is within its limits. `field`: the input that contains the text, if
 * there is one.
 */
export function tooMuchJson(text: string, limits: JsonLimits = JSON_LIMITS, field?: string): Problem | null {
  const exceeded = exceededJsonLimit(text, limits);
  if (exceeded === null) return null;
  const values = { limit: limits[exceeded] };
  return new Problem(EXCEEDED[exceeded], { values, ...(field === undefined ? {} : { field }) });
}
