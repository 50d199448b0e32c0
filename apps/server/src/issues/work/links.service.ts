import type { IssueLink } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { explained } from '../../platform/database/violations.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import type { IssueChanges } from '../issue-changes.ts';
import { EXPLANATIONS } from '../tables.ts';
import { addEvent, addWatchers, type IssueState, lockIssue, lockIssues, logIssue, storeTimes } from './issue-state.ts';
import { reminderValues } from './issue-values.ts';
import { deleteLink, insertLink, leadsTo, lockLinks } from './links.store.ts';
import { storeMerge, touchIssues, updateIssue, watchersOf } from './work.store.ts';

export type LinksService = ReturnType<typeof linksService>;

/**
 * Links between issues, and merging duplicates. A merged issue keeps its own timeline, which the other one shows too, so
 * that unmerging only removes the relation.
 */
export function linksService({ db, changes }: { db: Kysely<Database>; changes: IssueChanges }) {
  /** Runs a change of two issues, which are locked. */
  async function between<T>(
    caller: Caller,
    id: number,
    otherId: number,
    run: (trx: Kysely<Database>, issue: IssueState, other: IssueState) => Promise<T>,
  ): Promise<T> {
    if (id === otherId) throw new Problem('issueSelf', { field: 'issueId' });
    const { result, both } = await db.transaction().execute(async (trx) => {
      const locked = await lockIssues(trx, caller, [id, otherId]);
      const [issue, other] = [locked.get(id), locked.get(otherId)];
      if (!issue || !other) throw notFound('issue');
      const result = await run(trx, issue, other);
      await touchIssues(trx, [id, otherId]);
      return { result, both: [issue, other] };
    });
    for (const issue of both) await changes.changed(issue);
    return result;
  }

  return {
    async link(caller: Caller, id: number, { issueId, kind }: { issueId: number; kind: IssueLink }) {
      return await between(caller, id, issueId, async (trx, issue) => {
        await lockLinks(trx);
        if (await leadsTo(trx, kind, issueId, id)) throw new Problem('issueLinkCycle', { field: 'issueId' });
        const linkId = await explained(insertLink(trx, { id, issueId, kind }), EXPLANATIONS);
        await addEvent(trx, caller, id, 'linked', { kind, otherId: issueId });
        await logIssue(trx, caller, issue, { after: { link: kind, issueId } });
        return { linkId };
      });
    },

    /** Removes a link of an issue, from either end. */
    async unlink(caller: Caller, id: number, linkId: number) {
      const issue = await db.transaction().execute(async (trx) => {
        const issue = await lockIssue(trx, caller, id);
        const link = await deleteLink(trx, id, linkId);
        if (!link) throw notFound('issueLink');
        await addEvent(trx, caller, id, 'unlinked', { kind: link.kind, otherId: link.otherId });
        await logIssue(trx, caller, issue, { before: { link: link.kind, issueId: link.otherId } });
        await touchIssues(trx, [id]);
        return issue;
      });
      await changes.changed(issue);
    },

    /** Merges an issue into another one. Neither may be merged itself, so that no circle can arise. */
    async merge(caller: Caller, id: number, into: number) {
      await between(caller, id, into, async (trx, issue, other) => {
        if (issue.mergedInto !== null || other.mergedInto !== null) throw new Problem('issueMerged');
        if (issue.customerId !== other.customerId) throw new Problem('issueOtherCustomer', { field: 'issueId' });
        await storeMerge(trx, issue, into);
        await addWatchers(trx, into, await watchersOf(trx, id));
        await addEvent(trx, caller, id, 'merged', { otherId: into });
        await addEvent(trx, caller, into, 'mergedHere', { otherId: id });
        await logIssue(trx, caller, issue, { before: { mergedInto: null }, after: { mergedInto: into } });
      });
    },

    /** Gives a merged issue its former status back. */
    async unmerge(caller: Caller, id: number) {
      const issue = await db.transaction().execute(async (trx) => {
        const issue = await lockIssue(trx, caller, id);
        if (issue.mergedInto === null || issue.statusBefore === null) throw new Problem('issueNotMerged');
        const status = issue.statusBefore;
        const open = { closed_at: null, ...reminderValues(issue.dueAt, issue.reminded) };
        await updateIssue(trx, id, {
          merged_into: null,
          status_before: null,
          status,
          ...(status === 'closed' ? {} : open),
        });
        await addEvent(trx, caller, id, 'unmerged', { otherId: issue.mergedInto });
        await addEvent(trx, caller, issue.mergedInto, 'unmergedHere', { otherId: id });
        await storeTimes(trx, issue);
        await logIssue(trx, caller, issue, { before: { mergedInto: issue.mergedInto }, after: { mergedInto: null } });
        await touchIssues(trx, [id, issue.mergedInto]);
        return issue;
      });
      await changes.changed(issue);
      if (issue.mergedInto !== null) await changes.changed({ ...issue, id: issue.mergedInto });
    },
  };
}
