import type { AttachmentType, FileFault, UploadProgress, UploadState } from '@chargehand/domain';

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

/**
 * Why an upload failed: a fault of the file, `changed` while it was read, only so many `free` bytes for it, or the
 * message of the server.
 */
export type UploadFault = { fault: FileFault | 'changed' | 'failed' } | { free: number } | { message: string };

/** One file in the list of uploads. */
export interface UploadItem extends FileIdentity, UploadProgress<UploadFault> {
  id: string;
  target: UploadTarget;
  /** after a reload: the browser can open the file when the user allows it */
  reopens: boolean;
}

/** Files with the same text may be the same, see `isSameFile`. */
export function identityOf({ name, size, lastModified }: FileIdentity): string {
  return `${size} ${lastModified} ${name}`;
}

export function isSameFile(one: FileIdentity, other: FileIdentity): boolean {
  return one.name === other.name && one.size === other.size && one.lastModified === other.lastModified;
}

/** The uploads as a whole. */
export interface UploadTotal {
  /** bytes of all files that are not failed */
  sent: number;
  size: number;
  /** how many files are in which state */
  counts: Partial<Record<UploadState, number>>;
  done: number;
  failed: number;
  /** not finished, and not failed */
  open: number;
}

export function totalOf(items: readonly UploadItem[]): UploadTotal {
  const total: UploadTotal = { sent: 0, size: 0, counts: {}, done: 0, failed: 0, open: 0 };
  for (const { state, sent, size } of items) {
    total.counts[state] = (total.counts[state] ?? 0) + 1;
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
