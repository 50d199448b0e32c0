import type { Generated } from 'kysely';

declare module '../platform/database/schema.ts' {
  interface Database {
    ingest_batches: IngestBatchesTable;
  }
}

interface IngestBatchesTable {
  id: string;
  at: Generated<Date>;
}
