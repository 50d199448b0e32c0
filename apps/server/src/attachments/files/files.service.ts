import type { attachmentEndpoints, BodyOf, MatchingRows, QueryOf, ResultOf } from '@chargehand/contract';
import {
  contentPurpose,
  DEFAULT_FILE_LEVELS,
  deviceLevels,
  endingOf,
  foldersUpFrom,
  freeName,
  holdsAll,
  isOfOtherSite,
  levelsWithin,
  mayWriteDocument,
  meets,
  siteWithin,
} from '@chargehand/domain';
import type { Kysely } from 'kysely';
import { incomingPrefixesOf } from '../../files/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import {
  listOrder,
  MATCHING_ROWS_READ,
  matchingRows,
  pageOf,
  searchOf,
} from '../../platform/http/serve/list-queries.ts';
import { requireRevision, revisionOf } from '../../platform/http/serve/revision.ts';
import { isOfObject, requireOneSite, requireSite } from '../folders/folder-sites.ts';
import { placeOf, targetFolder } from '../folders/folders.service.ts';
import { foldersOf, readFolder } from '../folders/folders.store.ts';
import { enteredLevels } from '../levels.ts';
import { enteredName } from '../names.ts';
import { levelsOf, requireTop, requireWrite } from '../visible.ts';
import { editedOf, fileRow, isManaged, named, namedLevels, recordFile } from './file-values.ts';
import {
  type FileFilters,
  type FileRecord,
  findFile,
  listFiles,
  lockOwner,
  selectFiles,
  takenNames,
  updateFile,
} from './files.store.ts';
import type { Intake, IntakeService } from './intake.service.ts';
import { trashFile, untrashFile } from './trash.store.ts';
import { deviceOf, documentOf, issueOf, usersOf } from './uses.store.ts';

type Endpoints = typeof attachmentEndpoints;
export type FilesService = ReturnType<typeof filesService>;

