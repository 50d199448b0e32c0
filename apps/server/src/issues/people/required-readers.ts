import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { Problem } from '../../platform/http/problem.ts';
import { type IssuePlace, listReaders } from './readers.store.ts';

/**
 * Users who become watchers of an issue.
 * @throws {Problem} issueWatchers if one of them cannot see the issue, or the caller may not know them
 */
export async function requireWatchers(
  trx: Kysely<Database>,
  caller: Caller,
  issue: IssuePlace,
  userIds: readonly number[],
): Promise<void> {
  if (userIds.length === 0) return;
  const readers = await listReaders(trx, caller, issue, { ids: userIds });
  if (readers.length < userIds.length) throw new Problem('issueWatchers', { field: 'watcherIds' });
}

/** @throws {Problem} issueAssignee if a user cannot see the issue, or the caller may not know them */
export async function requireReader(
  trx: Kysely<Database>,
  caller: Caller,
  issue: IssuePlace,
  userId: number,
): Promise<void> {
  const readers = await listReaders(trx, caller, issue, { ids: [userId] });
  if (readers.length === 0) throw new Problem('issueAssignee', { field: 'assigneeId' });
}
