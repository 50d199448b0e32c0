import type { LogType } from '@chargehand/domain';

/** The requested log of a device and its period; without a period, everything that the device has. */
export interface RequestedLog {
  logType: LogType;
  /** ISO 8601; null: open */
  span: { from: string | null; to: string | null };
}

export const ANY_LOG: RequestedLog = { logType: 'diagnostics', span: { from: null, to: null } };

/** The log in the form of the contract's commands. */
export function logInputsOf({ logType, span }: RequestedLog) {
  const { from, to } = span;
  return { logType, ...(from && { from }), ...(to && { to }) };
}
