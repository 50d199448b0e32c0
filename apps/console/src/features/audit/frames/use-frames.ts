import type { ProtocolFrameRow } from '@chargehand/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../shared/api/client.ts';
import { queryClient } from '../../../shared/api/query.ts';
import { joinFrames } from './frames.ts';
import { type GrowingLog, useGrowingLog } from './use-growing-log.ts';

/** The filters of the protocol log; times in ISO-8601. */
export interface FrameFilters {
  types?: string;
  action?: string;
  search?: string;
  from?: string;
  to?: string;
}

type Log = GrowingLog<ProtocolFrameRow>;

const STRETCH = 200;
/** The maximum number of pages of new frames fetched at once. The next change fetches the rest. */
const MOST_STRETCHES = 10;

/**
 * The protocol log of a device. New frames are fetched when the live stream reports them, older ones on demand. Known
 * frames are kept, so that a refetch only loads new ones.
 */
export function useFrames(deviceId: number, filters: FrameFilters) {
  return useGrowingLog(logOf(deviceId, filters), async (before) => {
    const { items, next } = await fetchStretch(deviceId, filters, { before });
    return (now) => ({ frames: joinFrames(now.frames, items), next });
  });
}

function logOf(deviceId: number, filters: FrameFilters) {
  return queryOptions({
    queryKey: ['listFrames', { params: { id: deviceId } }, filters] as const,
    structuralSharing: false,
    queryFn: async ({ signal, queryKey }): Promise<Log> => {
      const known = queryClient.getQueryData<Log>(queryKey);
      const newest = known?.frames[0]?.id;
      if (!known || newest === undefined) {
        const { items, next } = await fetchStretch(deviceId, filters, {}, signal);
        return { frames: items, next };
      }
      let fresh: ProtocolFrameRow[] = [];
      for (let page = 0; page < MOST_STRETCHES; page += 1) {
        const { items } = await fetchStretch(deviceId, filters, { after: fresh[0]?.id ?? newest }, signal);
        fresh = joinFrames(fresh, items);
        if (items.length < STRETCH) break;
      }
      const now = queryClient.getQueryData<Log>(queryKey) ?? known;
      return { frames: joinFrames(now.frames, fresh), next: now.next };
    },
  });
}

function fetchStretch(
  id: number,
  filters: FrameFilters,
  place: { before?: number; after?: number },
  signal?: AbortSignal,
) {
  return call(
    'listFrames',
    { params: { id }, query: { limit: STRETCH, ...place, ...filters } },
    { signal, quiet: true },
  );
}
