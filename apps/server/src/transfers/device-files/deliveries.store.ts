import type { LogType, TransferKind, TransferState, Transport } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { QueryClient } from '../../ports/uplink.ts';

/** The transfer of a credential. */
export interface Delivery {
  id: number;
  deviceId: number;
  sn: string;
  kind: TransferKind;
  transport: Transport;
  state: TransferState;
  fileName: string | null;
  objectKey: string | null;
  size: number | null;
  sha256: string | null;
  logType: LogType | null;
  logFrom: Date | null;
  logTo: Date | null;
  requestedBy: string;
  askedAt: Date;
  deliveries: number;
  /** it has not expired or ended */
  underWay: boolean;
}

/** The transfer of a credential, in any state; null when there is none. */
export async function findDelivery(db: Kysely<Database>, credentialHash: string): Promise<Delivery | null> {
  const { rows } = await sql<Delivery>`
    select t.id, t.device_id as "deviceId", d.sn, t.kind, t.transport, t.state, t.file_name as "fileName",
           t.object_key as "objectKey", t.size, t.sha256, t.log_type as "logType", t.log_from as "logFrom",
           t.log_to as "logTo", t.requested_by_name as "requestedBy", t.asked_at as "askedAt", t.deliveries,
           (t.ended_at is null and t.deadline_at > now() and d.enabled) as "underWay"
      from transfers t join devices d on d.id = t.device_id
     where t.credential_hash = ${credentialHash}`.execute(db);
  return rows[0] ?? null;
}

/** Stores how many bytes of a file have been sent at most. @returns whether there is evidence against the transfer */
export async function noteBytes(client: QueryClient, id: number, bytes: number): Promise<boolean> {
  const { rows } = await client.query<{ doubted: boolean }>({
    text: `update transfers set bytes = greatest(bytes, $2) where id = $1 and ended_at is null
           returning doubt is not null as doubted`,
    values: [id, bytes],
  });
  return rows[0]?.doubted ?? false;
}

/** Counts a complete download of a file of a size. */
export async function countDelivery(client: QueryClient, id: number, size: number): Promise<void> {
  await client.query({
    text: 'update transfers set deliveries = deliveries + 1, bytes = greatest(bytes, $2) where id = $1',
    values: [id, size],
  });
}

/** An uploaded log. */
export interface NewDeviceLog {
  deviceId: number;
  transferId: number;
  type: LogType;
  fileName: string;
  objectKey: string;
  size: number;
  sha256: string;
  from: Date | null;
  to: Date | null;
  requestedBy: string;
}

export async function insertDeviceLog(db: Kysely<Database>, log: NewDeviceLog): Promise<void> {
  await db
    .insertInto('device_logs')
    .values({
      device_id: log.deviceId,
      transfer_id: log.transferId,
      type: log.type,
      file_name: log.fileName,
      object_key: log.objectKey,
      size: log.size,
      sha256: log.sha256,
      log_from: log.from,
      log_to: log.to,
      requested_by_name: log.requestedBy,
    })
    .execute();
  await db
    .updateTable('transfers')
    .set({ file_name: log.fileName, size: log.size, bytes: log.size })
    .where('id', '=', log.transferId)
    .execute();
}
