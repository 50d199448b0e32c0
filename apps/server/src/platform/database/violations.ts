import type { CodeName } from '@chargehand/contract';
import { Problem } from '../http/problem.ts';

/** SQLSTATE classes that a service turns into a problem for the user. */
const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';
const CHECK_VIOLATION = '23514';

/** The name of the unique index or constraint that a statement violated, null for other errors. */
export function uniqueViolation(error: unknown): string | null {
  return constraintOf(error, UNIQUE_VIOLATION);
}

/** The name of the foreign key that a statement violated, null for other errors. */
export function foreignKeyViolation(error: unknown): string | null {
  return constraintOf(error, FOREIGN_KEY_VIOLATION);
}

/** The name of the check that a statement violated, null for other errors. */
export function checkViolation(error: unknown): string | null {
  return constraintOf(error, CHECK_VIOLATION);
}

/** The name of the constraint of any of these kinds that a statement violated, null for other errors. */
function violatedConstraint(error: unknown): string | null {
  return uniqueViolation(error) ?? foreignKeyViolation(error) ?? checkViolation(error);
}

function constraintOf(error: unknown, state: string): string | null {
  if (!(error instanceof Error) || !('code' in error) || error.code !== state) return null;
  return 'constraint' in error && typeof error.constraint === 'string' ? error.constraint : null;
}

/** A problem, with the field and the values that it names. */
type Explanation = readonly [CodeName, field?: string, values?: Record<string, string | number>];

/**
 * The problem of each constraint. A foreign key may have two: a row refers to one that does not exist (`unknown`), or the
 * row that others refer to is deleted (`inUse`). Each module declares those of its tables in `tables.ts`.
 */
export type Explanations = Readonly<Record<string, Explanation | { unknown: Explanation; inUse: Explanation }>>;

/**
 * Waits for a write. A constraint that it violates becomes a problem for the user: what a write would violate is never
 * looked up before it.
 * @throws {Problem} the one of the constraint
 */
export async function explained<T>(write: Promise<T>, explanations: Explanations): Promise<T> {
  try {
    return await write;
  } catch (error) {
    const found = explanations[violatedConstraint(error) ?? ''];
    if (found === undefined) throw error;
    const [code, field, values] = 'unknown' in found ? found[isRemoval(error) ? 'inUse' : 'unknown'] : found;
    throw new Problem(code, { ...(field !== undefined && { field }), ...(values && { values }) });
  }
}

/** True when a row could not be deleted because another one refers to it. */
function isRemoval(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('update or delete');
}
