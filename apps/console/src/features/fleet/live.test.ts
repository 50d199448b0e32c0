import type { DeviceSummary, EventsMessage } from '@chargehand/contract';
import { QueryClient } from '@tanstack/react-query';
import { beforeEach, expect, it } from 'vitest';
import '../../app/live/live.ts';
import { applyEvents } from '../../shared/live/topics.ts';

const faulted: DeviceSummary = {
  ...{ status: 'faulted', statusSince: '2026-01-02T03:04:05.000Z', connected: true, lastSeenAt: null },
  ...{ activeAlarms: 2, worstAlarmLevel: 'CA' },
};
const message: EventsMessage = { 'device.state': [[7, faulted]] };
const rows = { total: 2, items: [7, 8].map((id) => ({ id, name: `D${id}`, status: 'idle', activeAlarms: 0 })) };
const counters = (total: number) => ({ total, byStatus: { idle: total } });

let client: QueryClient;
beforeEach(() => {
  client = new QueryClient();
});

/** Puts a response into the cache and applies events. Returns the response and whether it is fetched again. */
function after(queryKey: readonly unknown[], answer: unknown, events: EventsMessage) {
  client.setQueryData(queryKey, answer);
  const stale = applyEvents(client, events);
  return { answer: client.getQueryData(queryKey), again: stale.size > 0 };
}

it.each([
  ['by name', { sort: 'name' }, false],
  ['of one site', { siteId: 3 }, false],
  ['filtered by a status that may no longer match', { status: 'idle' }, true],
  ['sorted by the changed field', { sort: '-statusSince' }, true],
])('a list %s shows the new status immediately', (_title, query, again) => {
  const patched = { total: 2, items: [{ ...rows.items[0], ...faulted }, rows.items[1]] };
  expect(after(['listDevices', { query }], rows, message)).toEqual({ answer: patched, again });
});

it('a list is refetched after an edit', () => {
  expect(after(['listDevices', { query: {} }], rows, { 'device.details': [[7, null]] }).again).toBe(true);
});

it('counters use the figures of the event; filtered ones are fetched', () => {
  const figures: EventsMessage = { 'fleet.counters': [[0, counters(3) as never]] };
  const key = (query: object) => ['countDevices', { query }];
  expect(after(key({}), counters(2), message)).toEqual({ answer: counters(2), again: false });
  expect(after(key({}), counters(2), figures)).toEqual({ answer: counters(3), again: false });
  expect(after(key({ search: 'Q' }), counters(2), message)).toEqual({ answer: counters(2), again: true });
  client.clear();
  expect(after(key({ search: 'Q' }), counters(2), figures)).toEqual({ answer: counters(2), again: false });
});
