import { cleanContent, type DocumentContent, isEmptyContent, mentionedUsers } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import { takeIssueFiles } from '../../attachments/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { Problem } from '../../platform/http/problem.ts';
import { listReaders } from '../people/readers.store.ts';
import { type AnnouncedIssue, announceAnswer } from './issue-notices.ts';
import { addWatchers, followersOf, type IssueState } from './issue-state.ts';

/** A text as it is stored. @throws {Problem} fieldRequired when nothing is left of it */
export function requireText(body: unknown): DocumentContent {
  const text = cleanContent(body);
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
    quotes?: number | undefined;
    requestKey?: string | undefined;
  },
): Promise<number> {
  const { text: body } = await takeIssueFiles(trx, caller, issue, requireText(entered.body), null);
  if (entered.quotes !== undefined) await requireComment(trx, issue.id, entered.quotes);
  const { id } = await trx
    .insertInto('issue_entries')
    .values({
      ...{ issue_id: issue.id, event: null, user_id: caller.userId, user_name: caller.userName },
      data: entered.requestKey === undefined ? null : JSON.stringify({ requestKey: entered.requestKey }),
      ...{ body: JSON.stringify(body), internal: entered.internal ?? false, quotes: entered.quotes ?? null },
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
