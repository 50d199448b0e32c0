import { TOKEN_LENGTHS, tokenKey } from '@chargehand/domain';
import type { ListDialect } from '../../ocpp/token-list.ts';

/** OCPP 2.1 allows more, but a station of 2.0.1 would reject the whole message. */
const LENGTH = TOKEN_LENGTHS['ocpp2.0.1'];
/** IdTokenEnumType of OCPP 2.0.1 (part 2 §3.43); other types exist only in 2.1. */
const TYPES = ['Central', 'eMAID', 'ISO14443', 'ISO15693', 'KeyCode', 'Local', 'MacAddress'];

/** AuthorizationData of OCPP 2.0.1 (part 2 §2.5). Without idTokenInfo, an entry is removed (D01.FR.16). */
export const LIST_DIALECT: ListDialect = {
  version: 'versionNumber',
  entryOf({ value, type, status, group, until }) {
    if (value.length > LENGTH || !TYPES.includes(type)) return null;
    const idTokenInfo = status && {
      status,
      ...(group !== null && group.length <= LENGTH ? { groupIdToken: { idToken: group, type: 'Central' } } : {}),
      ...(until === null ? {} : { cacheExpiryDateTime: until }),
    };
    const idToken = { idToken: value, type };
    return { key: `${type} ${tokenKey(value)}`, data: { idToken, ...(idTokenInfo ? { idTokenInfo } : {}) } };
  },
};
