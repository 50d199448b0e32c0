import type { Generated } from 'kysely';

declare module '../platform/database/schema.ts' {
  interface Database {
    anonymous_uploads: AnonymousUploadsTable;
  }
}

interface AnonymousUploadsTable {
  key: string;
  points: Generated<number>;
  expire: number | null;
}
