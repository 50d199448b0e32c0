import type { auditEndpoints, LoginLogRow, QueryOf } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import type { Static } from 'typebox';
import type { Database } from '../platform/database/schema.ts';
import type { Caller } from '../ports/caller.ts';
import { nextBefore } from './keyset.ts';
import { findLoginLogs, type LoginLogRecord } from './login-logs.store.ts';

type Row = Static<typeof LoginLogRow>;

/** Sign-ins and sign-outs, newest first, as far as the caller may know. */
export async function listLoginLogs(
  db: Kysely<Database>,
  caller: Caller,
  query: QueryOf<typeof auditEndpoints.listLoginLogs>,
): Promise<{ items: Row[]; next: number | null }> {
  const { before, limit, type } = query;
  const records = await findLoginLogs(db, caller.scope, caller.userId, { before, limit: limit + 1, type });
  return { items: records.slice(0, limit).map(toRow), next: nextBefore(records, limit) };
}

function toRow(record: LoginLogRecord): Row {
  return {
    id: record.id,
    at: record.at.toISOString(),
    type: record.type,
    reason: record.reason,
    succeeded: record.succeeded,
    userName: record.user_name,
    address: record.address,
    userAgent: record.user_agent,
    cause: record.end_cause,
    note: record.end_note,
  };
}
