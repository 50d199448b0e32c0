import type { BodyOf, issueBulkEndpoints, issueEndpoints } from '@chargehand/contract';
import { cleanContent, filesOf, ISSUE_LABELS } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import { type AttachmentsRoom, lockFileOwners } from '../../attachments/index.ts';
import { storedLabels } from '../../dictionaries/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { Problem } from '../../platform/http/problem.ts';
import { requireRevision } from '../../platform/http/serve/revision.ts';
import type { IssueChanges } from '../issue-changes.ts';
import type { ReportMails } from '../reports/report-mails.ts';
import { closeIssue, type IssueClosing } from './close-issue.ts';
import { addComment, commentedWith, isInternal } from './comments/comments.ts';
import { editComment } from './comments/edit-comment.ts';
import { editIssue } from './edit-issue.ts';
import { announceAnswer } from './issue-notices.ts';
import {
  addEvent,
  addWatchers,
  followersOf,
  type IssueState,
  lockIssue,
  logIssue,
  statusAfter,
  storeTimes,
} from './issue-state.ts';
import { editedOf, reminderValues } from './issue-values.ts';
import { customerOf, deleteWatcher, touchIssues, updateIssue } from './work.store.ts';

type Endpoints = typeof issueEndpoints;

export type WorkService = ReturnType<typeof workService>;

/** Work on issues: editing, status and comments. Each change is one transaction with its log entry and its notices. */
export function workService(parts: {
  db: Kysely<Database>;
  clock: Clock;
  changes: IssueChanges;
  reporters: ReportMails;
  attachments: Pick<AttachmentsRoom, 'settled'>;
}) {
  const { db, clock, changes, reporters, attachments } = parts;

  /** `text`: what is written by the change, whose files are locked before the issue. */
  async function change<T>(
    caller: Caller,
    id: number,
    run: (trx: Kysely<Database>, issue: IssueState) => Promise<T>,
    text?: unknown,
  ): Promise<T> {
    const withFiles = text !== undefined && filesOf(cleanContent(text)).length > 0;
    const { result, place } = await db.transaction().execute(async (trx) => {
      if (withFiles) await lockFileOwners(trx, [caller.customerId, ...(await customerOf(trx, id))]);
      const issue = await lockIssue(trx, caller, id);
      const result = await run(trx, issue);
      await touchIssues(trx, [id]);
      return { result, place: issue };
    });
    if (withFiles) attachments.settled(place.customerId);
    await changes.changed(place);
    return result;
  }

  return {
    async update(caller: Caller, id: number, { revision, ...entered }: BodyOf<Endpoints['updateIssue']>) {
      await change(
        caller,
        id,
        async (trx, issue) => {
          requireRevision(revision, editedOf(issue));
          await editIssue(trx, caller, issue, entered);
        },
        entered.body,
      );
    },

    /** Changes one of many issues. */
    async updateOne(caller: Caller, id: number, entered: Omit<BodyOf<typeof issueBulkEndpoints.updateIssues>, 'ids'>) {
      await change(caller, id, async (trx, issue) => {
        const { labels, ...rest } = entered;
        const all = labels === undefined ? undefined : await storedLabels(trx, [...issue.labels, ...labels]);
        if (all !== undefined && all.length > ISSUE_LABELS) {
          throw new Problem('fieldItems', { field: 'labels', values: { min: 0, max: ISSUE_LABELS } });
        }
        await editIssue(trx, caller, issue, { ...rest, ...(all === undefined ? {} : { labels: all }) });
      });
    },

    async start(caller: Caller, id: number) {
      await change(caller, id, async (trx, issue) => {
        const status = statusAfter(issue, 'start');
        await updateIssue(trx, id, { status });
        await addEvent(trx, caller, id, 'started');
        await storeTimes(trx, issue);
        await logIssue(trx, caller, issue, { before: { status: issue.status }, after: { status } });
      });
    },

    async close(caller: Caller, id: number, entered: IssueClosing) {
      const end = (trx: Kysely<Database>, issue: IssueState) =>
        closeIssue(trx, caller, issue, entered, { reporters, now: clock.now() });
      await change(caller, id, end, entered.body);
    },

    async reopen(caller: Caller, id: number) {
      await change(caller, id, async (trx, issue) => {
        const status = statusAfter(issue, 'reopen');
        const reminders = reminderValues(issue.dueAt, issue.reminded);
        await updateIssue(trx, id, { status, closed_at: null, ...reminders });
        await addEvent(trx, caller, id, 'reopened');
        await storeTimes(trx, issue);
        await logIssue(trx, caller, issue, { before: { status: issue.status }, after: { status } });
        const userIds = await followersOf(trx, id);
        await announceAnswer(trx, issue, 'reopened', clock.now().toISOString(), { actorId: caller.userId, userIds });
      });
    },

    async comment(caller: Caller, id: number, entered: BodyOf<Endpoints['commentIssue']>): Promise<{ id: number }> {
      const entryId = await change(
        caller,
        id,
        async (trx, issue) => {
          const { requestKey } = entered;
          const sent = requestKey === undefined ? undefined : await commentedWith(trx, caller, id, requestKey);
          if (sent !== undefined) return sent;
          statusAfter(issue, 'comment');
          const added = await addComment(trx, caller, issue, entered);
          const { reportId } = entered;
          if (reportId !== undefined) await reporters.announce(trx, issue.id, 'answered', reportId);
          await storeTimes(trx, issue);
          await logIssue(trx, caller, issue, { after: { comment: added, internal: isInternal(entered), reportId } });
          return added;
        },
        entered.body,
      );
      return { id: entryId };
    },

    /** Changes a comment of the caller. The former text is kept. */
    async editComment(caller: Caller, id: number, entryId: number, entered: unknown) {
      await change(caller, id, (trx, issue) => editComment(trx, caller, issue, entryId, entered), entered);
    },

    /** A user's own choice, which is not logged. */
    async watch(caller: Caller, id: number, watching: boolean) {
      if (watching) return await addWatchers(db, id, [caller.userId]);
      await deleteWatcher(db, id, caller.userId);
    },
  };
}
