import { randomId } from '../../../shared/lib/browser/random-id.ts';
import { external } from '../../../shared/lib/external.ts';
import type { UploadTotal } from './upload-item.ts';

/** What a tab tells the others: its uploads; null when it closes. */
interface TabNews {
  tab: string;
  total: UploadTotal | null;
  /** a new tab, which the others answer */
  asks?: boolean;
}

/**
 * The uploads of the same user in the other tabs of this browser, as one state: each tab shows all of them. `onClosed`: a
 * tab with unfinished uploads was closed, so another one may continue them.
 */
export function uploadTabs(userId: number, ownTotal: () => UploadTotal, onClosed: () => void) {
  const channel = new BroadcastChannel(`chargehand.uploads.${userId}`);
  const tab = randomId();
  const totals = new Map<string, UploadTotal>();
  const others = external<UploadTotal | null>(null);
  const post = (news: Omit<TabNews, 'tab'>) => channel.postMessage({ tab, ...news } satisfies TabNews);
  const leave = () => post({ total: null });

  channel.onmessage = ({ data }: MessageEvent<TabNews>) => {
    const known = totals.get(data.tab);
    if (data.total) totals.set(data.tab, data.total);
    else totals.delete(data.tab);
    others.set(totals.size === 0 ? null : sumOf([...totals.values()]));
    if (data.asks) post({ total: ownTotal() });
    if (data.total === null && known && known.open > 0) onClosed();
  };
  globalThis.addEventListener?.('pagehide', leave);
  post({ total: ownTotal(), asks: true });

  return {
    /** null: no other tab has any */
    others,
    /** Call when the uploads of this tab have changed. */
    publish: () => post({ total: ownTotal() }),
    close(): void {
      leave();
      globalThis.removeEventListener?.('pagehide', leave);
      channel.close();
    },
  };
}

/** The uploads of several tabs. */
export function sumOf(totals: readonly UploadTotal[]): UploadTotal {
  const sum: UploadTotal = { sent: 0, size: 0, counts: {}, done: 0, failed: 0, open: 0 };
  for (const { counts, ...total } of totals) {
    for (const key of ['sent', 'size', 'done', 'failed', 'open'] as const) sum[key] += total[key];
    for (const [state, number] of Object.entries(counts)) {
      const known = state as keyof typeof counts;
      sum.counts[known] = (sum.counts[known] ?? 0) + number;
    }
  }
  return sum;
}
