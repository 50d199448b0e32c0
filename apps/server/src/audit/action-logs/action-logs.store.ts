import type { Scope } from '@chargehand/domain';
import { foldCase } from '@chargehand/domain';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { anywhere, beginning } from '../../platform/database/patterns.ts';
import type { Database } from '../../platform/database/schema.ts';
import { idArray, withinScope } from '../../platform/database/scope.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { ActionEntry, Operation } from '../../ports/action-log.ts';

/**
 * Records an action of a user on an object. `db` is the transaction of the change itself, so that both are committed
 * together. During impersonation the real user is recorded.
 */
export async function logAction(
  db: Kysely<Database>,
  caller: Pick<Caller, 'userId' | 'userName' | 'address'> & Partial<Pick<Caller, 'viewer'>>,
  entry: ActionEntry,
): Promise<void> {
  await logActions(db, caller, [entry]);
}

/** Records many entries at once, each like `logAction`. */
export async function logActions(
  db: Kysely<Database>,
  caller: Pick<Caller, 'userId' | 'userName' | 'address'> & Partial<Pick<Caller, 'viewer'>>,
  entries: readonly ActionEntry[],
): Promise<void> {
  const { userId, userName } = caller.viewer ?? caller;
  const of = <K extends keyof ActionEntry>(key: K) => entries.map((entry) => entry[key]);
  const written = (values: unknown[]) => values.map((value) => (value === undefined ? null : JSON.stringify(value)));
  await sql`
    insert into action_logs (user_id, user_name, address, operation, object_type, object_id, object_name, customer_id,
                             site_id, before, after)
    select ${userId}::int, ${userName}::text, ${caller.address}::text, a.*
      from unnest(${of('operation')}::text[], ${of('objectType')}::text[], ${of('objectId')}::text[],
                  ${of('objectName')}::text[], ${of('customerId')}::int[], ${of('siteId')}::int[],
                  ${written(of('before'))}::jsonb[], ${written(of('after'))}::jsonb[])
        as a (operation, object_type, object_id, object_name, customer_id, site_id, before, after)`.execute(db);
}

/** The filters of the action log. Missing fields do not filter. */
export interface ActionLogFilter {
  /** the start of a user name, in any case */
  userName?: string | undefined;
  operation?: Operation | undefined;
  objectType?: string | undefined;
  objectId?: string | undefined;
  /** any part of the object's name */
  search?: string | undefined;
  customerId?: number | undefined;
  siteId?: number | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

export interface ActionLogRecord {
  id: number;
  at: Date;
  user_name: string;
  operation: Operation;
  object_type: string;
  object_id: string;
  object_name: string;
  before: unknown;
  after: unknown;
  address: string;
}

/**
 * The newest actions that a user may see, older than the id `before` if given: actions on objects in their scope, and
 * actions on objects without a customer (such as roles) by users of customers they see completely. They always see
 * their own actions of the latter kind.
 */
export async function findActionLogs(
  db: Kysely<Database>,
  scope: Scope,
  ownUserId: number,
  filter: ActionLogFilter,
  before: number | undefined,
  limit: number,
): Promise<ActionLogRecord[]> {
  const { rows } = await sql<ActionLogRecord>`
    select a.id, a.at, a.user_name, a.operation, a.object_type, a.object_id, a.object_name, a.before, a.after, a.address
      from action_logs a
     where ${sql.join([visible(scope, ownUserId), ...conditionsOf(filter, before)], sql` and `)}
     order by a.id desc
     limit ${limit}`.execute(db);
  return rows;
}

function visible(scope: Scope, ownUserId: number): RawBuilder<SqlBool> {
  if (scope.customers === 'all' && scope.sites === 'all') return sql<SqlBool>`true`;
  const ofThings = sql<SqlBool>`(a.customer_id is not null and ${withinScope(scope, 'a.customer_id', 'a.site_id')})`;
  const ofNobody = sql<SqlBool>`(a.customer_id is null and (a.user_id = ${ownUserId} or ${byPeopleInScope(scope)}))`;
  return sql<SqlBool>`(${ofThings} or ${ofNobody})`;
}

function byPeopleInScope(scope: Scope): RawBuilder<SqlBool> {
  if (scope.sites !== 'all') return sql<SqlBool>`false`;
  if (scope.customers === 'all') return sql<SqlBool>`true`;
  return sql<SqlBool>`a.user_id in (select id from users where customer_id = any(${idArray(scope.customers)}))`;
}

function conditionsOf(filter: ActionLogFilter, before: number | undefined): RawBuilder<SqlBool>[] {
  const { userName, operation, objectType, objectId, search, customerId, siteId, from, to } = filter;
  return [
    before !== undefined && sql<SqlBool>`a.id < ${before}`,
    userName !== undefined && sql<SqlBool>`lower(a.user_name) like ${beginning(foldCase(userName))}`,
    operation !== undefined && sql<SqlBool>`a.operation = ${operation}`,
    objectType !== undefined && sql<SqlBool>`a.object_type = ${objectType}`,
    objectId !== undefined && sql<SqlBool>`a.object_id = ${objectId}`,
    search !== undefined && sql<SqlBool>`a.object_name ilike ${anywhere(search)}`,
    customerId !== undefined && sql<SqlBool>`a.customer_id = ${customerId}`,
    siteId !== undefined && sql<SqlBool>`a.site_id = ${siteId}`,
    from !== undefined && sql<SqlBool>`a.at >= ${from}`,
    to !== undefined && sql<SqlBool>`a.at < ${to}`,
  ].filter((condition) => condition !== false);
}
