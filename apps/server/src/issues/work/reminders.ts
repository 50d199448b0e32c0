import { issueReminder } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { announceDue } from './issue-notices.ts';
import { followersOf, type IssueState, remindedOf } from './issue-state.ts';
import { reminderValues } from './issue-values.ts';

/** Issues that are reminded of in one transaction. */
const BATCH = 50;

type DueIssue = Pick<
  IssueState,
  'id' | 'key' | 'title' | 'customerId' | 'siteId' | 'deviceId' | 'reminded' | 'assigneeId'
> & { dueAt: Date };

/**
 * Reminds of issues that are due soon or overdue, each once: their assignee, or those who follow them when nobody is
 * assigned. Issues that another transaction has locked are left for the next round.
 */
export async function remind(db: Kysely<Database>, now: Date): Promise<void> {
  for (;;) {
    const count = await db.transaction().execute(async (trx) => {
      const { rows } = await sql<DueIssue>`
        select id, issue_key(customer_id, number) as key, title, customer_id as "customerId", site_id as "siteId", device_id as "deviceId",
               due_at as "dueAt", reminded, assignee_id as "assigneeId"
          from issues where remind_at <= ${now} order by remind_at limit ${BATCH} for no key update skip locked`.execute(
        trx,
      );
      for (const issue of rows) {
        const reminder = issueReminder(issue.dueAt, issue.reminded, now);
        const reminded = reminder ?? issue.reminded;
        await trx.updateTable('issues').set(reminderValues(issue.dueAt, reminded)).where('id', '=', issue.id).execute();
        if (reminder === null) continue;
        const users = remindedOf(issue.assigneeId, await followersOf(trx, issue.id));
        await announceDue(trx, issue, reminder, issue.dueAt, users);
      }
      return rows.length;
    });
    if (count < BATCH) return;
  }
}
