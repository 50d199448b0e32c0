import { USER_EDIT_LEVELS } from '@chargehand/domain';
import { type Static, Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Exact, IdParams } from '../schemas.ts';
import { Encrypted } from './access.ts';

/** The second factor of the caller's own account. */
export const OwnSecondFactor = Exact({
  /** sign-in requires a code */
  enabled: Type.Boolean(),
  /** required by the role of the caller: it cannot be turned off */
  required: Type.Boolean(),
  /** unused recovery codes */
  recoveryCodes: Type.Integer(),
});
export type OwnSecondFactor = Static<typeof OwnSecondFactor>;

const path = '/api/auth/sys/user/owner/second-factor';

/** An AES-256 key, base64, encrypted for the key of `session.publicKey`. The response is encrypted with it. */
const AnswerKey = Encrypted;

const RecoveryCodes = Exact({
  /** one per line, encrypted with the response key */
  recoveryCodes: Type.String(),
});

export const secondFactorEndpoints = {
  readSecondFactor: endpoint({
    id: 'secondFactor.read',
    method: 'GET',
    path,
    policy: { route: 'common', row: 'own' },
    effect: 'read',
    summary: 'Get the state of your own two-factor authentication',
    nameZh: '查看我的两步验证',
    answer: OwnSecondFactor,
  }),
  beginSecondFactor: endpoint({
    id: 'secondFactor.begin',
    method: 'POST',
    path: `${path}/begin`,
    policy: { route: 'common', row: 'own' },
    effect: 'session',
    summary: 'Start setting up two-factor authentication with a new secret',
    nameZh: '开始设置两步验证',
    body: Exact({ currentPassword: Encrypted, answerKey: AnswerKey }),
    answer: Exact({
      /** an `otpauth://` URI, encrypted with the response key */
      uri: Type.String(),
    }),
  }),
  confirmSecondFactor: endpoint({
    id: 'secondFactor.confirm',
    method: 'POST',
    path: `${path}/confirm`,
    policy: { route: 'common', row: 'own' },
    effect: 'session',
    summary: 'Turn on two-factor authentication with a first code. The recovery codes are returned once',
    nameZh: '启用两步验证',
    body: Exact({ code: Encrypted, answerKey: AnswerKey }),
    answer: RecoveryCodes,
  }),
  renewRecoveryCodes: endpoint({
    id: 'secondFactor.renewRecoveryCodes',
    method: 'POST',
    path: `${path}/recovery-codes`,
    policy: { route: 'common', row: 'own' },
    effect: 'session',
    summary: 'Generate new recovery codes. Requires the password and a code. The new codes are returned once',
    nameZh: '重新生成恢复码',
    body: Exact({ currentPassword: Encrypted, code: Encrypted, answerKey: AnswerKey }),
    answer: RecoveryCodes,
  }),
  disableSecondFactor: endpoint({
    id: 'secondFactor.disable',
    method: 'POST',
    path: `${path}/disable`,
    policy: { route: 'common', row: 'own' },
    effect: 'session',
    summary: 'Turn off two-factor authentication with the password and a code. Rejected if the role requires it',
    nameZh: '关闭两步验证',
    body: Exact({ currentPassword: Encrypted, code: Encrypted }),
    answer: Type.Null(),
  }),
  resetSecondFactor: endpoint({
    id: 'users.resetSecondFactor',
    method: 'POST',
    path: '/api/auth/sys/users/:id/second-factor/reset',
    policy: {
      route: { keys: ['auth_user_edit'] },
      row: { object: 'user', from: 'params.id' },
      level: USER_EDIT_LEVELS,
      withinOwnRights: true,
    },
    effect: 'update',
    summary: 'Reset two-factor authentication of a user. All their sessions end',
    nameZh: '重置用户的两步验证',
    params: IdParams,
    body: Exact({}),
    answer: Type.Null(),
  }),
};
