import type { Generated, GeneratedAlways } from 'kysely';
import type { Explanations } from '../platform/database/violations.ts';

declare module '../platform/database/schema.ts' {
  interface Database {
    firmware_files: FirmwareFilesTable;
    firmware_models: FirmwareModelsTable;
    transfers: TransfersTable;
    transfer_reports: TransferReportsTable;
    device_logs: DeviceLogsTable;
  }
}

interface FirmwareFilesTable {
  id: GeneratedAlways<number>;
  kind: string;
  version: string;
  file_name: string;
  object_key: string;
  size: number;
  sha256: string;
  note: Generated<string>;
  signing_certificate: string | null;
  signature: string | null;
  signed_by: string | null;
  signed_until: Date | null;
  uploaded_by: number | null;
  uploaded_by_name: string;
  uploaded_at: Generated<Date>;
}

interface FirmwareModelsTable {
  firmware_id: number;
  device_model_id: number;
}

interface TransfersTable {
  id: GeneratedAlways<number>;
  execution_id: string;
  device_id: number;
  kind: string;
  transport: string;
  firmware_id: number | null;
  version: string | null;
  former_version: string | null;
  file_name: string | null;
  object_key: string | null;
  size: number | null;
  sha256: string | null;
  log_type: string | null;
  log_from: Date | null;
  log_to: Date | null;
  state: Generated<string>;
  reason: string | null;
  detail: string | null;
  failures: Generated<number>;
  bytes: Generated<number>;
  credential_hash: string | null;
  deliveries: Generated<number>;
  requested_by: number | null;
  requested_by_name: string;
  requested_at: Generated<Date>;
  asked_at: Date | null;
  version_asked_at: Date | null;
  deadline_at: Date;
  /** evidence against the transfer (`Doubt`), and when it ends the transfer */
  doubt: string | null;
  doubted_until: Date | null;
  ended_at: Date | null;
}

interface TransferReportsTable {
  transfer_id: number;
  seq: number;
  at: Date;
  word: string;
  state: string;
}

interface DeviceLogsTable {
  id: GeneratedAlways<number>;
  device_id: number;
  transfer_id: number | null;
  type: string;
  file_name: string;
  object_key: string;
  size: number;
  sha256: string;
  log_from: Date | null;
  log_to: Date | null;
  requested_by_name: string;
  received_at: Generated<Date>;
}

/** The problem of each violated constraint. */
export const EXPLANATIONS = {
  firmware_models_device_model_id_fkey: ['deviceModelUnknown', 'deviceModelIds'],
  firmware_awaited: ['firmwareAwaited'],
  transfers_one_under_way: ['deviceBusy'],
} satisfies Explanations;
