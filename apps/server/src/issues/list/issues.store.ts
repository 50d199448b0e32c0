import type { ISSUE_TABS, IssueEnd, IssueRow, WithDates } from '@chargehand/contract';
import { type IssueStatus, issuesNamed, type Scope } from '@chargehand/domain';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { naturally } from '../../platform/database/order/natural-order.ts';
import { anywhere } from '../../platform/database/patterns.ts';
import type { Database } from '../../platform/database/schema.ts';
import { withinScope } from '../../platform/database/scope.ts';
import type { ListOrder } from '../../platform/http/serve/list-queries.ts';

/** An issue as lists show it, with times as dates. */
export type IssueRecord = Omit<WithDates<IssueRow>, Times> &
  Record<'occurredAt' | 'createdAt' | 'updatedAt', Date> &
  Record<'closedAt' | 'dueAt', Date | null>;
type Times = 'occurredAt' | 'createdAt' | 'updatedAt' | 'closedAt' | 'dueAt';

/** The columns of `IssueRecord`, of issues `i`. */
export const ISSUE_COLUMNS = sql`
  i.id, issue_key(i.customer_id, i.number) as key, i.title, i.type, i.priority, i.status, i.labels, i.occurred_at as "occurredAt",
  i.created_at as "createdAt", i.created_by_name as "createdBy", i.updated_at as "updatedAt",
  i.closed_at as "closedAt", i.due_at as "dueAt",
  (select jsonb_build_object('id', a.id, 'name', coalesce(nullif(a.nick_name, ''), a.user_name))
     from users a where a.id = i.assignee_id) as assignee,
  i.customer_id as "customerId", i.customer_name as "customerName", i.site_id as "siteId", i.site_name as "siteName",
  i.device_id as "deviceId", i.device_name as "deviceName", i.device_sn as "deviceSn", i.alarm_code as "alarmCode",
  i.merged_into as "mergedInto",
  (select count(*) from issue_entries e where e.issue_id = i.id and e.event is null) as comments`;

/** The filters of issues. Missing fields do not filter. */
export interface IssueFilters {
  tab?: (typeof ISSUE_TABS)[number] | undefined;
  search?: string | undefined;
  status?: IssueStatus | undefined;
  type?: number | undefined;
  priority?: number | undefined;
  /** any of these, regardless of case */
  labels?: readonly string[] | undefined;
  mine?: boolean | undefined;
  watched?: boolean | undefined;
  unassigned?: boolean | undefined;
  overdue?: boolean | undefined;
  customerId?: number | undefined;
  siteId?: number | undefined;
  deviceId?: number | undefined;
  alarmId?: number | undefined;
  executionId?: string | undefined;
}

/** A user who reads issues. */
export interface IssueReader {
  userId: number;
  scope: Scope;
}

export type IssueOrder = ListOrder<'createdAt' | 'updatedAt' | 'priority' | 'dueAt' | 'number'>;

/** The text that searches compare; the expression of the index. */
const SEARCHED = sql`(i.title || ' ' || coalesce(i.device_name, '') || ' ' || coalesce(i.device_sn, '') || ' ' ||
  coalesce(i.alarm_code, ''))`;

/** The condition that a search such as `HVC-5`, `#5` or `5` names the issue `i`; null for other texts. */
function isNamed(search: string): RawBuilder<SqlBool> | null {
  const named = issuesNamed(search).map(({ prefix, number }) =>
    prefix === null
      ? sql<SqlBool>`i.number = ${number}::int`
      : sql<SqlBool>`(i.number = ${number}::int and i.customer_id = (
          select c.id from customers c where c.issue_prefix = ${prefix}))`,
  );
  return named.length === 0 ? null : sql<SqlBool>`(${sql.join(named, sql` or `)})`;
}

/** The condition of a search on issues `i`. */
function searched(search: string): RawBuilder<SqlBool> {
  const named = isNamed(search);
  const byText = sql<SqlBool>`${SEARCHED} ilike ${anywhere(search)}`;
  return named === null ? byText : sql<SqlBool>`(${named} or ${byText})`;
}

/** The condition of the filters on issues `i`, without the tab. */
function matchingAny({ scope, userId }: IssueReader, filters: IssueFilters): RawBuilder<SqlBool> {
  const { search, status, type, priority, labels, customerId, siteId, deviceId, alarmId, executionId } = filters;
  const conditions = [withinScope(scope, 'i.customer_id', 'i.site_id')];
  if (search !== undefined) conditions.push(searched(search));
  if (status !== undefined) conditions.push(sql<SqlBool>`i.status = ${status}`);
  if (type !== undefined) conditions.push(sql<SqlBool>`i.type = ${type}`);
  if (priority !== undefined) conditions.push(sql<SqlBool>`i.priority = ${priority}`);
  if (labels !== undefined)
    conditions.push(sql<SqlBool>`lower_labels(i.labels) && lower_labels(${[...labels]}::text[])`);
  if (customerId !== undefined) conditions.push(sql<SqlBool>`i.customer_id = ${customerId}`);
  if (siteId !== undefined) conditions.push(sql<SqlBool>`i.site_id = ${siteId}`);
  if (deviceId !== undefined) conditions.push(sql<SqlBool>`i.device_id = ${deviceId}`);
  if (alarmId !== undefined) conditions.push(sql<SqlBool>`i.alarm_id = ${alarmId}`);
  if (executionId !== undefined) conditions.push(sql<SqlBool>`i.execution_id = ${executionId}`);
  if (filters.mine) conditions.push(sql<SqlBool>`i.assignee_id = ${userId}`);
  if (filters.unassigned) conditions.push(sql<SqlBool>`i.assignee_id is null`);
  if (filters.overdue) conditions.push(sql<SqlBool>`(i.due_at < now() and i.status <> 'closed')`);
  if (filters.watched) {
    conditions.push(sql<SqlBool>`i.id in (select w.issue_id from issue_watchers w where w.user_id = ${userId})`);
  }
  return sql.join(conditions, sql` and `);
}

