import { DEFAULT_START_MINUTES, type UpgradeStart } from '@chargehand/domain';

/** The start of an upgrade as form values. */
export interface StartForm {
  start: UpgradeStart;
  /** ISO 8601 */
  startAt: string | null;
  startWithinMinutes: number;
}

export const START_NOW: StartForm = { start: 'now', startAt: null, startWithinMinutes: DEFAULT_START_MINUTES };

/** The start in the form of the contract, null while its time is missing. */
export function startInputsOf({ start, startAt, startWithinMinutes }: StartForm) {
  if (start === 'now') return {};
  if (start === 'whenIdle') return { start, startWithinMinutes };
  return startAt === null ? null : { start, startAt, startWithinMinutes };
}
