import type { ExecutionReason } from '@chargehand/domain';
import type { MetricValue } from './sparkplug/values.ts';

/** Something a device reported that may be the response to a command. */
export type Fact =
  | { type: 'value'; key: string; value: MetricValue }
  /** the device reported all its values; `session` if it has restarted */
  | { type: 'born'; session: boolean }
  | { type: 'answer'; id: string; status: string; detail: string | null; answer: unknown };

/** The outcome of a command, from what a device reported. */
export interface Outcome {
  success: boolean;
  reason: ExecutionReason;
  detail: string | null;
  answer: unknown;
}

/** The statuses of a response that names its command. */
const STATUSES: Readonly<Record<string, { success: boolean; reason: ExecutionReason }>> = {
  accepted: { success: true, reason: 'accepted' },
  scheduled: { success: true, reason: 'scheduled' },
  rebootRequired: { success: true, reason: 'rebootRequired' },
  rejected: { success: false, reason: 'rejected' },
  notSupported: { success: false, reason: 'notSupported' },
  unknownKey: { success: false, reason: 'unknownKey' },
};
export const ANSWER_WORDS = Object.keys(STATUSES);

/** The outcome of a response. An unknown status is an invalid response. */
export function outcomeOf({ status, detail, answer }: Extract<Fact, { type: 'answer' }>): Outcome {
  const known = Object.hasOwn(STATUSES, status) ? STATUSES[status] : undefined;
  if (!known) return { success: false, reason: 'badAnswer', detail: `status ${status.slice(0, 60)}`, answer };
  return { ...known, detail: detail?.slice(0, 500) ?? null, answer };
}
