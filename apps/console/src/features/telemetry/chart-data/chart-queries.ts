import type { COUNTER_VIEWS } from '@chargehand/contract';
import { type UseQueryResult, useQueries } from '@tanstack/react-query';
import { useRef } from 'react';
import { call } from '../../../shared/api/client.ts';
import { queryOf } from '../../../shared/api/query.ts';
import type { Mark } from './chart-marks.ts';
import { type ChartWindow, type Edges, edgesOf } from './chart-window.ts';

/** A device in a chart. */
export interface ChartDevice {
  id: number;
  name: string;
  /** decides the connector labels; null when it is unknown */
  protocol: string | null;
}

/** The error of failed queries, and a function to retry them. */
export function failedOf(queries: readonly Pick<UseQueryResult, 'isError' | 'data' | 'error' | 'refetch'>[]) {
  const failed = queries.filter(({ isError, data }) => isError && !data);
  const [first] = failed;
  return first && { error: first.error, refetch: () => Promise.all(failed.map((query) => query.refetch())) };
}

/** The reported quantities of several devices, each in the order of its model; undefined while some are loading. */
export function useReadingItems(devices: readonly ChartDevice[]) {
  const queries = useQueries({
    queries: devices.map(({ id }) => queryOf('listReadingItems', { params: { id } }, { quiet: true })),
  });
  return {
    items: queries.every(({ data }) => data) ? queries.map(({ data }) => data?.items ?? []) : undefined,
    failed: failedOf(queries),
  };
}

/**
 * One query per device that keeps its last result until the next one arrives. `keepPreviousData` does not work here:
 * `useQueries` creates an observer for every new key, so the charts and the focus would be lost in between.
 */
function useEach<T>(
  devices: readonly ChartDevice[],
  queryOfDevice: (device: ChartDevice) => {
    queryKey: readonly unknown[];
    queryFn(context: { signal: AbortSignal }): Promise<T>;
  },
) {
  const answered = useRef(new Map<number, T>()).current;
  return useQueries({
    queries: devices.map((device) => {
      const { queryKey, queryFn } = queryOfDevice(device);
      return {
        queryKey,
        queryFn: async (context: { signal: AbortSignal }) => {
          const answer = await queryFn(context);
          answered.set(device.id, answer);
          return answer;
        },
        placeholderData: () => answered.get(device.id),
      };
    }),
  });
}

interface ChartRequest {
  devices: readonly ChartDevice[];
  items: readonly string[];
  window: ChartWindow;
  counters: (typeof COUNTER_VIEWS)[number];
}

/**
 * The selected quantities of several devices over a window. A live window is fetched again when readings arrive, with
 * its edges moved to the present.
 */
export function useSeries({ devices, items, window, counters }: ChartRequest) {
  const queries = useEach(devices, ({ id }) => ({
    queryKey: ['readSeries', { params: { id } }, items, window, counters],
    queryFn: async ({ signal }) => {
      const edges = await paced(JSON.stringify([id, items, window, counters]), window, signal);
      const query = { items: items.map(encodeURIComponent).join(','), counters, ...wired(edges) };
      const { series } = await call('readSeries', { params: { id }, query }, { signal, quiet: true });
      return { edges, series };
    },
  }));
  return {
    series: queries.every(({ data }) => data) ? queries.flatMap(({ data }) => data?.series ?? []) : undefined,
    /** of the latest result: the time axis */
    edges: queries.reduce<Edges | undefined>(
      (newest, { data }) => (data && (!newest || data.edges.to > newest.to) ? data.edges : newest),
      undefined,
    ),
    fetching: queries.some(({ isFetching, isPlaceholderData }) => isFetching && isPlaceholderData),
    failed: failedOf(queries),
  };
}

/** The events of several devices over a window. */
export function useMarks(devices: readonly ChartDevice[], window: ChartWindow) {
  const queries = useEach(devices, ({ id }) => ({
    queryKey: ['listMarks', { params: { id } }, window],
    queryFn: ({ signal }) =>
      call('listMarks', { params: { id }, query: wired(edgesOf(window, Date.now())) }, { signal, quiet: true }),
  }));
  const marks = queries.flatMap(({ data }, index): Mark[] => {
    const device = devices[index]!;
    return [
      ...(data?.alarms ?? []).map((alarm) => ({
        ...{ device, alarm, at: Date.parse(alarm.raisedAt) },
        to: alarm.clearedAt === null ? null : Date.parse(alarm.clearedAt),
      })),
      ...(data?.commands ?? []).map((command) => {
        const at = Date.parse(command.at);
        return { device, command, at, to: at };
      }),
      ...(data?.restarts ?? []).map((time) => {
        const at = Date.parse(time);
        return { device, restart: true as const, at, to: at };
      }),
    ];
  });
  return { marks, more: queries.some(({ data }) => data?.more) };
}

export function wired({ from, to }: Edges): { from: string; to: string } {
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
}

/** When each live window was last requested, in epoch milliseconds. */
const requested = new Map<string, number>();
/** Maximum number of remembered windows; above it the memory is cleared. */
const REMEMBERED_LIMIT = 200;
/** A live chart is fetched again when it has moved by a two-thousandth of its width, and at least every half minute. */
const MOVES = 2_000;
const LONGEST_PACE_MS = 30_000;

/**
 * Waits until a live window has moved far enough to look different, however often its readings change, and returns its
 * new edges. The end of the wait is fixed: further calls do not delay it.
 */
async function paced(key: string, window: ChartWindow, signal: AbortSignal): Promise<Edges> {
  if (!('live' in window)) return window;
  const { from, to } = edgesOf(window, Date.now());
  const due = (requested.get(key) ?? 0) + Math.min(LONGEST_PACE_MS, (to - from) / MOVES);
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, Math.max(0, due - Date.now()));
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
  if (requested.size > REMEMBERED_LIMIT) requested.clear();
  requested.set(key, Date.now());
  return edgesOf(window, Date.now());
}
