import { type DocumentContent, isEmptyContent, mentionedUsers, storedContent } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import { takeIssueFiles } from '../../../attachments/index.ts';
import type { Database } from '../../../platform/database/schema.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { Problem } from '../../../platform/http/problem.ts';
import { listReaders } from '../../people/readers.store.ts';
import { type AnnouncedIssue, announceAnswer } from '../issue-notices.ts';
import { addWatchers, followersOf, type IssueState } from '../issue-state.ts';

/** A text as it is stored. @throws {Problem} fieldRequired when nothing is left of it */
export function requireText(body: unknown): DocumentContent {
  const text = storedContent(body);
  if (isEmptyContent(text)) throw new Problem('fieldRequired', { field: 'body' });
  return text;
}

/**
 * Adds a comment: its author and those it mentions watch the issue from then on, and those who follow it learn of it.
 * Mentions of users who cannot see the issue stay text. A request key is stored once in an issue.
 * @returns the id of the comment
 */
export async function addComment(
  trx: Kysely<Database>,
  caller: Caller,
  issue: IssueState,
  entered: {
    body: unknown;
    internal?: boolean | undefined;
    reportId?: number | undefined;
    quotes?: number | undefined;
    requestKey?: string | undefined;
  },
): Promise<number> {
  const { text: body } = await takeIssueFiles(trx, caller, issue, requireText(entered.body), null);
  const { requestKey, reportId } = entered;
  if (reportId !== undefined) await requireReport(trx, issue.id, reportId);
  const data = {
    ...(requestKey === undefined ? {} : { requestKey }),
    ...(reportId === undefined ? {} : { toReportId: reportId }),
  };
  if (entered.quotes !== undefined) await requireComment(trx, issue.id, entered.quotes);
  const { id } = await trx
    .insertInto('issue_entries')
    .values({
      ...{ issue_id: issue.id, event: null, user_id: caller.userId, user_name: caller.userName },
      data: Object.keys(data).length === 0 ? null : JSON.stringify(data),
      ...{ body: JSON.stringify(body), internal: isInternal(entered), quotes: entered.quotes ?? null },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const followers = await followersOf(trx, issue.id);
  const mentioned = await mention(trx, caller, issue, body, id);
  await addWatchers(trx, issue.id, [caller.userId]);
  const others = followers.filter((user) => !mentioned.includes(user));
  await announceAnswer(trx, issue, 'comment', id, { actorId: caller.userId, userIds: others });
  return id;
}

/** True for a comment that only users of the console read: each one, unless somebody outside was chosen. */
export function isInternal(entered: { internal?: boolean | undefined; reportId?: number | undefined }): boolean {
  return entered.reportId === undefined && entered.internal !== false;
}

/** @throws {Problem} issueReporter if the report belongs neither to the issue nor to one that was merged into it */
async function requireReport(trx: Kysely<Database>, issueId: number, reportId: number): Promise<void> {
  const { rows } = await sql`
    with recursive merged as (
      select ${issueId}::int as id union select i.id from issues i join merged m on i.merged_into = m.id
    )
    select from issue_reports where id = ${reportId} and issue_id in (select id from merged)`.execute(trx);
  if (rows.length === 0) throw new Problem('issueReporter', { field: 'reportId' });
}

/** The comment that a user added to an issue with a key. */
export async function commentedWith(
  trx: Kysely<Database>,
  { userId }: Pick<Caller, 'userId'>,
  issueId: number,
  requestKey: string,
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select id from issue_entries
     where issue_id = ${issueId} and data ->> 'requestKey' = ${requestKey} and user_id = ${userId}`.execute(trx);
  return rows[0]?.id;
}

/**
 * Tells the users that a text mentions, and makes them watch the issue. `entryId` is the comment, 0 for the description.
 * @returns their ids
 */
export async function mention(
  trx: Kysely<Database>,
  caller: Caller,
  issue: AnnouncedIssue,
  body: DocumentContent,
  entryId: number,
): Promise<number[]> {
  const named = mentionedUsers(body);
  if (named.length === 0) return [];
  const readers = await listReaders(trx, caller, issue, { ids: named });
  const ids = readers.map(({ id }) => id);
  await addWatchers(trx, issue.id, ids);
  await announceAnswer(trx, issue, 'mention', entryId, { actorId: caller.userId, userIds: ids });
  return ids;
}

/** @throws {Problem} fieldReference if there is no such comment in the issue */
async function requireComment(trx: Kysely<Database>, issueId: number, id: number): Promise<void> {
  const found = await trx
    .selectFrom('issue_entries')
    .select('id')
    .where('id', '=', id)
    .where('issue_id', '=', issueId)
    .where('event', 'is', null)
    .executeTakeFirst();
  if (!found) throw new Problem('issueQuote', { field: 'quotes' });
}
