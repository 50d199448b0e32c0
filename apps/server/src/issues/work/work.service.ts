import type { BodyOf, issueBulkEndpoints, issueEndpoints } from '@chargehand/contract';
import {
  cleanContent,
  filesOf,
  ISSUE_LABELS,
  type IssueAction,
  issueLabels,
  issueStatusAfter,
  nextIssueReminder,
} from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import { type AttachmentsRoom, lockFileOwners, takeIssueFiles } from '../../attachments/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { Problem } from '../../platform/http/problem.ts';
import { ordered, requireRevision } from '../../platform/http/serve/revision.ts';
import type { IssueChanges } from '../issue-changes.ts';
import { type IssuePlace, listReaders } from '../people/readers.store.ts';
import type { ReportMails } from '../reports/report-mails.ts';
import { addComment, mention, requireText } from './comments.ts';
import { announceAnswer, announceAssigned } from './issue-notices.ts';
import {
  addEvent,
  addWatchers,
  followersOf,
  type IssueState,
  lockIssue,
  logIssue,
  requireUnmerged,
  storeTimes,
} from './issue-state.ts';

type Endpoints = typeof issueEndpoints;
type Edits = Omit<BodyOf<Endpoints['updateIssue']>, 'revision'>;
type Closing = BodyOf<Endpoints['closeIssue']>;

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
      await trx.updateTable('issues').set({ updated_at: sql`clock_timestamp()` }).where('id', '=', id).execute();
      return { result, place: issue };
    });
    if (withFiles) attachments.settled(place.customerId);
    await changes.changed(place);
    return result;
  }

  /** The status after an action. @throws {Problem} issueMerged, issueAction */
  function statusAfter(issue: IssueState, action: IssueAction) {
    requireUnmerged(issue);
    const status = issueStatusAfter(issue.status, action);
    if (status === null) throw new Problem('issueAction');
    return status;
  }

  async function edit(trx: Kysely<Database>, caller: Caller, issue: IssueState, entered: Edits): Promise<void> {
    requireUnmerged(issue);
    const body =
      entered.body === undefined
        ? undefined
        : (await takeIssueFiles(trx, caller, issue, cleanContent(entered.body))).text;
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
      ...(entered.labels === undefined ? {} : { labels: issueLabels(entered.labels) }),
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

  async function end(trx: Kysely<Database>, caller: Caller, issue: IssueState, entered: Closing): Promise<void> {
    const { cause, remedy, body } = entered;
    statusAfter(issue, body === undefined ? 'close' : 'commentAndClose');
    const causeText = entered.causeText?.trim() ?? '';
    const remedyText = entered.remedyText?.trim() ?? '';
    if (cause === 'other' && causeText === '') throw new Problem('fieldRequired', { field: 'causeText' });
    if (remedy === 'other' && remedyText === '') throw new Problem('fieldRequired', { field: 'remedyText' });
    if (body !== undefined) await addComment(trx, caller, issue, { body, internal: entered.internal });
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
    await announceAnswer(trx, issue, 'closed', clock.now().toISOString(), { actorId: caller.userId, userIds });
    await reporters.announce(trx, issue.id, 'closed');
  }

  return {
    async update(caller: Caller, id: number, { revision, ...entered }: BodyOf<Endpoints['updateIssue']>) {
      await change(
        caller,
        id,
        async (trx, issue) => {
          requireRevision(revision, editedOf(issue));
          await edit(trx, caller, issue, entered);
        },
        entered.body,
      );
    },

    /** Changes one of many issues. */
    async updateOne(caller: Caller, id: number, entered: Omit<BodyOf<typeof issueBulkEndpoints.updateIssues>, 'ids'>) {
      await change(caller, id, async (trx, issue) => {
        const { labels, ...rest } = entered;
        const all = labels === undefined ? undefined : issueLabels([...issue.labels, ...labels]);
        if (all !== undefined && all.length > ISSUE_LABELS) {
          throw new Problem('fieldItems', { field: 'labels', values: { min: 0, max: ISSUE_LABELS } });
        }
        await edit(trx, caller, issue, { ...rest, ...(all === undefined ? {} : { labels: all }) });
      });
    },

    async start(caller: Caller, id: number) {
      await change(caller, id, async (trx, issue) => {
        const status = statusAfter(issue, 'start');
        await trx.updateTable('issues').set({ status }).where('id', '=', id).execute();
        await addEvent(trx, caller, id, 'started');
        await storeTimes(trx, issue);
        await logIssue(trx, caller, issue, { before: { status: issue.status }, after: { status } });
      });
    },

    async close(caller: Caller, id: number, entered: Closing) {
      await change(caller, id, (trx, issue) => end(trx, caller, issue, entered), entered.body);
    },

    async reopen(caller: Caller, id: number) {
      await change(caller, id, async (trx, issue) => {
        const status = statusAfter(issue, 'reopen');
        const reminders = reminderValues(issue.dueAt, issue.reminded);
        await trx
          .updateTable('issues')
          .set({ status, closed_at: null, ...reminders })
          .where('id', '=', id)
          .execute();
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
          statusAfter(issue, 'comment');
          const added = await addComment(trx, caller, issue, entered);
          if (!entered.internal) await reporters.announce(trx, issue.id, 'answered');
          await storeTimes(trx, issue);
          await logIssue(trx, caller, issue, { after: { comment: added, internal: entered.internal ?? false } });
          return added;
        },
        entered.body,
      );
      return { id: entryId };
    },

    /** Changes a comment of the caller. The former text is kept. */
    async editComment(caller: Caller, id: number, entryId: number, entered: unknown) {
      await change(
        caller,
        id,
        async (trx, issue) => {
          const { text: body } = await takeIssueFiles(trx, caller, issue, requireText(entered));
          const entry = await trx
            .selectFrom('issue_entries')
            .select(['user_id', 'body', 'edits', 'at', 'edited_at'])
            .where('id', '=', entryId)
            .where('issue_id', '=', id)
            .where('event', 'is', null)
            .forUpdate()
            .executeTakeFirst();
          if (!entry?.body) throw new Problem('issueCommentGone');
          if (entry.user_id !== caller.userId) throw new Problem('issueCommentForeign');
          if (JSON.stringify(cleanContent(entry.body)) === JSON.stringify(body)) return;
          const version = entry.edits + 1;
          await trx
            .insertInto('issue_comment_versions')
            .values({
              ...{ entry_id: entryId, version, body: JSON.stringify(entry.body) },
              written_at: entry.edited_at ?? entry.at,
            })
            .execute();
          await trx
            .updateTable('issue_entries')
            .set({ body: JSON.stringify(body), edits: version, edited_at: sql`clock_timestamp()` })
            .where('id', '=', entryId)
            .execute();
          await mention(trx, caller, issue, body, entryId);
          await logIssue(trx, caller, issue, {
            before: { comment: entryId, version: entry.edits },
            after: { version },
          });
        },
        entered,
      );
    },

    /** A user's own choice, which is not logged. */
    async watch(caller: Caller, id: number, watching: boolean) {
      if (watching) return await addWatchers(db, id, [caller.userId]);
      await db.deleteFrom('issue_watchers').where('issue_id', '=', id).where('user_id', '=', caller.userId).execute();
    },
  };
}

