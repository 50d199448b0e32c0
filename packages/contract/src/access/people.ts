import { ROLE_PRESETS, type RolePreset, USER_DOWNLOAD_LEVELS, USER_EDIT_LEVELS } from '@chargehand/domain';
import { type Static, Type } from 'typebox';
import { LOCALES, PASSWORD_STATES } from '../constants.ts';
import { endpoint } from '../endpoint.ts';
import { PictureKey } from '../fleet/files.ts';
import { MatchingRows } from '../lists.ts';
import {
  Exact,
  Id,
  IdParams,
  NullableText,
  NullableTime,
  Page,
  Paging,
  Revision,
  SeenRevision,
  Time,
  Words,
} from '../schemas.ts';
import { Encrypted, LevelsSchema } from './access.ts';
import { kickFields } from './online.ts';

const Search = Type.Optional(Type.String({ maxLength: 100 }));
const Name = Type.String({ minLength: 1, maxLength: 64 });
const CustomerAccess = Type.Integer({ minimum: 0, maximum: 2 });
const SiteAccess = Type.Integer({ minimum: 0, maximum: 1 });
const RemoteAccess = Type.Integer({ minimum: 0, maximum: 3 });
const Keys = Type.Array(Type.String({ maxLength: 64 }), { maxItems: 500 });
const Ids = Type.Array(Id, { maxItems: 10_000 });

export const RoleRow = Exact({
  id: Id,
  name: Type.String(),
  customerAccess: CustomerAccess,
  siteAccess: SiteAccess,
  remoteAccess: RemoteAccess,
  emailAlarm: Type.Boolean(),
  /** users with this role must set up a second factor before they can do anything else */
  secondFactor: Type.Boolean(),
  users: Type.Integer(),
  menus: Type.Integer(),
  createdAt: Time,
  /** it grants nothing that the caller does not have, so the caller may change and assign it */
  grantable: Type.Boolean(),
});
export type RoleRow = Static<typeof RoleRow>;

/** What a role allows in addition to its menus: data scope and levels (spec §6). */
const roleData = {
  customerAccess: CustomerAccess,
  siteAccess: SiteAccess,
  remoteAccess: RemoteAccess,
  emailAlarm: Type.Boolean(),
  /** users with this role must set up a second factor first; unchanged when omitted */
  secondFactor: Type.Optional(Type.Boolean()),
  levels: LevelsSchema,
};
export const RoleData = Exact(roleData);
export type RoleData = Static<typeof RoleData>;

export const RoleDetail = Exact({
  ...RoleRow.properties,
  levels: LevelsSchema,
  keys: Type.Array(Type.String()),
  /** of everything that the role grants, including menus */
  revision: Revision,
});
export type RoleDetail = Static<typeof RoleDetail>;

export const RoleChoice = Exact({
  id: Id,
  name: Type.String(),
  customerAccess: CustomerAccess,
  siteAccess: SiteAccess,
});

export const UserRow = Exact({
  id: Id,
  userName: Type.String(),
  nickName: Type.String(),
  avatar: PictureKey,
  email: NullableText,
  customerId: Id,
  customerName: Type.String(),
  roleId: Type.Union([Id, Type.Null()]),
  roleName: NullableText,
  root: Type.Boolean(),
  enabled: Type.Boolean(),
  /** `own`: chosen by the user; `given`: set by somebody else and must be changed; `invited`: not chosen yet */
  passwordState: Words(PASSWORD_STATES),
  /** active sessions */
  sessions: Type.Integer(),
  lastSeenAt: NullableTime,
  createdAt: Time,
});
export type UserRow = Static<typeof UserRow>;

