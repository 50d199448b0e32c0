import { endpoints } from 'virtual:endpoints';
import { MAX_CHART_DEVICES } from '@chargehand/contract/constants';
import { useEffect } from 'react';
import { addressOf } from '../api/address.ts';
import { streamRefusal } from '../api/client.ts';
import { queryClient, stopFetchingAhead } from '../api/query.ts';
import { external, useExternal } from '../lib/external.ts';
import { identityChanged } from '../session/identity.ts';
import { endedSession, session, useSession } from '../session/session.ts';
import { refetcher } from './refetch.ts';
import { sharedStream } from './shared-stream.ts';
import { followStream, type Live } from './stream.ts';
import { applyEvents, follows, markStale, mergeChangesIntoFetches } from './topics.ts';
import { watchVisibility } from './visibility.ts';

const refetches = refetcher(queryClient);
mergeChangesIntoFetches(queryClient, (hash) => refetches.request(new Map([[hash, 'soon']])));

/** Up to there all events have arrived or were in the data of the page. Empty without a signed-in user. */
let position = '';

const live = external<Live>({ state: 'connecting' });
/** False after the page has been hidden for some time: then it has no stream. */
const visible = external(true);
/** The ids of the followed devices, separated by commas. */
const followed = external('');

/** Whether the page is live, or since when it is polled every 30 s. */
export function useLive(): Live {
  return useExternal(live);
}

/** Subscribes to all events of one device (readings, events, frames) while its page is open. */
export function useDeviceStream(deviceId: number | undefined): void {
  useDevicesStream(deviceId === undefined ? [] : [deviceId]);
}

/** In the place of the ID of a device: the topic `fleet.frames`. */
export const ALL_FRAMES = 0;

/** Subscribes to all events of some devices while they are displayed. */
export function useDevicesStream(deviceIds: readonly number[]): void {
  const ids = deviceIds.join(',');
  useEffect(() => {
    if (ids === '') return;
    followed.set(ids);
    return () => {
      if (followed.get() === ids) followed.set('');
      // From now on the stream does not contain all events of these devices.
      markStale(queryClient, ids.split(',').map(Number));
    };
  }, [ids]);
}

/**
 * Keeps the stream open while a user is signed in without a pending policy and the page is not hidden. For the shell
 * only.
 */
export function useStream(): void {
  const ids = useExternal(followed);
  const now = useSession();
  const mayListen = now.status === 'signedIn' && !now.info.privacy.needConfirm;
  const shown = useExternal(visible);
  useEffect(() => watchVisibility(document, (next) => visible.set(next)), []);
  useEffect(() => {
    if (!shown) live.set({ state: 'connecting' });
    const current = session.get();
    if (current.status !== 'signedIn') position = '';
    else position ||= current.info.livePosition;
    if (!mayListen || !shown) return;
    const [, path] = endpoints.stream!;
    const deviceIds = ids.split(',').filter(Boolean).map(Number);
    const queryOf = (ids: readonly number[]) => {
      const [first, ...others] = ids.filter((id) => id !== ALL_FRAMES);
      return { deviceId: first, also: others.join(',') || undefined, frames: ids.includes(ALL_FRAMES) || undefined };
    };
    const query = queryOf(deviceIds);
    return followStream({
      open: sharedStream({
        deviceIds,
        most: MAX_CHART_DEVICES,
        position: () => position,
        open: (wanted, since) => new EventSource(addressOf(path, { query: { ...queryOf(wanted), since } })),
        locks: navigator.locks,
      }),
      reached(reached) {
        position = reached;
      },
      events: (message) => refetches.request(applyEvents(queryClient, message)),
      missed: (what) => refetches.requestAll(what === 'followed' ? follows : () => true, what === 'restart'),
      async sessionEnded(end) {
        // The stream is opened in the browser's language, but a call is answered in the user's.
        await streamRefusal({ query });
        session.set(endedSession(session.get(), end, path));
      },
      identityChanged,
      refused: () => void streamRefusal({ query }),
      onChange(next) {
        stopFetchingAhead();
        live.set(next);
      },
    });
  }, [ids, mayListen, shown]);
}
