import type { folderEndpoints, ResultOf } from '@chargehand/contract';
import {
  FOLDER_DEPTH,
  foldersBelow,
  foldersUpFrom,
  freeName,
  levelSuffices,
  levelsWithin,
  MOST_COPIED_FILES,
  MOST_FOLDERS,
  seesFilesOf,
  siteWithin,
} from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import { isManaged, namedLevels, recordFile } from '../files/file-values.ts';
import { findFile, insertFile, lockOwner, takenNames } from '../files/files.store.ts';
import { requireSpace } from '../files/space.ts';
import { placeOf, recordFolder, tooDeep } from '../folders/folders.service.ts';
import {
  type FolderRecord,
  findFolder,
  foldersOf,
  insertFolder,
  readFolder,
  takenFolderNames,
} from '../folders/folders.store.ts';
import { levelsOf } from '../visible.ts';
import { type CopiedFolder, type CopyTarget, copyFilesIn, copyFolders, lockFile, lockFilesIn } from './copies.store.ts';

export type CopiesService = ReturnType<typeof copiesService>;

/**
 * Copies files and folders. A copy shares the object of its source, so that its cost does not depend on the size, and
 * everything is copied in one transaction or nothing. A copy is never easier to read than its source.
 */
export function copiesService(parts: {
  db: Kysely<Database>;
  /** called after files were stored */
  stored: () => void;
  changed: (customerId: number | null) => void;
}) {
  const { db, stored, changed } = parts;

  return {
    async copyFile(
      caller: Caller,
      id: number,
      { folderId }: { folderId: number | null },
    ): Promise<{ id: number; name: string }> {
      const seen = await findFile(db, caller, id);
      if (!seen) throw notFound('attachment');
      const { customerId } = await placeOf(db, caller, { ...seen, folderId });
      const copy = await db.transaction().execute(async (trx) => {
        await lockOwner(trx, customerId);
        const file = (await lockFile(trx, id)) ? await findFile(trx, caller, id) : null;
        if (!file) throw notFound('attachment');
        if (file.deletedAt !== null) throw new Problem('attachmentDeleted');
        if (isManaged(file)) throw new Problem('attachmentManaged');
        if (file.scan === 'infected') throw new Problem('attachmentInfected', { values: { virus: file.virus ?? '' } });
        const folder = folderId === null ? null : await readFolder(trx, folderId);
        if (folderId !== null && folder?.customerId !== customerId) throw folderUnknown();
        await requireSpace(trx, customerId, file.size);
        const name = freeName(file.name, await takenNames(trx, { customerId, folderId }, file.name));
        const levels = levelsWithin(levelsOf(file), folder && levelsOf(folder));
        const siteId = copySite(file, customerId, folder);
        const { description, size, mediaType, type, objectKey, etag, scan } = file;
        const added = await insertFile(trx, {
          ...{ folderId, customerId, siteId, name, description, size, mediaType, type, objectKey, etag, levels, scan },
          ...{ uploadedBy: caller.userId, uploadedByName: caller.userName },
        });
        const after = { name, folderId, size, copyOf: file.name, ...namedLevels(levels) };
        await recordFile(trx, caller, 'new', { id: added, name, customerId, siteId }, { after });
        return { id: added, name };
      });
      stored();
      changed(customerId);
      return copy;
    },

    async copyFolder(
      caller: Caller,
      id: number,
      { folderId }: { folderId: number | null },
    ): Promise<ResultOf<(typeof folderEndpoints)['copyFolder']>> {
      const seen = await findFolder(db, caller, id);
      if (!seen) throw notFound('folder');
      const { customerId } = await placeOf(db, caller, { ...seen, folderId });
      const copy = await db.transaction().execute(async (trx) => {
        // Always in the same order, so that two copies between the same owners do not wait for each other.
        const owners = [...new Set([seen.customerId ?? 0, customerId ?? 0])].sort((a, b) => a - b);
        for (const owner of owners) await lockOwner(trx, owner || null);
        const source = await findFolder(trx, caller, id);
        if (!source) throw notFound('folder');
        if (source.deletedAt !== null) throw new Problem('attachmentDeleted');
        const { copied, skipped } = copiedFolders(caller, await foldersOf(trx, source.customerId), id);
        if (copied.length === 0) throw new Problem('noPermission');
        const all = await foldersOf(trx, customerId);
        const above = foldersUpFrom(all, folderId);
        if (folderId !== null && above.length === 0) throw folderUnknown();
        if (above.length + heightOf(copied, id) > FOLDER_DEPTH) throw tooDeep();
        if (all.length + copied.length > MOST_FOLDERS) {
          throw new Problem('attachmentFolderMany', { values: { most: MOST_FOLDERS } });
        }
        const found = await lockFilesIn(
          trx,
          caller,
          copied.map((folder) => folder.id),
        );
        const { files, bytes } = found;
        if (files > MOST_COPIED_FILES) {
          throw new Problem('attachmentCopyMany', { values: { files, most: MOST_COPIED_FILES } });
        }
        await requireSpace(trx, customerId, bytes);
        const taken = await takenFolderNames(trx, { customerId, parentId: folderId }, source.name);
        const name = freeName(source.name, taken);
        const levels = levelsWithin(levelsOf(source), above[0] ? levelsOf(above[0]) : null);
        const siteId = copySite(source, customerId, above[0]);
        const target = { customerId, siteId, keepsSites: customerId === source.customerId, levels, by: caller };
        const top = { parentId: folderId, customerId, siteId, name, description: source.description, levels };
        const by = { createdBy: caller.userId, createdByName: caller.userName };
        const copyId = await insertFolder(trx, { ...top, ...by });
        await copyFilesIn(trx, caller, await copyTree(trx, copied, { id, copyId }, target), target);
        const after = { name, folderId, copyOf: source.name, folders: copied.length, files, size: bytes };
        const logged = { after: { ...after, ...namedLevels(levels) } };
        await recordFolder(trx, caller, 'new', { id: copyId, name, customerId, siteId }, logged);
        return { id: copyId, name, folders: copied.length, files, skipped: skipped + found.skipped };
      });
      stored();
      changed(customerId);
      return copy;
    },
  };
}

