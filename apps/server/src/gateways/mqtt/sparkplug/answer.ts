import { exceededJsonLimit } from '@chargehand/domain';
import type { Fact } from '../facts.ts';
import type { MetricValue } from './values.ts';

/** The metric in which a device answers a command by its id: `{ "id", "status", "detail"? }` (docs/mqtt.md). */
export const ANSWER = 'Node Control/Answer';
/** The metric that tells a device the id of a command, where it announces that it answers. */
export const COMMAND_ID = 'Node Control/Command Id';

/** Reads an answer; nothing when it is none. */
export function readAnswer(value: MetricValue): Fact[] {
  if (typeof value !== 'string' || value === '' || exceededJsonLimit(value) !== null) return [];
  let answer: unknown;
  try {
    answer = JSON.parse(value);
  } catch {
    // Not JSON: the frame in the protocol log shows what it is.
    return [];
  }
  if (typeof answer !== 'object' || answer === null) return [];
  const { id, status, detail } = answer as Record<string, unknown>;
  if (typeof id !== 'string' || typeof status !== 'string') return [];
  return [{ type: 'answer', id, status, detail: typeof detail === 'string' ? detail : null, answer }];
}
