import type { LogType } from '@chargehand/domain';
import type { Dayjs } from 'dayjs';

/** Which log is wanted of a device, and of which time; without a time whatever the device has. */
export interface WantedLog {
  logType: LogType;
  span: [Dayjs | null, Dayjs | null] | null;
}

export const ANY_LOG: WantedLog = { logType: 'diagnostics', span: null };

/** The log as the contract's commands take it. */
export function logInputsOf({ logType, span }: WantedLog) {
  const [from, to] = [span?.[0]?.toISOString(), span?.[1]?.toISOString()];
  return { logType, ...(from && { from }), ...(to && { to }) };
}
