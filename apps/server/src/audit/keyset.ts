/**
 * Where a list that is read newest first continues: the id to give as `before`, null at the end.
 * @param records what was read with a limit of one more than `limit`
 */
export function nextBefore(records: readonly { id: number }[], limit: number): number | null {
  return records.length > limit ? (records[limit - 1]?.id ?? null) : null;
}

/** The records of a log as an export continues them: a log is ordered by its ids alone. */
export function positioned<R extends { id: number }>(records: readonly R[]): (R & { position: string })[] {
  return records.map((record) => ({ ...record, position: String(record.id) }));
}
