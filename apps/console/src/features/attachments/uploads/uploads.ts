import { type UploadEvent, uploadAllows } from '@chargehand/domain';
import { randomId } from '../../../shared/lib/browser/random-id.ts';
import { type StoredParts, storedBytes } from '../../../shared/storage/resumable.ts';
import { PART_BYTES } from '../../../shared/storage/s3-upload.ts';
import type { UploadRecord, UploadRecords } from './records.ts';
import { type FileIdentity, isSameFile, type UploadFault, type UploadItem, type UploadTarget } from './upload-item.ts';
import { uploadList } from './upload-list.ts';

/**
 * How many files are sent at the same time. A browser has six connections to a server, of which the live stream and
 * other calls need two. A file in parts counts twice, because it sends three parts at a time.
 */
const PARALLEL_FILES = 4;
const WEIGHT_IN_PARTS = 2;
/** The pause after a lost connection; it doubles up to `2 ** MOST_DOUBLINGS` times. */
const RETRY_MS = 1_000;
const MOST_DOUBLINGS = 4;

/** A file to upload, with a handle where the browser can open the file again after a reload. */
export interface ChosenFile {
  file: File;
  handle?: FileSystemFileHandle | null;
}

/** What the queue uses of the outside. */
export interface UploadParts {
  /** Uploads a file and returns its key. @throws the signal's reason when it was paused */
  put(
    file: File,
    options: {
      signal: AbortSignal;
      stored: StoredParts | null;
      onSent(bytes: number): void;
      onStored(stored: StoredParts): void;
    },
  ): Promise<string>;
  /** Deletes the stored parts of a cancelled upload. */
  discard(stored: StoredParts): Promise<void>;
  /** Why a file is not accepted, null when it is. `onTheWay`: the bytes that other uploads of its customer will add. */
  check(file: File, target: UploadTarget, onTheWay: () => number): Promise<UploadFault | null>;
  /** Makes an uploaded object an attachment. Returns the name that it was given. */
  save(item: UploadItem, key: string): Promise<{ name: string }>;
  records: UploadRecords;
  /** Reserves an upload for this tab. False when another tab has it. */
  claim(id: string): Promise<boolean>;
  /** Waits. @throws the signal's reason */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  /** `connection`: worth another attempt. `restart`: the uploaded object is gone. */
  failureOf(error: unknown, file: File | null): Promise<'connection' | { problem: UploadFault; restart?: boolean }>;
}

/** What belongs to an item and is not shown. */
interface Work {
  file: File | null;
  handle: FileSystemFileHandle | null;
  stored: StoredParts | null;
  /** of the current attempt */
  control: AbortController | null;
  /** how many of `PARALLEL_FILES` it takes */
  weight: number;
  /** keeps the order of writes to the record */
  written: Promise<void>;
}

export type Uploads = ReturnType<typeof createUploads>;

/**
 * The uploads of one user: a queue that survives lost connections and reloads. `@uppy/core`
 * and its S3 plugin would replace the sending of parts (`shared/storage`), but not what this file is about: quotas,
 * folders, registration in batches, and one state for all tabs.
 */