/** The customer of an issue, which never changes; empty when there is no such issue. */
async function customerOf(trx: Kysely<Database>, id: number): Promise<number[]> {
  const rows = await trx.selectFrom('issues').select('customer_id').where('id', '=', id).execute();
  return rows.map(({ customer_id }) => customer_id);
}

/** The values of an issue that users edit, with times as text; the source of its revision. */
export function editedOf(issue: Omit<IssueState, 'statusBefore' | 'reminded'>): Record<string, unknown> {
  const { title, type, priority, body, assigneeId, labels } = issue;
  const times = { occurredAt: issue.occurredAt.toISOString(), dueAt: issue.dueAt?.toISOString() ?? null };
  return { title, type, priority, body, assigneeId, labels, ...times };
}

/** The values that change, before and after. */
function changesOf(before: Record<string, unknown>, next: Record<string, unknown>) {
  const text = (value: unknown) => JSON.stringify(ordered(value));
  const names = Object.keys(next).filter((name) => text(before[name]) !== text(next[name]));
  const part = (values: Record<string, unknown>) => Object.fromEntries(names.map((name) => [name, values[name]]));
  return { before: part(before), after: part(next) };
}

/** The reminders of a due date that was set or came back. */
export function reminderValues(dueAt: Date | null, reminded: IssueState['reminded'] = null) {
  return { reminded, remind_at: nextIssueReminder(dueAt, reminded) };
}

/** @throws {Problem} fieldRequired */
export function requireTitle(entered: string): string {
  const title = entered.trim();
  if (title === '') throw new Problem('fieldRequired', { field: 'title' });
  return title;
}

/** @throws {Problem} issueAssignee if a user cannot see the issue, or the caller may not know them */
export async function requireReader(
  trx: Kysely<Database>,
  caller: Caller,
  issue: IssuePlace,
  userId: number,
): Promise<void> {
  const readers = await listReaders(trx, caller.scope, issue, { ids: [userId] });
  if (readers.length === 0) throw new Problem('issueAssignee', { field: 'assigneeId' });
}

async function nameOf(trx: Kysely<Database>, userId: number): Promise<string> {
  const user = trx.selectFrom('users').select(['user_name', 'nick_name']).where('id', '=', userId);
  const { user_name, nick_name } = await user.executeTakeFirstOrThrow();
  return nick_name || user_name;
}
