import type { BodyOf, FolderRow, folderEndpoints, QueryOf, ResultOf, WithDates } from '@chargehand/contract';
import {
  type FileLevels,
  FOLDER_DEPTH,
  folderMoveFault,
  foldersBelow,
  foldersUpFrom,
  freeName,
  isOfOtherSite,
  levelsWithin,
  MOST_FOLDERS,
  siteWithin,
} from '@chargehand/domain';
import type { Kysely } from 'kysely';
import { logAction } from '../../audit/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import { explained } from '../../platform/database/violations.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import { requireRevision, revisionOf } from '../../platform/http/serve/revision.ts';
import type { Operation } from '../../ports/action-log.ts';
import { lockOwner } from '../files/files.store.ts';
import { enteredLevels } from '../levels.ts';
import { enteredName } from '../names.ts';
import { levelsOf, mayWrite, requireTop, requireWrite } from '../visible.ts';
import { requireOneSite, requireSite, setSite } from './folder-sites.ts';
import {
  deletedWith,
  type FolderRecord,
  findFolder,
  foldersOf,
  holdProtected,
  insertFolder,
  type ListedFolder,
  listFolders,
  raiseLevels,
  restoreFolders,
  takenFolderNames,
  trashFolders,
  updateFolder,
} from './folders.store.ts';

type Endpoints = typeof folderEndpoints;
export type FoldersService = ReturnType<typeof foldersService>;

