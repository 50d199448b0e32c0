import { TOKEN_LENGTHS } from '@chargehand/domain';
import type { ListEntry, TokenListCall } from '../../ports/devices/token-lists.ts';
import type { Plan } from '../ocpp/dialect.ts';
import { readListError, readListStatus, readListVersion } from '../ocpp/list-answer.ts';

/** OCPP 2.1 allows more, but a station of 2.0.1 would reject the whole message. */
const LENGTH = TOKEN_LENGTHS['ocpp2.0.1'];
/** IdTokenEnumType of OCPP 2.0.1 (part 2 §3.43); other types exist only in 2.1. */
const TYPES = ['Central', 'eMAID', 'ISO14443', 'ISO15693', 'KeyCode', 'Local', 'MacAddress'];

/** The messages of block D, and ClearCache (OCPP 2.0.1 C11, D01, D02). */
export function tokenListPlan(call: TokenListCall | undefined): Plan | null {
  if (call === undefined) return null;
  if (call.do === 'clearCache')
    return { action: 'ClearCache', payload: {}, read: readListStatus, readError: readListError };
  if (call.do === 'read')
    return {
      action: 'GetLocalListVersion',
      payload: {},
      read: ({ versionNumber }) => readListVersion(versionNumber),
      readError: readListError,
    };
  const localAuthorizationList = entriesOf(call.entries);
  return {
    action: 'SendLocalList',
    payload: {
      versionNumber: call.version,
      updateType: call.full ? 'Full' : 'Differential',
      ...(localAuthorizationList.length > 0 ? { localAuthorizationList } : {}),
    },
    read: readListStatus,
    readError: readListError,
  };
}

/** AuthorizationData (OCPP 2.0.1 part 2 §2.5). Only the last change of a token counts. */
function entriesOf(entries: readonly ListEntry[]): object[] {
  const latest = new Map<string, object>();
  for (const { value, type, status, group, until } of entries) {
    if (value.length > LENGTH || !TYPES.includes(type)) continue;
    // Without idTokenInfo, an entry is removed (D01.FR.16).
    const idTokenInfo = status && {
      status,
      ...(group !== null && group.length <= LENGTH ? { groupIdToken: { idToken: group, type: 'Central' } } : {}),
      ...(until === null ? {} : { cacheExpiryDateTime: until }),
    };
    const idToken = { idToken: value, type };
    latest.set(`${type} ${value.toLowerCase()}`, { idToken, ...(idTokenInfo ? { idTokenInfo } : {}) });
  }
  return [...latest.values()];
}
