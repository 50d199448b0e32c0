import { createHash, randomBytes } from 'node:crypto';
import { passwordLacks } from '@chargehand/domain';
import { Problem } from '../platform/http/problem.ts';
import { inventPassword } from './invented-password.ts';
import { hashPassword } from './passwords.ts';
import type { SealedFields } from './sealed-fields.ts';

/**
 * A password that a browser sent encrypted, and what is to be stored of it, which takes a while to compute.
 * @throws {Problem} decryptionFailed, passwordWeak
 */
export async function chosenPassword(
  sealed: SealedFields,
  value: string,
): Promise<{ password: string; hash(): Promise<string> }> {
  const password = await sealed.open('password', value);
  if (passwordLacks(password).length > 0) throw new Problem('passwordWeak', { field: 'password' });
  return { password, hash: () => hashPassword(sha256Hex(password)) };
}

/** What is stored of a password that a browser sent encrypted. @throws {Problem} decryptionFailed, passwordWeak */
export async function chosenPasswordHash(sealed: SealedFields, value: string): Promise<string> {
  return await (await chosenPassword(sealed, value)).hash();
}

/** A password made up here, to be shown once, and what is stored of it. */
export async function newPassword(): Promise<{ password: string; hash: string }> {
  const password = inventPassword();
  return { password, hash: await hashPassword(sha256Hex(password)) };
}

/** What is stored for somebody who has no password yet: the hash of one that nobody knows. */
export async function noPasswordHash(): Promise<string> {
  return await hashPassword(randomBytes(32).toString('hex'));
}

/** The hex SHA-256 of a password, which is all that is ever hashed further or compared (spec §5). */
export function sha256Hex(password: string): string {
  return createHash('sha256').update(password).digest('hex');
}
