import type { ActionLogRow, auditEndpoints, QueryOf } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import type { Static } from 'typebox';
import type { Database } from '../platform/database/schema.ts';
import type { Caller } from '../ports/caller.ts';
import { type ActionLogRecord, findActionLogs } from './action-logs.store.ts';
import { nextBefore } from './keyset.ts';

type Row = Static<typeof ActionLogRow>;

/** Who changed or controlled what, newest first, as far as the caller may know. */
export async function listActionLogs(
  db: Kysely<Database>,
  caller: Caller,
  query: QueryOf<typeof auditEndpoints.listActionLogs>,
): Promise<{ items: Row[]; next: number | null }> {
  const { before, limit, operation, objectType, objectId } = query;
  const filter = { before, limit: limit + 1, operation, objectType, objectId };
  const records = await findActionLogs(db, caller.scope, caller.userId, filter);
  return { items: records.slice(0, limit).map(toRow), next: nextBefore(records, limit) };
}

function toRow(record: ActionLogRecord): Row {
  return {
    id: record.id,
    at: record.at.toISOString(),
    userName: record.user_name,
    operation: record.operation as Row['operation'],
    objectType: record.object_type,
    objectId: record.object_id,
    objectName: record.object_name,
    before: record.before,
    after: record.after,
    address: record.address,
  };
}
