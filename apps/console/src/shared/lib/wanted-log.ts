import type { LogType } from '@chargehand/domain';
import type { Dayjs } from 'dayjs';

/** The requested log of a device and its period; without a period, everything that the device has. */
export interface WantedLog {
  logType: LogType;
  span: [Dayjs | null, Dayjs | null] | null;
}

export const ANY_LOG: WantedLog = { logType: 'diagnostics', span: null };

/** The log in the form of the contract's commands. */
export function logInputsOf({ logType, span }: WantedLog) {
  const [from, to] = [span?.[0]?.toISOString(), span?.[1]?.toISOString()];
  return { logType, ...(from && { from }), ...(to && { to }) };
}
