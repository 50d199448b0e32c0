import type { Generated } from 'kysely';

export interface BackupTables {
  backups: BackupsTable;
}

/** The ended backups of an installation. */
interface BackupsTable {
  id: Generated<number>;
  started_at: Date;
  ended_at: Date;
  /** made by the schedule, not by the command */
  scheduled: boolean;
  /** the folder of the backup; null for a failed one */
  path: string | null;
  bytes: number | null;
  /** why it failed */
  error: string | null;
}

declare module '../platform/database/schema.ts' {
  interface Database extends BackupTables {}
}
