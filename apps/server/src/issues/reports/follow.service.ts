import type { BodyOf, FollowedReport, publicReportEndpoints, WithDates } from '@chargehand/contract';
import {
  contentOfText,
  linesOf,
  plainTextOf,
  REPORT_LIMITS,
  reportStatus,
  withoutMentionedNames,
} from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { Problem } from '../../platform/http/problem.ts';
import { isMailAddress } from '../../platform/mail/mailbox.ts';
import type { IssueChanges } from '../issue-changes.ts';
import { announceAnswer } from '../work/issue-notices.ts';
import { followersOf, storeTimes } from '../work/issue-state.ts';
import { insertForeignComment, touchIssues } from '../work/work.store.ts';
import {
  type FollowedRecord,
  findFollowed,
  insertReply,
  listArrivedFiles,
  listConversation,
  lockReport,
  storeNotify,
  storeReplyCount,
} from './reports.store.ts';

type Endpoints = typeof publicReportEndpoints;

/** The newest messages that a reporter reads. */
const MESSAGES = 200;

export type FollowService = ReturnType<typeof followService>;

/** The report of a link. @throws {Problem} reportUnknown, whatever is wrong with the link */
export async function requireFollowed(db: Kysely<Database>, token: string): Promise<FollowedRecord> {
  const report = await findFollowed(db, token);
  if (!report) throw new Problem('reportUnknown', { field: 'f' });
  return report;
}

/** What reporters do with the secret link of their report. */
export function followService({ db, changes }: { db: Kysely<Database>; changes: IssueChanges }) {
  return {
    async read(token: string): Promise<WithDates<FollowedReport>> {
      const report = await requireFollowed(db, token);
      const [entries, files] = await Promise.all([
        listConversation(db, report, MESSAGES),
        listArrivedFiles(db, report.id),
      ]);
      const filesOf = (message: number | null) =>
        files.filter((one) => one.message === message).map(({ name }) => name);
      const { siteName, deviceName, contact } = report;
      return {
        status: reportStatus(report.status, report.remedy),
        place: siteName === null ? null : { siteName, deviceName },
        placeText: [report.sn, report.place].filter(Boolean).join(', '),
        ...{ connector: report.connector, type: report.type, notify: report.notify },
        reportedAt: report.createdAt,
        closedAt: report.status === 'closed' ? report.closedAt : null,
        hasMail: contact !== null && isMailAddress(contact),
        messages: [
          {
            ...{ id: 0, at: report.createdAt, by: 'reporter', text: report.description },
            files: filesOf(0),
          },
          ...entries.map(({ id, at, byReporter, message, body }) => ({
            ...{ id, at, by: byReporter ? ('reporter' as const) : ('staff' as const) },
            ...{ text: plainTextOf(withoutMentionedNames(body)), files: byReporter ? filesOf(message) : [] },
          })),
        ],
        repliesLeft: Math.max(0, REPORT_LIMITS.replies - report.replies),
      };
    },

    /** Adds a message of the reporter where the issue is worked on. Sending it again adds nothing. */
    async reply({ f, requestKey, message: entered }: BodyOf<Endpoints['replyToReport']>): Promise<void> {
      const text = linesOf(entered).trim();
      if (text === '') throw new Problem('fieldRequired', { field: 'message' });
      const { id, rootId } = await requireFollowed(db, f);
      const changed = await db.transaction().execute(async (trx) => {
        await lockReport(trx, { id, rootId });
        const report = await requireFollowed(trx, f);
        if (!(await insertReply(trx, id, requestKey))) return null;
        if (report.replies >= REPORT_LIMITS.replies) {
          throw new Problem('reportReplies', { values: { most: REPORT_LIMITS.replies } });
        }
        const message = report.replies + 1;
        await storeReplyCount(trx, id, message);
        const entryId = await insertForeignComment(trx, {
          issue_id: report.rootId,
          body: contentOfText(text),
          data: { reportId: id, message },
        });
        await touchIssues(trx, [report.rootId]);
        const issue = { ...report, id: report.rootId };
        await storeTimes(trx, { id: report.rootId, createdAt: report.issueCreatedAt });
        await announceAnswer(trx, issue, 'comment', entryId, { userIds: await followersOf(trx, report.rootId) });
        return issue;
      });
      if (changed) await changes.changed(changed);
    },

    /** Turns mails on or off. */
    async setNotify({ f, notify }: BodyOf<Endpoints['notifyReporter']>): Promise<void> {
      const { id, contact } = await requireFollowed(db, f);
      const mailed = notify && contact !== null && isMailAddress(contact);
      await storeNotify(db, id, mailed);
    },
  };
}
