import type { CodeName } from '@chargehand/contract';
import { violatedConstraint } from '../database/violations.ts';
import { Problem } from '../http/problem.ts';

/** The problem of each constraint, with the field that it is about, if any. */
export type Explanations = Readonly<Record<string, readonly [CodeName, field?: string]>>;

/**
 * Waits for a write. A constraint that it violates becomes a problem for the user: what a write would violate is never
 * looked up before it.
 * @throws {Problem} the one of the constraint
 */
export async function explained<T>(write: Promise<T>, explanations: Explanations): Promise<T> {
  try {
    return await write;
  } catch (error) {
    const [code, field] = explanations[violatedConstraint(error) ?? ''] ?? [];
    if (code === undefined) throw error;
    throw new Problem(code, field === undefined ? {} : { field });
  }
}
