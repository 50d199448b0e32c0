import { type DocumentContent, type IssueMessageType, type IssueTie, mentionedUsers } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { readIssue } from '../list/read.store.ts';
import { followersOf, remindedOf } from '../work/issue-state.ts';

/** Whom messages about an issue are for, and how one user takes part in it. */
export interface IssueReceivers {
  customerId: number;
  siteId: number | null;
  deviceId: number | null;
  receivers: Record<IssueMessageType, number[]>;
  ties: IssueTie[];
}

/** Reads who gets messages about an issue in scope; null when there is none. */
export async function readIssueReceivers(
  db: Kysely<Database>,
  { scope, userId }: Pick<Caller, 'scope' | 'userId'>,
  id: number,
): Promise<IssueReceivers | null> {
  const issue = await readIssue(scope, db, id);
  if (!issue) return null;
  const { customerId, siteId, deviceId } = issue;
  const assigneeId = issue.assignee?.id ?? null;
  const [followers, watches, mentioned] = await Promise.all([
    followersOf(db, id),
    db
      .selectFrom('issue_watchers')
      .select('user_id')
      .where('issue_id', '=', id)
      .where('user_id', '=', userId)
      .executeTakeFirst(),
    isMentioned(db, id, userId),
  ]);
  const ties: Record<IssueTie, boolean> = {
    assignee: assigneeId === userId,
    watcher: watches !== undefined,
    mentioned,
    reporter: issue.createdById === userId,
  };
  return {
    ...{ customerId, siteId, deviceId },
    receivers: {
      issueAssigned: assigneeId === null ? [] : [assigneeId],
      issueAnswered: followers,
      issueDue: remindedOf(assigneeId, followers),
    },
    ties: (Object.keys(ties) as IssueTie[]).filter((tie) => ties[tie]),
  };
}

/** Whether the description or a comment of an issue mentions a user. */
async function isMentioned(db: Kysely<Database>, id: number, userId: number): Promise<boolean> {
  const { rows } = await sql<{ body: DocumentContent }>`
    select body from issues where id = ${id} and body is not null
    union all
    select body from issue_entries where issue_id = ${id} and event is null and body is not null`.execute(db);
  return rows.some(({ body }) => mentionedUsers(body).includes(userId));
}
