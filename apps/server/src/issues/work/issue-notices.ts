import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { announce } from '../../ports/notices.ts';
import type { IssueState } from './issue-state.ts';

/** What happened, for the text of a message. */
type Occasion = 'comment' | 'mention' | 'closed' | 'reopened' | 'reported';
/** What a notice says about an issue. */
export type AnnouncedIssue = Pick<IssueState, 'id' | 'key' | 'title' | 'customerId' | 'siteId' | 'deviceId'>;

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
  to: { actorId?: number; userIds: readonly number[] },
) {
  const { actorId } = to;
  const userIds = to.userIds.filter((id) => id !== actorId);
  if (userIds.length === 0) return;
  const notice = noticeOf(issue, 'issueAnswered', `${issue.id}:${occasion}:${entry}`);
  const actor = actorId === undefined ? {} : { actorId };
  await announce(trx, { ...notice, data: { ...notice.data, occasion }, ...actor, userIds });
}

/** Announces a new issue to those whom its author entered as watchers. */
export async function announceWatching(
  trx: Kysely<Database>,
  issue: AnnouncedIssue,
  actorId: number,
  watcherIds: readonly number[],
) {
  const userIds = watcherIds.filter((id) => id !== actorId);
  if (userIds.length === 0) return;
  const notice = noticeOf(issue, 'issueCreated', `${issue.id}:watching`);
  await announce(trx, { ...notice, data: { ...notice.data, occasion: 'watching' }, actorId, userIds });
}

/**
 * Announces an issue that someone without an account reported: to the notification recipients of its site, otherwise to
 * everybody who can see it.
 */
export async function announceReported(trx: Kysely<Database>, issue: AnnouncedIssue, receivers: readonly number[]) {
  const notice = noticeOf(issue, 'issueCreated', `${issue.id}:reported`);
  const userIds = receivers.length > 0 ? { userIds: receivers } : {};
  await announce(trx, { ...notice, data: { ...notice.data, occasion: 'reported' }, ...userIds });
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
  const { id, key: issueKey, title, customerId, siteId, deviceId } = issue;
  return {
    type,
    key,
    subject: { kind: 'issue' as const, id },
    customerId,
    siteId,
    deviceId,
    data: { issue: issueKey, title },
  };
}
