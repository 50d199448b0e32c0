import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';
import { APART_MS, moreUrgent, type Urgency } from './topics.ts';

/** Events within this time are handled together. Milliseconds. */
const COLLECT_MS = 50;
/** A query is refetched at most once in this time, however fast the network is. Milliseconds. */
const LEAST_INTERVAL_MS = 1_000;
/** On a slow network, the time between two fetches of a query is this many times the duration of a fetch. */
const INTERVAL_PER_ROUND_TRIP = 4;
/** The maximum number of simultaneous fetches, so that the network is free for user actions. */
const MOST_RUNNING = 2;
/** After this time a running fetch no longer counts: on a stalled connection it may hang for minutes. Milliseconds. */
export const HUNG_MS = 30_000;
/**
 * After a quiet period a page may fetch this many times at once, then once every `REFILL_MS`: at most 28 requests per
 * minute, whatever happens in the fleet, and 30 with those that are polled.
 */
const BURST = 8;
const REFILL_MS = 3_000;
/** The weight of the latest round trip in the moving average. */
const NEWEST_WEIGHT = 0.3;

export interface Refetcher {
  /** Refetches queries as the network and the budget allow, by their hashed keys. */
  request(wanted: ReadonlyMap<string, Urgency>): void;
  /**
   * Refetches all displayed queries that match, regardless of the budget. `restart`: the connection was lost, so running
   * fetches of them are cancelled.
   */
  requestAll(wanted: (queryKey: QueryKey) => boolean, restart?: boolean): void;
  stop(): void;
}

/**
 * Refetches queries after events, which never cancel a running fetch: of each query at most one runs and one waits. Only
 * `restart` cancels fetches. Hidden queries are only marked as stale.
 */
export function refetcher(client: QueryClient): Refetcher {
  const cache = client.getQueryCache();
  const waiting = new Map<string, Urgency>();
  /** waiting queries that the budget does not limit */
  const free = new Set<string>();
  const started = new Map<string, number>();
  let roundTripMs = 0;
  /** one for each fetch that counts: a fetch that ends late frees no slot of another one */
  const running = new Set<object>();
  let tokens = BURST;
  let refilledAt = Date.now();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let dueAt = Number.POSITIVE_INFINITY;

  function schedule(delay: number): void {
    const at = Date.now() + delay;
    if (at >= dueAt) return;
    clearTimeout(timer);
    dueAt = at;
    timer = setTimeout(run, delay);
  }

  function refill(): void {
    const more = Math.floor((Date.now() - refilledAt) / REFILL_MS);
    tokens = Math.min(BURST, tokens + more);
    refilledAt = tokens === BURST ? Date.now() : refilledAt + more * REFILL_MS;
  }

  function run(): void {
    dueAt = Number.POSITIVE_INFINITY;
    refill();
    const now = Date.now();
    const interval = Math.max(LEAST_INTERVAL_MS, INTERVAL_PER_ROUND_TRIP * roundTripMs);
    const longestFirst = [...waiting].sort(([a], [b]) => (started.get(a) ?? 0) - (started.get(b) ?? 0));
    for (const [hash, urgency] of longestFirst) {
      const query = cache.get(hash);
      if (!query?.isActive()) {
        query?.invalidate();
        drop(hash);
      } else if (query.state.fetchStatus === 'idle' && running.size < MOST_RUNNING) {
        const apart = Math.max(interval, APART_MS[urgency]);
        const early = (started.get(hash) ?? Number.NEGATIVE_INFINITY) + apart - now;
        if (early > 0 && !free.has(hash)) schedule(early);
        else if (tokens < 1 && !free.has(hash)) schedule(refilledAt + REFILL_MS - now);
        else void fetchNow(query);
      }
    }
  }

  async function fetchNow(query: Query): Promise<void> {
    const { queryHash } = query;
    if (!free.has(queryHash)) tokens -= 1;
    drop(queryHash);
    const begin = Date.now();
    started.set(queryHash, begin);
    const slot = {};
    const release = () => running.delete(slot) && waiting.size > 0 && schedule(0);
    running.add(slot);
    const hung = setTimeout(release, HUNG_MS);
    const exactly = { predicate: (one: Query) => one === query };
    await client.refetchQueries(exactly, { cancelRefetch: false });
    clearTimeout(hung);
    if (running.has(slot)) {
      const took = Date.now() - begin;
      roundTripMs = roundTripMs === 0 ? took : roundTripMs + NEWEST_WEIGHT * (took - roundTripMs);
    }
    release();
  }

  function drop(hash: string): void {
    waiting.delete(hash);
    free.delete(hash);
  }

  // A query that another caller is fetching is checked again when that fetch ends.
  const unsubscribe = cache.subscribe(({ type, query }) => {
    if (type === 'removed') started.delete(query.queryHash);
    else if (type === 'updated' && waiting.has(query.queryHash) && query.state.fetchStatus === 'idle') schedule(0);
  });

  return {
    request(wanted) {
      for (const [hash, urgency] of wanted) waiting.set(hash, moreUrgent(waiting.get(hash), urgency));
      if (waiting.size > 0) schedule(COLLECT_MS);
    },
    requestAll(wanted, restart) {
      // The time of cancelled fetches says nothing about the network.
      if (restart) running.clear();
      for (const query of cache.getAll()) {
        const { meta, queryHash, queryKey } = query;
        if (meta?.edited === true || !wanted(queryKey)) continue;
        waiting.set(queryHash, 'soon');
        free.add(queryHash);
        if (restart && query.isActive()) void query.cancel({ revert: true });
      }
      if (waiting.size > 0) schedule(0);
    },
    stop() {
      clearTimeout(timer);
      dueAt = Number.NEGATIVE_INFINITY;
      waiting.clear();
      unsubscribe();
    },
  };
}
