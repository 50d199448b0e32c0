/**
 * Where a list that is read newest first continues: the id for `before`, null at the end.
 * @param records the result of a query with a limit of one more than `limit`
 */
export function nextBefore(records: readonly { id: number }[], limit: number): number | null {
  return records.length > limit ? (records[limit - 1]?.id ?? null) : null;
}

/** The records of a log for an export, in batches. A log is ordered by its ids. */
export function positioned<R extends { id: number }>(records: readonly R[]): (R & { position: string })[] {
  return records.map((record) => ({ ...record, position: String(record.id) }));
}
