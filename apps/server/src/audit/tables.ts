import type { Generated, GeneratedAlways } from 'kysely';
import type { Json } from '../platform/database/json.ts';

declare module '../platform/database/schema.ts' {
  interface Database {
    login_logs: LoginLogsTable;
    action_logs: ActionLogsTable;
    protocol_frames: ProtocolFramesTable;
    error_groups: ErrorGroupsTable;
    error_occurrences: ErrorOccurrencesTable;
    error_hours: ErrorHoursTable;
    frame_batches: FrameBatchesTable;
  }
}

interface LoginLogsTable {
  id: GeneratedAlways<number>;
  at: Generated<Date>;
  type: number;
  reason: string | null;
  succeeded: boolean;
  user_id: number | null;
  user_name: string;
  address: string;
  user_agent: string;
  end_cause: string | null;
  end_note: string | null;
}

interface ActionLogsTable {
  id: GeneratedAlways<number>;
  at: Generated<Date>;
  user_id: number | null;
  user_name: string;
  operation: string;
  object_type: string;
  object_id: string;
  object_name: string;
  customer_id: number | null;
  site_id: number | null;
  before: Json<unknown>;
  after: Json<unknown>;
  address: string;
  application_name: Generated<string | null>;
}

interface ProtocolFramesTable {
  id: GeneratedAlways<number | null>;
  device_id: number;
  connection_id: string | null;
  at: Date;
  type: number;
  action: string | null;
  message_id: string | null;
  body: string | null;
  bytes: Generated<number>;
  note: string | null;
}

interface ErrorGroupsTable {
  id: GeneratedAlways<number>;
  fingerprint: string;
  source: string;
  anonymous: boolean;
  name: string;
  message: string;
  stack: string | null;
  state: Generated<string>;
  state_at: Date | null;
  state_by: string | null;
  solved_version: string | null;
  solved_in: string | null;
  returned_at: Date | null;
  first_at: Date;
  last_at: Date;
  first_version: string;
  last_version: string;
  count: number;
}

interface ErrorOccurrencesTable {
  id: GeneratedAlways<number>;
  group_id: number;
  at: Date;
  version: string;
  request_id: string | null;
  user_name: string | null;
  device_id: number | null;
  path: string | null;
  user_agent: string | null;
  address: string | null;
  message: string;
  details: Json<Record<string, string>>;
}

interface ErrorHoursTable {
  group_id: number;
  at: Date;
  count: number;
}

interface FrameBatchesTable {
  device_id: number;
  first_id: number;
  last_id: number;
  at: Date;
  last_at: Date;
  frames: number;
  takes_more: boolean;
  keys: number[];
  dictionary: number;
  data: Buffer;
}