export const UserDetail = Exact({
  ...UserRow.properties,
  contact: Type.String(),
  maxSites: Type.Union([Type.Integer(), Type.Null()]),
  locale: Words(LOCALES),
  customerAccess: Type.Union([CustomerAccess, Type.Null()]),
  siteAccess: Type.Union([SiteAccess, Type.Null()]),
  /** sign-in requires a code */
  secondFactor: Type.Boolean(),
  /** assigned sites and customers that the caller can see */
  assignedSites: Type.Integer(),
  assignedCustomers: Type.Integer(),
  revision: Revision,
  /** the latest invitation, until it is accepted or expires */
  invitation: Type.Union([Exact({ sentAt: Time, expiresAt: Time }), Type.Null()]),
  /**
   * what the caller may do with this user, decided by the server: route, row, level, and that the user has no more
   * rights than the caller
   */
  may: Exact({ edit: Type.Boolean(), assign: Type.Boolean() }),
});
export type UserDetail = Static<typeof UserDetail>;

const userFields = {
  nickName: Type.String({ maxLength: 64 }),
  email: Type.Union([Type.String({ format: 'email', maxLength: 254 }), Type.Null()]),
  contact: Type.String({ maxLength: 100 }),
  customerId: Id,
  roleId: Id,
  /** instead of `roleId`: the role of a preset. If it does not exist, it is added with the user */
  rolePreset: Words(Object.keys(ROLE_PRESETS) as RolePreset[]),
  maxSites: Type.Union([Type.Integer({ minimum: 0, maximum: 100_000 }), Type.Null()]),
};

export const NewUser = Exact({
  userName: Type.String({ minLength: 1, maxLength: 64 }),
  /**
   * the initial password, encrypted for the key of `session.publicKey`. The server checks its strength, and the user
   * must replace it at the first sign-in. Without a password, the user is invited by mail to choose one.
   */
  password: Type.Optional(Encrypted),
  /** the language of the user's mails; default: the language of the request */
  locale: Type.Optional(Words(LOCALES)),
  customerId: userFields.customerId,
  /** required unless there is a `rolePreset` */
  roleId: Type.Optional(userFields.roleId),
  rolePreset: Type.Optional(userFields.rolePreset),
  nickName: Type.Optional(userFields.nickName),
  email: Type.Optional(userFields.email),
  contact: Type.Optional(userFields.contact),
  maxSites: Type.Optional(userFields.maxSites),
  avatar: Type.Optional(PictureKey),
  siteIds: Type.Optional(Ids),
});
export const EditedUser = Exact({
  nickName: Type.Optional(userFields.nickName),
  email: Type.Optional(userFields.email),
  contact: Type.Optional(userFields.contact),
  avatar: Type.Optional(PictureKey),
  customerId: Type.Optional(userFields.customerId),
  roleId: Type.Optional(userFields.roleId),
  rolePreset: Type.Optional(userFields.rolePreset),
  maxSites: Type.Optional(userFields.maxSites),
  revision: SeenRevision,
});

const AssignedCustomer = Exact({ id: Id, name: Type.String() });
const AssignedSite = Exact({ id: Id, name: Type.String(), customerId: Id, customerName: Type.String() });

/** The customers and sites that a user with "assigned" scope can see (spec §6). */
export const Assignments = Exact({
  customers: Type.Array(AssignedCustomer),
  sites: Type.Array(AssignedSite),
  revision: Revision,
});
export type Assignments = Static<typeof Assignments>;

/** The filters of the user list. Its export takes the same filters. */
const userFilters = {
  search: Search,
  customerId: Type.Optional(Id),
  roleId: Type.Optional(Id),
  status: Type.Optional(Words(['enabled', 'disabled'])),
};

const rolePath = '/api/auth/sys/roles';
const userPath = '/api/auth/sys/users';

