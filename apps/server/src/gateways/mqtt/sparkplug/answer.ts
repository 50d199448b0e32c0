import { exceededJsonLimit } from '@chargehand/domain';
import type { Fact } from '../facts.ts';
import type { MetricValue } from './values.ts';

/** The metric in which a device responds to a command by its ID: `{ "id", "status", "detail"? }` (docs/mqtt.md). */
export const ANSWER = 'Node Control/Answer';
/** The metric with the ID of a command, for devices that announce responses. */
export const COMMAND_ID = 'Node Control/Command Id';

/** Reads a response; returns nothing if it is invalid. */
export function readAnswer(value: MetricValue): Fact[] {
  if (typeof value !== 'string' || value === '' || exceededJsonLimit(value) !== null) return [];
  let answer: unknown;
  try {
    answer = JSON.parse(value);
  } catch {
    // Not JSON. The protocol log shows the frame.
    return [];
  }
  if (typeof answer !== 'object' || answer === null) return [];
  const { id, status, detail } = answer as Record<string, unknown>;
  if (typeof id !== 'string' || typeof status !== 'string') return [];
  return [{ type: 'answer', id, status, detail: typeof detail === 'string' ? detail : null, answer }];
}