function matching(reader: IssueReader, filters: IssueFilters): RawBuilder<SqlBool> {
  const { tab = 'open' } = filters;
  const any = matchingAny(reader, filters);
  if (tab === 'all') return any;
  return sql<SqlBool>`${any} and ${tab === 'open' ? sql`i.status <> 'closed'` : sql`i.status = 'closed'`}`;
}

/** One page of the issues that a user sees, and how many of each tab match. */
export async function listIssues(
  db: Kysely<Database>,
  reader: IssueReader,
  filters: IssueFilters,
  { by, descending }: IssueOrder,
  page: { limit: number; offset: number },
): Promise<{ items: IssueRecord[]; open: number; closed: number }> {
  const column = {
    createdAt: sql`i.created_at`,
    updatedAt: sql`i.updated_at`,
    priority: sql`i.priority`,
    dueAt: sql`i.due_at`,
    number: sql`i.number`,
  }[by];
  const direction = descending ? sql`desc` : sql`asc`;
  const [items, counts] = await Promise.all([
    sql<IssueRecord>`
      select ${ISSUE_COLUMNS} from issues i where ${matching(reader, filters)}
       order by ${column} ${direction} nulls last, i.created_at desc, i.id desc
       limit ${page.limit} offset ${page.offset}`.execute(db),
    sql<{ open: number; closed: number }>`
      select count(*) filter (where i.status <> 'closed') as open, count(*) filter (where i.status = 'closed') as closed
        from issues i where ${matchingAny(reader, filters)}`.execute(db),
  ]);
  return { items: items.rows, open: counts.rows[0]?.open ?? 0, closed: counts.rows[0]?.closed ?? 0 };
}

/** The ids and titles of the matching issues, at most `limit`. */
export async function selectIssues(
  db: Kysely<Database>,
  reader: IssueReader,
  filters: IssueFilters,
  limit: number,
): Promise<{ id: number; name: string }[]> {
  const { rows } = await sql<{ id: number; name: string }>`
    select i.id, issue_key(i.customer_id, i.number) || ' ' || i.title as name from issues i
     where ${matching(reader, filters)} order by i.id limit ${limit}`.execute(db);
  return rows;
}

/** Issues for the global search: the one with this key first, then open ones, then the newest. */
export async function findIssues(
  db: Kysely<Database>,
  scope: Scope,
  search: string,
  limit: number,
): Promise<{ id: number; key: string; title: string; closed: boolean; within: string[] }[]> {
  const named = isNamed(search);
  const { rows } = await sql<{ id: number; key: string; title: string; closed: boolean; within: string[] }>`
    select i.id, issue_key(i.customer_id, i.number) as key, i.title, i.status = 'closed' as closed,
           array_remove(array[i.device_name, i.site_name, i.customer_name], null) as within
      from issues i
     where ${withinScope(scope, 'i.customer_id', 'i.site_id')} and ${searched(search)}
     order by ${named ?? sql`null::boolean`} desc, i.status = 'closed', i.created_at desc, i.id desc
     limit ${limit}`.execute(db);
  return rows;
}

/** The matching issues of a status, the last changed first, and their number. */
export async function listColumn(
  db: Kysely<Database>,
  reader: IssueReader,
  filters: IssueFilters,
  status: IssueStatus,
  limit: number,
): Promise<{ items: IssueRecord[]; total: number }> {
  const where = matchingAny(reader, { ...filters, status });
  const [items, totals] = await Promise.all([
    sql<IssueRecord>`
      select ${ISSUE_COLUMNS} from issues i where ${where}
       order by i.updated_at desc, i.id desc limit ${limit}`.execute(db),
    sql<{ total: number }>`select count(*) as total from issues i where ${where}`.execute(db),
  ]);
  return { items: items.rows, total: totals.rows[0]?.total ?? 0 };
}

/** An issue of an export: also its times and how it ended. */
export interface ExportedIssue extends IssueRecord {
  responseMs: number | null;
  resolutionMs: number | null;
  cause: string | null;
  causeText: string;
  remedy: string | null;
  remedyText: string;
}

