import type { Readable } from 'node:stream';
import { FILE_RULES, type FileFault, fileFault, formatSize, levelSuffices } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { UserRights } from '../access/index.ts';
import { type AttachmentsRoom, enteredName, mayDownloadManaged } from '../attachments/index.ts';
import { logAction } from '../audit/index.ts';
import type { Database } from '../platform/database/schema.ts';
import { Problem } from '../platform/http/problem.ts';
import type { ByteRange } from '../platform/objects/store.ts';
import { findFile, foldersBetween, type SharedFile, type SharedFolderEntry } from './shared-files.store.ts';
import type { ShareRecord } from './shares.store.ts';
import { announcedBytes } from './visitors/uploads.store.ts';

export type SharedFiles = ReturnType<typeof sharedFiles>;

const FAULTS = {
  nameless: 'fileNameless',
  type: 'fileType',
  content: 'fileContent',
  tooLarge: 'fileTooLarge',
  empty: 'fileEmpty',
} as const satisfies Record<FileFault, string>;

export interface SharedFilesParts {
  db: Kysely<Database>;
  attachments: Pick<
    AttachmentsRoom,
    'openContent' | 'missingContents' | 'folderEntries' | 'takeIn' | 'hasArrived' | 'reserveSpace' | 'countAnnounced'
  >;
}

/** What shares need of attachments. Shares decide themselves who may do what. */
export function sharedFiles(parts: SharedFilesParts) {
  const { db, attachments } = parts;
  attachments.countAnnounced(announcedBytes);
  return {
    /**
     * A file that is not in the trash; null when there is none. `viewer`: only when this user may see it. Without one,
     * the caller has checked that.
     */
    file: (id: number, viewer?: UserRights): Promise<SharedFile | null> => findFile(db, id, viewer),

    /** The folders from one down to another one, both included; null when it is not below, or hidden from the viewer. */
    pathBetween: (viewer: UserRights, topId: number, folderId: number) => foldersBetween(db, viewer, topId, folderId),

    /** The files and folders in a folder that a user may see, in natural order. */
    async entries(
      viewer: UserRights,
      folderId: number,
    ): Promise<{ folders: SharedFolderEntry[]; files: SharedFile[] }> {
      const found = await attachments.folderEntries(viewer, folderId);
      return {
        folders: (found?.folders ?? []).map(({ id, name, downloadLevel: level }) => ({ id, name, level })),
        files: (found?.files ?? []).map(({ downloadLevel: level, createdAt: at, ...file }) => ({
          ...{ id: file.id, name: file.name, size: file.size, etag: file.etag, scan: file.scan },
          // Files of firmware and device logs are in no folder.
          ...{ level, at, folderId, firmwareId: null, deviceLogId: null },
        })),
      };
    },

    /** The bytes of a file. @throws {Problem} if it was deleted or may not be downloaded because of a virus */
    open: async (id: number, range?: ByteRange): Promise<Readable> => (await attachments.openContent(id, range)).stream,

    /** Which of some files have no content in the object store. */
    missing: (ids: readonly number[]): Promise<Set<number>> => attachments.missingContents(ids),

    /**
     * Checks an announced file, and with `head` also the first bytes of its content. @returns its name as it is stored
     * @throws {Problem} if such a file is not accepted
     */
    requireAllowed(file: { name: string; size: number; head: Uint8Array | null }): string {
      const name = enteredName(file.name);
      const fault = fileFault({ name, size: file.size, head: file.head ?? new Uint8Array() }, 'attachment');
      if (fault === null || (fault === 'content' && file.head === null)) return name;
      const { endings, limit } = FILE_RULES.attachment;
      const values = { types: endings.join(', '), limit: formatSize(limit) };
      throw new Problem(FAULTS[fault], { field: fault === 'tooLarge' || fault === 'empty' ? 'size' : 'name', values });
    },

    /** Checks the space of the customer before a file is sent. @throws {Problem} shareSpaceFull */
    reserveSpace: (trx: Kysely<Database>, { customerId }: ShareRecord, size: number): Promise<void> =>
      asVisitorsRead(() => attachments.reserveSpace(trx, customerId, size)),

    /** True when `add` may be called for an object. */
    hasArrived: (key: string): Promise<boolean> => attachments.hasArrived(key),

    /**
     * Makes an uploaded object a file of the folder of an upload request, and removes the object. `added` runs in the
     * same transaction, with the name of the file.
     */
    async add(
      share: ShareRecord,
      creator: UserRights,
      file: { key: string; name: string; uploader: string; address: string },
      added: (trx: Kysely<Database>, name: string) => Promise<void>,
    ): Promise<void> {
      const { key, name, uploader, address } = file;
      const { folderId, customerId } = share;
      const by = { userId: null, userName: uploader || share.recipient || share.createdByName };
      await asVisitorsRead(() =>
        attachments.takeIn({ key, name, folderId, customerId, by }, async (trx, { id, name: stored, siteId }) => {
          await logAction(
            trx,
            { ...creator, address },
            {
              ...{ operation: 'new', objectType: 'attachment', objectId: String(id), objectName: stored },
              ...{ customerId, siteId },
              after: { folderId, share: share.id, uploader },
            },
          );
          await added(trx, stored);
        }),
      );
    },
  };
}

/** Visitors cannot make space themselves, so they read another message. */
async function asVisitorsRead<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'attachmentQuota') throw error;
    throw new Problem('shareSpaceFull', { field: 'size', values: error.values });
  }
}

/** Why nobody can read a file now; null when its readers can. */
export function unavailability({ scan }: SharedFile): 'waiting' | 'infected' | null {
  return scan === 'waiting' || scan === 'infected' ? scan : null;
}

/**
 * May the creator of a share pass on a file or folder that they may see? Nobody gives more than they may download
 * themselves.
 */
export function mayPassOn(creator: UserRights, object: SharedFile | SharedFolderEntry): boolean {
  const isAllowed = levelSuffices(creator.levels.attachment.download, object.level);
  return isAllowed && (!('firmwareId' in object) || mayDownloadManaged(creator, object));
}
