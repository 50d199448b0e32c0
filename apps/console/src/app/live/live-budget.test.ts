import type { AlarmRow, EventsMessage } from '@chargehand/contract';
import { SLOW_POLL_MS } from '@chargehand/contract/constants';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import './live.ts';
import { refetcher } from '../../shared/live/refetch.ts';
import { applyEvents } from '../../shared/live/topics.ts';

let client: QueryClient;
beforeEach(() => {
  vi.useFakeTimers();
  client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY, retry: false } } });
});
afterEach(() => {
  client.clear();
  vi.useRealTimers();
});

const WATCHED = 7;
const page = { items: [], next: null, total: 0 };
const SCREENS: Record<string, [name: string, input: object, answer: object][]> = {
  Home: [
    ['countDevices', { query: {} }, {}],
    ['readSiteStates', {}, {}],
    ['summarizeAlarms', { query: {} }, {}],
    ['listIncidents', { query: { limit: 10 } }, page],
    ['listSitePositions', { query: {} }, { items: [], unplaced: 0, more: false }],
    ['listDeviceEvents', { query: { limit: 10 } }, page],
    ['listSiteEvents', { query: { limit: 5 } }, page],
    ['rankAlarms', { query: { by: 'device', days: 7 } }, page],
    ['readAlarmTrend', { query: { days: 7 } }, page],
  ],
  'the device list': [
    ['listDevices', { query: { page: 1 } }, page],
    ['countDevices', { query: {} }, {}],
  ],
  'the list of alarms': [['listAlarms', { query: { state: 'open' } }, { pages: [page], pageParams: [null] }]],
  'the map of sites': [['listSitePositions', { query: {} }, { items: [], unplaced: 0, more: false }]],
  'a device': [
    ['readDevice', { params: { id: WATCHED } }, { id: WATCHED, connected: true }],
    ['readRuntime', { params: { id: WATCHED } }, {}],
    ['listControls', { params: { id: WATCHED } }, page],
    ['listExecutions', { params: { id: WATCHED }, query: { page: 1, pageSize: 10 } }, page],
  ],
  'the charts of a device': [
    ['readDevice', { params: { id: WATCHED } }, { id: WATCHED, connected: true }],
    ['listReadingItems', { params: { id: WATCHED } }, page],
    ['readSeries', { params: { id: WATCHED } }, {}],
    ['listMarks', { params: { id: WATCHED } }, {}],
  ],
};

/**
 * The events of the stream within a quarter of a second while 500 devices are active: two devices change, and one of
 * them has alarms.
 */
function busyMoment(quarter: number): EventsMessage {
  const other = 100 + (quarter % 500);
  const summary = { status: 'working', connected: true } as const;
  const alarm = { id: quarter, deviceId: other, level: 'MA', raisedAt: new Date().toISOString() } as AlarmRow;
  const states = [other, other + 1, WATCHED].map((id) => [id, summary]);
  const message = {
    'device.state': states,
    'device.alarms': [[other, summary]],
    'device.openAlarms': [[other, [{ ...alarm, suppressed: false }]]],
    'device.events': [[other, [{ id: quarter, deviceId: other, at: alarm.raisedAt }]]],
    'message.changed': [[1, null]],
    'device.executions': [
      [WATCHED, null],
      [other, null],
    ],
    'device.newestExecutions': [[WATCHED, page]],
    'device.readings': [[WATCHED, null]],
    'device.runtime': [[WATCHED, {}]],
    'fleet.counters': [[0, {}]],
    'fleet.siteStates': [[0, {}]],
    'fleet.alarms': [[0, {}]],
  };
  return message as unknown as EventsMessage;
}

it.each([
  // With three numbers that it polls, 16 in this moment that never ends.
  ['Home', 13],
  // Only the number of unread messages: the rest is patched.
  ['the device list', 6],
  ['the list of alarms', 9],
  ['the map of sites', 7],
  ['a device', 12],
  ['the charts of a device', 27],
])('%s makes at most %i requests per minute while 500 devices are active', async (screen, most) => {
  // The page also polls the number of waiting devices.
  expect(most + 60_000 / SLOW_POLL_MS).toBeLessThanOrEqual(30);
  const refetches = refetcher(client);
  const requests: string[] = [];
  let counting = false;
  const header: [string, object, object] = ['countInbox', {}, { unread: 0, untreated: 0 }];
  const stops = [...SCREENS[screen]!, header].map(([name, input, answer]) => {
    const queryFn = async () => {
      if (counting) requests.push(name);
      return answer;
    };
    return new QueryObserver(client, { queryKey: [name, input], queryFn }).subscribe(() => undefined);
  });
  await vi.advanceTimersByTimeAsync(100);
  counting = true;
  for (let quarter = 0; quarter < 239; quarter += 1) {
    refetches.request(applyEvents(client, busyMoment(quarter)));
    await vi.advanceTimersByTimeAsync(250);
  }
  expect(requests.length).toBeLessThanOrEqual(most);
  expect(requests.length).toBeGreaterThan(0);
  // The quantities that a device reports rarely change; its readings do.
  expect(requests.filter((name) => name === 'listReadingItems').length).toBeLessThanOrEqual(6);
  for (const stop of stops) stop();
  refetches.stop();
});
