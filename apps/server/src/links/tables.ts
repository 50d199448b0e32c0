import type { ActivityKind, ActivityResult, TerminalEnd } from '@chargehand/contract';
import type { LinkEnd, LinkKind, LinkState } from '@chargehand/domain';
import type { Generated, GeneratedAlways } from 'kysely';

declare module '../platform/database/schema.ts' {
  interface Database {
    links: LinksTable;
    link_activity: ActivityTable;
    link_policies: LinkPoliciesTable;
    link_recordings: RecordingsTable;
    link_recording_parts: RecordingPartsTable;
  }
}

interface LinksTable {
  id: GeneratedAlways<number>;
  /** the epoch of the process that has it */
  node: Generated<number | null>;
  kind: LinkKind;
  device_id: number | null;
  device_sn: string;
  device_name: string;
  customer_id: number;
  site_id: number | null;
  issue_id: number | null;
  port: number;
  reason: string;
  minutes: number;
  requested_by: number | null;
  requested_by_name: string;
  requested_at: Generated<Date>;
  until: Date;
  approval_until: Date | null;
  approved_by_name: Generated<string | null>;
  state: Generated<LinkState>;
  end_reason: Generated<LinkEnd | null>;
  end_detail: Generated<string | null>;
  ended_by_name: Generated<string | null>;
  opened_at: Generated<Date | null>;
  ended_at: Generated<Date | null>;
  start_execution: Generated<string | null>;
  stop_execution: Generated<string | null>;
  ticket_hash: Generated<Buffer | null>;
  ticket_until: Generated<Date | null>;
  ticket_used_at: Generated<Date | null>;
  address: Generated<string | null>;
  shell_user: Generated<string | null>;
  bytes_in: Generated<number>;
  bytes_out: Generated<number>;
  control_level: number | null;
}

interface RecordingsTable {
  id: GeneratedAlways<number>;
  link_id: number;
  user_name: string;
  cols: number;
  rows: number;
  started_at: Date;
  ended_at: Generated<Date | null>;
  end_reason: Generated<TerminalEnd | null>;
  bytes: Generated<number>;
  parts: Generated<number>;
  seal: Generated<Buffer>;
}

interface RecordingPartsTable {
  recording_id: number;
  number: number;
  output: Buffer;
  input: string | null;
}

interface LinkPoliciesTable {
  customer_id: number;
  second_person: boolean;
  hours_from: number | null;
  hours_until: number | null;
  web: boolean;
}

interface ActivityTable {
  link_id: number;
  number: number;
  kind: ActivityKind;
  started_at: Date;
  ended_at: Date | null;
  text: string;
  guest: Generated<string | null>;
  result: ActivityResult | null;
  status: number | null;
  bytes_in: number;
  bytes_out: number;
}
