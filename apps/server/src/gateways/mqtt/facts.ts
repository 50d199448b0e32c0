import type { ExecutionReason } from '@chargehand/domain';
import type { MetricValue } from './sparkplug/values.ts';

/** Something a device said that may be what a command waits for. */
export type Fact =
  | { type: 'value'; key: string; value: MetricValue }
  /** the device told everything about itself; `session` when it had started anew */
  | { type: 'born'; session: boolean }
  | { type: 'answer'; id: string; status: string; detail: string | null; answer: unknown };

/** What a device's words make of a command. */
export interface Outcome {
  success: boolean;
  reason: ExecutionReason;
  detail: string | null;
  answer: unknown;
}

/** The words with which a device answers a command by its id. */
const STATUSES: Readonly<Record<string, { success: boolean; reason: ExecutionReason }>> = {
  accepted: { success: true, reason: 'accepted' },
  scheduled: { success: true, reason: 'scheduled' },
  rebootRequired: { success: true, reason: 'rebootRequired' },
  rejected: { success: false, reason: 'rejected' },
  notSupported: { success: false, reason: 'notSupported' },
  unknownKey: { success: false, reason: 'unknownKey' },
};
export const ANSWER_WORDS = Object.keys(STATUSES);

/** What an answer amounts to. A word that is none of ours is a bad answer, not a success. */
export function outcomeOf({ status, detail, answer }: Extract<Fact, { type: 'answer' }>): Outcome {
  const known = Object.hasOwn(STATUSES, status) ? STATUSES[status] : undefined;
  if (!known) return { success: false, reason: 'badAnswer', detail: `status ${status.slice(0, 60)}`, answer };
  return { ...known, detail: detail?.slice(0, 500) ?? null, answer };
}
