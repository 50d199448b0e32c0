import type { TransferReason, TransferState } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import type { StoredFirmware } from './firmware/firmware.store.ts';

/** A firmware file that was uploaded in the past. */
export interface PastFirmware extends Omit<StoredFirmware, 'id' | 'signing' | 'kind'> {
  uploadedAt: Date;
  userId: number;
  userName: string;
}

/** An upgrade that has ended. */
export interface PastUpgrade {
  executionId: string;
  deviceId: number;
  formerVersion: string;
  state: Extract<TransferState, 'verified' | 'failed' | 'timedOut'>;
  reason: TransferReason | null;
  bytes: number;
  requestedAt: Date;
  endedAt: Date;
  userId: number;
  userName: string;
  /** what the device reported */
  reports: readonly { at: Date; word: string; state: TransferState }[];
}

/** Adds a firmware file, whose object exists, and the upgrades to it. Returns its id. */
export async function loadPastFirmware(db: Kysely<Database>, file: PastFirmware): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    with added as (
      insert into firmware_files (kind, version, file_name, object_key, size, sha256, note, uploaded_by, uploaded_by_name,
                                  uploaded_at)
      values ('software', ${file.version}, ${file.fileName}, ${file.objectKey}, ${file.size}, ${file.sha256}, ${file.note},
              ${file.userId}, ${file.userName}, ${file.uploadedAt})
      returning id
    ), models as (
      insert into firmware_models (firmware_id, device_model_id)
      select added.id, m from added, unnest(${file.deviceModelIds}::int[]) as m
    )
    select id from added`.execute(db);
  return rows[0]!.id;
}

/** Adds the upgrades of devices to a firmware file. Their executions exist. */
export async function loadPastUpgrades(
  db: Kysely<Database>,
  firmware: PastFirmware & { id: number },
  upgrades: readonly PastUpgrade[],
): Promise<void> {
  const { id, version, fileName, objectKey, size, sha256 } = firmware;
  const added = await sql<{ id: number }>`
    insert into transfers (execution_id, device_id, kind, transport, firmware_id, version, former_version, file_name,
                           object_key, size, sha256, state, reason, bytes, deliveries, requested_by, requested_by_name,
                           requested_at, asked_at, deadline_at, ended_at)
    select "executionId", "deviceId", 'software', 'http', ${id}, ${version}, "formerVersion", ${fileName}, ${objectKey},
           ${size}::bigint, ${sha256}, state, reason, bytes, least(bytes, 1), "userId", "userName", "requestedAt", "requestedAt",
           "endedAt", "endedAt"
      from rows from (jsonb_to_recordset(${JSON.stringify(upgrades)}::jsonb) as (
        "executionId" uuid, "deviceId" int, "formerVersion" text, state text, reason text, bytes bigint,
        "requestedAt" timestamptz, "endedAt" timestamptz, "userId" int, "userName" text)) with ordinality
     order by ordinality
    returning id`.execute(db);
  const reports = upgrades.flatMap((upgrade, index) =>
    upgrade.reports.map((report, seq) => ({ ...report, seq: seq + 1, transferId: added.rows[index]?.id })),
  );
  await sql`
    insert into transfer_reports (transfer_id, seq, at, word, state)
    select "transferId", seq, at, word, state
      from jsonb_to_recordset(${JSON.stringify(reports)}::jsonb) as r (
        "transferId" int, seq int2, at timestamptz, word text, state text)`.execute(db);
}
