import type { FleetFrameRow } from '@chargehand/contract';
import { queryOptions } from '@tanstack/react-query';
import { call, type InputOf } from '../../../../shared/api/client.ts';
import { queryClient } from '../../../../shared/api/query.ts';
import { joinFrames } from '../frames.ts';
import { type GrowingLog, useGrowingLog } from '../use-growing-log.ts';

export type FleetFrameFilters = Omit<InputOf<'listFleetFrames'>['query'], 'before' | 'after' | 'limit'>;

interface FleetLog extends GrowingLog<FleetFrameRow> {
  /** how far back the log was read, if a request stopped before it found a full page */
  searchedTo: string | null;
  gaps: boolean;
  /** new frames that were left out, because there were too many */
  skipped: number;
}

const PAGE = 100;
/** New frames of one request. The newest are shown, the others are counted. */
const MOST_NEW = 200;
/** A frame may be stored this long after frames with later IDs. Milliseconds. */
const LATE_MS = 3_000;

/** The protocol log of all devices. New frames are fetched after an event, older ones on demand. */
export function useFleetFrames(filters: FleetFrameFilters) {
  return useGrowingLog(logOf(filters), async (before) => {
    const { items, next, searchedTo, gaps } = await fetchPart(filters, { before, limit: PAGE });
    return (now) => ({
      ...now,
      ...{ frames: joinFrames(now.frames, items), next, searchedTo, gaps: now.gaps || gaps },
    });
  });
}

function logOf(filters: FleetFrameFilters) {
  return queryOptions({
    queryKey: ['listFleetFrames', { query: filters }] as const,
    structuralSharing: false,
    queryFn: async ({ signal, queryKey }): Promise<FleetLog> => {
      const known = queryClient.getQueryData<FleetLog>(queryKey);
      const after = known && startOfNew(known.frames);
      if (!known || after === undefined) {
        const { items, next, searchedTo, gaps } = await fetchPart(filters, { limit: PAGE }, signal);
        return { frames: items, next, searchedTo, gaps, skipped: 0 };
      }
      const { items, skipped } = await fetchPart(filters, { after, limit: MOST_NEW }, signal);
      const now = queryClient.getQueryData<FleetLog>(queryKey) ?? known;
      const oldest = items.at(-1)?.id ?? 0;
      const alreadyShown = now.frames.filter(({ id }) => id > after && id < oldest).length;
      return {
        ...now,
        frames: joinFrames(now.frames, items),
        skipped: now.skipped + Math.max(0, skipped - alreadyShown),
      };
    },
  });
}

/** The ID after which new frames may come: frames of the last seconds are fetched again, because others come between. */
function startOfNew(frames: readonly FleetFrameRow[]): number | undefined {
  const [newest] = frames;
  if (!newest) return undefined;
  const settled = Date.parse(newest.at) - LATE_MS;
  return frames.find(({ at }) => Date.parse(at) < settled)?.id ?? frames.at(-1)!.id - 1;
}

function fetchPart(
  filters: FleetFrameFilters,
  place: { before?: number; after?: number; limit: number },
  signal?: AbortSignal,
) {
  return call('listFleetFrames', { query: { ...filters, ...place } }, { signal, quiet: true });
}
