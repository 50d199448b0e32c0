import type { Generated } from 'kysely';

export interface FilesTables {
  anonymous_uploads: AnonymousUploadsTable;
}

interface AnonymousUploadsTable {
  key: string;
  points: Generated<number>;
  expire: number | null;
}
