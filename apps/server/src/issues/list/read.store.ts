import type { IssueChange } from '@chargehand/contract';
import type { DocumentContent, IssueCause, IssueLink, IssueRemedy, IssueStatus, Scope } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import { naturally } from '../../platform/database/order/natural-order.ts';
import type { Database } from '../../platform/database/schema.ts';
import { withinScope } from '../../platform/database/scope.ts';
import { ofCustomers } from '../people/readers.store.ts';
import { ISSUE_COLUMNS, type IssueRecord } from './issues.store.ts';

/** An issue with everything that its page shows, without lists. */
export interface IssueDetailRecord extends IssueRecord {
  body: DocumentContent | null;
  deviceModel: string | null;
  softVersion: string | null;
  alarmId: number | null;
  executionId: string | null;
  responseMs: number | null;
  resolutionMs: number | null;
  cause: IssueCause | null;
  causeText: string;
  remedy: IssueRemedy | null;
  remedyText: string;
  createdById: number | null;
  hasEvidence: boolean;
}

/** An issue in scope; null when there is none. */
export async function readIssue(scope: Scope, db: Kysely<Database>, id: number): Promise<IssueDetailRecord | null> {
  const { rows } = await sql<IssueDetailRecord>`
    select ${ISSUE_COLUMNS}, i.body, i.device_model as "deviceModel", i.soft_version as "softVersion",
           i.alarm_id as "alarmId", i.execution_id as "executionId", i.response_ms as "responseMs",
           i.resolution_ms as "resolutionMs", i.cause, i.cause_text as "causeText", i.remedy,
           i.remedy_text as "remedyText", i.created_by as "createdById",
           exists (select from issue_evidence e where e.issue_id = i.id) as "hasEvidence"
      from issues i where i.id = ${id} and ${withinScope(scope, 'i.customer_id', 'i.site_id')}`.execute(db);
  return rows[0] ?? null;
}

/** The values of an issue that its event carries. */
export async function readChange(db: Kysely<Database>, id: number): Promise<IssueChange | null> {
  const { rows } = await sql<IssueChange>`
    select status, priority, labels, title, to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
           as "updatedAt" from issues where id = ${id}`.execute(db);
  return rows[0] ?? null;
}

interface LinkedRecord {
  linkId: number;
  kind: IssueLink;
  direction: 'to' | 'from';
  id: number;
  key: string;
  title: string;
  status: IssueStatus;
}

/** The links of an issue in both directions, to issues in scope. */
export async function listLinks(scope: Scope, db: Kysely<Database>, id: number): Promise<LinkedRecord[]> {
  const { rows } = await sql<LinkedRecord>`
    select l.id as "linkId", l.kind, l.direction, i.id, issue_key(i.customer_id, i.number) as key, i.title, i.status
      from (select id, kind, other_id as issue_id, 'to' as direction from issue_links where issue_id = ${id}
            union all
            select id, kind, issue_id, 'from' from issue_links where other_id = ${id}) l
      join issues i on i.id = l.issue_id
     where ${withinScope(scope, 'i.customer_id', 'i.site_id')} order by l.id limit 200`.execute(db);
  return rows;
}

/** The issues in scope that were merged into an issue. */
export async function listMerged(
  scope: Scope,
  db: Kysely<Database>,
  id: number,
): Promise<{ id: number; key: string; title: string }[]> {
  const { rows } = await sql<{ id: number; key: string; title: string }>`
    select i.id, issue_key(i.customer_id, i.number) as key, i.title from issues i
     where i.merged_into = ${id} and ${withinScope(scope, 'i.customer_id', 'i.site_id')} order by i.id limit 200`.execute(
    db,
  );
  return rows;
}

/** The watchers of an issue, and which of them a caller may name: those of customers in scope and they themselves. */
export async function listWatchers(
  db: Kysely<Database>,
  reader: { scope: Scope; userId: number },
  id: number,
): Promise<{ id: number; name: string; shown: boolean }[]> {
  const { rows } = await sql<{ id: number; name: string; shown: boolean }>`
    select u.id, coalesce(nullif(u.nick_name, ''), u.user_name) as name,
           (u.id = ${reader.userId} or ${ofCustomers(reader.scope)}) as shown
      from issue_watchers w join users u on u.id = w.user_id where w.issue_id = ${id}
     order by ${naturally(sql`u.user_name`)}, u.id`.execute(db);
  return rows;
}

export interface EntryRecord {
  id: number;
  issueId: number;
  at: Date;
  event: string | null;
  userId: number | null;
  userName: string;
  internal: boolean;
  body: DocumentContent | null;
  quotes: number | null;
  editedAt: Date | null;
  edits: number;
  data: Record<string, unknown> | null;
  reportId: number | null;
  toReportId: number | null;
  unknownSender: string | null;
  otherIssue: { id: number; key: string; title: string } | null;
}

/** The timeline of an issue and of those in scope that were merged into it, also through others: newest first. */
export async function listEntries(
  scope: Scope,
  db: Kysely<Database>,
  id: number,
  { before, after }: { before?: number | undefined; after?: number | undefined },
  limit: number,
): Promise<EntryRecord[]> {
  const { rows } = await sql<EntryRecord>`
    with recursive merged as (
      select ${id}::int as id
      union
      select i.id from issues i join merged m on i.merged_into = m.id
       where ${withinScope(scope, 'i.customer_id', 'i.site_id')}
    )
    select e.id, e.issue_id as "issueId", e.at, e.event, e.user_id as "userId", e.user_name as "userName", e.internal,
           e.body, e.quotes, e.edited_at as "editedAt", e.edits, e.data - '{otherId,toReports,toReportId,unknownSender}'::text[]
             as data, (e.data ->> 'toReportId')::int as "toReportId", e.data ->> 'unknownSender' as "unknownSender",
           (e.data ->> 'reportId')::int as "reportId",
           case when o.id is not null then jsonb_build_object('id', o.id, 'key', issue_key(o.customer_id, o.number), 'title', o.title) end
             as "otherIssue"
      from issue_entries e
      left join issues o on o.id = (e.data ->> 'otherId')::int
       and ${withinScope(scope, 'o.customer_id', 'o.site_id')}
     where e.issue_id in (select id from merged)
       and ${before === undefined ? sql`true` : sql`e.id < ${before}`}
       and ${after === undefined ? sql`true` : sql`e.id > ${after}`}
     order by e.id ${after === undefined ? sql`desc` : sql`asc`} limit ${limit}`.execute(db);
  return after === undefined ? rows : rows.toReversed();
}

/** The former texts of a comment of an issue, newest first. */
export async function listCommentVersions(
  db: Kysely<Database>,
  issueId: number,
  entryId: number,
): Promise<{ version: number; writtenAt: Date; body: DocumentContent }[]> {
  return await db
    .selectFrom('issue_comment_versions as v')
    .innerJoin('issue_entries as e', 'e.id', 'v.entry_id')
    .select(['v.version', 'v.written_at as writtenAt', 'v.body'])
    .where('v.entry_id', '=', entryId)
    .where('e.issue_id', '=', issueId)
    .orderBy('v.version', 'desc')
    .limit(100)
    .execute();
}
