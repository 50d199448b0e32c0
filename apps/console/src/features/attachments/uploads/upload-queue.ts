import { FILE_UNKNOWN_CODE, NOT_TRIED_CODE } from '@chargehand/contract/constants';
import { fileFault, SNIFFED_BYTES } from '@chargehand/domain';
import { call } from '../../../shared/api/client.ts';
import { ApiProblem, isCancelled } from '../../../shared/api/problem.ts';
import { queryClient, queryOf, refresh } from '../../../shared/api/query.ts';
import { batched } from '../../../shared/lib/batched.ts';
import { session } from '../../../shared/session/session.ts';
import { discardParts, putResumable } from '../../../shared/storage/resumable.ts';
import { UploadProblem } from '../../../shared/storage/s3-upload.ts';
import { storeClient } from '../../../shared/storage/store.ts';
import { ConnectionBroken } from '../../../shared/storage/transfer.ts';
import { unfinishedUploads } from '../../../shared/storage/unfinished-uploads.ts';
import { storedRecords } from './records.ts';
import { totalOf, type UploadTarget } from './upload-item.ts';
import { uploadTabs } from './upload-tabs.ts';
import { createUploads, type UploadParts, type Uploads } from './uploads.ts';

/** The folder of the object store (spec §7). */
const FOLDER = 'document/';
const client = () => storeClient('write');

let current: { userId: number; uploads: Uploads; tabs: ReturnType<typeof uploadTabs>; unfollow(): void } | null = null;
/** The uploads that this tab has reserved, also those of a user who has signed out. */
const claimed = new Set<string>();

session.subscribe(() => {
  if (session.get().status === 'anonymous') leave();
});

/** Stops the uploads of a user. They continue when the user signs in again. */
function leave(): void {
  // The mark of unfinished uploads stays.
  current?.unfollow();
  current?.tabs.close();
  current?.uploads.stop();
  current = null;
}

/** The uploads of the signed-in user. They continue while the user visits other pages. */
export function uploadQueue(): Uploads {
  const now = session.get();
  const userId = now.status === 'signedIn' || now.status === 'ended' ? now.user.id : 0;
  if (current?.userId === userId) return current.uploads;
  leave();
  const uploads = createUploads({ ...PARTS, records: storedRecords(userId) });
  const ownTotal = () => totalOf(uploads.items.get());
  const tabs = uploadTabs(userId, ownTotal, () => {
    // The browser gives the uploads of a closed tab free a little later.
    setTimeout(() => void uploads.restore(), TAKE_OVER_MS);
  });
  const mark = () => {
    const unfinished = uploads.items.get().some(({ state }) => state !== 'done');
    if (unfinished || (tabs.others.get()?.open ?? 0) === 0) unfinishedUploads.set(unfinished);
    tabs.publish();
  };
  current = { userId, uploads, tabs, unfollow: uploads.items.subscribe(mark) };
  void uploads.restore();
  return uploads;
}

/** The uploads of the signed-in user in other tabs. */
export function otherTabs(): ReturnType<typeof uploadTabs>['others'] {
  uploadQueue();
  return current!.tabs.others;
}

/** How long after another tab was closed its uploads are continued. Milliseconds. */
const TAKE_OVER_MS = 1_000;

/** Files that are registered with one call. */
const REGISTERED_AT_ONCE = 50;

interface Registered {
  key: string;
  name: string;
  target: UploadTarget;
}

