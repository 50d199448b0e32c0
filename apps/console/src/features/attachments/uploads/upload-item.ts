import type { AttachmentType, FileFault } from '@chargehand/domain';

/** What identifies a local file across a reload. */
export interface FileIdentity {
  name: string;
  /** bytes */
  size: number;
  lastModified: number;
}

/** Where an upload goes. */
export interface UploadTarget {
  /** null: the top level */
  folderId: number | null;
  /** whose files these become; null: the platform's; omitted: the customer of the user */
  customerId?: number | null;
  /** the name of the folder, to show it */
  folderName: string;
  type: AttachmentType;
}

export type UploadState =
  | 'waiting'
  | 'sending'
  /** stored, and being registered */
  | 'saving'
  /** the connection is lost: it continues by itself */
  | 'interrupted'
  | 'paused'
  /** after a reload: the browser may not read the file until the user allows it or chooses it again */
  | 'fileMissing'
  | 'done'
  | 'failed';

/**
 * Why an upload failed: a fault of the file, `changed` while it was read, only so many `free` bytes for it, or the
 * message of the server.
 */
export type UploadFault = { fault: FileFault | 'changed' | 'failed' } | { free: number } | { message: string };

/** One file in the list of uploads. */
export interface UploadItem extends FileIdentity {
  id: string;
  target: UploadTarget;
  state: UploadState;
  /** bytes */
  sent: number;
  problem: UploadFault | null;
  /** the name of the attachment, which differs if the folder had a file with this name */
  savedAs: string | null;
  /** after a reload: the browser can open the file when the user allows it */
  reopens: boolean;
}

export function isSameFile(one: FileIdentity, other: FileIdentity): boolean {
  return one.name === other.name && one.size === other.size && one.lastModified === other.lastModified;
}

/** The uploads as a whole: bytes of all files that are not failed, and how many files are in which state. */
export function totalOf(items: readonly UploadItem[]): {
  sent: number;
  size: number;
  done: number;
  failed: number;
  /** not finished, and not failed */
  open: number;
} {
  const total = { sent: 0, size: 0, done: 0, failed: 0, open: 0 };
  for (const { state, sent, size } of items) {
    if (state === 'failed') {
      total.failed += 1;
      continue;
    }
    total.size += size;
    total.sent += state === 'done' ? size : Math.min(sent, size);
    if (state === 'done') total.done += 1;
    else total.open += 1;
  }
  return total;
}
