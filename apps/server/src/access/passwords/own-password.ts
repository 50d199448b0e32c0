import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { Problem } from '../../platform/http/problem.ts';
import type { SealedFields } from '../../ports/sealed-fields.ts';
import { findPassword } from '../sign-in/sessions.store.ts';
import type { SignInLimits } from '../sign-in/sign-in-limits.ts';
import { sha256Hex } from './new-password.ts';
import { passwordMatches } from './passwords.ts';

interface Parts {
  db: Kysely<Database>;
  sealed: SealedFields;
  limits: SignInLimits;
}

/**
 * Verifies the caller's current password. Wrong ones count as failed sign-ins.
 * @throws {Problem} decryptionFailed, currentPasswordWrong, accountLocked, addressLocked
 */
export async function requireOwnPassword({ db, sealed, limits }: Parts, caller: Caller, value: string): Promise<void> {
  const password = await sealed.open('currentPassword', value);
  const attempt = await limits.begin(caller.userName, caller.address);
  const stored = await findPassword(db, caller.userId);
  if (!(await passwordMatches(stored?.hash ?? null, sha256Hex(password)))) throw wrongPassword(await attempt.failed());
  await attempt.succeeded();
}

/** A wrong current password as a field error. A lock is reported as it is. */
export function wrongPassword(problem: Problem): Problem {
  if (problem.code !== 'credentialsWrong') return problem;
  return new Problem('currentPasswordWrong', { field: 'currentPassword', values: problem.values });
}

/** The same for a code of two-factor authentication. */
export function wrongCode(problem: Problem): Problem {
  if (problem.code !== 'credentialsWrong') return problem;
  return new Problem('secondFactorWrong', { field: 'code', values: problem.values });
}
