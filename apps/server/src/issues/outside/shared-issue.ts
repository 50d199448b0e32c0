import type { SharedIssue, WithDates } from '@chargehand/contract';
import {
  type DocumentContent,
  filesOf,
  sharePreviewOf,
  textOfContent,
  withoutMentionedNames,
} from '@chargehand/domain';
import type { Kysely } from 'kysely';
import { filesUsedBy } from '../../attachments/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import { findSharedIssue, listSharedEntries } from './shared-issue.store.ts';

/** Comments that the page of a shared issue shows. */
const SHOWN = 200;

/**
 * An issue as people outside read it: its text, its public comments from a time on, or all, and the files in them. No internal comment, no
 * evidence, no names of devices, sites and customers. Does not authorize.
 */
export async function readSharedIssue(
  db: Kysely<Database>,
  id: number,
  since: Date | null,
): Promise<Omit<WithDates<SharedIssue>, 'commentsLeft'> | null> {
  const issue = await findSharedIssue(db, id);
  if (!issue) return null;
  const [entries, used] = await Promise.all([
    listSharedEntries(db, id, since, SHOWN + 1),
    filesUsedBy(db, 'issue', id),
  ]);
  const files = new Map(used.map((file) => [file.id, file]));
  const shownFiles = (body: DocumentContent | null) =>
    (body ? filesOf(body) : []).flatMap((fileId) => {
      const file = files.get(fileId);
      return file ? [{ ...file, preview: sharePreviewOf(file.name)?.kind ?? null }] : [];
    });
  const textOf = (body: DocumentContent | null) => (body ? textOfContent(withoutMentionedNames(body)).trim() : '');
  const { key, title, type, status, deviceModel, occurredAt, createdAt, closedAt, body } = issue;
  return {
    ...{ key, title, type, status, deviceModel, text: textOf(body), files: shownFiles(body) },
    occurredAt,
    createdAt,
    closedAt,
    entries: entries
      .slice(0, SHOWN)
      .toReversed()
      .map(({ body: text, ...entry }) => ({
        ...entry,
        text: textOf(text),
        files: shownFiles(text),
      })),
    older: entries.length > SHOWN,
  };
}

/** The files that people outside may download with a shared issue. */
export async function filesOfSharedIssue(
  db: Kysely<Database>,
  id: number,
  since: Date | null,
): Promise<ReadonlySet<number>> {
  const issue = await readSharedIssue(db, id, since);
  return new Set([issue, ...(issue?.entries ?? [])].flatMap((part) => part?.files.map((file) => file.id) ?? []));
}
