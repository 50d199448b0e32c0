import type { Generated, GeneratedAlways } from 'kysely';
import type { Json } from '../platform/database/json.ts';

declare module '../platform/database/schema.ts' {
  interface Database {
    login_logs: LoginLogsTable;
    action_logs: ActionLogsTable;
    protocol_frames: ProtocolFramesTable;
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
