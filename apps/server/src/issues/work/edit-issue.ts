import type { BodyOf, issueEndpoints } from '@chargehand/contract';
import { storedContent } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import { takeIssueFiles } from '../../attachments/index.ts';
import { storedLabels } from '../../dictionaries/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { requireReader } from '../people/required-readers.ts';
import { announceAssigned } from './issue-notices.ts';
import { addEvent, addWatchers, type IssueState, logIssue, requireUnmerged } from './issue-state.ts';
import { changesOf, editedOf, reminderValues, requireTitle } from './issue-values.ts';
import { endRemovedFiles } from './removed-files.ts';

/** The values of an issue that an edit may change. */
export type IssueEdits = Omit<BodyOf<(typeof issueEndpoints)['updateIssue']>, 'revision'>;

/**
 * Changes values of a locked issue, with an event in its timeline and a log entry. A new assignee watches the issue and
 * is notified.
 * @throws {Problem} issueMerged, fieldRequired, issueAssignee
 */
export async function editIssue(
  trx: Kysely<Database>,
  caller: Caller,
  issue: IssueState,
  entered: IssueEdits,
): Promise<void> {
  requireUnmerged(issue);
  const body =
    entered.body === undefined
      ? undefined
      : (await takeIssueFiles(trx, caller, issue, storedContent(entered.body), issue.body && storedContent(issue.body)))
          .text;
  const next = {
    ...(entered.title === undefined ? {} : { title: requireTitle(entered.title) }),
    ...(entered.type === undefined ? {} : { type: entered.type }),
    ...(entered.priority === undefined ? {} : { priority: entered.priority }),
    ...(body === undefined ? {} : { body }),
    ...(entered.occurredAt === undefined ? {} : { occurredAt: new Date(entered.occurredAt).toISOString() }),
    ...(entered.assigneeId === undefined ? {} : { assigneeId: entered.assigneeId }),
    ...(entered.dueAt === undefined
      ? {}
      : { dueAt: entered.dueAt === null ? null : new Date(entered.dueAt).toISOString() }),
    ...(entered.labels === undefined ? {} : { labels: await storedLabels(trx, entered.labels) }),
  };
  const { before, after } = changesOf(editedOf(issue), next);
  if (Object.keys(after).length === 0) return;
  const assignee = 'assigneeId' in after ? (next.assigneeId ?? null) : null;
  if (assignee !== null) await requireReader(trx, caller, issue, assignee);
  const dueAt = next.dueAt ? new Date(next.dueAt) : null;
  const remind = issue.status === 'closed' ? { reminded: null, remind_at: null } : reminderValues(dueAt);
  const due = 'dueAt' in after ? { due_at: dueAt, ...remind } : {};
  await trx
    .updateTable('issues')
    .set({
      ...('title' in after && next.title !== undefined ? { title: next.title } : {}),
      ...('type' in after && next.type !== undefined ? { type: next.type } : {}),
      ...('priority' in after && next.priority !== undefined ? { priority: next.priority } : {}),
      ...('body' in after && body ? { body: JSON.stringify(body) } : {}),
      ...('occurredAt' in after && next.occurredAt ? { occurred_at: new Date(next.occurredAt) } : {}),
      ...('assigneeId' in after ? { assignee_id: assignee } : {}),
      ...('labels' in after && next.labels ? { labels: next.labels } : {}),
      ...due,
    })
    .where('id', '=', issue.id)
    .execute();
  if ('body' in after && body) await endRemovedFiles(trx, issue.id, issue.body && storedContent(issue.body), body);
  const { body: _, ...shownBefore } = before;
  const { body: __, ...shownAfter } = after;
  const names = assignee === null ? {} : { assignee: await nameOf(trx, assignee) };
  await addEvent(trx, caller, issue.id, 'edited', {
    ...{ before: shownBefore, after: shownAfter, ...names },
    ...('body' in after ? { body: true } : {}),
  });
  await logIssue(trx, caller, issue, { before, after });
  if (assignee === null) return;
  await addWatchers(trx, issue.id, [assignee]);
  if (assignee !== caller.userId) await announceAssigned(trx, issue, assignee, caller.userId);
}

async function nameOf(trx: Kysely<Database>, userId: number): Promise<string> {
  const user = trx.selectFrom('users').select(['user_name', 'nick_name']).where('id', '=', userId);
  const { user_name, nick_name } = await user.executeTakeFirstOrThrow();
  return nick_name || user_name;
}
