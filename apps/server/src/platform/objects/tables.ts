import type { Generated } from 'kysely';

export interface ObjectsTables {
  stored_objects: StoredObjectsTable;
}

interface StoredObjectsTable {
  bucket: string;
  key: string;
  /** bytes */
  size: Generated<number>;
  etag: Generated<string>;
  modified_at: Generated<Date>;
  pending: boolean;
}
