import type { BodyOf, issueEndpoints, ResultOf } from '@chargehand/contract';
import { ISSUE_PRIORITIES, storedContent } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import { type AttachmentsRoom, requireStoredFiles, takeIssueFiles } from '../../attachments/index.ts';
import { storedLabels } from '../../dictionaries/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { IssueChanges } from '../issue-changes.ts';
import { requireReader, requireWatchers } from '../people/required-readers.ts';
import { mention } from './comments/comments.ts';
import { announceAssigned, announceWatching } from './issue-notices.ts';
import { addWatchers, logIssue } from './issue-state.ts';
import { requireTitle } from './issue-values.ts';
import { createdWith, insertIssue, type Origin, openIssueOf, storeBody, subjectOf } from './new-issue.ts';

type Endpoints = typeof issueEndpoints;
type Entered = BodyOf<Endpoints['createSiteIssue']>;
type Created = ResultOf<Endpoints['createSiteIssue']>;

export type CreateService = ReturnType<typeof createService>;

/** Creates issues. The policy has checked what they are about. */
export function createService(parts: {
  db: Kysely<Database>;
  clock: Clock;
  changes: IssueChanges;
  attachments: Pick<AttachmentsRoom, 'settled'>;
}) {
  const { db, clock, changes, attachments } = parts;
  return async (caller: Caller, origin: Origin, entered: Entered): Promise<Created> => {
    const title = requireTitle(entered.title);
    const body = entered.body === undefined ? null : storedContent(entered.body);
    const { created, place, taken } = await db.transaction().execute(async (trx) => {
      const { requestKey } = entered;
      const sent = requestKey === undefined ? undefined : await createdWith(trx, caller, requestKey);
      if (sent) return { created: { ...sent, existing: false }, place: null, taken: 0 };
      const subject = await subjectOf(trx, origin);
      const { alarmId } = subject;
      if (alarmId !== null) {
        const open = await openIssueOf(trx, caller, alarmId);
        if (open) return { created: { ...open, existing: true }, place: null, taken: 0 };
      }
      const { assigneeId = null } = entered;
      const dueAt = entered.dueAt ? new Date(entered.dueAt) : null;
      const occurredAt = entered.occurredAt === undefined ? (subject.at ?? clock.now()) : new Date(entered.occurredAt);
      const priority = entered.priority ?? ISSUE_PRIORITIES[subject.level ?? 'OA'];
      const labels = await storedLabels(trx, entered.labels ?? []);
      const values = { title, type: entered.type, priority, body, labels, occurredAt, assigneeId, dueAt, requestKey };
      const origins = { origin: Object.keys(origin)[0]?.replace(/Id$/, '') };
      const issue = await insertIssue(trx, caller, subject, values, origins, clock.now());
      const { id, key } = issue;
      // Being entered as the assignee is no part in the issue yet.
      const unassigned = { ...issue, id: null };
      if (assigneeId !== null) await requireReader(trx, caller, unassigned, assigneeId);
      const known = [caller.userId, assigneeId];
      const watcherIds = [...new Set(entered.watcherIds)].filter((one) => !known.includes(one));
      await requireWatchers(trx, caller, unassigned, watcherIds);
      await addWatchers(trx, id, [caller.userId, ...(assigneeId === null ? [] : [assigneeId]), ...watcherIds]);
      if (body) await requireStoredFiles(trx, body);
      const files = body && (await takeIssueFiles(trx, caller, issue, body, null));
      if (files && files.text !== body) await storeBody(trx, id, files.text);
      const mentioned = files ? await mention(trx, caller, issue, files.text, 0) : [];
      const after = { title, type: entered.type, priority, occurredAt, assigneeId, dueAt, watcherIds };
      await logIssue(trx, caller, issue, { after }, 'new');
      if (assigneeId !== null && assigneeId !== caller.userId) {
        await announceAssigned(trx, issue, assigneeId, caller.userId);
      }
      const userIds = watcherIds.filter((one) => !mentioned.includes(one));
      await announceWatching(trx, issue, caller.userId, userIds);
      return { created: { id, key, existing: false }, place: issue, taken: files?.taken ?? 0 };
    });
    if (place && taken > 0) attachments.settled(place.customerId);
    if (place) await changes.changed(place);
    return created;
  };
}
