import {
  type DocumentContent,
  filesOf,
  freeName,
  ISSUE_TEXT_FILES,
  issueFileStep,
  levelSuffices,
  withFiles,
} from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { Problem } from '../../platform/http/problem.ts';
import { mayDownloadManaged } from '../content/managed-files.ts';
import { levelsOf, visibleFiles } from '../visible.ts';
import { namedLevels, recordFile } from './file-values.ts';
import { type FileRecord, insertFile, insertUse, lockOwner, placeFile, readFiles, takenNames } from './files.store.ts';
import { requireSpace } from './space.ts';

/** The issue that gets files. */
interface IssueOfFiles {
  id: number;
  customerId: number;
  siteId: number | null;
}

/**
 * Locks the files of owners, always in the same order. A transaction that locks an issue and takes files calls it first:
 * an upload of a reporter locks the files before the issue.
 */
export async function lockFileOwners(trx: Kysely<Database>, customerIds: readonly number[]): Promise<void> {
  for (const id of [...new Set(customerIds)].sort((a, b) => a - b)) await lockOwner(trx, id);
}

/**
 * Gives an issue the files that the author adds to one of its texts: copies of files that the author may download, also of device
 * logs, and drafts of the author. The copies share the objects of their sources and have their levels; readers of the
 * issue may read them. Files that the text named before are not taken: saving a text gives nothing that another author
 * wrote into it.
 * @param before the text that the author changes; null: a new one
 * @returns the text with the files of the issue, and whether there are new ones
 * @throws {Problem} issueFiles, attachmentInfected, attachmentQuota
 */
export async function takeIssueFiles(
  trx: Kysely<Database>,
  author: Caller,
  issue: IssueOfFiles,
  text: DocumentContent,
  before: DocumentContent | null,
): Promise<{ text: DocumentContent; taken: number }> {
  const known = new Set(before ? filesOf(before) : []);
  const ids = filesOf(text).filter((id) => !known.has(id));
  if (ids.length === 0) return { text, taken: 0 };
  const steps = (await namedFiles(trx, author, issue.id, ids)).map((file) => ({ file, step: issueFileStep(file) }));
  const taken = steps.filter(({ step }) => step === 'copy' || step === 'move');
  if (taken.length === 0) return { text, taken: 0 };
  if (taken.length > ISSUE_TEXT_FILES) {
    throw new Problem('issueFiles', { field: 'body', values: { most: ISSUE_TEXT_FILES } });
  }
  await lockFileOwners(trx, [author.customerId, issue.customerId]);
  const copies = new Map<number, number>();
  for (const { file, step } of taken) {
    const row = await lockedFile(trx, file.id);
    if (!row) continue;
    if (row.scan === 'infected') throw new Problem('attachmentInfected', { values: { virus: row.virus ?? '' } });
    if (step === 'move') await moveToIssue(trx, author, issue, row);
    else copies.set(file.id, await copyToIssue(trx, author, issue, row));
  }
  return { text: withFiles(text, copies), taken: taken.length };
}

/**
 * Checks that the files of a new text exist. Drafts of a form that was open for too long do not.
 * @throws {Problem} fileUnknown
 */
export async function requireStoredFiles(trx: Kysely<Database>, text: DocumentContent): Promise<void> {
  const ids = filesOf(text);
  if (ids.length === 0) return;
  const { rows } = await sql`select from attachments where id = any(${ids}::bigint[]) and deleted_at is null`.execute(
    trx,
  );
  if (rows.length < new Set(ids).size) throw new Problem('fileUnknown', { field: 'body' });
}

/** What decides how files come into an issue. */
async function namedFiles(trx: Kysely<Database>, author: Caller, issueId: number, ids: readonly number[]) {
  const { rows } = await sql<{
    id: number;
    ofIssue: boolean;
    seen: boolean;
    downloadLevel: FileRecord['downloadLevel'];
    firmwareId: number | null;
    deviceLogId: number | null;
    draft: boolean;
  }>`
    select a.id, ${visibleFiles(author)} as seen, a.download_level as "downloadLevel",
           a.firmware_id as "firmwareId", a.device_log_id as "deviceLogId",
           exists (select from attachment_uses u
                    where u.attachment_id = a.id and u.ended_at is null and u.kind = 'issue' and u.object_id = ${issueId}) as "ofIssue",
           a.draft and a.uploaded_by is not distinct from ${author.userId} as draft
      from attachments a where a.id = any(${[...ids]}::bigint[]) and a.deleted_at is null
     order by a.added`.execute(trx);
  return rows.map(({ id, ofIssue, seen, draft, downloadLevel, firmwareId, deviceLogId }) => ({
    ...{ id, ofIssue, draft, ofFirmware: firmwareId !== null },
    allowed:
      seen &&
      levelSuffices(author.levels.attachment.download, downloadLevel) &&
      mayDownloadManaged(author, { firmwareId, deviceLogId }),
  }));
}

/** A file that is not deleted for good until the end of the transaction; null when it is gone or in the trash. */
async function lockedFile(trx: Kysely<Database>, id: number): Promise<FileRecord | null> {
  await sql`select from attachments where id = ${id} for key share`.execute(trx);
  const [file] = await readFiles(trx, [id]);
  return file && file.deletedAt === null ? file : null;
}

async function copyToIssue(trx: Kysely<Database>, by: Caller, issue: IssueOfFiles, file: FileRecord): Promise<number> {
  const { customerId, siteId } = issue;
  const { description, size, mediaType, objectKey, etag, scan } = file;
  await requireSpace(trx, customerId, size);
  const name = freeName(file.name, await takenNames(trx, { customerId, folderId: null }, file.name));
  const levels = levelsOf(file);
  const id = await insertFile(trx, {
    ...{ folderId: null, customerId, siteId, name, description, size, mediaType, objectKey, etag, levels, scan },
    ...{ type: 'issue', uploadedBy: by.userId, uploadedByName: by.userName },
  });
  await insertUse(trx, id, 'issue', issue.id);
  const after = { name, type: 'issue', size, copyOf: file.name, ...namedLevels(levels) };
  await recordFile(trx, by, 'new', { id, name, customerId, siteId }, { after });
  return id;
}

async function moveToIssue(trx: Kysely<Database>, by: Caller, issue: IssueOfFiles, file: FileRecord): Promise<void> {
  const { customerId, siteId } = issue;
  const { id } = file;
  if (file.customerId !== customerId) await requireSpace(trx, customerId, file.size);
  const name = freeName(file.name, await takenNames(trx, { customerId, folderId: null }, file.name, id));
  await placeFile(trx, id, { customerId, siteId, name });
  await insertUse(trx, id, 'issue', issue.id);
  const before = { name: file.name, customerId: file.customerId, siteId: file.siteId };
  await recordFile(trx, by, 'edit', { id, name, customerId, siteId }, { before, after: { name, customerId, siteId } });
}
