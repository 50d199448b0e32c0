import { type UploadEvent, uploadStep } from '@chargehand/domain';
import { type FileIdentity, identityOf, type UploadFault, type UploadItem, type UploadTarget } from './upload-item.ts';

/** How often changes are published: React renders the panel each time. */
const PUBLISH_MS = 200;

type Customer = UploadTarget['customerId'];

/**
 * The uploads in the order in which they were added. Every step takes the same time, whatever their number: what the queue
 * asks for again and again is kept beside them, and readers are notified of many changes at once.
 */
export function uploadList() {
  const all = new Map<string, UploadItem>();
  const waiting = new Set<string>();
  /** the bytes that the server does not count yet, by customer */
  const unregistered = new Map<Customer, number>();
  const missing = new Map<string, Set<string>>();
  const listeners = new Set<() => void>();
  let snapshot: readonly UploadItem[] | null = [];
  let publishing = false;
  let publishedAt = Number.NEGATIVE_INFINITY;

  const missingKey = (file: FileIdentity, { folderId }: UploadTarget) => `${folderId} ${identityOf(file)}`;

  /** Counts an item in (1) or out (-1). */
  function count(item: UploadItem, sign: 1 | -1): void {
    const { id, state, size, target } = item;
    if (state === 'waiting') {
      if (sign === 1) waiting.add(id);
      else waiting.delete(id);
    } else if (state === 'sending' || state === 'interrupted') {
      const { customerId } = target;
      unregistered.set(customerId, (unregistered.get(customerId) ?? 0) + sign * size);
    } else if (state === 'fileMissing') {
      const key = missingKey(item, target);
      const ids = missing.get(key) ?? new Set();
      if (sign === 1) missing.set(key, ids.add(id));
      else ids.delete(id);
    }
  }

  function changed(): void {
    snapshot = null;
    if (publishing) return;
    publishing = true;
    const wait = Math.max(0, publishedAt + PUBLISH_MS - performance.now());
    setTimeout(() => {
      publishing = false;
      publishedAt = performance.now();
      for (const listener of listeners) listener();
    }, wait);
  }

  function replace(before: UploadItem, after: UploadItem): void {
    if (before === after) return;
    count(before, -1);
    all.set(after.id, after);
    count(after, 1);
    changed();
  }

  return {
    items: {
      get: () => {
        snapshot ??= [...all.values()];
        return snapshot;
      },
      subscribe(listener: () => void) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    get: (id: string) => all.get(id),
    /** The items that wait, in their order. */
    waiting: () => waiting.values(),
    /** The bytes of uploads of a customer that are accepted and that the server does not count yet. */
    onTheWay: (customerId: Customer) => unregistered.get(customerId) ?? 0,
    /** The upload into the same folder that a reload interrupted and that needs this file again. */
    missing(file: FileIdentity, target: UploadTarget): UploadItem | undefined {
      const [id] = missing.get(missingKey(file, target)) ?? [];
      return id === undefined ? undefined : all.get(id);
    },
    add(item: UploadItem): void {
      all.set(item.id, item);
      count(item, 1);
      changed();
    },
    step(id: string, event: UploadEvent<UploadFault>): void {
      const item = all.get(id);
      if (item) replace(item, uploadStep(item, event));
    },
    change(id: string, change: Pick<UploadItem, 'reopens'>): void {
      const item = all.get(id);
      if (item) replace(item, { ...item, ...change });
    },
    remove(ids: readonly string[]): void {
      for (const id of ids) {
        const item = all.get(id);
        if (!item) continue;
        count(item, -1);
        all.delete(id);
      }
      changed();
    },
    clear(): void {
      all.clear();
      waiting.clear();
      unregistered.clear();
      missing.clear();
      changed();
    },
  };
}
