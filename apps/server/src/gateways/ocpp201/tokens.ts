import { TOKEN_LENGTHS } from '@chargehand/domain';
import type { Decided } from '../../ports/devices/authorizer.ts';

/** IdTokenType of OCPP 2.0.1 (part 2 §2.51). */
export interface IdToken {
  idToken: string;
  type: string;
}

/**
 * IdTokenInfoType of OCPP 2.0.1 (part 2 §2.52). The standard has no type of its own for groups; Central is what a CSMS
 * creates. A group that is longer than an identifier cannot be sent.
 */
export function idTokenInfo({ status, group, until }: Decided): object {
  return {
    status,
    ...(group !== null && group.length <= TOKEN_LENGTHS['ocpp2.0.1']
      ? { groupIdToken: { idToken: group, type: 'Central' } }
      : {}),
    ...(until === null ? {} : { cacheExpiryDateTime: until.toISOString() }),
  };
}
