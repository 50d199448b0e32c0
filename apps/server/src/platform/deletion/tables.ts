/** What was deleted by its age, per kind and day. */
interface DeletionsTable {
  day: string;
  kind: string;
  /** the last deletion of the day */
  at: Date;
  /** rows, files or partitions */
  count: number;
}

export interface DeletionTables {
  deletions: DeletionsTable;
}
