import { formatTime } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { readServerState } from '../../../shared/api/readiness.ts';
import type { Live } from '../../../shared/live/stream.ts';
import { useLive } from '../../../shared/live/use-live.ts';

/** Interval of connection checks while the stream is down. Milliseconds. */
const TRY_MS = 5_000;

/** Shows the connection state: live, polling since a time, without new data, or disconnected. */
export function LiveIndicator() {
  const { t } = useTranslation();
  const live = useLive();
  const state = useConnection(live);
  if (state === 'connecting') return null;
  const since = live.state === 'polling' ? formatTime(live.since).slice(11, 16) : '';
  return (
    <p className="live-indicator" data-state={state} role="status" title={t(`live.${state}Hint`)}>
      <span aria-hidden="true" />
      <span className="live-indicator-text">{t(`live.${state}`, { since })}</span>
    </p>
  );
}

/** `offline`: the browser has no network. `down`: the server does not respond. `stale`: it responds, but has no data. */
function useConnection(live: Live): 'connecting' | 'on' | 'polling' | 'stale' | 'down' | 'offline' {
  const online = useSyncExternalStore(watchNetwork, () => navigator.onLine);
  const polling = live.state === 'polling';
  const { data: server } = useQuery({
    queryKey: ['serverState'],
    queryFn: readServerState,
    enabled: polling && online,
    refetchInterval: TRY_MS,
    networkMode: 'always',
    gcTime: 0,
  });
  if (!online) return 'offline';
  if (polling && server === 'unreachable') return 'down';
  if (polling) return server === 'notReady' ? 'stale' : 'polling';
  return live.state === 'live' ? 'on' : 'connecting';
}

function watchNetwork(changed: () => void): () => void {
  addEventListener('online', changed);
  addEventListener('offline', changed);
  return () => {
    removeEventListener('online', changed);
    removeEventListener('offline', changed);
  };
}
