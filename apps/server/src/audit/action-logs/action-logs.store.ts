import type { Scope } from '@chargehand/domain';
import { foldCase } from '@chargehand/domain';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { anywhere, beginning } from '../../platform/database/patterns.ts';
import type { Database } from '../../platform/database/schema.ts';
import { idArray, withinScope } from '../../platform/database/scope.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { ActionEntry, Operation } from '../../ports/action-log.ts';

/** Who acts. Visitors without an account have no ID and no name. */
type Actor = Pick<Caller, 'address'> &
  Partial<Pick<Caller, 'viewer' | 'application'>> &
  (Pick<Caller, 'userId' | 'userName'> | { userId: null; userName: '' });

/**
 * Records an action of a user on an object. `db` is the transaction of the change itself, so that both are committed
 * together. During impersonation the real user is recorded.
 */
export async function logAction(db: Kysely<Database>, caller: Actor, entry: ActionEntry): Promise<void> {
  await logActions(db, caller, [entry]);
}

/** Records many entries at once, each like `logAction`. */
export async function logActions(db: Kysely<Database>, caller: Actor, entries: readonly ActionEntry[]): Promise<void> {
  const { userId, userName } = caller.viewer ?? caller;
  const of = <K extends keyof ActionEntry>(key: K) => entries.map((entry) => entry[key]);
  const written = (values: unknown[]) => values.map((value) => (value === undefined ? null : JSON.stringify(value)));
  await sql`
    insert into action_logs (user_id, user_name, address, operation, object_type, object_id, object_name, customer_id,
                             site_id, before, after, application_name)
    select ${userId}::int, ${userName}::text, ${caller.address}::text, a.*, ${caller.application?.name ?? null}::text
      from unnest(${of('operation')}::text[], ${of('objectType')}::text[], ${of('objectId')}::text[],
                  ${of('objectName')}::text[], ${of('customerId')}::int[], ${of('siteId')}::int[],
                  ${written(of('before'))}::jsonb[], ${written(of('after'))}::jsonb[])
        as a (operation, object_type, object_id, object_name, customer_id, site_id, before, after)`.execute(db);
}

/** What can happen to a site. */
type SiteOperation = Exclude<Operation, 'control'>;

/** The filters of the action log. Missing fields do not filter. */
export interface ActionLogFilter {
  /** the start of a user name, in any case */
  userName?: string | undefined;
  /** the start of the name of an application, in any case */
  applicationName?: string | undefined;
  operation?: Operation | undefined;
  objectType?: string | undefined;
  objectId?: string | undefined;
  /** any part of the object's name */
  search?: string | undefined;
  customerId?: number | undefined;
  siteId?: number | undefined;
  /** only the entries that the entry with this ID stands for */
  group?: number | undefined;
  /** entries of one request with the same operation and kind of object become one */
  collapsed?: boolean;
  from?: Date | undefined;
  to?: Date | undefined;
}

export interface ActionLogRecord {
  id: number;
  at: Date;
  user_name: string;
  application_name: string | null;
  operation: Operation;
  object_type: string;
  object_id: string;
  object_name: string;
  before: unknown;
  after: unknown;
  address: string;
  together: number;
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
  const conditions = [visible(scope, ownUserId, 'a'), ...conditionsOf(filter, before)];
  if (!filter.collapsed) return newest<ActionLogRecord>(db, conditions, sql`1 as together`, limit);
  // Planning the query that collapses requests takes longer than reading a page, and most pages have none to collapse.
  const others = sql`exists (select from action_logs m where m.id <> a.id and ${sameRequest('m')}) as others`;
  const entries = await newest<Omit<ActionLogRecord, 'together'> & { others: boolean }>(db, conditions, others, limit);
  if (!entries.some((entry) => entry.others)) return entries.map((entry) => ({ ...entry, together: 1 }));

  // What entries of one request need not share.
  const shared = sql.join([visible(scope, ownUserId, 'm'), ...placeConditions(filter, 'm')], sql<SqlBool>` and `);
  const isLatest = sql<SqlBool>`not exists (
    select from action_logs m where m.id > a.id and ${sameRequest('m')} and ${shared})`;
  const together = sql`(
    select count(*)::int from action_logs m where ${sameRequest('m')} and ${shared}) as together`;
  return newest<ActionLogRecord>(db, [...conditions, isLatest], together, limit);
}

