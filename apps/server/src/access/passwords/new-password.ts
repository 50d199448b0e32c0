import { createHash, randomBytes } from 'node:crypto';
import { isGuessable, passwordFault } from '@chargehand/domain';
import { COMMON_PASSWORDS } from '../../platform/common-passwords.ts';
import { Problem } from '../../platform/http/problem.ts';
import type { SealedFields } from '../../ports/sealed-fields.ts';
import { inventPassword } from './generated-password.ts';
import { hashPassword } from './passwords.ts';

/** What decides about new passwords. */
export interface PasswordRules {
  sealed: SealedFields;
  /** the least number of characters of this installation */
  passwordLength(): number;
}

/**
 * Decrypts a password from a browser, checks it and computes its hash, which takes a while.
 * @param names of the account, which a password must not contain
 * @throws {Problem} decryptionFailed, passwordWeak, passwordShort, passwordGuessable
 */
export async function chosenPassword(
  rules: PasswordRules,
  value: string,
  names: readonly string[],
): Promise<{ password: string; hash(): Promise<string> }> {
  const password = await rules.sealed.open('password', value);
  const least = rules.passwordLength();
  const fault = passwordFault(password, least);
  if (fault) {
    throw new Problem(fault === 'weak' ? 'passwordWeak' : 'passwordShort', { field: 'password', values: { least } });
  }
  if (isGuessable(password, COMMON_PASSWORDS, names)) throw new Problem('passwordGuessable', { field: 'password' });
  return { password, hash: () => hashPassword(sha256Hex(password)) };
}

/** The hash of a password that a browser encrypted. @throws {Problem} as `chosenPassword` */
export async function chosenPasswordHash(
  rules: PasswordRules,
  value: string,
  names: readonly string[],
): Promise<string> {
  return await (await chosenPassword(rules, value, names)).hash();
}

/** A generated password, shown once, and its hash. */
export async function newPassword(): Promise<{ password: string; hash: string }> {
  const password = inventPassword();
  return { password, hash: await hashPassword(sha256Hex(password)) };
}

/** The stored value for a user without a password: the hash of a random password. */
export async function noPasswordHash(): Promise<string> {
  return await hashPassword(randomBytes(32).toString('hex'));
}

/** The hex SHA-256 of a password. Only this is hashed further and compared (spec §5). */
export function sha256Hex(password: string): string {
  return createHash('sha256').update(password).digest('hex');
}