/** The next matching issues for an export, newest first. */
export async function listIssuesAfter(
  db: Kysely<Database>,
  reader: IssueReader,
  filters: IssueFilters,
  after: number | null,
  limit: number,
): Promise<ExportedIssue[]> {
  const { rows } = await sql<ExportedIssue>`
    select ${ISSUE_COLUMNS}, i.response_ms as "responseMs", i.resolution_ms as "resolutionMs", i.cause,
           i.cause_text as "causeText", i.remedy, i.remedy_text as "remedyText"
      from issues i
     where ${matching(reader, filters)} and ${after === null ? sql`true` : sql`i.id < ${after}`}
     order by i.id desc limit ${limit}`.execute(db);
  return rows;
}

/** The labels of the issues in scope, most frequent first. */
export async function listLabels(db: Kysely<Database>, scope: Scope): Promise<{ name: string; count: number }[]> {
  const { rows } = await sql<{ name: string; count: number }>`
    select label as name, count(*) as count from issues i, unnest(i.labels) as label
     where ${withinScope(scope, 'i.customer_id', 'i.site_id')}
     group by label order by 2 desc, ${naturally(sql`label`)} limit 200`.execute(db);
  return rows;
}

/** Response and resolution times by customer, site and priority. */
export interface TimesRecord {
  customerId: number;
  customerName: string;
  siteId: number | null;
  siteName: string | null;
  priority: IssueRow['priority'];
  issues: number;
  open: number;
  responseMs: number | null;
  responseP90Ms: number | null;
  resolutionMs: number | null;
  resolutionP90Ms: number | null;
}

/** The times of the issues in scope that were created in a period, without merged ones. */
export async function readTimes(
  db: Kysely<Database>,
  scope: Scope,
  filters: {
    from?: Date | undefined;
    to?: Date | undefined;
    customerId?: number | undefined;
    siteId?: number | undefined;
  },
): Promise<TimesRecord[]> {
  const { from, to, customerId, siteId } = filters;
  const percentile = (part: number, column: string) => sql`
    round(percentile_cont(${sql.lit(part)}) within group (order by ${sql.ref(column)}))::bigint`;
  const { rows } = await sql<TimesRecord>`
    select i.customer_id as "customerId", min(i.customer_name) as "customerName", i.site_id as "siteId",
           min(i.site_name) as "siteName", i.priority, count(*) as issues,
           count(*) filter (where i.status <> 'closed') as open,
           ${percentile(0.5, 'i.response_ms')} as "responseMs", ${percentile(0.9, 'i.response_ms')} as "responseP90Ms",
           ${percentile(0.5, 'i.resolution_ms')} as "resolutionMs",
           ${percentile(0.9, 'i.resolution_ms')} as "resolutionP90Ms"
      from issues i
     where ${withinScope(scope, 'i.customer_id', 'i.site_id')} and i.merged_into is null
       and ${from === undefined ? sql`true` : sql`i.created_at >= ${from}`}
       and ${to === undefined ? sql`true` : sql`i.created_at < ${to}`}
       and ${customerId === undefined ? sql`true` : sql`i.customer_id = ${customerId}`}
       and ${siteId === undefined ? sql`true` : sql`i.site_id = ${siteId}`}
     group by i.customer_id, i.site_id, i.priority
     order by ${naturally(sql`min(i.customer_name)`)}, ${naturally(sql`min(i.site_name)`)} nulls first, i.customer_id, i.site_id,
              i.priority desc limit 5000`.execute(db);
  return rows;
}

/** How the closed issues of alarm codes in scope ended, most frequent first, with their newest explanations. */
export async function listEnds(db: Kysely<Database>, scope: Scope, codes: readonly string[]): Promise<IssueEnd[]> {
  const { rows } = await sql<IssueEnd>`
    select i.cause, i.remedy, count(*) as count,
           coalesce((array_agg(jsonb_build_object('cause', i.cause_text, 'remedy', i.remedy_text)
                               order by i.closed_at desc)
                     filter (where i.cause_text <> '' or i.remedy_text <> ''))[1:5], '{}') as texts
      from issues i
     where i.alarm_code = any(${[...codes]}::text[]) and i.status = 'closed' and i.cause is not null
       and i.remedy is not null and ${withinScope(scope, 'i.customer_id', 'i.site_id')}
     group by i.cause, i.remedy order by 3 desc, 1, 2`.execute(db);
  return rows;
}

/** The number of issues with a cause or a remedy, counted up to a limit. */
export async function countIssuesOfEnd(
  db: Kysely<Database>,
  column: 'cause' | 'remedy',
  code: string,
  limit: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
      from (select 1 from issues where ${sql.ref(column)} = ${code} limit ${limit}) found`.execute(db);
  return rows[0]?.count ?? 0;
}

/** How many issues have a label of this code, counted up to a limit. */
export async function countIssuesOfLabel(db: Kysely<Database>, code: string, limit: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
      from (select 1 from issues
             where lower_labels(labels) @> lower_labels(array[${code}]) and labels @> array[${code}] limit ${limit}) found
    `.execute(db);
  return rows[0]?.count ?? 0;
}
