import type { IssueType } from '@chargehand/domain';

/** A photo or video of a report in this browser. */
export interface QueuedFile {
  id: string;
  name: string;
  kind: 'photo' | 'video';
  /** null: it has arrived */
  blob: Blob | null;
  size: number;
  /** why the server refused it */
  problem: string | null;
}

/** A photo or video that was chosen, ready to be sent. */
export interface PickedFile {
  id: string;
  name: string;
  blob: Blob;
  kind: 'photo' | 'video';
  /** a video that is sent as it was taken, because its format is not understood */
  unchanged?: boolean;
}

/** What a reporter has entered so far. */
export interface ReportEntries {
  type: IssueType | null;
  problem: string;
  connector: string;
  sn: string;
  place: string;
  contact: string;
  notify: boolean;
  files: readonly PickedFile[];
}

/** Entries that were not submitted. `key` is the secret of the link, or empty. */
interface Draft {
  key: string;
  at: number;
  entries: ReportEntries;
}

/** A report in this browser: not sent yet, or sent by it before. */
export interface QueuedReport {
  key: string;
  s: string | null;
  connector: number | null;
  /** for the list, such as the name of the device */
  title: string;
  type: IssueType;
  problem: string;
  sn: string;
  place: string;
  contact: string;
  notify: boolean;
  writtenAt: string;
  files: QueuedFile[];
  /** the secret of its link; null: it has not arrived */
  follow: string | null;
  /** why the server refused it */
  refused: string | null;
}

const NAME = 'chargehand-reports';
const STORE = 'reports';
const DRAFTS = 'drafts';
/** How long entries that were not submitted are kept. Milliseconds. */
const DRAFT_MS = 24 * 60 * 60_000;
/** Reports that are kept after they were sent, so that their links can be found again. */
const KEPT = 20;

let memory: Map<string, QueuedReport> | null = null;

/** False when the browser stores nothing, as in some private windows: then a report is lost with the page. */
export function isStored(): boolean {
  return memory === null;
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => {
      for (const name of [STORE, DRAFTS]) request.result.createObjectStore(name, { keyPath: 'key' });
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error('The storage is blocked'));
  });
}

async function run<T>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<T>,
  name = STORE,
): Promise<T> {
  const database = await open();
  try {
    return await new Promise<T>((resolve, reject) => {
      const transaction = database.transaction(name, mode);
      const request = work(transaction.objectStore(name));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onerror = () => reject(transaction.error);
      transaction.onabort = () => reject(transaction.error);
    });
  } finally {
    database.close();
  }
}

/** Stores a report, in place of its former state. */
export async function keepReport(report: QueuedReport): Promise<void> {
  if (memory) {
    memory.set(report.key, report);
    return;
  }
  try {
    await run('readwrite', (store) => store.put(report));
  } catch (error) {
    console.warn('The browser stores no reports', error);
    memory = new Map([[report.key, report]]);
  }
}

/** The reports in this browser, the oldest first. */
export async function listReports(): Promise<QueuedReport[]> {
  const found = memory
    ? [...memory.values()]
    : await run<QueuedReport[]>('readonly', (store) => store.getAll()).catch((error: unknown) => {
        console.warn('The browser stores no reports', error);
        memory = new Map();
        return [];
      });
  return found.sort((one, other) => one.writtenAt.localeCompare(other.writtenAt));
}

/** Forgets a report of this browser; what has arrived stays. */
export async function forgetReport(key: string): Promise<void> {
  if (memory) memory.delete(key);
  else await run('readwrite', (store) => store.delete(key));
}

/** Forgets the oldest of the reports that were sent. */
export async function forgetOld(): Promise<void> {
  const sent = (await listReports()).filter(isSent);
  for (const { key } of sent.slice(0, Math.max(0, sent.length - KEPT))) await forgetReport(key);
}

/** True when the report and all its files that the server takes have arrived. */
export function isSent({ follow, files }: QueuedReport): boolean {
  return follow !== null && files.every(({ blob, problem }) => blob === null || problem !== null);
}

/**
 * Stores what was entered, because a phone may close the page while its camera is open. Videos are left out: storing
 * them takes too long. Returns false when the browser stored nothing.
 */
export async function keepDraft(key: string, entries: ReportEntries): Promise<boolean> {
  if (memory) return false;
  const files = entries.files.filter(({ kind }) => kind === 'photo');
  const draft: Draft = { key, at: Date.now(), entries: { ...entries, files } };
  try {
    await run('readwrite', (store) => store.put(draft), DRAFTS);
    return true;
  } catch (error) {
    console.warn('The browser stores no drafts', error);
    return false;
  }
}

/** What was entered for a link and not submitted; null when there is nothing, or it is older than a day. */
export async function readDraft(key: string): Promise<ReportEntries | null> {
  if (memory) return null;
  const draft = await run<Draft | undefined>('readonly', (store) => store.get(key), DRAFTS).catch(() => undefined);
  return draft && Date.now() - draft.at < DRAFT_MS ? draft.entries : null;
}

/** Forgets what was entered for a link, when it was submitted or discarded. */
export async function dropDraft(key: string): Promise<void> {
  if (memory) return;
  await run('readwrite', (store) => store.delete(key), DRAFTS).catch((error: unknown) =>
    console.warn('The browser stores no drafts', error),
  );
}
