import type { StoredParts } from '../../../shared/storage/resumable.ts';
import type { FileIdentity, UploadTarget } from './upload-item.ts';

/** The server deletes incoming objects and parts after a day, so older records are useless. */
const RETAINED_MS = 24 * 3_600_000;
const STORE = 'uploads';

/** What the browser keeps of an unfinished upload. */
export interface UploadRecord extends FileIdentity {
  id: string;
  target: UploadTarget;
  stored: StoredParts | null;
  handle: FileSystemFileHandle | null;
  /** when it was written, in milliseconds */
  at: number;
}

/** The unfinished uploads of one user in this browser. */
export interface UploadRecords {
  all(): Promise<UploadRecord[]>;
  put(record: UploadRecord): Promise<void>;
  remove(id: string): Promise<void>;
}

/**
 * Keeps records in IndexedDB, one database per user. Where the browser offers none (private windows of some browsers),
 * uploads work, but do not survive a reload.
 */
export function storedRecords(userId: number): UploadRecords {
  let opened: Promise<IDBDatabase> | undefined;
  const database = () => {
    opened ??= new Promise((resolve, reject) => {
      const request = indexedDB.open(`chargehand.uploads.${userId}`, 1);
      request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'id' });
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    return opened;
  };
  async function run<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T | null> {
    try {
      const db = await database();
      return await new Promise((resolve, reject) => {
        const transaction = db.transaction(STORE, mode);
        const request = act(transaction.objectStore(STORE));
        transaction.oncomplete = () => resolve(request.result);
        transaction.onabort = () => reject(transaction.error);
      });
    } catch (error) {
      console.warn('Unfinished uploads cannot be kept', error);
      return null;
    }
  }
  const remove = async (id: string) => void (await run('readwrite', (store) => store.delete(id)));
  return {
    async all() {
      const records: UploadRecord[] = (await run('readonly', (store) => store.getAll())) ?? [];
      const old = records.filter(({ at }) => Date.now() - at > RETAINED_MS);
      for (const { id } of old) await remove(id);
      return records.filter((record) => !old.includes(record)).sort((one, other) => one.at - other.at);
    },
    put: async (record) => void (await run('readwrite', (store) => store.put(record))),
    remove,
  };
}
