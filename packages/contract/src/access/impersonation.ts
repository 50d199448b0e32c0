import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Exact, IdParams, Time } from '../schemas.ts';

/** An event of the live stream named `identity` has no data: impersonation started or ended for the session. */

/** An impersonation: the impersonated user and the root account. */
export const Impersonation = Exact({
  /** the name of the impersonated user */
  userName: Type.String(),
  /** the name of the root account */
  viewerName: Type.String(),
  since: Time,
  until: Time,
});

export const impersonationEndpoints = {
  startImpersonation: endpoint({
    id: 'viewing.start',
    method: 'POST',
    path: '/api/auth/sys/users/:id/view',
    policy: { route: { keys: ['auth_user_detail'] }, who: 'root', row: { object: 'user', from: 'params.id' } },
    effect: 'session',
    summary: 'View the console as another user for up to 30 minutes, read-only; root only, not as another root account',
    nameZh: '以其他用户身份查看',
    params: IdParams,
    body: Exact({}),
    answer: Exact({ until: Time }),
  }),
  stopImpersonation: endpoint({
    id: 'viewing.stop',
    method: 'POST',
    path: '/api/auth/sys/viewing/stop',
    policy: { route: 'common', row: 'own' },
    effect: 'session',
    summary: 'Stop viewing the console as another user',
    nameZh: '结束以其他用户身份查看',
    body: Exact({}),
    answer: Type.Null(),
  }),
};
