import {
  type DocumentContent,
  type IssueAction,
  type IssueMoment,
  type IssuePriority,
  type IssueReminder,
  type IssueStatus,
  type IssueType,
  issueStatusAfter,
  issueTimes,
} from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import { logAction } from '../../audit/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import { withinScope } from '../../platform/database/scope.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import type { IssuePlace } from '../people/readers.store.ts';

/** The stored values of an issue that changes depend on. */
export interface IssueState extends IssuePlace {
  id: number;
  key: string;
  title: string;
  body: DocumentContent | null;
  type: IssueType;
  priority: IssuePriority;
  status: IssueStatus;
  labels: string[];
  occurredAt: Date;
  createdAt: Date;
  createdBy: number | null;
  assigneeId: number | null;
  dueAt: Date | null;
  reminded: IssueReminder | null;
  deviceId: number | null;
  alarmCode: string | null;
  mergedInto: number | null;
  statusBefore: IssueStatus | null;
}

const STATE = sql`
  i.id, i.customer_id as "customerId", i.site_id as "siteId", issue_key(i.customer_id, i.number) as key, i.title, i.body, i.type, i.priority, i.status,
  i.labels, i.occurred_at as "occurredAt", i.created_at as "createdAt", i.created_by as "createdBy",
  i.assignee_id as "assigneeId", i.due_at as "dueAt", i.reminded, i.device_id as "deviceId",
  i.alarm_code as "alarmCode", i.merged_into as "mergedInto", i.status_before as "statusBefore"`;

/**
 * Locks issues of a caller until the end of the transaction, in the order of their ids, so that two changes of the same
 * issues wait for each other. Not their keys: events of devices can be added meanwhile.
 * @throws {Problem} notFound if the caller does not see one of them
 */
export async function lockIssues(
  trx: Kysely<Database>,
  { scope }: Pick<Caller, 'scope'>,
  ids: readonly number[],
): Promise<Map<number, IssueState>> {
  const { rows } = await sql<IssueState>`
    select ${STATE} from issues i
     where i.id = any(${[...ids]}::int[]) and ${withinScope(scope, 'i.customer_id', 'i.site_id')}
     order by i.id for no key update`.execute(trx);
  if (rows.length < new Set(ids).size) throw notFound('issue');
  return new Map(rows.map((row) => [row.id, row]));
}

/** Locks one issue. @throws {Problem} notFound */
export async function lockIssue(trx: Kysely<Database>, caller: Pick<Caller, 'scope'>, id: number): Promise<IssueState> {
  const issue = (await lockIssues(trx, caller, [id])).get(id);
  if (!issue) throw notFound('issue');
  return issue;
}

/** @throws {Problem} issueMerged */
export function requireUnmerged({ mergedInto }: Pick<IssueState, 'mergedInto'>): void {
  if (mergedInto !== null) throw new Problem('issueMerged');
}

/** The status after an action. @throws {Problem} issueMerged, issueAction */
export function statusAfter(issue: Pick<IssueState, 'mergedInto' | 'status'>, action: IssueAction): IssueStatus {
  requireUnmerged(issue);
  const status = issueStatusAfter(issue.status, action);
  if (status === null) throw new Problem('issueAction');
  return status;
}

/** Adds an event to the timeline of an issue. */
export async function addEvent(
  trx: Kysely<Database>,
  by: Pick<Caller, 'userId' | 'userName'> | { userId: null; userName: '' },
  issueId: number,
  event: string,
  data: Record<string, unknown> = {},
): Promise<void> {
  await trx
    .insertInto('issue_entries')
    .values({
      ...{ issue_id: issueId, event, user_id: by.userId, user_name: by.userName },
      ...{ body: null, data: JSON.stringify(data) },
    })
    .execute();
}

/** Makes users watch an issue. */
export async function addWatchers(trx: Kysely<Database>, issueId: number, userIds: readonly number[]): Promise<void> {
  if (userIds.length === 0) return;
  await trx
    .insertInto('issue_watchers')
    .values([...new Set(userIds)].map((user_id) => ({ issue_id: issueId, user_id })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The users who follow an issue: its watchers and its assignee. */
export async function followersOf(trx: Kysely<Database>, issueId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select user_id as id from issue_watchers where issue_id = ${issueId}
    union select assignee_id from issues where id = ${issueId} and assignee_id is not null`.execute(trx);
  return rows.map(({ id }) => id);
}

/** Whom a reminder of an issue is for: its assignee, or those who follow it when nobody is assigned. */
export function remindedOf(assigneeId: number | null, followers: number[]): number[] {
  return assigneeId === null ? followers : [assigneeId];
}

/** The events that count for the times of an issue. */
const MOMENTS = { started: 'start', closed: 'close', reopened: 'reopen' } as const;

/** Calculates the times of an issue again from its timeline. Comments of the same transaction are included. */
export async function storeTimes(trx: Kysely<Database>, issue: Pick<IssueState, 'id' | 'createdAt'>): Promise<void> {
  const { rows } = await sql<{ at: Date; event: keyof typeof MOMENTS | null; byReporter: boolean }>`
    select e.at, e.event,
           coalesce(e.data ? 'reportId', false)
           or (i.created_by_name <> '' and e.user_id is not distinct from i.created_by) as "byReporter"
      from issue_entries e join issues i on i.id = e.issue_id
     where e.issue_id = ${issue.id} and (e.event is null or e.event in ('started', 'closed', 'reopened'))
       and e.data ->> 'shareId' is null and e.data ->> 'unknownSender' is null
     order by e.id`.execute(trx);
  const moments = rows.map(
    ({ at, event, byReporter }): IssueMoment => ({ at, kind: event ? MOMENTS[event] : 'comment', byReporter }),
  );
  const { responseMs, resolutionMs } = issueTimes(issue.createdAt, moments);
  await trx
    .updateTable('issues')
    .set({ response_ms: responseMs, resolution_ms: resolutionMs })
    .where('id', '=', issue.id)
    .execute();
}

/** Records a change of an issue in the action log. */
export async function logIssue(
  trx: Kysely<Database>,
  caller: Parameters<typeof logAction>[1],
  issue: Pick<IssueState, 'id' | 'key' | 'title' | 'customerId' | 'siteId'>,
  values: { before?: unknown; after?: unknown },
  operation: 'new' | 'edit' = 'edit',
): Promise<void> {
  await logAction(trx, caller, {
    ...{ operation, objectType: 'issue', objectId: String(issue.id), objectName: `${issue.key} ${issue.title}` },
    ...{ customerId: issue.customerId, siteId: issue.siteId, ...values },
  });
}
