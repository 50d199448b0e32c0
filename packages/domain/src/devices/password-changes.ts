import type { Execution } from '../operations/executions.ts';

/**
 * The state of a change of a gateway password (OCPP 2.0.1 A01, OCPP 1.6 security whitepaper A01). `waiting`: not sent
 * yet; `unknown`: sent, without a response; `accepted`: the device accepted it and has not connected with it yet;
 * `failed`: the device does not have it.
 */
export const PASSWORD_CHANGE_STATES = ['waiting', 'unknown', 'accepted', 'failed'] as const;
export type PasswordChangeState = (typeof PASSWORD_CHANGE_STATES)[number];

/** The state of the change, from the command with the new password. */
export function passwordChangeState({ state, result }: Pick<Execution, 'state' | 'result'>): PasswordChangeState {
  if (state === 'queued') return 'waiting';
  if (state !== 'ended' || result === 'timeout') return 'unknown';
  return result === 'success' ? 'accepted' : 'failed';
}

/** True while the new password is valid for connections: a device that may have received it must be able to use it. */
export function newPasswordOpens(change: PasswordChangeState): boolean {
  return change !== 'failed';
}

/**
 * The hexadecimal digits of an AuthorizationKey of 20 bytes (OCPP-J 1.6 §6.2), which as text fit the 16 to 40
 * characters of a password.
 */
export const GENERATED_PASSWORD_BYTES = 20;