/** Manages the tree of folders. Each change holds the lock of its owner, so that the tree never has a loop. */
export function foldersService({
  db,
  changed,
}: {
  db: Kysely<Database>;
  changed: (customerId: number | null) => void;
}) {
  /** Runs a change of a folder under the lock of its owner, with the folder as it is then. */
  async function change<T>(
    caller: Caller,
    id: number,
    run: (trx: Kysely<Database>, folder: FolderRecord) => Promise<T>,
  ): Promise<T> {
    const seen = await findFolder(db, caller, id);
    if (!seen) throw notFound('folder');
    const result = await db.transaction().execute(async (trx) => {
      await lockOwner(trx, seen.customerId);
      const folder = await findFolder(trx, caller, id);
      if (!folder) throw notFound('folder');
      requireWrite(caller, folder);
      return await run(trx, folder);
    });
    changed(seen.customerId);
    return result;
  }

  return {
    async list(caller: Caller, query: QueryOf<Endpoints['listFolders']>): Promise<ResultOf<Endpoints['listFolders']>> {
      const rows = await listFolders(db, caller, query);
      return { items: rows.map((row) => rowOf(caller, row)) };
    },

    async create(caller: Caller, entered: BodyOf<Endpoints['createFolder']>): Promise<{ id: number }> {
      const name = enteredName(entered.name);
      const parent = await placeOf(db, caller, entered);
      const { customerId } = parent;
      const id = await db.transaction().execute(async (trx) => {
        await lockOwner(trx, customerId);
        const all = await foldersOf(trx, customerId);
        if (all.length >= MOST_FOLDERS) throw tooMany();
        const above = foldersUpFrom(all, parent.folderId);
        if (parent.folderId !== null && above.length === 0) {
          throw new Problem('attachmentFolderUnknown', { field: 'folderId' });
        }
        if (above.length >= FOLDER_DEPTH) throw tooDeep();
        const levels = enteredLevels(caller, entered, above[0] ? levelsOf(above[0]) : null);
        const siteId = siteWithin(entered.siteId ?? null, above[0]?.siteId ?? null);
        await requireSite(trx, caller, { customerId, siteId, folder: above[0], entered: entered.siteId });
        const description = entered.description?.trim() ?? '';
        const folder = {
          ...{ parentId: parent.folderId, customerId, siteId, name, levels, description },
          ...{ createdBy: caller.userId, createdByName: caller.userName },
        };
        const added = await named(name, insertFolder(trx, folder));
        await recordFolder(trx, caller, 'new', { id: added, name, customerId, siteId }, { after: shownNew(folder) });
        return added;
      });
      changed(customerId);
      return { id };
    },

    async update(caller: Caller, id: number, entered: BodyOf<Endpoints['updateFolder']>): Promise<void> {
      await change(caller, id, async (trx, folder) => {
        requireRevision(entered.revision, editedOf(folder));
        requireAlive(folder);
        const all = await foldersOf(trx, folder.customerId);
        const parent = foldersUpFrom(all, folder.parentId)[0];
        const name = entered.name === undefined ? folder.name : enteredName(entered.name);
        const description = entered.description?.trim() ?? folder.description;
        const levels = enteredLevels(caller, entered, parent ? levelsOf(parent) : null, levelsOf(folder));
        const { siteId: wanted = folder.siteId } = entered;
        const siteId = siteWithin(wanted, parent?.siteId ?? null);
        const after = shown({ ...folder, name, description, siteId, ...namedLevels(levels) });
        const before = shown(folder);
        if (JSON.stringify(before) === JSON.stringify(after)) return;
        await named(name, updateFolder(trx, id, { name, description, levels }));
        await raiseLevels(trx, idsOf(foldersBelow(all, id)), levels);
        if (siteId !== folder.siteId || wanted !== siteId) {
          await requireSite(trx, caller, { customerId: folder.customerId, siteId, folder: parent, entered: wanted });
          await setSite(trx, id, folder.siteId, siteId);
        }
        await recordFolder(trx, caller, 'edit', { ...folder, name, siteId }, { before, after });
      });
    },

    async move(caller: Caller, id: number, { folderId }: BodyOf<Endpoints['moveFolder']>): Promise<void> {
      const target = folderId === null ? null : await targetFolder(db, caller, folderId);
      await change(caller, id, async (trx, folder) => {
        requireAlive(folder);
        if (folder.parentId === folderId) return;
        if (target && target.customerId !== folder.customerId) {
          throw new Problem('attachmentOtherCustomer', { field: 'folderId' });
        }
        if (!target) requireTop(caller, folder.customerId, folder.siteId);
        const all = await foldersOf(trx, folder.customerId);
        const parent = all.find((one) => one.id === folderId);
        if (folderId !== null && !parent) throw new Problem('attachmentFolderUnknown', { field: 'folderId' });
        requireOneSite(folder.siteId, parent?.siteId ?? null);
        const fault = folderMoveFault(all, id, folderId);
        if (fault === 'belowItself') throw new Problem('attachmentFolderBelowItself', { field: 'folderId' });
        if (fault === 'tooDeep') throw tooDeep();
        const below = idsOf(foldersBelow(all, id));
        await requireNoneProtected(trx, caller, below);
        await named(folder.name, updateFolder(trx, id, { parentId: folderId }));
        if (parent) await raiseLevels(trx, below, levelsOf(parent));
        if (parent) await setSite(trx, id, folder.siteId, siteWithin(folder.siteId, parent.siteId), 'folderId');
        const levels = namedLevels(levelsWithin(levelsOf(folder), parent ? levelsOf(parent) : null));
        const siteId = siteWithin(folder.siteId, parent?.siteId ?? null);
        const before = { folderId: folder.parentId, siteId: folder.siteId, ...namedLevels(levelsOf(folder)) };
        const after = { folderId, siteId, ...levels };
        await recordFolder(trx, caller, 'edit', { ...folder, siteId }, { before, after });
      });
    },

    async remove(caller: Caller, id: number): Promise<void> {
      await change(caller, id, async (trx, folder) => {
        requireAlive(folder);
        const below = idsOf(foldersBelow(await foldersOf(trx, folder.customerId), id));
        await requireNoneProtected(trx, caller, below);
        const files = await trashFolders(trx, below, caller.userName);
        await recordFolder(trx, caller, 'delete', folder, {
          before: { ...shown(folder), folders: below.length, files },
        });
      });
    },

    async restore(caller: Caller, id: number): Promise<ResultOf<Endpoints['restoreFolder']>> {
      return await change(caller, id, async (trx, folder) => {
        if (folder.deletedAt === null) throw new Problem('attachmentNotDeleted');
        const all = await foldersOf(trx, folder.customerId);
        const above = all.find((one) => one.id === folder.parentId);
        // Its folder got another site meanwhile: it returns outside of it, for the same readers as before.
        const parent = above && !isOfOtherSite(folder.siteId, above.siteId) ? above : undefined;
        const restored = await deletedWith(trx, id);
        if (all.length + restored.length > MOST_FOLDERS) throw tooMany();
        const fault = folderMoveFault([...all, ...restored], id, parent?.id ?? null);
        if (fault === 'tooDeep') throw tooDeep();
        const folderId = parent?.id ?? null;
        const place = { customerId: folder.customerId, parentId: folderId };
        const name = freeName(folder.name, await takenFolderNames(trx, place, folder.name));
        await updateFolder(trx, id, { name, parentId: folderId });
        const ids = await restoreFolders(trx, id);
        if (parent) await raiseLevels(trx, ids, levelsOf(parent));
        if (parent) await setSite(trx, id, folder.siteId, siteWithin(folder.siteId, parent.siteId));
        const after = { folderId, name };
        await recordFolder(trx, caller, 'edit', folder, { before: { trash: true }, after: { trash: false, ...after } });
        return after;
      });
    },
  };
}