/** Registers stored files: those of a folder that are stored while a call is in progress with the next call. */
const register = batched<Registered, { name: string }>(REGISTERED_AT_ONCE, async (files) => {
  const results = new Map<Registered, PromiseSettledResult<{ name: string }>>();
  for (const ofFolder of Map.groupBy(files, ({ target: { folderId, type } }) => `${folderId} ${type}`).values()) {
    const { folderId, type } = ofFolder[0]!.target;
    const body = { folderId, type, files: ofFolder.map(({ key, name }) => ({ key, name })) };
    try {
      const answer = await call('registerAttachments', { body }, { quiet: true });
      for (const [index, { code, message, name }] of answer.results.entries()) {
        const failed = { status: 'rejected', reason: new ApiProblem('business', message, { code }) } as const;
        results.set(ofFolder[index]!, code === 0 ? { status: 'fulfilled', value: { name } } : failed);
      }
    } catch (reason) {
      for (const file of ofFolder) results.set(file, { status: 'rejected', reason });
    }
  }
  void refresh('listAttachments', 'listFolders', 'readQuota');
  return files.map((file) => results.get(file)!);
});

const PARTS: Omit<UploadParts, 'records'> = {
  put: (file, options) => putResumable(file, { ...options, client, folder: FOLDER }),
  discard: (stored) => discardParts(stored, client).catch((error: unknown) => console.warn('Parts are left', error)),

  async check(file, { customerId }, onTheWay) {
    const head = new Uint8Array(await file.slice(0, SNIFFED_BYTES).arrayBuffer());
    const fault = fileFault({ name: file.name, size: file.size, head }, 'attachment');
    if (fault) return { fault };
    const left = async (staleTime: number) => (await freeSpace(customerId, staleTime)) - onTheWay();
    if (file.size <= (await left(QUOTA_MS))) return null;
    // Read again before the file is refused: space may have been made meanwhile.
    const free = await left(0);
    return file.size <= free ? null : { free: Math.max(0, free) };
  },

  save: ({ name, target }, key) => register({ key, name, target }),

  claim: (id) =>
    new Promise((resolve) => {
      // Without Web Locks, which need a secure page, tabs do not know each other's uploads.
      if (!navigator.locks || claimed.has(id)) return resolve(true);
      const lockOf = (lock: Lock | null) => {
        if (lock) claimed.add(id);
        resolve(lock !== null);
        // Held until this tab is closed.
        return lock ? new Promise<never>(() => undefined) : undefined;
      };
      void navigator.locks.request(`chargehand.upload.${id}`, { ifAvailable: true }, lockOf);
    }),

  wait: (ms, signal) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(resolve, ms);
      addEventListener('online', () => resolve(), { once: true, signal });
      signal.addEventListener('abort', () => {
        clearTimeout(timer);
        reject(signal.reason);
      });
    }),

  async failureOf(error, file) {
    if (file && !(await isReadable(file))) return { problem: { fault: 'changed' } };
    if (error instanceof ConnectionBroken || isCancelled(error)) return 'connection';
    if (error instanceof UploadProblem) return { problem: { fault: error.fault } };
    if (!(error instanceof ApiProblem)) {
      console.error('An upload failed', error);
      return { problem: { fault: 'failed' } };
    }
    if (error.kind === 'network' || OVERLOADED.has(error.status) || error.code === NOT_TRIED_CODE) return 'connection';
    return { problem: { message: error.message }, restart: error.code === FILE_UNKNOWN_CODE };
  },
};

/** For so long the space that was read is used for the next files. Milliseconds. */
const QUOTA_MS = 10_000;

/**
 * The free space of a customer, of the user's own by default; null: of the platform. Infinite when the user may not read
 * it.
 */
async function freeSpace(customerId: number | null | undefined, staleTime: number): Promise<number> {
  try {
    const owner = customerId === null ? { platform: true } : { customerId };
    const query = queryOf('readQuota', { query: owner }, { quiet: true });
    const { used, limit } = await queryClient.fetchQuery({ ...query, staleTime });
    return limit - used;
  } catch (error) {
    if (error instanceof ApiProblem && error.kind === 'permission') return Number.POSITIVE_INFINITY;
    throw error;
  }
}

/** The server or a proxy before it is overloaded or restarting. */
const OVERLOADED: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** False when the file was changed, moved or deleted since it was chosen: the browser then reports a lost connection. */
async function isReadable(file: File): Promise<boolean> {
  return await file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );
}