/** A folder and those below it that a user may download, and the number of those that they only see. */
function copiedFolders(caller: Caller, all: readonly FolderRecord[], id: number) {
  const held = caller.levels.attachment;
  const kept = new Map<number, FolderRecord>();
  let skipped = 0;
  for (const folder of foldersBelow(all, id)) {
    const isReached = folder.id === id || (folder.parentId !== null && kept.has(folder.parentId));
    const isSeen = levelSuffices(held.read, folder.readLevel) && seesFilesOf(caller.scope, folder.siteId);
    if (!isReached || !isSeen) continue;
    if (levelSuffices(held.download, folder.downloadLevel)) kept.set(folder.id, folder);
    else skipped += 1;
  }
  return { copied: [...kept.values()], skipped };
}

/** How many folders are nested in each other, from the top one down. */
function heightOf(folders: readonly FolderRecord[], topId: number): number {
  const depths = new Map([[topId, 1]]);
  // Parents come before their children.
  for (const { id, parentId } of folders) if (id !== topId) depths.set(id, (depths.get(parentId ?? 0) ?? 0) + 1);
  return Math.max(...depths.values());
}

/** Copies the folders below the top one, whose copy exists, one depth after the other. */
async function copyTree(
  trx: Kysely<Database>,
  folders: readonly FolderRecord[],
  top: CopiedFolder,
  target: CopyTarget,
): Promise<CopiedFolder[]> {
  const copies = [top];
  for (let parents = [top]; parents.length > 0; ) {
    const copyIds = new Map(parents.map(({ id, copyId }) => [id, copyId]));
    const children = folders.flatMap(({ id, parentId }) => {
      const parentCopyId = id === top.id ? undefined : copyIds.get(parentId ?? 0);
      return parentCopyId === undefined ? [] : [{ id, parentCopyId }];
    });
    parents = children.length === 0 ? [] : await copyFolders(trx, children, target);
    copies.push(...parents);
  }
  return copies;
}

/** The site of a copy: that of its new folder; otherwise it keeps its own unless it goes to another customer. */
function copySite(
  source: { customerId: number | null; siteId: number | null },
  customerId: number | null,
  folder: { siteId: number | null } | null | undefined,
): number | null {
  return siteWithin(customerId === source.customerId ? source.siteId : null, folder?.siteId ?? null);
}

function folderUnknown(): Problem {
  return new Problem('attachmentFolderUnknown', { field: 'folderId' });
}
