/**
 * Where a list that is read newest first continues: the id to give as `before`, null at the end.
 * @param records what was read with a limit of one more than `limit`
 */
export function nextBefore(records: readonly { id: number }[], limit: number): number | null {
  return records.length > limit ? (records[limit - 1]?.id ?? null) : null;
}
