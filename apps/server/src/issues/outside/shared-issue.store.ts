import type { SHARED_ISSUE_EVENTS } from '@chargehand/contract';
import type { DocumentContent, IssueStatus, IssueType } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';

export interface SharedIssueRecord {
  id: number;
  key: string;
  title: string;
  type: IssueType;
  status: IssueStatus;
  deviceModel: string | null;
  occurredAt: Date;
  createdAt: Date;
  closedAt: Date | null;
  body: DocumentContent | null;
}

/** An issue without anything that only its users may know. */
export async function findSharedIssue(db: Kysely<Database>, id: number): Promise<SharedIssueRecord | null> {
  const { rows } = await sql<SharedIssueRecord>`
    select id, issue_key(customer_id, number) as key, title, type, status, device_model as "deviceModel", occurred_at as "occurredAt",
           created_at as "createdAt", closed_at as "closedAt", body
      from issues where id = ${id}`.execute(db);
  return rows[0] ?? null;
}

export interface SharedEntryRecord {
  id: number;
  at: Date;
  event: (typeof SHARED_ISSUE_EVENTS)[number] | null;
  by: string;
  outside: boolean;
  body: DocumentContent | null;
}

/** The newest public comments and changes of the status, newest first. Never those of issues that were merged into it,
 * and nothing between users and a reporter. */
export async function listSharedEntries(
  db: Kysely<Database>,
  issueId: number,
  since: Date | null,
  limit: number,
): Promise<SharedEntryRecord[]> {
  const { rows } = await sql<SharedEntryRecord>`
    select e.id, e.at, e.event, coalesce(nullif(u.nick_name, ''), e.user_name) as by,
           (e.user_id is null and e.event is null) as outside, e.body
      from issue_entries e left join users u on u.id = e.user_id
     where e.issue_id = ${issueId} and not e.internal
       and (e.event is not null or ${since}::timestamptz is null or e.at >= ${since})
       and not coalesce(e.data ?| '{reportId,toReportId}', false)
       and (e.event is null or e.event in ('started', 'closed', 'reopened'))
     order by e.id desc limit ${limit}`.execute(db);
  return rows;
}

/** How many comments came through a share. */
export async function countSharedComments(db: Kysely<Database>, issueId: number, shareId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from issue_entries
     where issue_id = ${issueId} and event is null and (data ->> 'shareId')::int = ${shareId}`.execute(db);
  return rows[0]?.count ?? 0;
}
