import { RATE_LIMIT, USER_EDIT_LEVELS } from '@chargehand/domain';
import { type Static, Type } from 'typebox';
import { Explanation } from '../access/explain.ts';
import { endpoint } from '../endpoint.ts';
import { PictureKey } from '../fleet/files.ts';
import { CommandKindSchema } from '../operations/operations.ts';
import {
  Day,
  Exact,
  FileId,
  Id,
  IdParams,
  Lines,
  Matching,
  NullableTime,
  Page,
  Paging,
  Revision,
  SeenRevision,
  Time,
  Words,
} from '../schemas.ts';

/** Why an application cannot be used, or `enabled`. */
export const APPLICATION_STATES = ['enabled', 'disabled', 'expired', 'userMissing'] as const;

/** The ID of an operation of the open API. */
const OperationId = Matching('^[A-Za-z.]+$', 'listDevices', { maxLength: 64 });

const fields = {
  name: Type.String({ minLength: 1, maxLength: 64 }),
  description: Lines({ maxLength: 2_000 }),
  /** networks in CIDR notation; empty: every address */
  allowedAddresses: Type.Array(Type.String({ minLength: 2, maxLength: 49 }), { maxItems: 50, uniqueItems: true }),
  /** IDs of operations of the open API; the application can call no others */
  allowedOperations: Type.Array(OperationId, {
    maxItems: 100,
    uniqueItems: true,
  }),
  /** requests per minute */
  rateLimit: Type.Integer({ minimum: RATE_LIMIT.min, maximum: RATE_LIMIT.max }),
  expiresAt: NullableTime,
};

export const ApplicationRow = Exact({
  id: Id,
  name: Type.String(),
  description: Type.String(),
  icon: PictureKey,
  /** sent as `keyid` of signatures */
  appId: Type.String(),
  state: Words(APPLICATION_STATES),
  /** the user whose permissions the application has; null when the user was deleted */
  boundUser: Type.Union([Exact({ id: Id, userName: Type.String(), nickName: Type.String() }), Type.Null()]),
  expiresAt: NullableTime,
  installedAt: Time,
  lastUsedAt: NullableTime,
  /** requests and refused or failed requests since midnight UTC */
  callsToday: Type.Integer({ minimum: 0 }),
  errorsToday: Type.Integer({ minimum: 0 }),
});
export type ApplicationRow = Static<typeof ApplicationRow>;

/** A secret without its value. */
const SecretRow = Exact({
  id: Id,
  /** its last four characters */
  ending: Type.String(),
  createdAt: Time,
  lastUsedAt: NullableTime,
  /** null: until it is replaced */
  validUntil: NullableTime,
});

export const ApplicationDetail = Exact({
  ...ApplicationRow.properties,
  ...fields,
  secrets: Type.Array(SecretRow),
  /** allowed operations that the bound user may not use, so the application cannot call them */
  unreachable: Type.Array(Type.String()),
  revision: Revision,
});
export type ApplicationDetail = Static<typeof ApplicationDetail>;

/** The secret is only in this answer. */
export const NewSecret = Exact({ id: Id, appId: Type.String(), appSecret: Type.String() });
export type NewSecret = Static<typeof NewSecret>;

export const ApplicationUsage = Exact({
  /** one entry for each day with requests, the oldest first; days in UTC */
  days: Type.Array(
    Exact({
      day: Day,
      calls: Type.Integer(),
      errors: Type.Integer(),
      /** signatures in its name that were refused; they are no requests of it */
      refused: Type.Integer(),
    }),
  ),
});
export type ApplicationUsage = Static<typeof ApplicationUsage>;

const path = '/api/auth/sys/applications';
/** The caller may change the bound user, and has all of its permissions. */
const changed = (key: 'auth_application_edit' | 'auth_application_detail') =>
  ({
    route: { keys: [key] },
    row: { object: 'application', from: 'params.id' },
    level: USER_EDIT_LEVELS,
    withinOwnRights: true,
  }) as const;