export const peopleEndpoints = {
  listRoles: endpoint({
    id: 'roles.list',
    method: 'GET',
    path: rolePath,
    policy: { route: { keys: ['auth_role_list'] }, who: 'vendor', row: 'shared' },
    effect: 'list',
    summary: 'List roles with their number of users; platform vendor only',
    nameZh: '查询角色列表',
    query: Exact({ ...Paging(['name', 'createdAt']), search: Search }),
    answer: Page(RoleRow),
  }),
  listRoleChoices: endpoint({
    id: 'roles.choices',
    method: 'GET',
    path: `${rolePath}/choices`,
    policy: { route: { keys: ['auth_user_list', 'auth_user_add', 'auth_user_edit'] }, row: 'scope' },
    effect: 'list',
    summary: 'List the roles the caller may assign: those without permissions the caller lacks',
    nameZh: '查询可分配角色',
    answer: Exact({ items: Type.Array(RoleChoice) }),
  }),
  exportRoles: endpoint({
    id: 'roles.export',
    method: 'GET',
    path: `${rolePath}/export`,
    policy: { route: { keys: ['auth_role_list'] }, who: 'vendor', row: 'shared', level: USER_DOWNLOAD_LEVELS },
    effect: 'export',
    summary: "Export the filtered roles as .xlsx. Headings are in the caller's language; platform vendor only",
    nameZh: '导出角色列表',
    query: Exact({ sort: Paging(['name', 'createdAt']).sort, search: Search }),
    answer: null,
  }),
  readRole: endpoint({
    id: 'roles.read',
    method: 'GET',
    path: `${rolePath}/:id`,
    policy: {
      route: { keys: ['auth_role_list', 'auth_role_authMenu', 'auth_role_authData'] },
      who: 'vendor',
      row: { object: 'role', from: 'params.id' },
    },
    effect: 'read',
    summary: 'Get a role with its levels and menus',
    nameZh: '查看角色',
    params: IdParams,
    answer: RoleDetail,
  }),
  createRole: endpoint({
    id: 'roles.create',
    method: 'POST',
    path: rolePath,
    policy: { route: { keys: ['auth_role_authData'] }, who: 'vendor', row: 'shared' },
    effect: 'create',
    summary:
      'Add a role without permissions, as a copy of another role, or from a preset, limited to the permissions of the caller',
    nameZh: '新增角色',
    body: Exact({
      name: Name,
      copyOf: Type.Optional(Id),
      /** not together with `copyOf` */
      preset: Type.Optional(Words(Object.keys(ROLE_PRESETS) as RolePreset[])),
    }),
    answer: Exact({ id: Id }),
  }),
  renameRole: endpoint({
    id: 'roles.rename',
    method: 'PATCH',
    path: `${rolePath}/:id`,
    policy: {
      route: { keys: ['auth_role_authData'] },
      who: 'vendor',
      row: { object: 'role', from: 'params.id' },
      withinOwnRights: true,
    },
    effect: 'update',
    summary: 'Rename a role',
    nameZh: '重命名角色',
    params: IdParams,
    body: Exact({ name: Name }),
    answer: Type.Null(),
  }),
  setRoleData: endpoint({
    id: 'roles.setData',
    method: 'PUT',
    path: `${rolePath}/:id/data`,
    policy: {
      route: { keys: ['auth_role_authData'] },
      who: 'vendor',
      row: { object: 'role', from: 'params.id' },
      withinOwnRights: true,
    },
    effect: 'update',
    summary: "Set the data authorization of a role. Applies from its users' next request",
    nameZh: '设置角色数据授权',
    params: IdParams,
    body: Exact({ ...roleData, revision: SeenRevision }),
    answer: Type.Null(),
  }),
  setRoleMenus: endpoint({
    id: 'roles.setMenus',
    method: 'PUT',
    path: `${rolePath}/:id/menus`,
    policy: {
      route: { keys: ['auth_role_authMenu'] },
      who: 'vendor',
      row: { object: 'role', from: 'params.id' },
      withinOwnRights: true,
    },
    effect: 'update',
    summary: 'Set the menu authorization of a role. Parent menus are included',
    nameZh: '设置角色菜单授权',
    params: IdParams,
    body: Exact({ keys: Keys, revision: SeenRevision }),
    answer: Type.Null(),
  }),
  deleteRole: endpoint({
    id: 'roles.delete',
    method: 'DELETE',
    path: `${rolePath}/:id`,
    policy: {
      route: { keys: ['auth_role_authData'] },
      who: 'vendor',
      row: { object: 'role', from: 'params.id' },
      withinOwnRights: true,
    },
    effect: 'delete',
    summary: 'Delete a role that no user has',
    nameZh: '删除角色',
    params: IdParams,
    answer: Type.Null(),
  }),
  listUsers: endpoint({
    id: 'users.list',
    method: 'GET',
    path: userPath,
    policy: { route: { keys: ['auth_user_list'] }, row: 'scope' },
    effect: 'list',
    summary: 'List the users of the customers in scope. Callers with assigned sites see only users of these sites',
    nameZh: '查询用户列表',
    query: Exact({ ...Paging(['userName', 'createdAt']), ...userFilters }),
    answer: Page(UserRow),
  }),
  selectUsers: endpoint({
    id: 'users.select',
    method: 'GET',
    path: `${userPath}/selection`,
    policy: { route: { keys: ['auth_user_list'] }, row: 'scope' },
    effect: 'list',
    summary: 'List the IDs and names of all users that match the filters, at most 10,000',
    nameZh: '按筛选条件选择用户',
    query: Exact(userFilters),
    answer: MatchingRows,
  }),
  exportUsers: endpoint({
    id: 'users.export',
    method: 'GET',
    path: `${userPath}/export`,
    policy: { route: { keys: ['auth_user_list'] }, row: 'scope', level: USER_DOWNLOAD_LEVELS },
    effect: 'export',
    summary: "Export the filtered users as .xlsx. Headings are in the caller's language",
    nameZh: '导出用户列表',
    query: Exact({ sort: Paging(['userName', 'createdAt']).sort, ...userFilters }),
    answer: null,
  }),
  readUser: endpoint({
    id: 'users.read',
    method: 'GET',
    path: `${userPath}/:id`,
    policy: {
      route: { keys: ['auth_user_detail', 'auth_user_edit', 'auth_user_authData'] },
      row: { object: 'user', from: 'params.id' },
    },
    effect: 'read',
    summary: 'Get a user',
    nameZh: '查看用户',
    params: IdParams,
    answer: UserDetail,
  }),
  createUser: endpoint({
    id: 'users.create',
    method: 'POST',
    path: userPath,
    policy: {
      route: { keys: ['auth_user_add'] },
      row: { object: 'site', from: 'body.siteIds', outside: 'siteUnknown', optional: true },
      level: USER_EDIT_LEVELS,
      levelFirst: true,
    },
    effect: 'create',
    summary: 'Add a user with a role that has no permissions the caller lacks',
    nameZh: '新增用户',
    body: NewUser,
    answer: Exact({ id: Id }),
  }),
  updateUser: endpoint({
    id: 'users.update',
    method: 'PATCH',
    path: `${userPath}/:id`,
    policy: {
      route: { keys: ['auth_user_edit'] },
      row: { object: 'user', from: 'params.id' },
      level: USER_EDIT_LEVELS,
      withinOwnRights: true,
    },
    effect: 'update',
    summary: 'Update a user. The user name cannot be changed',
    nameZh: '编辑用户',
    params: IdParams,
    body: EditedUser,
    answer: Type.Null(),
  }),
  enableUser: endpoint({
    id: 'users.enable',
    method: 'POST',
    path: `${userPath}/:id/enable`,
    policy: {
      route: { keys: ['auth_user_edit'] },
      row: { object: 'user', from: 'params.id' },
      level: USER_EDIT_LEVELS,
      withinOwnRights: true,
    },
    effect: 'update',
    summary: 'Enable a user. They can sign in again',
    nameZh: '启用用户',
    params: IdParams,
    body: Exact({}),
    answer: Type.Null(),
  }),
  disableUser: endpoint({
    id: 'users.disable',
    method: 'POST',
    path: `${userPath}/:id/disable`,
    policy: {
      route: { keys: ['auth_user_edit'] },
      row: { object: 'user', from: 'params.id' },
      level: USER_EDIT_LEVELS,
      withinOwnRights: true,
    },
    effect: 'update',
    summary: 'Disable a user and end all their sessions. Not yourself and not the last root account',
    nameZh: '停用用户',
    params: IdParams,
    body: Exact({}),
    answer: Type.Null(),
  }),
  resetPassword: endpoint({
    id: 'users.resetPassword',
    method: 'POST',
    path: `${userPath}/:id/password`,
    policy: {
      route: { keys: ['auth_user_edit'] },
      row: { object: 'user', from: 'params.id' },
      level: USER_EDIT_LEVELS,
      withinOwnRights: true,
    },
    effect: 'update',
    summary: 'Reset the password of a user. The new password is returned once; all their sessions end',
    nameZh: '重置用户密码',
    params: IdParams,
    body: Exact({
      /** an AES-256 key, base64, encrypted for the key of `session.publicKey`; the response is encrypted with it */
      answerKey: Encrypted,
    }),
    answer: Exact({
      /** `<iv>.<ciphertext and tag>`, each in base64 (AES-256-GCM) */
      password: Type.String(),
    }),
  }),
  inviteUser: endpoint({
    id: 'users.invite',
    method: 'POST',
    path: `${userPath}/:id/invitation`,
    policy: {
      route: { keys: ['auth_user_edit'] },
      row: { object: 'user', from: 'params.id' },
      level: USER_EDIT_LEVELS,
      withinOwnRights: true,
    },
    effect: 'update',
    summary: "Send a user's invitation again. The previous link stops working",
    nameZh: '重新发送用户邀请',
    params: IdParams,
    body: Exact({}),
    answer: Type.Null(),
  }),
  signOutUser: endpoint({
    id: 'users.signOut',
    method: 'POST',
    path: `${userPath}/:id/sign-out`,
    policy: {
      route: { keys: ['auth_user_edit', 'auth_user_online'] },
      row: { object: 'user', from: 'params.id' },
      level: USER_EDIT_LEVELS,
      withinOwnRights: true,
    },
    effect: 'update',
    summary: 'End all sessions of a user, optionally with a reason for them',
    nameZh: '强制用户下线',
    params: IdParams,
    body: Exact({ cause: Type.Optional(kickFields.cause), note: Type.Optional(kickFields.note) }),
    answer: Exact({ ended: Type.Integer() }),
  }),
  deleteUser: endpoint({
    id: 'users.delete',
    method: 'DELETE',
    path: `${userPath}/:id`,
    policy: {
      route: { keys: ['auth_user_edit'] },
      row: { object: 'user', from: 'params.id' },
      level: USER_EDIT_LEVELS,
      withinOwnRights: true,
    },
    effect: 'delete',
    summary: 'Delete a user. Not yourself and not the last root account',
    nameZh: '删除用户',
    params: IdParams,
    answer: Type.Null(),
  }),
  readAssignments: endpoint({
    id: 'users.assignments',
    method: 'GET',
    path: `${userPath}/:id/assignments`,
    policy: {
      route: { keys: ['auth_user_authData', 'auth_user_customerStationList', 'auth_user_detail'] },
      row: { object: 'user', from: 'params.id' },
    },
    effect: 'read',
    summary: 'List the customers and sites assigned to a user; as far as the caller can see them',
    nameZh: '查看用户的客户与站点',
    params: IdParams,
    answer: Assignments,
  }),
  listAssignable: endpoint({
    id: 'users.assignable',
    method: 'GET',
    path: `${userPath}/:id/assignable`,
    policy: { route: { keys: ['auth_user_authData'] }, row: { object: 'user', from: 'params.id' } },
    effect: 'read',
    summary:
      'List customers and sites that the caller may assign to a user. `more` means that only a search finds the rest',
    nameZh: '查询可分配的客户与站点',
    params: IdParams,
    query: Exact({ search: Search }),
    answer: Exact({
      customers: Type.Array(Exact({ ...AssignedCustomer.properties, sites: Type.Array(AssignedCustomer) })),
      more: Type.Boolean(),
    }),
  }),
  setAssignments: endpoint({
    id: 'users.setAssignments',
    method: 'PUT',
    path: `${userPath}/:id/assignments`,
    policy: {
      route: { keys: ['auth_user_authData'] },
      row: { object: 'user', from: 'params.id' },
      level: USER_EDIT_LEVELS,
      withinOwnRights: true,
    },
    effect: 'update',
    summary: 'Set the data authorization of a user; within the customers and sites the caller can see',
    nameZh: '设置用户数据授权',
    params: IdParams,
    body: Exact({ customerIds: Ids, siteIds: Ids, revision: SeenRevision }),
    answer: Type.Null(),
  }),
};