/** Manages files. Every change is recorded in the action log in the same transaction. */
export function filesService(parts: {
  db: Kysely<Database>;
  intake: IntakeService;
  scanning: boolean;
  changed: (customerId: number | null) => void;
}) {
  const { db, intake, scanning, changed } = parts;

  /** Runs a change of a file under the lock of its owner, with the file as it is then. */
  async function change<T>(
    caller: Caller,
    id: number,
    run: (trx: Kysely<Database>, file: FileRecord) => Promise<T>,
  ): Promise<T> {
    const seen = await findFile(db, caller, id);
    if (!seen) throw notFound('attachment');
    const result = await db.transaction().execute(async (trx) => {
      await lockOwner(trx, seen.customerId);
      const file = await findFile(trx, caller, id);
      if (!file) throw notFound('attachment');
      requireWrite(caller, file);
      if (isManaged(file)) throw new Problem('attachmentManaged');
      return await run(trx, file);
    });
    changed(seen.customerId);
    return result;
  }

  /** Where a new file belongs, who uses it, and its levels, if the caller may add it there. */
  async function destinationOf(
    caller: Caller,
    body: BodyOf<Endpoints['registerAttachment']>,
  ): Promise<Pick<Intake, 'folderId' | 'customerId' | 'siteId' | 'levels' | 'uses' | 'draft'>> {
    const { documentId, deviceId, issueId } = body;
    if (body.draft) {
      if (!holdsAll(caller, ['auth_issue_add'])) throw new Problem('noPermission');
      const { customerId } = caller;
      return { folderId: null, customerId, levels: DEFAULT_FILE_LEVELS, uses: [], draft: true };
    }
    const issue = issueId === undefined ? null : await issueOf(db, caller.scope, issueId);
    if (issueId !== undefined && !issue) throw notFound('issue');
    if (documentId !== undefined) {
      const document = await documentOf(db, documentId);
      if (!document || !mayWriteDocument(caller, document)) throw notFound('document');
      const { customerId, readLevel: read, writeLevel: write } = document;
      const uses = [{ kind: 'document', objectId: documentId }] as const;
      if (!body.folderId) return { folderId: null, customerId, levels: { read, write, download: read }, uses };
    } else if (issue && !body.folderId) {
      const uses = [{ kind: 'issue', objectId: issue.id }] as const;
      const { customerId, siteId } = issue;
      return { folderId: null, customerId, siteId, levels: DEFAULT_FILE_LEVELS, uses };
    } else if (!holdsAll(caller, ['auth_attach'])) throw new Problem('noPermission');
    const device = deviceId === undefined ? null : await deviceOf(db, caller.scope, deviceId);
    if (deviceId !== undefined && !device) throw notFound('device');
    if (device && !meets(caller.levels, deviceLevels(ANY_MODEL).edit)) throw new Problem('noPermission');
    const place = device && !body.folderId ? { folderId: null, ...device } : await placeOf(db, caller, body);
    const folder = place.folderId === null ? null : await readFolder(db, place.folderId);
    const levels = enteredLevels(caller, body, folder && levelsOf(folder));
    const uses = [
      ...(documentId === undefined ? [] : [{ kind: 'document' as const, objectId: documentId }]),
      ...(deviceId === undefined ? [] : [{ kind: 'device' as const, objectId: deviceId }]),
      ...(issue ? [{ kind: 'issue' as const, objectId: issue.id }] : []),
    ];
    const own = device?.siteId ?? issue?.siteId ?? null;
    requireOneSite(own, folder?.siteId ?? null);
    return { ...place, siteId: own ?? place.siteId, levels, uses };
  }

  return {
    async list(
      caller: Caller,
      query: QueryOf<Endpoints['listAttachments']>,
    ): Promise<ResultOf<Endpoints['listAttachments']>> {
      const order = listOrder(query.sort, query.trash ? '-deletedAt' : 'name');
      const { items, total } = await listFiles(db, caller, filtersOf(query), order, pageOf(query));
      return { items: items.map((item) => fileRow(caller, item)), total, scanning };
    },

    /** All matching files that the caller may change, for a selection. @throws {Problem} selectionTooLarge */
    async select(caller: Caller, query: QueryOf<Endpoints['selectAttachments']>): Promise<MatchingRows> {
      return matchingRows(await selectFiles(db, caller, filtersOf(query), MATCHING_ROWS_READ));
    },

    async read(caller: Caller, id: number): Promise<ResultOf<Endpoints['readAttachment']>> {
      const file = await findFile(db, caller, id);
      if (!file) throw notFound('attachment');
      const [folders, usedBy] = await Promise.all([
        file.folderId === null ? [] : foldersOf(db, file.customerId),
        usersOf(db, caller, id),
      ]);
      const above = file.folder === null ? [] : foldersUpFrom(folders, file.folderId);
      const path = above.map((folder) => ({ id: folder.id, name: folder.name }));
      return {
        ...fileRow(caller, file),
        ...{ etag: file.etag, path: path.reverse(), usedBy, revision: revisionOf(editedOf(file)) },
      };
    },

    /** Adds an upload of the caller. */
    async register(
      caller: Caller,
      body: BodyOf<Endpoints['registerAttachment']>,
    ): Promise<{ id: number; name: string }> {
      const { key, type = body.issueId !== undefined || body.draft ? 'issue' : 'normal' } = body;
      const description = body.description?.trim() ?? '';
      if (!incomingPrefixesOf(caller.userId).some((prefix) => key.startsWith(prefix))) {
        throw new Problem('fileUnknown', { field: 'key' });
      }
      const destination = await destinationOf(caller, body);
      const { folderId, customerId } = destination;
      const name = enteredName(body.name);
      // Texts of documents show images, videos and files, each with a limit of its own (spec §9).
      const purpose = body.documentId === undefined ? undefined : contentPurpose(name);
      const entered: Intake = { ...destination, key, name, description, type, by: caller, ...(purpose && { purpose }) };
      const added = await intake.take(entered, async (trx, { id, name, siteId, size, levels }) => {
        const after = { name, type, folderId, siteId, size, description, ...namedLevels(levels) };
        await recordFile(trx, caller, 'new', { id, name, customerId, siteId }, { after });
      });
      changed(customerId);
      return { id: added.id, name: added.name };
    },

    async update(caller: Caller, id: number, entered: BodyOf<Endpoints['updateAttachment']>): Promise<void> {
      await change(caller, id, async (trx, file) => {
        requireRevision(entered.revision, editedOf(file));
        requireAlive(file);
        const folder = file.folderId === null ? null : await readFolder(trx, file.folderId);
        const name = entered.name === undefined ? file.name : renamed(file.name, enteredName(entered.name));
        const description = entered.description?.trim() ?? file.description;
        const type = entered.type ?? file.type;
        const levels = enteredLevels(caller, entered, folder && levelsOf(folder), levelsOf(file));
        const { siteId = file.siteId } = entered;
        if (siteId !== file.siteId) {
          if (await isOfObject(trx, id)) throw new Problem('attachmentSiteOfDevice', { field: 'siteId' });
          const { customerId } = file;
          await requireSite(trx, caller, { customerId, siteId, folder: folder ?? undefined, entered: siteId });
        }
        const before = editedOf(file);
        const after = editedOf({ ...file, name, description, type, siteId, ...namedLevels(levels) });
        if (JSON.stringify(before) === JSON.stringify(after)) return;
        await named(name, updateFile(trx, id, { name, description, type, siteId, levels }));
        await recordFile(trx, caller, 'edit', { ...file, name, siteId }, { before, after });
      });
    },

    async move(caller: Caller, id: number, { folderId }: { folderId: number | null }): Promise<{ name: string }> {
      const target = folderId === null ? null : await targetFolder(db, caller, folderId);
      return await change(caller, id, async (trx, file) => {
        requireAlive(file);
        if (file.folderId === folderId) return { name: file.name };
        if (target && target.customerId !== file.customerId) {
          throw new Problem('attachmentOtherCustomer', { field: 'folderId' });
        }
        if (!target) requireTop(caller, file.customerId, file.siteId);
        const folder = folderId === null ? null : await readFolder(trx, folderId);
        if (folderId !== null && !folder) throw new Problem('attachmentFolderUnknown', { field: 'folderId' });
        const place = { customerId: file.customerId, folderId };
        const name = freeName(file.name, await takenNames(trx, place, file.name, id));
        const levels = levelsWithin(levelsOf(file), folder && levelsOf(folder));
        requireOneSite(file.siteId, folder?.siteId ?? null);
        const siteId = siteWithin(file.siteId, folder?.siteId ?? null);
        await named(name, updateFile(trx, id, { name, folderId, siteId, levels }));
        const before = {
          name: file.name,
          folderId: file.folderId,
          siteId: file.siteId,
          ...namedLevels(levelsOf(file)),
        };
        const after = { name, folderId, siteId, ...namedLevels(levels) };
        await recordFile(trx, caller, 'edit', { ...file, siteId }, { before, after });
        return { name };
      });
    },

    async remove(caller: Caller, id: number): Promise<void> {
      await change(caller, id, async (trx, file) => {
        requireAlive(file);
        await trashFile(trx, id, caller.userName);
        await recordFile(trx, caller, 'delete', file, { before: { ...editedOf(file), folderId: file.folderId } });
      });
    },

    async restore(caller: Caller, id: number): Promise<ResultOf<Endpoints['restoreAttachment']>> {
      return await change(caller, id, async (trx, file) => {
        if (file.deletedAt === null) throw new Problem('attachmentNotDeleted');
        const formerly = file.folderId === null ? null : await readFolder(trx, file.folderId);
        // A file of another site returns outside of its folder, for the same readers as before.
        const folder = formerly && !isOfOtherSite(file.siteId, formerly.siteId) ? formerly : null;
        const place = { customerId: file.customerId, folderId: folder?.id ?? null };
        const name = freeName(file.name, await takenNames(trx, place, file.name, id));
        const levels = levelsWithin(levelsOf(file), folder && levelsOf(folder));
        const siteId = siteWithin(file.siteId, folder?.siteId ?? null);
        await updateFile(trx, id, { name, folderId: place.folderId, siteId, levels });
        await named(name, untrashFile(trx, id));
        const after = { folderId: place.folderId, name };
        await recordFile(trx, caller, 'edit', file, { before: { trash: true }, after: { trash: false, ...after } });
        return after;
      });
    },
  };
}

