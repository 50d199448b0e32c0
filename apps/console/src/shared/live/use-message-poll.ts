import { MESSAGE_POLL_MS } from '@chargehand/contract/constants';
import { useLive } from './use-live.ts';

/** The interval at which messages are fetched while the live stream is down (spec §9). Empty while it is open. */
export function useMessagePoll(): { refetchInterval?: number } {
  return useLive().state === 'polling' ? { refetchInterval: MESSAGE_POLL_MS } : {};
}
