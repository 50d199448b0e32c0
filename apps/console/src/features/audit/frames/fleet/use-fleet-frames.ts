import type { FleetFrameRow } from '@chargehand/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call, type InputOf } from '../../../../shared/api/client.ts';
import { queryClient } from '../../../../shared/api/query.ts';
import { joinFrames, MOST_FRAMES } from '../frames.ts';

export type FleetFrameFilters = Omit<InputOf<'listFleetFrames'>['query'], 'before' | 'after' | 'limit'>;

interface FleetLog {
  /** newest first */
  frames: FleetFrameRow[];
  /** the cursor for older frames, null at the start of the log */
  next: number | null;
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
  const log = logOf(filters);
  const query = useQuery(log);
  const [fetchingOlder, setFetchingOlder] = useState(false);

  async function older() {
    const known = queryClient.getQueryData(log.queryKey);
    if (fetchingOlder || !known || known.next === null || known.frames.length >= MOST_FRAMES) return;
    setFetchingOlder(true);
    try {
      const { items, ...rest } = await fetchPart(filters, { before: known.next, limit: PAGE });
      queryClient.setQueryData(
        log.queryKey,
        (now) =>
          now && {
            ...now,
            frames: joinFrames(now.frames, items),
            next: rest.next,
            searchedTo: rest.searchedTo,
            gaps: now.gaps || rest.gaps,
          },
      );
    } finally {
      setFetchingOlder(false);
    }
  }

  return { query, older, fetchingOlder };
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
