import type { SendAnswer } from '../messages/channels.ts';

/** Seconds until the next attempt after the first failure, the second, and so on: three days in total. */
const DELAYS = [5, 60, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 73_435] as const;

/** A webhook that has failed for this long is disabled. Seconds. */
export const WEBHOOK_GIVE_UP_SECONDS = 259_200;

/** Seconds until the next attempt of a delivery, null to give up. `tries` is the number of attempts so far. */
export function retryDelivery(tries: number, { final, gone, retryAfterSeconds }: SendAnswer): number | null {
  const delay = final || gone ? undefined : DELAYS[tries - 1];
  return delay === undefined ? null : Math.min(Math.max(delay, retryAfterSeconds ?? 0), 86_400);
}

/** True if the receiver itself does not work, so that other deliveries wait, too. */
export function isReceiverDown({ status }: Pick<SendAnswer, 'status'>): boolean {
  return status === null || status >= 500 || status === 429;
}