export function createUploads(parts: UploadParts) {
  const list = uploadList();
  const works = new Map<string, Work>();
  /** the sum of the weights of what is being sent */
  let busy = 0;
  /** Files are checked one after the other, so that each is compared with the space that the others leave. */
  let checked: Promise<unknown> = Promise.resolve();

  const find = list.get;
  const happens = (id: string, event: UploadEvent<UploadFault>) => list.step(id, event);

  /** What remains of an attempt that ended: bytes on the way do not count, because they are sent again. */
  function keptBytes({ id, size }: UploadItem): number {
    const stored = works.get(id)?.stored;
    return stored ? storedBytes(stored, { size }) : 0;
  }

  /** Writes what a reload needs. */
  function record({ id, name, size, lastModified, target }: UploadItem, work: Work): void {
    const { stored, handle } = work;
    const entry: UploadRecord = { id, name, size, lastModified, target, stored, handle, at: Date.now() };
    work.written = work.written.then(() => parts.records.put(entry));
  }

  function forget(id: string): void {
    const work = works.get(id);
    works.delete(id);
    void (work?.written ?? Promise.resolve()).then(() => parts.records.remove(id));
  }

  /** Starts waiting items, in their order, while there is room. */
  function pump(): void {
    for (const id of list.waiting()) {
      if (busy >= PARALLEL_FILES) return;
      const item = find(id);
      if (item && works.get(id)?.control === null) void run(id, item.size > PART_BYTES ? WEIGHT_IN_PARTS : 1);
    }
  }

  /** Gives the place of what is not sent any more to the next file. */
  function release(work: Work): void {
    busy -= work.weight;
    work.weight = 0;
  }

  async function run(id: string, weight: number): Promise<void> {
    const work = works.get(id);
    const first = find(id);
    if (!work || !first) return;
    const control = new AbortController();
    work.control = control;
    work.weight = weight;
    busy += weight;
    try {
      for (let failures = 0; ; failures += 1) {
        try {
          await attempt(first, work, control.signal, () => {
            failures = 0;
          });
          return;
        } catch (error) {
          if (control.signal.aborted) return;
          const failure = await parts.failureOf(error, work.file);
          if (control.signal.aborted) return;
          if (failure !== 'connection') {
            if (failure.restart) work.stored = null;
            happens(id, { type: 'failed', kept: keptBytes(first), problem: failure.problem });
            return;
          }
          happens(id, { type: 'lostConnection', kept: keptBytes(first) });
          // Rejected when the upload is paused or cancelled, which is checked below.
          await parts.wait(RETRY_MS * 2 ** Math.min(failures, MOST_DOUBLINGS), control.signal).catch(() => undefined);
          if (control.signal.aborted) return;
        }
      }
    } finally {
      // Paused and continued meanwhile: a later attempt runs already.
      if (work.control === control) {
        work.control = null;
        release(work);
      }
      pump();
    }
  }

  /** Checks a file, and starts it when it is accepted. */
  function begin(item: UploadItem, file: File, signal: AbortSignal): Promise<UploadFault | null> {
    const check = checked.then(async () => {
      if (signal.aborted) return null;
      const problem = await parts.check(file, item.target, () => list.onTheWay(item.target.customerId));
      if (!signal.aborted) happens(item.id, problem ? { type: 'failed', kept: 0, problem } : { type: 'began' });
      return problem;
    });
    // Its caller handles the failure. The next file is checked after it.
    checked = check.catch(() => undefined);
    return check;
  }

  async function attempt(item: UploadItem, work: Work, signal: AbortSignal, onProgress: () => void): Promise<void> {
    const { id } = item;
    const { file } = work;
    let key = work.stored?.complete ? work.stored.key : null;
    if (key === null) {
      if (!file) {
        happens(id, { type: 'lostFile' });
        return;
      }
      if (work.stored !== null) happens(id, { type: 'began' });
      else if ((await begin(item, file, signal)) !== null) return;
      if (signal.aborted) return;
      key = await parts.put(file, {
        signal,
        stored: work.stored,
        onSent: (bytes) => happens(id, { type: 'sent', bytes }),
        onStored(stored) {
          onProgress();
          work.stored = stored;
          if (works.has(id)) record(item, work);
        },
      });
      signal.throwIfAborted();
    }
    happens(id, { type: 'stored' });
    // The next file is sent while this one is registered.
    release(work);
    pump();
    const { name } = await parts.save(item, key);
    forget(id);
    happens(id, { type: 'saved', name });
  }

  function enqueue(item: UploadItem, work: Omit<Work, 'control' | 'weight' | 'written'>): void {
    works.set(item.id, { ...work, control: null, weight: 0, written: Promise.resolve() });
    list.add(item);
  }

  /** Continues an upload with the file that the user chose again. False when it is another file. */
  function giveFile(id: string, { file, handle = null }: ChosenFile): boolean {
    const item = find(id);
    const work = works.get(id);
    if (!item || !work || !isSameFile(item, file)) return false;
    work.file = file;
    work.handle = handle ?? work.handle;
    happens(id, { type: 'gotFile' });
    pump();
    return true;
  }

  return {
    items: list.items,

    /** Queues files. A file whose upload was interrupted by a reload is continued. */
    add(files: readonly ChosenFile[], target: UploadTarget): void {
      for (const chosen of files) {
        const { file, handle = null } = chosen;
        const left = list.missing(file, target);
        if (left && giveFile(left.id, chosen)) continue;
        const item = itemOf({ name: file.name, size: file.size, lastModified: file.lastModified }, target);
        enqueue(item, { file, handle, stored: null });
        const work = works.get(item.id)!;
        void parts.claim(item.id);
        record(item, work);
      }
      pump();
    },

    /** Shows the uploads that a reload or a crash interrupted. Those whose file can be read continue. */
    async restore(): Promise<void> {
      for (const entry of await parts.records.all()) {
        if (works.has(entry.id) || !(await parts.claim(entry.id))) continue;
        const { id, name, size, lastModified, target, stored, handle } = entry;
        const file = stored?.complete ? null : await reopened(handle, false);
        const ready = stored?.complete === true || (file !== null && isSameFile(entry, file));
        const item = itemOf({ name, size, lastModified }, target, id);
        const sent = stored ? storedBytes(stored, { size }) : 0;
        enqueue(
          { ...item, sent, state: ready ? 'waiting' : 'fileMissing', reopens: handle !== null },
          { file: ready ? file : null, handle, stored },
        );
      }
      pump();
    },

    /** Opens the file of an interrupted upload again, with the user's permission. False when it has to be chosen. */
    async reopen(id: string): Promise<boolean> {
      const work = works.get(id);
      const file = work && (await reopened(work.handle, true));
      if (file && giveFile(id, { file })) return true;
      list.change(id, { reopens: false });
      return false;
    },

    giveFile,

    pause(id: string): void {
      const item = find(id);
      if (!item || !uploadAllows(item.state, 'paused')) return;
      works.get(id)?.control?.abort();
      happens(id, { type: 'paused', kept: keptBytes(item) });
    },

    /** Continues a paused or failed upload, or tries again without waiting for the connection. */
    resume(id: string): void {
      const item = find(id);
      const work = works.get(id);
      if (!item || !work || !uploadAllows(item.state, 'resumed')) return;
      work.control?.abort();
      if (work.control) release(work);
      work.control = null;
      happens(id, { type: 'resumed' });
      pump();
    },

    /** Cancels an upload and deletes what was stored. */
    cancel(id: string): void {
      const work = works.get(id);
      work?.control?.abort();
      if (work?.stored) void parts.discard(work.stored);
      forget(id);
      list.remove([id]);
      pump();
    },

    /** Removes finished uploads from the list. */
    clear(): void {
      list.remove(list.items.get().flatMap(({ id, state }) => (state === 'done' ? id : [])));
    },

    /** Ends everything without deleting anything, when the user changes. */
    stop(): void {
      for (const { control } of works.values()) control?.abort();
      works.clear();
      list.clear();
    },
  };
}

function itemOf({ name, size, lastModified }: FileIdentity, target: UploadTarget, id: string = randomId()): UploadItem {
  const none = { sent: 0, problem: null, savedAs: null, reopens: false };
  return { id, name, size, lastModified, target, state: 'waiting', ...none };
}

/** What TypeScript does not know yet of a handle. Only Chromium has it. */
interface PermittedHandle extends FileSystemFileHandle {
  queryPermission?(): Promise<PermissionState>;
  requestPermission?(): Promise<PermissionState>;
}

/** The file of a handle; null without permission, or when the file is gone. */
async function reopened(handle: PermittedHandle | null, ask: boolean): Promise<File | null> {
  if (!handle) return null;
  try {
    const permission = ask ? await handle.requestPermission?.() : await handle.queryPermission?.();
    return permission === undefined || permission === 'granted' ? await handle.getFile() : null;
  } catch {
    // Deleted or moved, or the browser no longer allows it: the user has to choose the file.
    return null;
  }
}
