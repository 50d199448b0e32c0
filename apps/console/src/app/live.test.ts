import { ENDPOINTS, EVENT_TOPICS } from '@chargehand/contract';
import { QueryClient } from '@tanstack/react-query';
import { beforeEach, describe, expect, it } from 'vitest';
import './live.ts';
import { applyEvents, follow, followers, follows } from '../shared/live/topics.ts';

let client: QueryClient;
beforeEach(() => {
  client = new QueryClient();
});

/** Puts an answer into the cache; gives back the hash of its key. */
function cached(queryKey: readonly unknown[], answer: unknown = {}, meta?: object): string {
  const query = client.getQueryCache().build(client, { queryKey, ...(meta && { meta: { ...meta } }) });
  query.setData(answer);
  return query.queryHash;
}

describe('an event has fetched again', () => {
  it.each([
    ['the list, which shows every device', ['listDevices', { query: { page: 1 } }], true],
    ['the page of the device', ['readDevice', { params: { id: 7 } }], true],
    ['its frames', ['listFrames', { params: { id: 7 }, query: {} }], true],
    ['the batches, whose ids are not those of devices', ['readBatch', { params: { id: 12_345 } }], true],
    ['not the page of another device', ['readDevice', { params: { id: 8 } }], false],
    ['not what follows another topic', ['listAlarms', { query: { deviceId: 7 } }], false],
    ['not what follows nothing', ['something'], false],
  ])('%s', (_title, key, expected) => {
    const hash = cached(key);
    const message = { 'device.state': [[7, null]], 'device.frames': [[7, null]], 'device.executions': [[7, null]] };
    expect(applyEvents(client, message as never).has(hash)).toBe(expected);
  });

  it('not what somebody is editing', () => {
    cached(['readDevice', { params: { id: 7 } }], {}, { edited: true });
    expect(applyEvents(client, { 'device.state': [[7, null]] })).toEqual(new Set());
  });

  it('every topic is followed, and only by endpoints of the contract', () => {
    for (const topic of EVENT_TOPICS) {
      expect(followers(topic).length, topic).toBeGreaterThan(0);
      expect(followers(topic).filter((name) => !(name in ENDPOINTS))).toEqual([]);
    }
    expect(follows(['listDevices', {}])).toBe(true);
    expect(follows(['listRoles', {}])).toBe(false);
  });
});

describe('a change that an event carries', () => {
  // A topic and an endpoint that no feature joins, so that the test can say how.
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

  it('is put into the answer, and nothing is fetched', () => {
    cached(key, { values: [1] });
    expect(send([7, 2], [8, 3])).toEqual(new Set());
    expect(client.getQueryData(key)).toEqual({ values: [1, 2] });
  });

  it.each([
    ['an event that carries nothing', [7, null]],
    ['a patch that cannot tell', [7, 'unclear']],
  ] as [string, [number, unknown]][])('%s has the answer fetched again', (_title, event) => {
    const hash = cached(key, { values: [1] });
    expect(send(event)).toEqual(new Set([hash]));
    expect(client.getQueryData(key)).toEqual({ values: [1] });
  });

  it('is put in, and fetched again, while a request that may be older is under way', () => {
    const hash = cached(key, { values: [1] });
    void client.fetchQuery({ queryKey: key, queryFn: () => new Promise(() => undefined), staleTime: 0 });
    expect(send([7, 2])).toEqual(new Set([hash]));
    expect(client.getQueryData(key)).toEqual({ values: [1, 2] });
  });

  it('is not put into an answer that is not there', () => {
    client.getQueryCache().build(client, { queryKey: key });
    expect(send([7, 2]).size).toBe(1);
    expect(patches).toBe(0);
  });
});