/** Other software that acts with the permissions of a user (spec §3). */
export const applicationEndpoints = {
  listApplications: endpoint({
    id: 'applications.list',
    method: 'GET',
    path,
    policy: { route: { keys: ['auth_application_list'] }, row: 'scope' },
    effect: 'list',
    summary: 'List the applications whose users the caller sees',
    nameZh: '查询应用列表',
    query: Exact({
      ...Paging(['name', 'installedAt', 'lastUsedAt']),
      search: Type.Optional(Type.String({ maxLength: 100 })),
      applicationState: Type.Optional(Words(APPLICATION_STATES)),
    }),
    answer: Page(ApplicationRow),
  }),
  readApplication: endpoint({
    id: 'applications.read',
    method: 'GET',
    path: `${path}/:id`,
    policy: {
      route: { keys: ['auth_application_detail', 'auth_application_edit'] },
      row: { object: 'application', from: 'params.id' },
    },
    effect: 'read',
    summary: 'Get an application',
    nameZh: '查询应用详情',
    params: IdParams,
    answer: ApplicationDetail,
  }),
  readApplicationUsage: endpoint({
    id: 'applications.usage',
    method: 'GET',
    path: `${path}/:id/usage`,
    policy: { route: { keys: ['auth_application_detail'] }, row: { object: 'application', from: 'params.id' } },
    effect: 'read',
    summary: 'Get the requests and errors of an application per day, for 90 days',
    nameZh: '查询应用调用统计',
    params: IdParams,
    answer: ApplicationUsage,
  }),
  explainApplication: endpoint({
    id: 'applications.explain',
    method: 'GET',
    path: `${path}/:id/explanation`,
    policy: { route: { keys: ['auth_application_detail'] }, row: { object: 'application', from: 'params.id' } },
    effect: 'read',
    summary:
      'Explain whether an application may call an operation of the open API; step by step, optionally from an address and on a specific object',
    nameZh: '分析应用访问权限',
    params: IdParams,
    query: Exact({
      operation: OperationId,
      /** the IP address from which it calls */
      callerAddress: Type.Optional(Type.String({ maxLength: 45 })),
      /** the device, issue or file that the operation names */
      objectId: Type.Optional(FileId),
      /** the command, for devices whose model sets a level for each control */
      kind: Type.Optional(CommandKindSchema),
    }),
    answer: Explanation,
  }),
  createApplication: endpoint({
    id: 'applications.create',
    method: 'POST',
    path,
    policy: {
      route: { keys: ['auth_application_add'] },
      row: { object: 'user', from: 'body.userId' },
      level: USER_EDIT_LEVELS,
      withinOwnRights: true,
    },
    effect: 'create',
    summary:
      'Add an application with the permissions of a user who has no more than the caller. The secret is only in this answer',
    nameZh: '新增应用',
    body: Exact({ ...fields, userId: Id, icon: Type.Optional(PictureKey) }),
    answer: NewSecret,
  }),
  updateApplication: endpoint({
    id: 'applications.update',
    method: 'PATCH',
    path: `${path}/:id`,
    policy: changed('auth_application_edit'),
    effect: 'update',
    summary: 'Change an application',
    nameZh: '编辑应用',
    params: IdParams,
    body: Exact({ ...fields, icon: Type.Optional(PictureKey), revision: SeenRevision }),
    answer: Type.Null(),
  }),
  enableApplication: endpoint({
    id: 'applications.enable',
    method: 'POST',
    path: `${path}/:id/enable`,
    policy: changed('auth_application_edit'),
    effect: 'update',
    summary: 'Enable an application',
    nameZh: '启用应用',
    params: IdParams,
    answer: Type.Null(),
  }),
  disableApplication: endpoint({
    id: 'applications.disable',
    method: 'POST',
    path: `${path}/:id/disable`,
    policy: changed('auth_application_edit'),
    effect: 'update',
    summary: 'Disable an application. Its next request is refused, and its tokens end',
    nameZh: '停用应用',
    params: IdParams,
    answer: Type.Null(),
  }),
  deleteApplication: endpoint({
    id: 'applications.delete',
    method: 'DELETE',
    path: `${path}/:id`,
    policy: changed('auth_application_edit'),
    effect: 'delete',
    summary: 'Delete an application with its secrets and usage',
    nameZh: '删除应用',
    params: IdParams,
    answer: Type.Null(),
  }),
  rotateApplicationSecret: endpoint({
    id: 'applications.rotate',
    method: 'POST',
    path: `${path}/:id/secrets`,
    policy: changed('auth_application_edit'),
    effect: 'update',
    summary:
      'Create a new secret. The previous one stays valid for seven days, or until it is removed. The secret is only in this answer',
    nameZh: '新建应用密钥',
    params: IdParams,
    body: Exact({}),
    answer: NewSecret,
  }),
  removeApplicationSecret: endpoint({
    id: 'applications.removeSecret',
    method: 'DELETE',
    path: `${path}/:id/secrets/:secretId`,
    policy: changed('auth_application_edit'),
    effect: 'update',
    summary: 'Remove a secret that was replaced. Requests that are signed with it are refused from now on',
    nameZh: '移除应用密钥',
    params: Exact({ id: Id, secretId: Id }),
    answer: Type.Null(),
  }),
};
