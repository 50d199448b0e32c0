import type { Generated, GeneratedAlways } from 'kysely';
import type { Json } from '../platform/database/json.ts';

declare module '../platform/database/schema.ts' {
  interface Database {
    system_samples: SystemSamplesTable;
    job_runs: JobRunsTable;
    system_parameters: SystemParametersTable;
    system_parameter_changes: SystemParameterChangesTable;
  }
}

interface SystemSamplesTable {
  process: string;
  at: Date;
  figures: Json<Record<string, number | null>>;
  probe_ms: number | null;
  probe_failed: boolean;
  mqtt_probe_ms: number | null;
  mqtt_probe_failed: boolean;
}

interface JobRunsTable {
  id: GeneratedAlways<number>;
  process: string;
  job: string;
  started_at: Date;
  duration_ms: number;
  error: string | null;
  requested_by: string | null;
}

interface SystemParametersTable {
  key: string;
  value: Json;
}

interface SystemParameterChangesTable {
  id: GeneratedAlways<number>;
  key: string;
  at: Generated<Date>;
  user_name: string;
  before: Json;
  after: Json;
  undoes: number | null;
}