/** The newest entries `a` that meet all conditions, with one more column. */
async function newest<Entry>(
  db: Kysely<Database>,
  conditions: readonly RawBuilder<SqlBool>[],
  column: RawBuilder<unknown>,
  limit: number,
): Promise<Entry[]> {
  const { rows } = await sql<Entry>`
    select a.id, a.at, a.user_name, a.application_name, a.operation, a.object_type, a.object_id, a.object_name, a.before, a.after, a.address,
           ${column}
      from action_logs a
     where ${sql.join(conditions, sql` and `)}
     order by a.id desc
     limit ${limit}`.execute(db);
  return rows;
}

/** The latest changes of the sites in scope, newest first. */
export async function findSiteEvents(
  scope: Scope,
  db: Kysely<Database>,
  limit: number,
): Promise<{ id: number; at: Date; siteId: number; siteName: string; operation: SiteOperation }[]> {
  const { rows } = await sql<{ id: number; at: Date; siteId: number; siteName: string; operation: SiteOperation }>`
    select a.id, a.at, a.object_id::int as "siteId", a.object_name as "siteName", a.operation
      from action_logs a
     where a.object_type = 'site' and a.operation <> 'control' and a.site_id is not null
       and ${withinScope(scope, 'a.customer_id', 'a.site_id')}
     order by a.id desc
     limit ${limit}`.execute(db);
  return rows;
}

/** True for entries of the same transaction by the same user, with the same operation and kind of object, as `a`. */
function sameRequest(log: string): RawBuilder<SqlBool> {
  const of = (column: string) => sql.ref(`${log}.${column}`);
  return sql<SqlBool>`${of('at')} = a.at and ${of('user_id')} is not distinct from a.user_id
    and ${of('operation')} = a.operation and ${of('object_type')} = a.object_type`;
}

function visible(scope: Scope, ownUserId: number, log: string): RawBuilder<SqlBool> {
  if (scope.customers === 'all' && scope.sites === 'all') return sql<SqlBool>`true`;
  const [customer, user] = [sql.ref(`${log}.customer_id`), sql.ref(`${log}.user_id`)];
  const place = withinScope(scope, `${log}.customer_id`, `${log}.site_id`);
  const ofObjects = sql<SqlBool>`(${customer} is not null and ${place})`;
  const byPeople = byPeopleInScope(scope, user);
  const ofNobody = sql<SqlBool>`(${customer} is null and (${user} = ${ownUserId} or ${byPeople}))`;
  return sql<SqlBool>`(${ofObjects} or ${ofNobody})`;
}

function byPeopleInScope(scope: Scope, user: RawBuilder<unknown>): RawBuilder<SqlBool> {
  if (scope.sites !== 'all') return sql<SqlBool>`false`;
  if (scope.customers === 'all') return sql<SqlBool>`true`;
  return sql<SqlBool>`${user} in (select id from users where customer_id = any(${idArray(scope.customers)}))`;
}

function placeConditions({ customerId, siteId }: ActionLogFilter, log: string): RawBuilder<SqlBool>[] {
  return [
    customerId !== undefined && sql<SqlBool>`${sql.ref(`${log}.customer_id`)} = ${customerId}`,
    siteId !== undefined && sql<SqlBool>`${sql.ref(`${log}.site_id`)} = ${siteId}`,
  ].filter((condition) => condition !== false);
}

function conditionsOf(filter: ActionLogFilter, before: number | undefined): RawBuilder<SqlBool>[] {
  const { userName, applicationName, operation, objectType, objectId, search, group, from, to } = filter;
  return [
    ...placeConditions(filter, 'a'),
    before !== undefined && sql<SqlBool>`a.id < ${before}`,
    userName !== undefined && sql<SqlBool>`lower(a.user_name) like ${beginning(foldCase(userName))}`,
    applicationName !== undefined &&
      sql<SqlBool>`lower(a.application_name) like ${beginning(foldCase(applicationName))}`,
    operation !== undefined && sql<SqlBool>`a.operation = ${operation}`,
    objectType !== undefined && sql<SqlBool>`a.object_type = ${objectType}`,
    objectId !== undefined && sql<SqlBool>`a.object_id = ${objectId}`,
    search !== undefined && sql<SqlBool>`a.object_name ilike ${anywhere(search)}`,
    group !== undefined &&
      sql<SqlBool>`a.at = (select at from action_logs where id = ${group})
        and exists (select from action_logs g where g.id = ${group} and ${sameRequest('g')})`,
    from !== undefined && sql<SqlBool>`a.at >= ${from}`,
    to !== undefined && sql<SqlBool>`a.at < ${to}`,
  ].filter((condition) => condition !== false);
}

/** The fields of a device for an entry of the action log. */
export async function findDevicePlace(
  db: Kysely<Database>,
  id: number,
): Promise<{ name: string; customerId: number; siteId: number }> {
  return db
    .selectFrom('devices')
    .select(['name', 'customer_id as customerId', 'site_id as siteId'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}
