import type { PresentedToken, TokenDecision } from '@chargehand/domain';

/** A token that a device presented, with where it was. */
export interface TokenRequest extends PresentedToken {
  /** 0: the device does not say where */
  connector: number;
  /** the device's own id of the session that it starts or uses, so that it is no other session */
  session: string | null;
}

/** A decision as it is stored with the charging session. */
export interface Decided extends TokenDecision {
  /** the token of the list */
  tokenId: number | null;
  at: Date;
}

/** Decides who may charge. */
export interface Authorizer {
  /** Rejects when the database does not answer: the device then asks again. */
  decide(deviceId: number, request: TokenRequest): Promise<Decided>;
}

/** Accepts everyone: for gateways without a list of tokens. */
export const ACCEPTS_EVERYONE: Authorizer = {
  decide: async (_, { at }) => ({
    ...{ status: 'Accepted', reason: 'everyone', applied: { policy: 'everyone', level: 'default' } },
    ...{ group: null, until: null, tokenId: null, at },
  }),
};
