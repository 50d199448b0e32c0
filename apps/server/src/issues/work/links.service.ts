import type { IssueLink } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { uniqueViolation } from '../../platform/database/violations.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import type { IssueChanges } from '../issue-changes.ts';
import { addEvent, addWatchers, type IssueState, lockIssue, lockIssues, logIssue, storeTimes } from './issue-state.ts';
import { reminderValues } from './issue-values.ts';

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
      await touch(trx, [id, otherId]);
      return { result, both: [issue, other] };
    });
    for (const issue of both) await changes.changed(issue);
    return result;
  }

  return {
    async link(caller: Caller, id: number, { issueId, kind }: { issueId: number; kind: IssueLink }) {
      return await between(caller, id, issueId, async (trx, issue) => {
        // Links of other issues could close a circle at the same time: one link of a kind at a time.
        await sql`select pg_advisory_xact_lock(hashtext('issue links'))`.execute(trx);
        if (await leadsTo(trx, kind, issueId, id)) throw new Problem('issueLinkCycle', { field: 'issueId' });
        const linkId = await insertLink(trx, { id, issueId, kind });
        await addEvent(trx, caller, id, 'linked', { kind, otherId: issueId });
        await logIssue(trx, caller, issue, { after: { link: kind, issueId } });
        return { linkId };
      });
    },

    /** Removes a link of an issue, from either end. */
    async unlink(caller: Caller, id: number, linkId: number) {
      const issue = await db.transaction().execute(async (trx) => {
        const issue = await lockIssue(trx, caller, id);
        const { rows } = await sql<{ kind: IssueLink; otherId: number }>`
          delete from issue_links where id = ${linkId} and ${id} in (issue_id, other_id)
          returning kind, case when issue_id = ${id} then other_id else issue_id end as "otherId"`.execute(trx);
        const [link] = rows;
        if (!link) throw notFound('issueLink');
        await addEvent(trx, caller, id, 'unlinked', { kind: link.kind, otherId: link.otherId });
        await logIssue(trx, caller, issue, { before: { link: link.kind, issueId: link.otherId } });
        await touch(trx, [id]);
        return issue;
      });
      await changes.changed(issue);
    },

    /** Merges an issue into another one. Neither may be merged itself, so that no circle can arise. */
    async merge(caller: Caller, id: number, into: number) {
      await between(caller, id, into, async (trx, issue, other) => {
        if (issue.mergedInto !== null || other.mergedInto !== null) throw new Problem('issueMerged');
        if (issue.customerId !== other.customerId) throw new Problem('issueOtherCustomer', { field: 'issueId' });
        await trx
          .updateTable('issues')
          .set({
            ...{ merged_into: into, status_before: issue.status, status: 'closed', remind_at: null },
            closed_at: sql`coalesce(closed_at, clock_timestamp())`,
          })
          .where('id', '=', id)
          .execute();
        const { rows } = await sql<{ id: number }>`
          select user_id as id from issue_watchers where issue_id = ${id}`.execute(trx);
        await addWatchers(
          trx,
          into,
          rows.map((row) => row.id),
        );
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
        await trx
          .updateTable('issues')
          .set({ merged_into: null, status_before: null, status, ...(status === 'closed' ? {} : open) })
          .where('id', '=', id)
          .execute();
        await addEvent(trx, caller, id, 'unmerged', { otherId: issue.mergedInto });
        await addEvent(trx, caller, issue.mergedInto, 'unmergedHere', { otherId: id });
        await storeTimes(trx, issue);
        await logIssue(trx, caller, issue, { before: { mergedInto: issue.mergedInto }, after: { mergedInto: null } });
        await touch(trx, [id, issue.mergedInto]);
        return issue;
      });
      await changes.changed(issue);
      if (issue.mergedInto !== null) await changes.changed({ ...issue, id: issue.mergedInto });
    },
  };
}

/** @throws {Problem} issueLinked */
async function insertLink(
  trx: Kysely<Database>,
  { id, issueId, kind }: { id: number; issueId: number; kind: IssueLink },
): Promise<number> {
  try {
    const link = trx.insertInto('issue_links').values({ issue_id: id, other_id: issueId, kind }).returning('id');
    return (await link.executeTakeFirstOrThrow()).id;
  } catch (error) {
    if (uniqueViolation(error)) throw new Problem('issueLinked', { field: 'issueId' });
    throw error;
  }
}

/** True when links of a kind lead from one issue to another. */
async function leadsTo(trx: Kysely<Database>, kind: IssueLink, from: number, to: number): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    with recursive reached as (
      select other_id as id from issue_links where issue_id = ${from} and kind = ${kind}
      union
      select l.other_id from issue_links l join reached r on l.issue_id = r.id where l.kind = ${kind}
    )
    select exists (select from reached where id = ${to}) as found`.execute(trx);
  return rows[0]?.found ?? false;
}

async function touch(trx: Kysely<Database>, ids: readonly number[]): Promise<void> {
  const values = { updated_at: sql<Date>`clock_timestamp()` };
  await trx.updateTable('issues').set(values).where('id', 'in', ids).execute();
}