/** Where a new file or folder belongs: to the owner of its folder, or outside of folders to the entered customer. */
export async function placeOf(
  db: Kysely<Database>,
  caller: Caller,
  entered: {
    folderId?: number | null | undefined;
    customerId?: number | null | undefined;
    siteId?: number | null | undefined;
  },
): Promise<{ folderId: number | null; customerId: number | null; siteId: number | null }> {
  const { folderId = null, customerId = caller.customerId, siteId = null } = entered;
  if (folderId !== null) {
    const folder = await targetFolder(db, caller, folderId);
    return { folderId, customerId: folder.customerId, siteId: folder.siteId };
  }
  requireTop(caller, customerId, siteId);
  return { folderId, customerId, siteId };
}

/** A folder to which a caller may add something. @throws {Problem} attachmentFolderUnknown, noPermission */
export async function targetFolder(db: Kysely<Database>, caller: Caller, id: number): Promise<FolderRecord> {
  const folder = await findFolder(db, caller, id);
  if (!folder || folder.deletedAt !== null) throw new Problem('attachmentFolderUnknown', { field: 'folderId' });
  requireWrite(caller, folder);
  return folder;
}

async function requireNoneProtected(trx: Kysely<Database>, caller: Caller, folderIds: readonly number[]) {
  if (await holdProtected(trx, folderIds, caller.levels.attachment.write)) {
    throw new Problem('attachmentFolderProtected');
  }
}

function requireAlive({ deletedAt }: FolderRecord): void {
  if (deletedAt !== null) throw new Problem('attachmentDeleted');
}

export function tooDeep(): Problem {
  return new Problem('attachmentFolderDeep', { values: { most: FOLDER_DEPTH } });
}

function tooMany(): Problem {
  return new Problem('attachmentFolderMany', { values: { most: MOST_FOLDERS } });
}

/** @throws {Problem} attachmentNameTaken */
function named<T>(name: string, change: Promise<T>): Promise<T> {
  return explained(change, { folders_name: ['attachmentNameTaken', 'name', { name }] });
}

function rowOf(caller: Caller, row: ListedFolder): WithDates<FolderRow> {
  return {
    ...row,
    revision: revisionOf(editedOf(row)),
    may: { write: mayWrite(caller, row) },
  };
}

function editedOf({ name, description, siteId, readLevel, writeLevel, downloadLevel }: FolderRecord) {
  return { name, description, siteId, readLevel, writeLevel, downloadLevel };
}

const shown = editedOf;

function shownNew({
  name,
  description,
  parentId,
  siteId,
  levels,
}: {
  name: string;
  description: string;
  parentId: number | null;
  siteId: number | null;
  levels: FileLevels;
}) {
  return { name, description, folderId: parentId, siteId, ...namedLevels(levels) };
}

function namedLevels({ read, write, download }: FileLevels) {
  return { readLevel: read, writeLevel: write, downloadLevel: download };
}

function idsOf(folders: readonly { id: number }[]): number[] {
  return folders.map(({ id }) => id);
}

/** Records a change of a folder in the action log. */
export async function recordFolder(
  trx: Kysely<Database>,
  caller: Caller,
  operation: Operation,
  folder: { id: number; name: string; customerId: number | null; siteId: number | null },
  values: { before?: object; after?: object },
): Promise<void> {
  const { id, name, customerId, siteId } = folder;
  const object = { objectType: 'folder' as const, objectId: String(id), objectName: name, customerId, siteId };
  await logAction(trx, caller, { operation, ...object, ...values });
}
