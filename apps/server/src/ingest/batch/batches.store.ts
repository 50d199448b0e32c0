import type { Statement } from '../../platform/database/statement.ts';

/**
 * Claims the ID of a batch. Fails with `isClaimed` if an earlier attempt committed it, and waits while an earlier
 * attempt is running. With an epoch, fails with `isFenced` if the lease of that node has ended.
 */
export function claimBatch(id: string, epoch: number | undefined): Statement {
  if (epoch === undefined) return { name: 'batch', text: 'insert into ingest_batches (id) values ($1)', values: [id] };
  return {
    name: 'fenced_batch',
    text: `insert into ingest_batches (id)
      values ((select $1::uuid where exists (select from nodes where epoch = $2::bigint and ended_at is null)))`,
    values: [id, epoch],
  };
}

/** True for the error of an ID that is already claimed. */
export function isClaimed(error: unknown): boolean {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  // SQLSTATE unique_violation.
  return code === '23505' && constraint === 'ingest_batches_pkey';
}

/** True for the error of a node whose lease has ended: another process may have taken over its devices. */
export function isFenced(error: unknown): boolean {
  const { code, table } = error as { code?: unknown; table?: unknown };
  // SQLSTATE not_null_violation.
  return code === '23502' && table === 'ingest_batches';
}
