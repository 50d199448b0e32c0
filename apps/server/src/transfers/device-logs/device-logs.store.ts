import type { LogType, Scope } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { duringStayInScope } from '../../ports/devices/device-scope.ts';

export interface DeviceLogRecord {
  id: number;
  attachmentId: number | null;
  type: LogType;
  fileName: string;
  objectKey: string;
  size: number;
  sha256: string;
  from: Date | null;
  to: Date | null;
  requestedBy: string;
  receivedAt: Date;
}

const LOG = sql`
  id, type, file_name as "fileName", object_key as "objectKey", size, sha256, log_from as "from", log_to as "to",
  requested_by_name as "requestedBy", received_at as "receivedAt",
  (select a.id from attachments a where a.device_log_id = device_logs.id) as "attachmentId"`;

/** A page of the logs of a device, newest first. */
export async function listDeviceLogs(
  scope: Scope,
  db: Kysely<Database>,
  deviceId: number,
  page: { limit: number; offset: number; oldestFirst: boolean },
): Promise<{ items: DeviceLogRecord[]; total: number }> {
  const direction = page.oldestFirst ? sql`asc` : sql`desc`;
  const which = sql`device_id = ${deviceId} and ${duringStayInScope(scope, deviceId, 'received_at')}`;
  const { rows } = await sql<DeviceLogRecord>`
    select ${LOG} from device_logs where ${which}
     order by received_at ${direction}, id ${direction} limit ${page.limit} offset ${page.offset}`.execute(db);
  const counted = await sql<{ total: number }>`
    select count(*) as total from device_logs where ${which}`.execute(db);
  return { items: rows, total: counted.rows[0]!.total };
}

export async function findDeviceLog(
  scope: Scope,
  db: Kysely<Database>,
  deviceId: number,
  id: number,
): Promise<DeviceLogRecord | null> {
  const { rows } = await sql<DeviceLogRecord>`
    select ${LOG} from device_logs where id = ${id} and device_id = ${deviceId}
      and ${duringStayInScope(scope, deviceId, 'received_at')}`.execute(db);
  return rows[0] ?? null;
}

/** @returns false when another request removed it meanwhile */
export async function deleteDeviceLog(db: Kysely<Database>, id: number): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('device_logs').where('id', '=', id).executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Removes logs that were uploaded before a time. The sweep finds their objects as orphans. */
export async function deleteLogsBefore(db: Kysely<Database>, before: Date): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('device_logs').where('received_at', '<', before).executeTakeFirst();
  return Number(numDeletedRows);
}

/** The given keys that neither a log nor a copy of one in an issue has. */
export async function unusedLogKeys(db: Kysely<Database>, keys: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select key from unnest(${[...keys]}::text[]) key
     where not exists (select from device_logs where object_key = key)
       and not exists (select from attachments where bucket = 'main' and object_key = key)`.execute(db);
  return rows.map(({ key }) => key);
}
