import { POLICY_LEVELS, TOKEN_POLICIES, TOKEN_REASONS, TOKEN_STATUSES } from '@chargehand/domain';
import { type Static, Type } from 'typebox';
import { Exact, Id, Time, Words } from '../schemas.ts';

/** Who decided about a charging session, and why. */
export const SessionDecision = Exact({
  status: Words(TOKEN_STATUSES),
  reason: Words(TOKEN_REASONS),
  policy: Words(TOKEN_POLICIES),
  level: Words(POLICY_LEVELS),
  /** the token of the list, if it still exists and the caller sees it */
  tokenId: Type.Union([Id, Type.Null()]),
  at: Time,
});
export type SessionDecision = Static<typeof SessionDecision>;
