import type { Scope } from '@chargehand/domain';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { anywhere } from '../../platform/database/patterns.ts';
import type { Database } from '../../platform/database/schema.ts';
import { deviceInScope, duringStayInScope } from '../../ports/devices/device-scope.ts';

/** One entry of the protocol log. */
export interface FrameRecord {
  id: number;
  at: Date;
  type: number;
  action: string | null;
  messageId: string | null;
  body: string | null;
  bytes: number;
  note: string | null;
}

export interface FrameFilters {
  types?: readonly number[] | undefined;
  action?: string | undefined;
  search?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

/** Up to `limit` matching frames of a device in scope, newest first, before a frame (null: from the end). */
export async function listFramesBefore(
  scope: Scope,
  db: Kysely<Database>,
  deviceId: number,
  filters: FrameFilters,
  before: number | null,
  limit: number,
): Promise<FrameRecord[]> {
  const { rows } = await sql<FrameRecord>`
    ${frames(scope, deviceId, filters)} and ${before === null ? sql`true` : sql`id < ${before}`}
    order by id desc limit ${limit}`.execute(db);
  return rows;
}

/** Up to `limit` matching frames of a device in scope, oldest first, after a frame. */
export async function listFramesAfter(
  scope: Scope,
  db: Kysely<Database>,
  deviceId: number,
  filters: FrameFilters,
  after: number,
  limit: number,
): Promise<FrameRecord[]> {
  const { rows } = await sql<FrameRecord>`
    ${frames(scope, deviceId, filters)} and id > ${after}
    order by id limit ${limit}`.execute(db);
  return rows;
}

function frames(scope: Scope, deviceId: number, filters: FrameFilters): RawBuilder<FrameRecord> {
  const conditions: RawBuilder<SqlBool>[] = [
    sql`device_id = ${deviceInScope(scope, deviceId)}`,
    duringStayInScope(scope, deviceId, 'at'),
  ];
  if (filters.types !== undefined) conditions.push(sql`type = any(${[...filters.types]}::smallint[])`);
  if (filters.action !== undefined) conditions.push(sql`action = ${filters.action}`);
  if (filters.from !== undefined) conditions.push(sql`at >= ${filters.from}`);
  if (filters.to !== undefined) conditions.push(sql`at < ${filters.to}`);
  if (filters.search !== undefined) {
    const pattern = anywhere(filters.search);
    conditions.push(
      sql`(body ilike ${pattern} or action ilike ${pattern} or message_id ilike ${pattern} or note ilike ${pattern})`,
    );
  }
  return sql`
    select id, at, type, action, message_id as "messageId", body, bytes, note
      from protocol_frames where ${sql.join(conditions, sql` and `)}`;
}
