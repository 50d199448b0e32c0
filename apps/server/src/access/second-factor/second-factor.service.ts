import type { BodyOf, Locale, OwnSecondFactor, ResultOf, secondFactorEndpoints } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { Problem } from '../../platform/http/problem.ts';
import type { SealedFields } from '../../ports/sealed-fields.ts';
import { announceAccount } from '../account/account-notices.ts';
import { requireOwnPassword, wrongCode } from '../passwords/own-password.ts';
import type { SessionsService } from '../sign-in/sessions.service.ts';
import type { SignInLimits } from '../sign-in/sign-in-limits.ts';
import { logUser } from '../users/user-rules.ts';
import {
  confirmSecret,
  deleteFactor,
  findFactor,
  isFactorRequired,
  putPendingSecret,
  replaceRecoveryCodes,
} from './second-factor.store.ts';
import { bare, makeRecoveryCodes, type SecondFactorCodes } from './second-factor-codes.ts';

type Endpoints = typeof secondFactorEndpoints;
export type SecondFactorService = ReturnType<typeof secondFactorService>;

/** A secret that was not confirmed in this time must be created again. */
const PENDING_MS = 15 * 60_000;

export interface SecondFactorParts {
  db: Kysely<Database>;
  sealed: SealedFields;
  limits: SignInLimits;
  sessions: SessionsService;
  codes: SecondFactorCodes;
  clock: Clock;
}

/** Two-factor authentication of the own account. Wrong codes count as failed sign-ins of the account. */
export function secondFactorService(parts: SecondFactorParts) {
  const { db, sealed, limits, sessions, codes, clock } = parts;

  /** Requires the caller's password and a current code. Wrong ones count as failed sign-ins. */
  async function requirePasswordAndCode(caller: Caller, body: { currentPassword: string; code: string }) {
    const code = await sealed.open('code', body.code);
    if (!(await codes.areRequired(caller.userId))) throw new Problem('secondFactorOff');
    await requireOwnPassword(parts, caller, body.currentPassword);
    const attempt = await limits.begin(caller.userName, caller.address);
    if ((await codes.take(caller.userId, code)) === null) throw wrongCode(await attempt.failed());
    await attempt.succeeded();
  }

  return {
    async read(caller: Caller): Promise<OwnSecondFactor> {
      const factor = await findFactor(db, caller.userId);
      const enabled = (factor?.confirmedAt ?? null) !== null;
      return {
        enabled,
        required: await isFactorRequired(db, caller.userId),
        recoveryCodes: enabled ? (factor?.recoveryCodes ?? 0) : 0,
      };
    },

    /** @throws {Problem} secondFactorOn, decryptionFailed, currentPasswordWrong, accountLocked, addressLocked */
    async begin(
      caller: Caller,
      locale: Locale,
      body: BodyOf<Endpoints['beginSecondFactor']>,
    ): Promise<ResultOf<Endpoints['beginSecondFactor']>> {
      const { stored, uri } = codes.make(caller.userName, locale);
      const answer = await sealed.answer('answerKey', body.answerKey, uri);
      await requireOwnPassword(parts, caller, body.currentPassword);
      if (!(await putPendingSecret(db, caller.userId, stored))) throw new Problem('secondFactorOn');
      return { uri: answer };
    },

    /** @throws {Problem} secondFactorNotBegun, secondFactorWrong, decryptionFailed, accountLocked, addressLocked */
    async confirm(
      caller: Caller,
      body: BodyOf<Endpoints['confirmSecondFactor']>,
    ): Promise<ResultOf<Endpoints['confirmSecondFactor']>> {
      const code = bare(await sealed.open('code', body.code));
      const made = makeRecoveryCodes();
      const answer = await sealed.answer('answerKey', body.answerKey, made.codes.join('\n'));
      const factor = await findFactor(db, caller.userId);
      if (factor?.confirmedAt) throw new Problem('secondFactorOn');
      if (!factor || clock.now().getTime() - factor.createdAt.getTime() > PENDING_MS)
        throw new Problem('secondFactorNotBegun');
      const attempt = await limits.begin(caller.userName, caller.address);
      const step = codes.stepOf(factor.secret, code);
      if (step === null) throw wrongCode(await attempt.failed());
      await attempt.succeeded();
      const ended = await db.transaction().execute(async (trx) => {
        const { secret } = factor;
        if (!(await confirmSecret(trx, caller.userId, { secret, step, codeHashes: made.hashes }))) {
          throw new Problem('secondFactorNotBegun');
        }
        await logUser(trx, caller, 'edit', subjectOf(caller), { secondFactor: false }, { secondFactor: true });
        await announceAccount(trx, caller.userId, 'secondFactorOn');
        // Sessions that were opened with only the password end.
        return await sessions.endAll(
          trx,
          caller.userId,
          { reason: 'replaced', cause: 'owner' },
          { but: caller.sessionId },
        );
      });
      ended.announce();
      sessions.rightsChanged(caller.userId);
      return { recoveryCodes: answer };
    },

    /** @throws {Problem} secondFactorOff, secondFactorWrong, and as `begin` */
    async renewRecoveryCodes(
      caller: Caller,
      body: BodyOf<Endpoints['renewRecoveryCodes']>,
    ): Promise<ResultOf<Endpoints['renewRecoveryCodes']>> {
      const made = makeRecoveryCodes();
      const answer = await sealed.answer('answerKey', body.answerKey, made.codes.join('\n'));
      await requirePasswordAndCode(caller, body);
      await db.transaction().execute(async (trx) => {
        if (!(await replaceRecoveryCodes(trx, caller.userId, made.hashes))) throw new Problem('secondFactorOff');
        await logUser(trx, caller, 'edit', subjectOf(caller), null, { recoveryCodes: 'renewed' });
        await announceAccount(trx, caller.userId, 'recoveryCodesRenewed');
      });
      return { recoveryCodes: answer };
    },

    /** @throws {Problem} secondFactorRequired, secondFactorOff, secondFactorWrong, and as `begin` */
    async disable(caller: Caller, body: BodyOf<Endpoints['disableSecondFactor']>): Promise<void> {
      if (await isFactorRequired(db, caller.userId)) throw new Problem('secondFactorRequired');
      await requirePasswordAndCode(caller, body);
      await db.transaction().execute(async (trx) => {
        if (!(await deleteFactor(trx, caller.userId))) return;
        await logUser(trx, caller, 'edit', subjectOf(caller), { secondFactor: true }, { secondFactor: false });
        await announceAccount(trx, caller.userId, 'secondFactorOff');
      });
    },
  };
}

function subjectOf({ userId, userName, customerId }: Caller) {
  return { id: userId, userName, customerId };
}
