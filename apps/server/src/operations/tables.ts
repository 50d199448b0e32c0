import type { Generated, GeneratedAlways } from 'kysely';
import type { Json } from '../platform/database/json.ts';
import type { Explanations } from '../platform/database/violations.ts';

declare module '../platform/database/schema.ts' {
  interface Database {
    commands: CommandsTable;
    executions: ExecutionsTable;
    command_batches: CommandBatchesTable;
    password_changes: PasswordChangesTable;
    device_parameters: DeviceParametersTable;
    parameter_history: ParameterHistoryTable;
    parameter_baselines: ParameterBaselinesTable;
    parameter_baseline_values: ParameterBaselineValuesTable;
  }
}

interface CommandsTable {
  id: GeneratedAlways<number>;
  kind: string;
  control_type: number;
  params: Json;
  requested_by: number | null;
  requested_by_name: string;
  requested_at: Generated<Date>;
  request_key: string | null;
  request_part: string | null;
}

interface ExecutionsTable {
  id: string;
  command_id: number;
  device_id: number;
  connector: Generated<number>;
  state: Generated<string>;
  result: Generated<number>;
  reason: string | null;
  detail: string | null;
  answer: Json<unknown>;
  queued_at: Generated<Date>;
  sent_at: Date | null;
  deadline_at: Date;
  ended_at: Date | null;
  late_answer_at: Date | null;
  verifies: string | null;
  read_back: string | null;
  batch_id: number | null;
  refused: Generated<boolean>;
  waits_until: Date | null;
  precondition: string | null;
  file: string | null;
  not_before: Date | null;
  when_idle: Generated<boolean>;
  gave_way: Generated<boolean>;
}

interface PasswordChangesTable {
  execution_id: string;
  device_id: number;
  password_hash: string;
  secret: string | null;
  created_at: Generated<Date>;
}

interface CommandBatchesTable {
  id: GeneratedAlways<number>;
  command_id: number;
  site_id: number;
  customer_id: number;
  connector: number;
  parallel: number;
  stop_after: number | null;
  level: number;
  value_level: number;
  queue_minutes: number | null;
  rerun_of: number | null;
  /** the first batch of its operation; null for that one */
  group_id: Generated<number | null>;
  /** the ID of the first batch of its operation */
  operation_id: GeneratedAlways<number>;
  /** when its sender saw its end, and when its end was announced or did not have to be */
  seen_at: Date | null;
  announced_at: Date | null;
  stopped_at: Date | null;
  stop_reason: string | null;
  stopped_by_name: string | null;
  ended_at: Date | null;
  /** the results of its devices, written only by triggers on `executions` */
  queued: GeneratedAlways<number>;
  in_flight: GeneratedAlways<number>;
  succeeded: GeneratedAlways<number>;
  failed: GeneratedAlways<number>;
  timed_out: GeneratedAlways<number>;
  offline: GeneratedAlways<number>;
  cancelled: GeneratedAlways<number>;
  refused: GeneratedAlways<number>;
}

interface DeviceParametersTable {
  device_id: number;
  key: string;
  value: string | null;
  readonly: boolean;
  read_at: Date;
}

interface ParameterHistoryTable {
  id: GeneratedAlways<number>;
  device_id: number;
  key: string;
  value: string | null;
  at: Date;
  source: string;
  execution_id: string | null;
  changed_by: string | null;
}

interface ParameterBaselinesTable {
  site_id: number | null;
  id: GeneratedAlways<number>;
  device_model_id: number;
  customer_id: number | null;
  name: string;
  device_name: string;
  created_by: string;
  created_at: Generated<Date>;
}

interface ParameterBaselineValuesTable {
  baseline_id: number;
  key: string;
  value: string;
}

/** The problem of each violated constraint. */
export const EXPLANATIONS = {
  parameter_baselines_name: ['baselineNameExists', 'name'],
} satisfies Explanations;
