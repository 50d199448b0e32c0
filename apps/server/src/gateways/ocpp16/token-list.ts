import { TOKEN_LENGTHS } from '@chargehand/domain';
import type { ListEntry, TokenListCall } from '../../ports/devices/token-lists.ts';
import type { Plan } from '../ocpp/dialect.ts';
import { readListError, readListStatus, readListVersion } from '../ocpp/list-answer.ts';

const LENGTH = TOKEN_LENGTHS['ocpp1.6'];

/** The messages of the profile Local Auth List Management, and ClearCache (OCPP 1.6 §5.4, §5.10, §5.15). */
export function tokenListPlan(call: TokenListCall | undefined): Plan | null {
  if (call === undefined) return null;
  if (call.do === 'clearCache')
    return { action: 'ClearCache', payload: {}, read: readListStatus, readError: readListError };
  if (call.do === 'read')
    return {
      action: 'GetLocalListVersion',
      payload: {},
      read: ({ listVersion }) => readListVersion(listVersion),
      readError: readListError,
    };
  const localAuthorizationList = entriesOf(call.entries);
  return {
    action: 'SendLocalList',
    payload: {
      listVersion: call.version,
      updateType: call.full ? 'Full' : 'Differential',
      ...(localAuthorizationList.length > 0 ? { localAuthorizationList } : {}),
    },
    read: readListStatus,
    readError: readListError,
  };
}

/** AuthorizationData (OCPP 1.6 §7.3). Only the last change of a value counts; longer ones cannot be presented. */
function entriesOf(entries: readonly ListEntry[]): object[] {
  const latest = new Map<string, object>();
  for (const { value, status, group, until } of entries) {
    if (value.length > LENGTH) continue;
    const key = value.toLowerCase();
    // Without idTagInfo, an entry is removed.
    const idTagInfo = status && {
      status,
      ...(group !== null && group.length <= LENGTH ? { parentIdTag: group } : {}),
      ...(until === null ? {} : { expiryDate: until }),
    };
    latest.set(key, { idTag: value, ...(idTagInfo ? { idTagInfo } : {}) });
  }
  return [...latest.values()];
}
