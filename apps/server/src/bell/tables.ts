declare module '../platform/database/schema.ts' {
  interface Database {
    bell_openings: BellOpeningsTable;
  }
}

interface BellOpeningsTable {
  user_id: number;
  opened_at: Date;
}
