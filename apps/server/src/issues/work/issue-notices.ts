import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { announce } from '../../ports/notices.ts';
import type { IssueState } from './issue-state.ts';

/** What happened, for the text of a message. */
type Occasion = 'comment' | 'mention' | 'closed' | 'reopened';
/** What a notice says about an issue. */
export type AnnouncedIssue = Pick<IssueState, 'id' | 'number' | 'title' | 'customerId' | 'siteId' | 'deviceId'>;

/** Announces that an issue was assigned to a user. */
export async function announceAssigned(trx: Kysely<Database>, issue: AnnouncedIssue, userId: number, actorId: number) {
  await announce(trx, {
    ...noticeOf(issue, 'issueAssigned', `${issue.id}:${userId}`),
    ...{ actorId, userIds: [userId] },
  });
}

/** Announces what others did in an issue to those who follow it. `entry` makes each occasion a message of its own. */
export async function announceAnswer(
  trx: Kysely<Database>,
  issue: AnnouncedIssue,
  occasion: Occasion,
  entry: number | string,
  to: { actorId: number; userIds: readonly number[] },
) {
  const userIds = to.userIds.filter((id) => id !== to.actorId);
  if (userIds.length === 0) return;
  const notice = noticeOf(issue, 'issueAnswered', `${issue.id}:${occasion}:${entry}`);
  await announce(trx, { ...notice, data: { ...notice.data, occasion }, actorId: to.actorId, userIds });
}

/** Announces that an issue is due soon or overdue. */
export async function announceDue(
  trx: Kysely<Database>,
  issue: AnnouncedIssue,
  reminder: 'soon' | 'overdue',
  dueAt: Date,
  userIds: readonly number[],
) {
  if (userIds.length === 0) return;
  const notice = noticeOf(issue, 'issueDue', `${issue.id}:${dueAt.toISOString()}:${reminder}`);
  await announce(trx, { ...notice, data: { ...notice.data, reminder, dueAt: dueAt.toISOString() }, userIds });
}

function noticeOf<T extends string>(issue: AnnouncedIssue, type: T, key: string) {
  const { id, number, title, customerId, siteId, deviceId } = issue;
  return { type, key, subject: { kind: 'issue' as const, id }, customerId, siteId, deviceId, data: { number, title } };
}
