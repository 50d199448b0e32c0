import { ENDPOINTS, EVENT_TOPICS } from '@chargehand/contract';
import { QueryClient } from '@tanstack/react-query';
import { beforeEach, describe, expect, it } from 'vitest';
import './live.ts';
import { applyEvents, follow, followers, follows, mergeChangesIntoFetches } from '../../shared/live/topics.ts';

let client: QueryClient;
beforeEach(() => {
  client = new QueryClient();
});

/** Puts a response into the cache and returns the hash of its key. */
function cached(queryKey: readonly unknown[], answer: unknown = {}, meta?: object): string {
  const query = client.getQueryCache().build(client, { queryKey, ...(meta && { meta: { ...meta } }) });
  query.setData(answer);
  return query.queryHash;
}

describe('an event refetches', () => {
  it.each([
    ['the list, which shows every device', ['listDevices', { query: { page: 1 } }], true],
    ['the page of the device', ['readDevice', { params: { id: 7 } }], true],
    ['its frames', ['listFrames', { params: { id: 7 }, query: {} }], true],
    ['the batches, whose ids are not those of devices', ['readBatch', { params: { id: 12_345 } }], true],
    ['not the page of another device', ['readDevice', { params: { id: 8 } }], false],
    ['not queries of another topic', ['listAlarms', { query: { deviceId: 7 } }], false],
    ['not queries without a topic', ['something'], false],
  ])('%s', (_title, key, expected) => {
    const hash = cached(key);
    const message = { 'device.state': [[7, null]], 'device.frames': [[7, null]], 'device.executions': [[7, null]] };
    expect(applyEvents(client, message as never).has(hash)).toBe(expected);
  });

  it('not queries that are being edited', () => {
    cached(['readDevice', { params: { id: 7 } }], {}, { edited: true });
    expect(applyEvents(client, { 'device.state': [[7, null]] })).toEqual(new Map());
  });

  it('every topic has queries, and only endpoints of the contract', () => {
    for (const topic of EVENT_TOPICS) {
      expect(followers(topic).length, topic).toBeGreaterThan(0);
      expect(followers(topic).filter((name) => !(name in ENDPOINTS))).toEqual([]);
    }
    expect(follows(['listDevices', {}])).toBe(true);
    expect(follows(['listRoles', {}])).toBe(false);
  });
});

describe('the change in an event', () => {
  // A topic and an endpoint without a registration by a feature, so that the test can register its own.
  const send = (...events: [number, unknown][]) => applyEvents(client, { 'device.details': events } as never);
  let patches = 0;
  beforeEach(() => {
    patches = 0;
    follow('device.details', 'readModelIcon' as never, {
      patch: ((answer: { values: number[] }, changes: ReadonlyMap<number, number | 'unclear'>) => {
        patches += 1;
        const values = [...changes.values()];
        return values.includes('unclear') ? null : { values: [...answer.values, ...values] };
      }) as never,
    });
  });
  const key = ['readModelIcon', { params: { id: 7 } }];

  it('is merged into the response without a request', () => {
    cached(key, { values: [1] });
    expect(send([7, 2], [8, 3])).toEqual(new Map());
    expect(client.getQueryData(key)).toEqual({ values: [1, 2] });
  });

  it.each([
    ['an event without data', [7, null]],
    ['a patch that returns null', [7, 'unclear']],
  ] as [string, [number, unknown]][])('%s causes the response to be fetched again', (_title, event) => {
    const hash = cached(key, { values: [1] });
    expect(send(event)).toEqual(new Map([[hash, 'soon']]));
    expect(client.getQueryData(key)).toEqual({ values: [1] });
  });

  it('is merged again into the response of a request that started before it', async () => {
    const requested: string[] = [];
    mergeChangesIntoFetches(client, (hash) => requested.push(hash));
    cached(key, { values: [1] });
    const { promise, resolve } = Promise.withResolvers<{ values: number[] }>();
    const fetched = client.fetchQuery({ queryKey: key, queryFn: () => promise, staleTime: 0 });
    expect(send([7, 2])).toEqual(new Map());
    expect(send([7, 3])).toEqual(new Map());
    expect(client.getQueryData(key)).toEqual({ values: [1, 2, 3] });
    resolve({ values: [0] });
    await fetched;
    expect(client.getQueryData(key)).toEqual({ values: [0, 2, 3] });
    expect(requested).toEqual([]);
  });

  it('waits for the first response, and refetches if it cannot be merged', async () => {
    const requested: string[] = [];
    mergeChangesIntoFetches(client, (hash) => requested.push(hash));
    const { promise, resolve } = Promise.withResolvers<{ values: number[] }>();
    const fetched = client.fetchQuery({ queryKey: key, queryFn: () => promise });
    expect(send([7, 2])).toEqual(new Map());
    expect(send([7, 'unclear'])).toEqual(new Map());
    resolve({ values: [0] });
    await fetched;
    expect(client.getQueryData(key)).toEqual({ values: [0] });
    expect(requested).toHaveLength(1);
  });

  it('is ignored without a cached response', () => {
    client.getQueryCache().build(client, { queryKey: key });
    expect(send([7, 2]).size).toBe(1);
    expect(patches).toBe(0);
  });
});
