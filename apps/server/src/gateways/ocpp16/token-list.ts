import { TOKEN_LENGTHS, tokenKey } from '@chargehand/domain';
import type { ListDialect } from '../ocpp/token-list.ts';

const LENGTH = TOKEN_LENGTHS['ocpp1.6'];

/** AuthorizationData of OCPP 1.6 (§7.3). Longer values cannot be presented. */
export const LIST_DIALECT: ListDialect = {
  version: 'listVersion',
  entryOf({ value, status, group, until }) {
    if (value.length > LENGTH) return null;
    const idTagInfo = status && {
      status,
      ...(group !== null && group.length <= LENGTH ? { parentIdTag: group } : {}),
      ...(until === null ? {} : { expiryDate: until }),
    };
    return { key: tokenKey(value), data: { idTag: value, ...(idTagInfo ? { idTagInfo } : {}) } };
  },
};
