import type { Statement } from '../platform/database/statement.ts';

/** Claims the id of a batch; fails by `isClaimed` when a former try has committed it, and waits while one is at it. */
export function claimBatch(id: string): Statement {
  return { name: 'batch', text: 'insert into ingest_batches (id) values ($1)', values: [id] };
}

/** True for the error of a claim that was made before. */
export function isClaimed(error: unknown): boolean {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  // SQLSTATE unique_violation.
  return code === '23505' && constraint === 'ingest_batches_pkey';
}
