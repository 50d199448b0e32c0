import type { Generated, GeneratedAlways } from 'kysely';

declare module '../platform/database/schema.ts' {
  interface Database {
    notices: NoticesTable;
  }
}

interface NoticesTable {
  id: GeneratedAlways<number>;
  at: Generated<Date>;
  type: string;
  key: string;
  ended: Generated<boolean>;
  subject_kind: string;
  subject_id: string;
  customer_id: number | null;
  site_id: number | null;
  device_id: number | null;
  level: string | null;
  actor_id: number | null;
  user_ids: number[] | null;
  data: Generated<unknown>;
}
