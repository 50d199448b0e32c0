import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EDITED } from '../api/edited.ts';
import { HUNG_MS, type Refetcher, refetcher } from './refetch.ts';

let client: QueryClient;
let refetches: Refetcher;
const stops: (() => void)[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY, retry: false } } });
  refetches = refetcher(client);
});
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  refetches.stop();
  client.clear();
  vi.useRealTimers();
});

/** A displayed query whose fetches take `ms`; counts started, completed and cancelled fetches. */
async function shown(name: string, ms: number, options: object = {}) {
  const counts = { began: 0, ended: 0, cancelled: 0 };
  const observer = new QueryObserver(client, {
    queryKey: [name],
    queryFn: ({ signal }) => {
      counts.began += 1;
      signal.addEventListener('abort', () => {
        counts.cancelled += 1;
      });
      return new Promise((resolve) => {
        setTimeout(() => {
          counts.ended += 1;
          resolve(counts.ended);
        }, ms);
      });
    },
    ...options,
  });
  stops.push(observer.subscribe(() => undefined));
  await vi.advanceTimersByTimeAsync(ms + 100_000);
  counts.began = 0;
  counts.ended = 0;
  return { counts, hash: observer.getCurrentQuery().queryHash };
}

const soon = (...hashes: string[]) => new Map(hashes.map((hash) => [hash, 'soon'] as const));

/** Requests queries four times per second for a period. */
async function requestFor(seconds: number, ...hashes: string[]): Promise<void> {
  for (let quarter = 0; quarter < 4 * seconds; quarter += 1) {
    refetches.request(soon(...hashes));
    await vi.advanceTimersByTimeAsync(250);
  }
}

describe('refetching after events', () => {
  it('happens immediately after a quiet period, and once for simultaneous events', async () => {
    const { counts, hash } = await shown('one', 20);
    refetches.request(soon(hash));
    refetches.request(soon(hash));
    await vi.advanceTimersByTimeAsync(100);
    expect(counts).toEqual({ began: 1, ended: 1, cancelled: 0 });
  });

  it('never cancels a fetch: one runs, one waits', async () => {
    const { counts, hash } = await shown('slow', 2_000);
    await requestFor(1.5, hash);
    expect(counts).toEqual({ began: 1, ended: 0, cancelled: 0 });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(counts).toEqual({ began: 2, ended: 2, cancelled: 0 });
  });

  it('waits for a running fetch of another caller, and then fetches the changes in between', async () => {
    const { counts, hash } = await shown('both', 1_000);
    void client.refetchQueries({ queryKey: ['both'] });
    await vi.advanceTimersByTimeAsync(100);
    refetches.request(soon(hash));
    await vi.advanceTimersByTimeAsync(500);
    expect(counts).toEqual({ began: 1, ended: 0, cancelled: 0 });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(counts).toEqual({ began: 2, ended: 2, cancelled: 0 });
  });

  it('leaves a slow network free: the longer a fetch takes, the less often it runs', async () => {
    const { counts, hash } = await shown('far', 2_000);
    await requestFor(40, hash);
    expect(counts.began).toBeGreaterThanOrEqual(4);
    expect(counts.began).toBeLessThanOrEqual(6);
    expect(counts.cancelled).toBe(0);
  });

  it('sends at most 28 requests per minute, however many queries are displayed, and skips none of them', async () => {
    const queries = await Promise.all(Array.from({ length: 8 }, (_, index) => shown(`q${index}`, 10)));
    await requestFor(60, ...queries.map(({ hash }) => hash));
    const began = queries.map(({ counts }) => counts.began);
    expect(began.reduce((sum, one) => sum + one)).toBeLessThanOrEqual(28);
    expect(Math.min(...began)).toBeGreaterThanOrEqual(3);
  });

  it('fetches what is not urgent three times per minute, until it becomes urgent', async () => {
    const { counts, hash } = await shown('figures', 10);
    for (let second = 0; second < 58; second += 1) {
      refetches.request(new Map([[hash, 'later']]));
      await vi.advanceTimersByTimeAsync(1_000);
    }
    expect(counts.began).toBe(3);
    refetches.request(soon(hash));
    await vi.advanceTimersByTimeAsync(100);
    expect(counts.began).toBe(4);
  });

  it('runs two fetches at a time, so that the network is free for user actions', async () => {
    const queries = await Promise.all(Array.from({ length: 5 }, (_, index) => shown(`p${index}`, 1_000)));
    refetches.request(soon(...queries.map(({ hash }) => hash)));
    await vi.advanceTimersByTimeAsync(500);
    expect(queries.filter(({ counts }) => counts.began > 0)).toHaveLength(2);
  });

  it('fetches again after the connection was lost, although fetches hang', async () => {
    const hung = await Promise.all(['h1', 'h2'].map((name) => shown(name, 600_000)));
    const { counts, hash } = await shown('other', 10);
    refetches.request(soon(...hung.map((one) => one.hash)));
    await vi.advanceTimersByTimeAsync(HUNG_MS / 2);
    refetches.requestAll(([name]) => name !== 'other', true);
    await vi.advanceTimersByTimeAsync(1_000);
    for (const one of hung) expect(one.counts).toEqual({ began: 2, ended: 0, cancelled: 1 });
    // Both slots are taken again. The old fetches have freed none of them.
    refetches.request(soon(hash));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(counts.began).toBe(0);
    await vi.advanceTimersByTimeAsync(HUNG_MS);
    expect(counts.began).toBe(1);
    for (const one of hung) expect(one.counts).toEqual({ began: 2, ended: 0, cancelled: 1 });
    // Fetches that hung do not make the next ones wait longer.
    refetches.request(soon(hash));
    await vi.advanceTimersByTimeAsync(2_000);
    expect(counts.began).toBe(2);
  });

  it('skips hidden queries until they are displayed again, and queries that are being edited', async () => {
    const edited = await shown('edited', 10, EDITED);
    const hidden = await shown('hidden', 10);
    stops.pop()?.();
    refetches.request(soon(hidden.hash));
    refetches.requestAll(() => true);
    await vi.advanceTimersByTimeAsync(5_000);
    expect([edited.counts.began, hidden.counts.began]).toEqual([0, 0]);
    expect(client.getQueryCache().get(hidden.hash)?.state.isInvalidated).toBe(true);
  });

  it('refetches everything displayed after missed events, regardless of the budget', async () => {
    const queries = await Promise.all(Array.from({ length: 12 }, (_, index) => shown(`a${index}`, 10)));
    await requestFor(5, queries[0]!.hash);
    refetches.requestAll(() => true);
    await vi.advanceTimersByTimeAsync(1_000);
    for (const { counts } of queries) expect(counts.began).toBeGreaterThanOrEqual(1);
  });
});
