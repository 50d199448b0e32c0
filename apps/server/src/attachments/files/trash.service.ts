import type { attachmentEndpoints, ResultOf } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import { logActions } from '../../audit/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { Problem } from '../../platform/http/problem.ts';
import type { Contents } from './contents.ts';
import { deleteTrashedFiles, deleteTrashedFolders } from './trash.store.ts';

/** Files that are deleted in one transaction. */
const BATCH = 500;

export type TrashService = ReturnType<typeof trashService>;

/** Deletes files and folders for good. */
export function trashService(parts: {
  db: Kysely<Database>;
  contents: Contents;
  changed: (customerId: number | null) => void;
}) {
  const { db, contents, changed } = parts;

  /** Deletes a batch of files with their log entries, and then their objects. */
  async function deleteBatch(caller: Caller, customerId: number | null): Promise<number> {
    const files = await db.transaction().execute(async (trx) => {
      const deleted = await deleteTrashedFiles(trx, caller, customerId, BATCH);
      const entries = deleted.map(({ id, name, size, customerId: owner, siteId }) => ({
        ...{ operation: 'delete' as const, objectType: 'attachment' as const, objectId: String(id), objectName: name },
        ...{ customerId: owner, siteId, before: { trash: true, name, size } },
      }));
      if (entries.length > 0) await logActions(trx, caller, entries);
      return deleted;
    });
    await contents.removeUnused(files.map(({ key }) => key));
    for (const owner of new Set(files.map((file) => file.customerId))) changed(owner);
    return files.length;
  }

  return {
    async empty(
      caller: Caller,
      customerId: number | null = caller.customerId,
    ): Promise<ResultOf<(typeof attachmentEndpoints)['emptyTrash']>> {
      // Only the vendor's staff changes files of the platform.
      if (customerId === null && !caller.platformVendor) throw new Problem('noPermission');
      let files = 0;
      for (let count = BATCH; count === BATCH; files += count) count = await deleteBatch(caller, customerId);
      const folders = await db.transaction().execute(async (trx) => {
        const deleted = await deleteTrashedFolders(trx, caller, customerId);
        const entries = deleted.map(({ id, name, customerId: owner, siteId }) => ({
          ...{ operation: 'delete' as const, objectType: 'folder' as const, objectId: String(id), objectName: name },
          ...{ customerId: owner, siteId, before: { trash: true, name } },
        }));
        if (entries.length > 0) await logActions(trx, caller, entries);
        return deleted;
      });
      for (const owner of new Set(folders.map((folder) => folder.customerId))) changed(owner);
      return { files, folders: folders.length };
    },
  };
}
