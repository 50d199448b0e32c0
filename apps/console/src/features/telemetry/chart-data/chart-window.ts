/** The ranges at hand, in seconds. */
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

/** Where a chart begins and ends, in epoch milliseconds. */
export interface Edges {
  from: number;
  to: number;
}

/** What a chart shows: a stretch that ends now and moves on, or a fixed one. */
export type ChartWindow = { live: RangeName } | Edges;

/** The window that an address names: `range=6h`, or `from` and `to` in ISO; the last hour when it names none. */
export function windowOf(search: URLSearchParams): ChartWindow {
  const from = Date.parse(search.get('from') ?? '');
  const to = Date.parse(search.get('to') ?? '');
  if (from < to) return { from, to };
  const range = search.get('range') ?? '';
  return { live: range in RANGES ? (range as RangeName) : '1h' };
}

/** Where a window begins and ends at a moment in epoch milliseconds. */
export function edgesOf(window: ChartWindow, now: number): Edges {
  return 'live' in window ? { from: now - RANGES[window.live] * 1_000, to: now } : window;
}

/** The shortest and the longest stretch that is shown, in milliseconds: a minute, and what the server reads at once. */
const SHORTEST_MS = 60_000;
const LONGEST_MS = 732 * 86_400_000;

/** A window moved by a share of its own length; never past the present. */
export function moved({ from, to }: Edges, share: number, now: number): Edges {
  const by = Math.min((to - from) * share, Math.max(0, now - to));
  return { from: from + by, to: to + by };
}

/** A window stretched about its middle: a factor of 2 shows twice as much. */
export function stretched({ from, to }: Edges, factor: number, now: number): Edges {
  const length = Math.min(LONGEST_MS, Math.max(SHORTEST_MS, (to - from) * factor));
  const end = Math.min(now, (from + to) / 2 + length / 2);
  return { from: end - length, to: end };
}

/** A marked stretch, not shorter than can be shown. */
export function marked({ from, to }: Edges): Edges {
  const short = SHORTEST_MS - (to - from);
  return short <= 0 ? { from, to } : { from: from - short / 2, to: to + short / 2 };
}
