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
export function violatedConstraint(error: unknown): string | null {
  return uniqueViolation(error) ?? foreignKeyViolation(error) ?? checkViolation(error);
}

function constraintOf(error: unknown, state: string): string | null {
  if (!(error instanceof Error) || !('code' in error) || error.code !== state) return null;
  return 'constraint' in error && typeof error.constraint === 'string' ? error.constraint : null;
}
