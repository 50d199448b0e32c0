import type { Generated } from 'kysely';

export interface IngestTables {
  ingest_batches: IngestBatchesTable;
}

interface IngestBatchesTable {
  id: string;
  at: Generated<Date>;
}
