import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What a start leaves behind is collected within this time. Milliseconds. */
const STARTED_MS = 60_000;

/**
 * Collects garbage early while the server starts, which creates much and keeps little of it, and less often from a minute
 * after the start on.
 */
export function collectAtStart(): void {
  setFlagsFromString('--heap-growing-percent=30');
  setTimeout(collectLessOften, STARTED_MS).unref();
}

/**
 * Collects all garbage now, because the next collection may be far away. Stops everything else for about 0.1 s, so it is
 * for rare work that leaves much behind.
 */
export function collectNow(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

/**
 * Makes garbage collections cheaper while many buffers are used, such as for file transfers through links.
 *
 * - Young buffers are freed after 32 MB of new ones, with a collection of young objects, which takes 1 to 2 ms. The flag
 *   is the capacity of the young generation: 8 MB are 16 MB without pointer compression, and V8 collects at twice as
 *   many (`Heap::AllocateExternalBackingStore`). The capacity itself is set at the start of the process and does not
 *   change. By default V8 waits for 128 MB, but 64 MB of buffers start a full collection before that.
 * - A full collection waits until the memory of old objects and buffers has doubled. By default V8 also considers which
 *   part of the time it has spent on collections. Buffers that wait for a slow socket count as old. With few other
 *   objects, every 10 MB of a transfer started a full collection, which marked the whole heap (about 100 MB) in
 *   threads of its own: three times the CPU time of the transfer itself.
 *
 * V8 has no public setting for this. A version of V8 without these flags ignores them.
 */
export function collectLessOften(): void {
  setFlagsFromString('--scavenger-max-new-space-capacity-mb=8');
  setFlagsFromString('--heap-growing-percent=100');
}
