/** The most files that are taken at once: the list of uploads stays usable. */
export const MOST_FILES = 2_000;

/** A file with the folders in which it was dropped or chosen. */
export interface PlacedFile {
  file: File;
  /** opens the file again after a reload; null in browsers that have none */
  handle?: FileSystemFileHandle | null;
  path: readonly string[];
}

/** The files of a drop, with the content of dropped folders. Must be called in the event's handler. */
export async function droppedFiles(transfer: DataTransfer): Promise<PlacedFile[]> {
  // Everything is read before the first pause, because the list is empty afterwards.
  const dropped = [...transfer.items]
    .filter(({ kind }) => kind === 'file')
    .map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile(), handle: handleOf(item) }));
  const found: PlacedFile[] = [];
  for (const { entry, file, handle } of dropped) {
    if (entry?.isDirectory) await walk(entry as FileSystemDirectoryEntry, [], found);
    else if (file) found.push({ file, handle: await handle, path: [] });
  }
  return found;
}

/** The files of an input field. A chosen folder is part of their path. */
export function chosenFiles(list: FileList): PlacedFile[] {
  return [...list].map((file) => ({ file, path: file.webkitRelativePath.split('/').slice(0, -1) }));
}

async function walk(entry: FileSystemDirectoryEntry, path: readonly string[], found: PlacedFile[]): Promise<void> {
  const inside = [...path, entry.name];
  const reader = entry.createReader();
  // A browser returns the entries in portions, and nothing at the end.
  for (;;) {
    const portion = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (portion.length === 0) return;
    for (const one of portion) {
      if (found.length > MOST_FILES) return;
      if (one.isDirectory) await walk(one as FileSystemDirectoryEntry, inside, found);
      else found.push({ file: await fileOf(one as FileSystemFileEntry), path: inside });
    }
  }
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

/**
 * A handle that can be stored and opened after a reload; only Chromium has one. Without it, for example for a file of a
 * phone, the upload works, and the user chooses the file again after a reload.
 */
async function handleOf(item: DataTransferItem): Promise<FileSystemFileHandle | null> {
  const found = await (item as HandleItem).getAsFileSystemHandle?.().catch(() => null);
  return found?.kind === 'file' ? (found as FileSystemFileHandle) : null;
}

interface HandleItem {
  getAsFileSystemHandle?(): Promise<FileSystemHandle | null>;
}
