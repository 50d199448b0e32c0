import { type Static, Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { CommandKindSchema } from '../operations/operations.ts';
import { Exact, FileId, Id, IdParams, NullableText, Words } from '../schemas.ts';
import { LevelsSchema } from './access.ts';

/** The kinds of rows that an explanation can be about, in addition to a route. */
export const EXPLAINED_TYPES = [
  'device',
  'site',
  'customer',
  'user',
  'role',
  'document',
  'attachment',
  'folder',
  'share',
  'issue',
] as const;
export type ExplainedType = (typeof EXPLAINED_TYPES)[number];

/** The steps of an authorization decision, in order. Those before `account`, and the last, are about an application. */
export const EXPLAIN_STEPS = [
  'application',
  'address',
  'rate',
  'operation',
  'account',
  'password',
  'secondFactor',
  'privacy',
  'route',
  'readOnly',
  'vendor',
  'row',
  'level',
  'remote',
  'holding',
  'events',
] as const;

/** The reason for the result of a step. The console has a text for each. */
export const EXPLAIN_REASONS = [
  'applicationEnabled',
  'applicationDisabled',
  'applicationExpired',
  'applicationUser',
  'anyAddress',
  'addressAllowed',
  'addressNeeded',
  'addressRefused',
  'withinRate',
  'rateReached',
  'operationAllowed',
  'operationMissing',
  'someEvents',
  'noEvents',
  'signedIn',
  'notSignedIn',
  'userDisabled',
  'customerDisabled',
  'passwordOwn',
  'passwordGiven',
  'secondFactorReady',
  'secondFactorDue',
  'privacyAccepted',
  'privacyWaits',
  'root',
  'public',
  'common',
  'menuHeld',
  'menuMissing',
  'noMenu',
  'screenOpen',
  'screenHeld',
  'screenMissing',
  'changes',
  'readsOnly',
  'readOnlyCustomer',
  'vendor',
  'notVendor',
  'notRoot',
  'rowHidden',
  'allRows',
  'rowInScope',
  'otherCustomer',
  'customerNotAssigned',
  'siteNotAssigned',
  'userNotOfSites',
  'wholeCustomerNeeded',
  'allCustomersNeeded',
  'rowNeeded',
  'levelHeld',
  'levelMissing',
  'levelNeedsDevice',
  'levelNeedsControl',
  'levelNeedsParameters',
  'controlNotOffered',
  'remoteHeld',
  'remotePagesOnly',
  'remoteMissing',
  'holdsNoMore',
  'holdsMore',
] as const;
export type ExplainReason = (typeof EXPLAIN_REASONS)[number];

/** The place in the console where the requirement of a step can be changed. */
export const EXPLAIN_FIXES = [
  'roleMenus',
  'roleData',
  'assignment',
  'user',
  'customer',
  'menus',
  'application',
] as const;

const MenuName = Exact({ key: Type.String(), nameEn: Type.String(), nameZh: Type.String() });

const Step = Exact({
  step: Words(EXPLAIN_STEPS),
  /** `open`: depends on a row that the request does not name */
  state: Words(['pass', 'fail', 'open']),
  reason: Words(EXPLAIN_REASONS),
  /** names used in the text; contains nothing that the caller may not see */
  names: Type.Array(Type.String()),
  /** menus that the text names */
  menus: Type.Array(MenuName),
  /** required levels and the user's levels */
  levels: Type.Array(Exact({ area: Type.String(), verb: Type.String(), needed: Type.Integer(), held: Type.Integer() })),
  /** where to change it, with the id of the role, user, customer or application; null when nothing needs to change */
  fix: Type.Union([Exact({ place: Words(EXPLAIN_FIXES), id: Type.Union([Id, Type.Null()]) }), Type.Null()]),
});
export type ExplainStep = Static<typeof Step>;

export const Explanation = Exact({
  /** `depends`: allowed for some rows only, and the request names no row */
  result: Words(['allowed', 'refused', 'depends']),
  /** the code that the call returns, 0 when it is allowed */
  code: Type.Integer(),
  message: Type.String(),
  steps: Type.Array(Step),
});
export type Explanation = Static<typeof Explanation>;

export const Abilities = Exact({
  root: Type.Boolean(),
  readOnly: Type.Boolean(),
  platformVendor: Type.Boolean(),
  roleId: Type.Union([Id, Type.Null()]),
  roleName: NullableText,
  customerAccess: Type.Union([Type.Integer(), Type.Null()]),
  siteAccess: Type.Union([Type.Integer(), Type.Null()]),
  remoteAccess: Type.Integer(),
  levels: LevelsSchema,
  menus: Type.Array(Exact({ ...MenuName.properties, parentKey: NullableText, common: Type.Boolean() })),
  /** how much of it is within the caller's own scope */
  seen: Exact({ customers: Type.Integer(), sites: Type.Integer(), devices: Type.Integer() }),
  /** how many interfaces the user can call */
  interfaces: Type.Integer(),
});
export type Abilities = Static<typeof Abilities>;

const readers = { keys: ['auth_user_detail'] } as const;

export const explainEndpoints = {
  readAbilities: endpoint({
    id: 'users.abilities',
    method: 'GET',
    path: '/api/auth/sys/users/:id/abilities',
    policy: { route: readers, row: { object: 'user', from: 'params.id' } },
    effect: 'read',
    summary:
      "Get what a user can do: menus, levels, and how many of the caller's customers, sites and devices they can see",
    nameZh: '查看用户权限概览',
    params: IdParams,
    answer: Abilities,
  }),
  explainAccess: endpoint({
    id: 'users.explain',
    method: 'GET',
    path: '/api/auth/sys/users/:id/explanation',
    policy: { route: readers, row: { object: 'user', from: 'params.id' } },
    effect: 'read',
    summary:
      'Explain whether a user may call an interface or open a page; step by step, optionally on a specific object',
    nameZh: '分析用户权限',
    params: IdParams,
    query: Exact({
      endpoint: Type.Optional(Type.String({ maxLength: 100 })),
      /** permission keys separated by commas; a page requires all of them */
      keys: Type.Optional(Type.String({ maxLength: 500 })),
      objectType: Type.Optional(Words(EXPLAINED_TYPES)),
      objectId: Type.Optional(FileId),
      /** the command, for devices whose model sets a level for each control */
      kind: Type.Optional(CommandKindSchema),
    }),
    answer: Explanation,
  }),
  listExplainable: endpoint({
    id: 'interfaces.choices',
    method: 'GET',
    path: '/api/auth/sys/interfaces/choices',
    policy: { route: readers, row: 'shared' },
    effect: 'list',
    summary: 'List the interfaces that can be explained, and the type of object of each',
    nameZh: '查询可分析的接口',
    answer: Exact({
      items: Type.Array(
        Exact({
          id: Type.String(),
          nameEn: Type.String(),
          nameZh: Type.String(),
          method: Type.String(),
          url: Type.String(),
          objectType: Type.Union([Words(EXPLAINED_TYPES), Type.Null()]),
        }),
      ),
    }),
  }),
};
