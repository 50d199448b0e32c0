import type { BodyOf, Locale, publicShareEndpoints, SharedIssue, WithDates } from '@chargehand/contract';
import { lineOf, linesOf, modelNames } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import { logAction } from '../../audit/index.ts';
import { addOutsideComment, countSharedComments, readSharedIssue } from '../../issues/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import { Problem } from '../../platform/http/problem.ts';
import { inLocale } from '../../platform/xlsx/list-export.ts';
import { type Events, inTransaction } from '../../ports/events.ts';
import type { ShareChanges } from '../share-changes.ts';
import { commentsSince, lockShare } from '../shares.store.ts';
import { countUse } from './uses.store.ts';
import type { Visit } from './visitors.service.ts';

/** Comments that one share takes. */
const MOST_COMMENTS = 100;

export type IssueVisitsService = ReturnType<typeof issueVisitsService>;

/** Shared issues as visitors read them and comment on them. */
export function issueVisitsService(parts: { db: Kysely<Database>; events: Events; changes: ShareChanges }) {
  const { db, changes } = parts;

  async function read({ share }: Pick<Visit, 'share'>, locale: Locale): Promise<WithDates<SharedIssue>> {
    const stored = share.issueId === null ? null : await readSharedIssue(db, share.issueId, commentsSince(share));
    if (!stored || share.issueId === null) throw new Problem('shareFileGone');
    const { deviceModel: name } = stored;
    // The page is too small for the names of all built-in models.
    const issue = { ...stored, deviceModel: name && inLocale(modelNames(name), locale) };
    if (!share.comments) return { ...issue, commentsLeft: null };
    const written = await countSharedComments(db, share.issueId, share.id);
    return { ...issue, commentsLeft: Math.max(0, MOST_COMMENTS - written) };
  }

  return {
    /** Reads the issue in the language of the visitor, and counts that its page was opened. */
    async open(visit: Pick<Visit, 'share'>, locale: Locale): Promise<WithDates<SharedIssue>> {
      const issue = await read(visit, locale);
      if (!(await countUse(db, visit.share.id))) throw new Problem('shareUsedUp');
      changes.used(visit.share);
      return issue;
    },

    /** @throws {Problem} shareUsedUp, shareReadOnly, shareCommentsFull, fieldRequired */
    async comment(
      { share: visited, visitor, usedUp }: Visit,
      entered: BodyOf<(typeof publicShareEndpoints)['commentSharedIssue']>,
      locale: Locale,
    ): Promise<WithDates<SharedIssue>> {
      // The answer contains the whole issue.
      if (usedUp) throw new Problem('shareUsedUp');
      const name = lineOf(entered.visitorName).trim();
      const text = linesOf(entered.comment).trim();
      if (name === '') throw new Problem('fieldRequired', { field: 'visitorName' });
      if (text === '') throw new Problem('fieldRequired', { field: 'comment' });
      const { requestKey } = entered;
      const { id } = visited;
      const added = await inTransaction(parts, async (trx, committed) => {
        // Under the lock: the share may have been ended or changed since the visit was checked.
        const share = await lockShare(trx, id);
        if (!share || share.destroyedAt) throw new Problem('shareDestroyed');
        if (share.issueId === null || !share.comments) throw new Problem('shareReadOnly');
        const { issueId, recipient } = share;
        const issue = await addOutsideComment(trx, issueId, { name, text, requestKey, shareId: id, recipient });
        if (!issue) return null;
        if ((await countSharedComments(trx, issueId, id)) > MOST_COMMENTS) {
          throw new Problem('shareCommentsFull', { values: { most: MOST_COMMENTS } });
        }
        await logAction(
          trx,
          { userId: null, userName: '', address: visitor.address },
          {
            ...{ operation: 'edit', objectType: 'issue', objectId: String(issueId), objectName: share.objectName },
            ...{ customerId: issue.customerId, siteId: issue.siteId, after: { share: id, recipient, commentBy: name } },
          },
        );
        committed.publish('issue.changed', { id: issue.id }, { customerId: issue.customerId, siteId: issue.siteId });
        return issue;
      });
      if (added) changes.used(visited);
      return await read({ share: visited }, locale);
    },
  };
}
