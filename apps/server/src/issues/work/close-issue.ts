import type { BodyOf, issueEndpoints } from '@chargehand/contract';
import { type Kysely, sql } from 'kysely';
import { canBeChosen } from '../../dictionaries/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { Problem } from '../../platform/http/problem.ts';
import type { ReportMails } from '../reports/report-mails.ts';
import { addComment } from './comments/comments.ts';
import { announceAnswer } from './issue-notices.ts';
import { addEvent, followersOf, type IssueState, logIssue, statusAfter, storeTimes } from './issue-state.ts';

/** How an issue ended, and a comment if there is one. */
export type IssueClosing = BodyOf<(typeof issueEndpoints)['closeIssue']>;

/**
 * Closes a locked issue and notifies those who follow it and its reporters.
 * @throws {Problem} issueMerged, issueAction, fieldRequired, issueEndUnknown
 */
export async function closeIssue(
  trx: Kysely<Database>,
  caller: Caller,
  issue: IssueState,
  entered: IssueClosing,
  parts: { reporters: ReportMails; now: Date },
): Promise<void> {
  const { cause, remedy, body, internal, reportId, quotes } = entered;
  statusAfter(issue, body === undefined ? 'close' : 'commentAndClose');
  const causeText = entered.causeText?.trim() ?? '';
  const remedyText = entered.remedyText?.trim() ?? '';
  if (cause === 'other' && causeText === '') throw new Problem('fieldRequired', { field: 'causeText' });
  if (remedy === 'other' && remedyText === '') throw new Problem('fieldRequired', { field: 'remedyText' });
  if (!(await canBeChosen(trx, 'causes', cause))) throw new Problem('issueEndUnknown', { field: 'cause' });
  if (!(await canBeChosen(trx, 'remedies', remedy))) throw new Problem('issueEndUnknown', { field: 'remedy' });
  if (body !== undefined) await addComment(trx, caller, issue, { body, internal, reportId, quotes });
  await trx
    .updateTable('issues')
    .set({
      ...{ status: 'closed', closed_at: sql`clock_timestamp()`, remind_at: null },
      ...{ cause, cause_text: causeText, remedy, remedy_text: remedyText },
    })
    .where('id', '=', issue.id)
    .execute();
  const after = { status: 'closed', cause, causeText, remedy, remedyText };
  await addEvent(trx, caller, issue.id, 'closed', after);
  await storeTimes(trx, issue);
  await logIssue(trx, caller, issue, { before: { status: issue.status }, after });
  const userIds = await followersOf(trx, issue.id);
  await announceAnswer(trx, issue, 'closed', parts.now.toISOString(), { actorId: caller.userId, userIds });
  await parts.reporters.announce(trx, issue.id, 'closed');
}
