import { DEFAULT_START_MINUTES, type UpgradeStart } from '@chargehand/domain';
import type { Dayjs } from 'dayjs';

/** The start of an upgrade as form values. */
export interface StartForm {
  start: UpgradeStart;
  startAt: Dayjs | null;
  startWithinMinutes: number;
}

export const START_NOW: StartForm = { start: 'now', startAt: null, startWithinMinutes: DEFAULT_START_MINUTES };

/** The start in the form of the contract, null while its time is missing. */
export function startInputsOf({ start, startAt, startWithinMinutes }: StartForm) {
  if (start === 'now') return {};
  if (start === 'whenIdle') return { start, startWithinMinutes };
  return startAt === null ? null : { start, startAt: startAt.toISOString(), startWithinMinutes };
}