/** The levels of the rights to read and edit are the same for every device model. */
const ANY_MODEL = { parameterRead: 5, parameterWrite: 5, control: 5 } as const;

function filtersOf(query: QueryOf<Endpoints['selectAttachments']>): FileFilters {
  const { type, folderId, below, customerId, trash, deviceId, documentId, issueId } = query;
  return {
    ...{ type, folderId, below, customerId, trash, search: searchOf(query.search) },
    uploadedBy: searchOf(query.uploadedBy),
    use: useOf(deviceId, documentId, issueId),
  };
}

function useOf(deviceId: number | undefined, documentId: number | undefined, issueId: number | undefined) {
  if (deviceId !== undefined) return { kind: 'device' as const, objectId: deviceId };
  if (issueId !== undefined) return { kind: 'issue' as const, objectId: issueId };
  return documentId === undefined ? undefined : { kind: 'document' as const, objectId: documentId };
}

/** A new name, which keeps the extension, because the content was checked for it. @throws {Problem} attachmentExtension */
function renamed(current: string, name: string): string {
  const ending = endingOf(current);
  if (ending === null || endingOf(name) === ending) return name;
  throw new Problem('attachmentExtension', { field: 'name', values: { ending: `.${ending}` } });
}

function requireAlive({ deletedAt }: FileRecord): void {
  if (deletedAt !== null) throw new Problem('attachmentDeleted');
}
