import { storedContent } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import { takeIssueFiles } from '../../../attachments/index.ts';
import type { Database } from '../../../platform/database/schema.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { Problem } from '../../../platform/http/problem.ts';
import { type IssueState, logIssue } from '../issue-state.ts';
import { endRemovedFiles } from '../removed-files.ts';
import { mention, requireText } from './comments.ts';

/**
 * Changes a comment of the caller in a locked issue. The former text is kept.
 * @throws {Problem} fieldRequired, issueCommentGone, issueCommentForeign
 */
export async function editComment(
  trx: Kysely<Database>,
  caller: Caller,
  issue: IssueState,
  entryId: number,
  entered: unknown,
): Promise<void> {
  const entry = await trx
    .selectFrom('issue_entries')
    .select(['user_id', 'body', 'edits', 'at', 'edited_at'])
    .where('id', '=', entryId)
    .where('issue_id', '=', issue.id)
    .where('event', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  if (!entry?.body) throw new Problem('issueCommentGone');
  if (entry.user_id !== caller.userId) throw new Problem('issueCommentForeign');
  const before = storedContent(entry.body);
  const { text: body } = await takeIssueFiles(trx, caller, issue, requireText(entered), before);
  if (JSON.stringify(before) === JSON.stringify(body)) return;
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
  await endRemovedFiles(trx, issue.id, before, body);
  await mention(trx, caller, issue, body, entryId);
  await logIssue(trx, caller, issue, {
    before: { comment: entryId, version: entry.edits },
    after: { version },
  });
}
