import type { Kysely } from 'kysely';
import { logAction } from '../../audit/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { Problem } from '../../platform/http/problem.ts';
import { announceAccount } from '../account/account-notices.ts';
import type { SessionsService } from '../sign-in/sessions.service.ts';
import { findPassword, lockAccount } from '../sign-in/sessions.store.ts';
import { setPasswordHash } from '../users/users.store.ts';
import { chosenPassword, type PasswordRules, sha256Hex } from './new-password.ts';
import { passwordMatches } from './passwords.ts';

export type FirstPasswordService = ReturnType<typeof firstPasswordService>;

/** Replaces a password that another user set. Such a session may do nothing else. */
export function firstPasswordService(parts: { db: Kysely<Database>; rules: PasswordRules; sessions: SessionsService }) {
  const { db, rules, sessions } = parts;
  return {
    /** @throws {Problem} passwordOwn, decryptionFailed, passwordWeak, passwordGuessable, passwordSame */
    async choose(caller: Caller, value: string): Promise<void> {
      const present = await findPassword(db, caller.userId);
      if (present?.state !== 'given') throw new Problem('passwordOwn');
      const chosen = await chosenPassword(rules, value, [caller.userName]);
      if (await passwordMatches(present.hash, sha256Hex(chosen.password))) {
        throw new Problem('passwordSame', { field: 'password' });
      }
      const hash = await chosen.hash();
      const ended = await db.transaction().execute(async (trx) => {
        // If another user set a new password in the meantime, this session has ended.
        if ((await lockAccount(trx, caller.userId)) !== present.hash) throw new Problem('signedOutElsewhere');
        await setPasswordHash(trx, caller.userId, hash, 'own');
        await announceAccount(trx, caller.userId, 'passwordChanged');
        await logAction(trx, caller, {
          operation: 'edit',
          objectType: 'user',
          objectId: String(caller.userId),
          objectName: caller.userName,
          customerId: caller.customerId,
          siteId: null,
          before: { password: '••••', passwordState: 'given' },
          after: { password: '••••', passwordState: 'own' },
        });
        return await sessions.endAll(
          trx,
          caller.userId,
          { reason: 'replaced', cause: 'password' },
          { but: caller.sessionId },
        );
      });
      ended.announce();
    },
  };
}
