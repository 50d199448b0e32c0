import { decideAccount, decideRoute, decideSession, type Endpoint, refusalOf } from '@chargehand/contract';
import type { Pool } from 'pg';
import { findAccountState } from './callers.store.ts';
import { type AccountState, accountOf, accountStateOf } from './decision.ts';

/** What a user may see and change, signed in or not. */
export type UserRights = AccountState;

/**
 * The rights of a user who may call an endpoint, for what continues in their name while they are not signed in; null when
 * their account is disabled or deleted, or their role does not include the endpoint.
 */
export async function userRights(pool: Pool, userId: number, endpointId: string): Promise<UserRights | null> {
  const state = await findAccountState(pool, userId, endpointId);
  if (!state) return null;
  const account = accountOf(state);
  return refusalOf([decideAccount(account), decideRoute(account)]) ? null : accountStateOf(state);
}

/**
 * The rights of the user for whom other software calls an endpoint. `unusable`: the account is deleted or disabled;
 * `unreachable`: the role does not include the endpoint, or the customer is read-only and the endpoint changes something.
 */
export async function boundUserRights(
  pool: Pool,
  userId: number,
  endpoint: Endpoint,
): Promise<UserRights | 'unusable' | 'unreachable'> {
  const state = await findAccountState(pool, userId, endpoint.id);
  const refused = state && refusalOf(decideSession(accountOf(state), endpoint, { signsIn: false }));
  if (!state || refused?.step === 'account') return 'unusable';
  return refused ? 'unreachable' : accountStateOf(state);
}
