import type { Room } from '../platform/room.ts';
import { declareRoom } from '../platform/rooms/assemble.ts';
import { attachmentsRoutes } from './attachments.routes.ts';
import { contentRoutes } from './content/content.routes.ts';
import { type ContentService, contentService } from './content/content.service.ts';
import { copiesService } from './copies/copies.service.ts';
import { contentsOf } from './files/contents.ts';
import { filesService } from './files/files.service.ts';
import { type IntakeService, intakeService } from './files/intake.service.ts';
import { quotasService } from './files/quotas.service.ts';
import { announcedSpace } from './files/space.ts';
import { trashService } from './files/trash.service.ts';
import { foldersRoutes } from './folders/folders.routes.ts';
import { foldersService } from './folders/folders.service.ts';
import { linksRoutes } from './links/links.routes.ts';
import { linksService } from './links/links.service.ts';
import { scanJob } from './scan/scan.service.ts';
import { endWaiting } from './scan/scan.store.ts';
import { attachmentSweep } from './sweep.ts';
import './tables.ts';

export { mayDownloadManaged } from './content/managed-files.ts';
export { filesOfCustomer } from './files/customer-files.ts';
export { listFilesAfter } from './files/files.store.ts';
export type { Arrived, Intake } from './files/intake.service.ts';
export { lockFileOwners, requireStoredFiles, takeIssueFiles } from './files/issue-files.ts';
export { endUses, filesUsedBy, giveFiles, type UsedFile } from './files/linked-files.ts';
export { enteredName } from './names.ts';
export { visibleFiles, visibleFolders } from './visible.ts';

type AnnouncedSpace = ReturnType<typeof announcedSpace>;

export interface AttachmentsRoom extends Required<Room> {
  /** The content of a file, or a part of it. Does not authorize: its caller has done that. */
  openContent: ContentService['open'];
  /** Which of some files have no content in the object store. Does not authorize. */
  missingContents: ContentService['missing'];
  /** The files and folders directly in a folder that a user sees. Does not check that they see the folder itself. */
  folderEntries: ContentService['entries'];
  /** Makes an upload a file. Does not authorize. `record` writes the log entry in the same transaction. */
  takeIn: IntakeService['take'];
  /** True when the upload of a key is there, or an interrupted `takeIn` has moved it. */
  hasArrived: IntakeService['hasArrived'];
  /** Checks in a transaction that a customer has space for a file that is announced, with all others that are. */
  reserveSpace: AnnouncedSpace['reserveSpace'];
  /** Counts the files that a module announces, so that all modules share the same free space. */
  countAnnounced: AnnouncedSpace['countAnnounced'];
  /** Which of some files a caller may download. */
  downloads: ContentService['downloads'];
  /** Makes uploads files in a transaction of the caller: `arrive` before it, `settle` in it, `settled` after it. */
  arrive: IntakeService['arrive'];
  settle: IntakeService['settle'];
  settled(customerId: number | null): void;
  /** Removes expired files and objects without a row, as of a time. */
  clean(now: Date): Promise<void>;
}

declare module '../platform/rooms/assemble.ts' {
  interface Parts {
    attachments: AttachmentsRoom;
  }
}

/** Stored files with levels, in folders; device logs and firmware are among them. */
export const attachments = declareRoom({
  name: 'attachments',
  needs: ['db', 'pool', 'store', 'events', 'clock', 'log', 'config', 'secret', 'rightsOf'],
  provides: ['attachments'],
  async open({ config, secret, rightsOf, ...parts }) {
    const clamd = config.clamd ?? null;
    const key = await secret('download-link-key');
    const { db, pool, store, events, clock } = parts;
    const scanning = clamd !== null;
    const changed = (customerId: number | null) => {
      if (customerId === null) events.publish('platform.attachments', { id: 0 });
      else events.publish('customer.attachments', { id: customerId }, { customerId, siteId: null });
    };
    const scans = clamd && scanJob({ ...parts, clamd, changed });
    const stored = () => scans?.wake();
    const contents = contentsOf(parts);
    const intake = intakeService({ ...parts, scanning, stored });
    const copies = copiesService({ db, stored, changed });
    const content = contentService({ db, pool, store });
    const files = filesService({ db, intake, scanning, changed });
    const sweep = attachmentSweep({ ...parts, contents });
    const room: AttachmentsRoom = {
      name: 'attachments',
      role: 'jobs',
      openContent: content.open,
      missingContents: content.missing,
      folderEntries: content.entries,
      async takeIn(file, record) {
        const added = await intake.take(file, record);
        changed(file.customerId);
        return added;
      },
      hasArrived: intake.hasArrived,
      ...announcedSpace(),
      downloads: content.downloads,
      arrive: intake.arrive,
      settle: intake.settle,
      settled(customerId) {
        intake.stored();
        changed(customerId);
      },
      clean: sweep.round,
      routes(app) {
        const trash = trashService({ db, contents, changed });
        attachmentsRoutes(app, { files, copies, trash, quotas: quotasService(db) });
        foldersRoutes(app, foldersService({ db, changed }), copies);
        contentRoutes(app, content);
        linksRoutes(app, linksService({ content, clock, key, rightsOf }), content);
      },
      async start() {
        void sweep.start();
        if (scans) void scans.start();
        else await endWaiting(db);
      },
      async stop() {
        await Promise.all([sweep.stop(), scans?.stop()]);
      },
    };
    return { ...room, attachments: room };
  },
});
