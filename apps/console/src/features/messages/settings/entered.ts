import type { BodyOf, MessageSettingRow, messageEndpoints, OwnMessageSettings } from '@chargehand/contract';
import { FAULT_TYPES, type MessageType } from '@chargehand/domain';

/** The values of the settings page that are not saved yet. */
export interface Entered {
  /** the types that the user decides about; others follow their role or the default */
  own: Partial<Record<MessageType, MessageSettingRow>>;
  quietOn: boolean;
  quietFrom: number;
  quietTo: number;
  digestAt: number;
}

/** The types of message in the order of the page. */
export const TYPE_GROUPS: Readonly<Record<'faults' | 'work' | 'others', readonly MessageType[]>> = {
  faults: [...FAULT_TYPES, 'recovery'],
  work: ['commandFinished', 'firmwareRollout', 'issueCreated', 'issueAssigned', 'issueAnswered', 'issueDue'],
  others: ['waitingDevice', 'shareLocked', 'accountSecurity', 'system'],
};

/** Quiet hours that are offered first: 22:00 to 06:00. */
const QUIET = { from: 22 * 60, to: 6 * 60 };

/** The values of the page from the saved settings. */
export function enteredOf({ types, quiet, digestAt }: OwnMessageSettings): Entered {
  const own = types.flatMap(({ source, usual: _, ...row }) => (source === 'user' ? [[row.type, row] as const] : []));
  const { from, to } = quiet ?? QUIET;
  return { own: Object.fromEntries(own), quietOn: quiet !== null, quietFrom: from, quietTo: to, digestAt };
}

/** What is sent to the server. */
export function bodyOf(entered: Entered): BodyOf<(typeof messageEndpoints)['saveMessageSettings']> {
  const { own, quietOn, quietFrom, quietTo, digestAt } = entered;
  return {
    types: Object.values(own),
    quiet: quietOn ? { from: quietFrom, to: quietTo } : null,
    digestAt,
  };
}
