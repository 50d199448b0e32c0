import type { Execution } from '../operations/executions.ts';

/**
 * How a change of the password of a device's connection stands (OCPP 2.0.1 A01, OCPP 1.6 security whitepaper A01).
 * `waiting`: not given to the device yet; `unknown`: given, and not answered; `accepted`: the device agreed and has not
 * connected with the new password yet; `failed`: the device does not have it.
 */
export const PASSWORD_CHANGE_STATES = ['waiting', 'unknown', 'accepted', 'failed'] as const;
export type PasswordChangeState = (typeof PASSWORD_CHANGE_STATES)[number];

/** What the command that carries the new password says of the change. */
export function passwordChangeState({ state, result }: Pick<Execution, 'state' | 'result'>): PasswordChangeState {
  if (state === 'queued') return 'waiting';
  if (state !== 'ended' || result === 'timeout') return 'unknown';
  return result === 'success' ? 'accepted' : 'failed';
}

/** True while the new password opens a connection: a device that may have it must be able to use it. */
export function newPasswordOpens(change: PasswordChangeState): boolean {
  return change !== 'failed';
}

/** The hexadecimal digits of an AuthorizationKey of 20 bytes (OCPP-J 1.6 §6.2), and as text within the 16 to 40 characters of a password. */
export const GENERATED_PASSWORD_BYTES = 20;
