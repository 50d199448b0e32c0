import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Exact, Id, IdParams } from '../schemas.ts';

const sys = '/api/auth/sys';
const adds = { keys: ['auth_issue_add'] } as const;

/** A user who can be assigned, mentioned or made a watcher: only names. */
const IssueUser = Exact({ id: Id, name: Type.String(), userName: Type.String() });

/** Users of an issue, at most 50. */
export const issueUsers = {
  method: 'GET',
  effect: 'list',
  params: IdParams,
  query: Exact({ search: Type.Optional(Type.String({ maxLength: 100 })) }),
  answer: Exact({ items: Type.Array(IssueUser) }),
} as const;

/** Users who can see a new issue, for those who may report it. They need no right to list users. */
export const newIssueUserEndpoints = {
  listCustomerIssueUsers: endpoint({
    ...issueUsers,
    id: 'issues.usersOfCustomer',
    path: `${sys}/customers/:id/issues/users`,
    policy: { route: adds, row: { object: 'customer', from: 'params.id', whole: true } },
    summary: 'List users who can see issues of a customer as a whole, for a new one, at most 50',
    nameZh: '查询客户新问题可选的用户',
  }),
  listSiteIssueUsers: endpoint({
    ...issueUsers,
    id: 'issues.usersOfSite',
    path: `${sys}/sites/:id/issues/users`,
    policy: { route: adds, row: { object: 'site', from: 'params.id' } },
    summary: 'List users who can see issues of a site, for a new one, at most 50',
    nameZh: '查询站点新问题可选的用户',
  }),
  listDeviceIssueUsers: endpoint({
    ...issueUsers,
    id: 'issues.usersOfDevice',
    path: `${sys}/devices/:id/issues/users`,
    policy: { route: adds, row: { object: 'device', from: 'params.id' } },
    summary: 'List users who can see issues of a device, for a new one, at most 50',
    nameZh: '查询设备新问题可选的用户',
  }),
};
