/** The predefined ranges, in seconds. */
export const RANGES = {
  '1h': 3_600,
  '6h': 21_600,
  '24h': 86_400,
  '7d': 604_800,
  '30d': 2_592_000,
  '90d': 7_776_000,
  '1y': 31_536_000,
  '2y': 63_072_000,
} as const;
export type RangeName = keyof typeof RANGES;

/** The edges of a chart, in epoch milliseconds. */
export interface Edges {
  from: number;
  to: number;
}

/** The window of a chart: a range that ends now and moves, or a fixed one. */
export type ChartWindow = { live: RangeName } | Edges;

/** The window in the URL: `range=6h`, or `from` and `to` in ISO-8601; default: the last hour. */
export function windowOf(search: URLSearchParams): ChartWindow {
  const from = Date.parse(search.get('from') ?? '');
  const to = Date.parse(search.get('to') ?? '');
  if (from < to) return { from, to };
  const range = search.get('range') ?? '';
  return { live: range in RANGES ? (range as RangeName) : '1h' };
}

/** The edges of a window at a time in epoch milliseconds. */
export function edgesOf(window: ChartWindow, now: number): Edges {
  return 'live' in window ? { from: now - RANGES[window.live] * 1_000, to: now } : window;
}

/** The minimum and maximum length of a window, in milliseconds: a minute, and the server's limit for one request. */
const SHORTEST_MS = 60_000;
const LONGEST_MS = 732 * 86_400_000;

/** A window moved by a fraction of its length, at most to the present. */
export function moved({ from, to }: Edges, share: number, now: number): Edges {
  const by = Math.min((to - from) * share, Math.max(0, now - to));
  return { from: from + by, to: to + by };
}

/** A window scaled around its center: a factor of 2 shows twice as much. */
export function stretched({ from, to }: Edges, factor: number, now: number): Edges {
  const length = Math.min(LONGEST_MS, Math.max(SHORTEST_MS, (to - from) * factor));
  const end = Math.min(now, (from + to) / 2 + length / 2);
  return { from: end - length, to: end };
}

/** A selected range, extended to the minimum length if necessary. */
export function marked({ from, to }: Edges): Edges {
  const short = SHORTEST_MS - (to - from);
  return short <= 0 ? { from, to } : { from: from - short / 2, to: to + short / 2 };
}
