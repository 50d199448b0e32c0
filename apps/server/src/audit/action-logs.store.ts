import type { Scope } from '@chargehand/domain';
import { type Kysely, type SqlBool, sql } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import { withinScope } from '../platform/database/scope.ts';
import type { ActionEntry, Operation } from '../ports/action-log.ts';
import type { Caller } from '../ports/caller.ts';

/** Writes who did what to which thing; `db` is the transaction of the change itself, so that the two stand or fall together. */
export async function logAction(
  db: Kysely<Database>,
  caller: Pick<Caller, 'userId' | 'userName' | 'address'>,
  entry: ActionEntry,
): Promise<void> {
  await db
    .insertInto('action_logs')
    .values({
      user_id: caller.userId,
      user_name: caller.userName,
      operation: entry.operation,
      object_type: entry.objectType,
      object_id: entry.objectId,
      object_name: entry.objectName,
      customer_id: entry.customerId,
      site_id: entry.siteId,
      before: entry.before === undefined ? null : JSON.stringify(entry.before),
      after: entry.after === undefined ? null : JSON.stringify(entry.after),
      address: caller.address,
    })
    .execute();
}

export interface ActionLogFilter {
  /** only rows older than this id */
  before: number | undefined;
  limit: number;
  operation: Operation | undefined;
  objectType: string | undefined;
  objectId: string | undefined;
}

export interface ActionLogRecord {
  id: number;
  at: Date;
  user_name: string;
  operation: string;
  object_type: string;
  object_id: string;
  object_name: string;
  before: unknown;
  after: unknown;
  address: string;
}

/**
 * The newest actions that somebody may see: those on things within their scope, and those on things of no customer (a
 * role, say) by people of customers they see whole; their own of the latter kind always.
 */
export async function findActionLogs(
  db: Kysely<Database>,
  scope: Scope,
  ownUserId: number,
  filter: ActionLogFilter,
): Promise<ActionLogRecord[]> {
  const ofThings = sql<SqlBool>`(a.customer_id is not null and ${withinScope(scope, 'a.customer_id', 'a.site_id')})`;
  const ofNobody = sql<SqlBool>`(a.customer_id is null and (a.user_id = ${ownUserId} or ${byPeopleInScope(scope)}))`;
  const { rows } = await sql<ActionLogRecord>`
    select a.id, a.at, a.user_name, a.operation, a.object_type, a.object_id, a.object_name, a.before, a.after, a.address
      from action_logs a
     where (${ofThings} or ${ofNobody})
       and (${filter.before ?? null}::bigint is null or a.id < ${filter.before ?? null})
       and (${filter.operation ?? null}::text is null or a.operation = ${filter.operation ?? null})
       and (${filter.objectType ?? null}::text is null or a.object_type = ${filter.objectType ?? null})
       and (${filter.objectId ?? null}::text is null or a.object_id = ${filter.objectId ?? null})
     order by a.id desc
     limit ${filter.limit}`.execute(db);
  return rows;
}

function byPeopleInScope(scope: Scope) {
  if (scope.sites !== 'all') return sql<SqlBool>`false`;
  if (scope.customers === 'all') return sql<SqlBool>`true`;
  return sql<SqlBool>`a.user_id in (select id from users where customer_id = any(${[...scope.customers]}::int[]))`;
}
