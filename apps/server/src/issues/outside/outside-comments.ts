import { contentOfText, linesOf } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { announceAnswer } from '../work/issue-notices.ts';
import { followersOf } from '../work/issue-state.ts';
import { touchIssues } from '../work/work.store.ts';

/**
 * Adds a comment of somebody without an account, and announces it to those who follow the issue. The same request key
 * adds nothing again. The comment is no response, because the times of an issue measure those who work on it.
 * @returns the place of the issue; null when the comment was there already
 */
export async function addOutsideComment(
  trx: Kysely<Database>,
  issueId: number,
  entered: { name: string; text: string; requestKey: string; shareId: number; recipient: string },
): Promise<{ id: number; customerId: number; siteId: number | null } | null> {
  const { name, text, requestKey, shareId, recipient } = entered;
  const issue = await trx
    .selectFrom('issues')
    .select([
      'id',
      sql<string>`issue_key(customer_id, number)`.as('key'),
      'title',
      'customer_id as customerId',
      'site_id as siteId',
      'device_id as deviceId',
    ])
    .where('id', '=', issueId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  const { rows } = await sql<{ id: number }>`
    insert into issue_entries (issue_id, user_name, body, data)
    values (${issueId}, ${name}, ${JSON.stringify(contentOfText(linesOf(text)))},
            ${JSON.stringify({ shareId, recipient, requestKey })})
    on conflict (issue_id, (data ->> 'requestKey')) where data ->> 'requestKey' is not null do nothing
    returning id`.execute(trx);
  const [entry] = rows;
  if (!entry) return null;
  await touchIssues(trx, [issueId]);
  await announceAnswer(trx, issue, 'comment', entry.id, { userIds: await followersOf(trx, issueId) });
  return issue;
}
