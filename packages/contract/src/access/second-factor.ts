import { USER_EDIT_DEMANDS } from '@chargehand/domain';
import { type Static, Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Exact, IdParams } from '../schemas.ts';
import { Encrypted } from './access.ts';

/** The second factor of the caller's own account. */
export const OwnSecondFactor = Exact({
  /** signing in asks for a code */
  enabled: Type.Boolean(),
  /** the role of the caller demands it, so that it cannot be turned off */
  required: Type.Boolean(),
  /** recovery codes that were not used yet */
  recoveryCodes: Type.Integer(),
});
export type OwnSecondFactor = Static<typeof OwnSecondFactor>;

const path = '/api/auth/sys/user/owner/second-factor';

/** An AES-256 key, base64, encrypted for the key of `session.publicKey`: the answer is encrypted with it. */
const AnswerKey = Encrypted;

const RecoveryCodes = Exact({
  /** one on each line, encrypted with the answer key */
  recoveryCodes: Type.String(),
});

export const secondFactorEndpoints = {
  readSecondFactor: endpoint({
    id: 'secondFactor.read',
    method: 'GET',
    path,
    policy: { route: 'common', row: 'own' },
    effect: 'read',
    summary: 'Whether signing in to the own account asks for a code',
    answer: OwnSecondFactor,
  }),
  beginSecondFactor: endpoint({
    id: 'secondFactor.begin',
    method: 'POST',
    path: `${path}/begin`,
    policy: { route: 'common', row: 'own' },
    effect: 'session',
    summary: 'A new secret for an authenticator app; it counts once it is confirmed with a code',
    body: Exact({ currentPassword: Encrypted, answerKey: AnswerKey }),
    answer: Exact({
      /** an `otpauth://` address, encrypted with the answer key */
      uri: Type.String(),
    }),
  }),
  confirmSecondFactor: endpoint({
    id: 'secondFactor.confirm',
    method: 'POST',
    path: `${path}/confirm`,
    policy: { route: 'common', row: 'own' },
    effect: 'session',
    summary: 'Turn the second factor on with a first code; answers the recovery codes, shown this once',
    body: Exact({ code: Encrypted, answerKey: AnswerKey }),
    answer: RecoveryCodes,
  }),
  renewRecoveryCodes: endpoint({
    id: 'secondFactor.renewRecoveryCodes',
    method: 'POST',
    path: `${path}/recovery-codes`,
    policy: { route: 'common', row: 'own' },
    effect: 'session',
    summary: 'Replace the recovery codes, with the password and a code; answers the new ones, shown this once',
    body: Exact({ currentPassword: Encrypted, code: Encrypted, answerKey: AnswerKey }),
    answer: RecoveryCodes,
  }),
  disableSecondFactor: endpoint({
    id: 'secondFactor.disable',
    method: 'POST',
    path: `${path}/disable`,
    policy: { route: 'common', row: 'own' },
    effect: 'session',
    summary: 'Turn the second factor off, with the password and a code; refused where the role demands it',
    body: Exact({ currentPassword: Encrypted, code: Encrypted }),
    answer: Type.Null(),
  }),
  resetSecondFactor: endpoint({
    id: 'users.resetSecondFactor',
    method: 'POST',
    path: '/api/auth/sys/users/:id/second-factor/reset',
    policy: {
      route: { keys: ['auth_user_edit'] },
      row: { thing: 'user', from: 'params.id' },
      level: USER_EDIT_DEMANDS,
      withinOwnRights: true,
    },
    effect: 'update',
    summary: 'Remove the second factor of a user who lost their device; every session of theirs ends',
    params: IdParams,
    body: Exact({}),
    answer: Type.Null(),
  }),
};
