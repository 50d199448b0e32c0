import { posix } from 'node:path';

/** What a device can store. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_ENTRIES = 1_000;

/** A file, or a folder when `content` is null. */
export interface Entry {
  content: Buffer | null;
  changedAt: Date;
}

/** The files of a simulated device. They are in memory: no path leads to the files of this computer. */
export class Disk {
  readonly #entries = new Map<string, Entry>();

  constructor(files: Record<string, string>) {
    this.#put('/', null);
    for (const [path, text] of Object.entries(files)) {
      let folder = '';
      for (const part of posix.dirname(path).split('/').filter(Boolean)) {
        folder += `/${part}`;
        if (!this.#entries.has(folder)) this.#put(folder, null);
      }
      this.#put(path, Buffer.from(text));
    }
  }

  /** The absolute form of a path. `..` of the root is the root. */
  static resolve(folder: string, path: string): string {
    return posix.resolve('/', folder, path);
  }

  get(path: string): Entry | undefined {
    return this.#entries.get(path);
  }

  /** The names in a folder, sorted; null if there is no such folder. */
  list(path: string): string[] | null {
    if (this.#entries.get(path)?.content !== null) return null;
    const prefix = path === '/' ? '/' : `${path}/`;
    return [...this.#entries.keys()]
      .filter((one) => one !== '/' && one.startsWith(prefix) && !one.slice(prefix.length).includes('/'))
      .map((one) => one.slice(prefix.length))
      .sort();
  }

  /** Stores a file. False when its folder is missing, it is a folder, or the disk is full. */
  write(path: string, content: Buffer): boolean {
    if (!this.#isFolder(posix.dirname(path)) || this.#entries.get(path)?.content === null) return false;
    const others = [...this.#entries].reduce((sum, [one, entry]) => sum + (one === path ? 0 : sizeOf(entry)), 0);
    if (others + content.length > MAX_BYTES || this.#isFull(path)) return false;
    this.#put(path, content);
    return true;
  }

  /** Creates a folder. False when that is not possible. */
  makeFolder(path: string): boolean {
    if (!this.#isFolder(posix.dirname(path)) || this.#entries.has(path) || this.#isFull(path)) return false;
    this.#put(path, null);
    return true;
  }

  /** Removes a file or an empty folder. False when that is not possible. */
  remove(path: string): boolean {
    if (path === '/' || (this.list(path)?.length ?? 0) > 0) return false;
    return this.#entries.delete(path);
  }

  /** Renames a file. False when that is not possible. */
  rename(from: string, to: string): boolean {
    const content = this.#entries.get(from)?.content;
    if (!content || from === to || !this.write(to, content)) return false;
    return this.#entries.delete(from);
  }

  #isFolder(path: string): boolean {
    return this.#entries.get(path)?.content === null;
  }

  #isFull(path: string): boolean {
    return this.#entries.size >= MAX_ENTRIES && !this.#entries.has(path);
  }

  #put(path: string, content: Buffer | null): void {
    this.#entries.set(path, { content, changedAt: new Date() });
  }
}

export function sizeOf({ content }: Entry): number {
  return content?.length ?? 0;
}

/** The largest file that a device can store. */
export const MAX_FILE_BYTES = MAX_BYTES;
