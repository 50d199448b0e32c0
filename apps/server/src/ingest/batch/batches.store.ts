import type { Statement } from '../../platform/database/statement.ts';

/**
 * Claims the ID of a batch. Fails with `isClaimed` if an earlier attempt committed it, and waits while an earlier
 * attempt is running.
 */
export function claimBatch(id: string): Statement {
  return { name: 'batch', text: 'insert into ingest_batches (id) values ($1)', values: [id] };
}

/** True for the error of an ID that is already claimed. */
export function isClaimed(error: unknown): boolean {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  // SQLSTATE unique_violation.
  return code === '23505' && constraint === 'ingest_batches_pkey';
}
