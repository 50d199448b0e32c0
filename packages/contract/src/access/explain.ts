import { type Static, Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { CommandKindSchema } from '../operations/operations.ts';
import { Exact, Id, IdParams, NullableText, Words } from '../schemas.ts';
import { LevelsSchema } from './access.ts';

/** What a question can be about, beside a route. */
export const EXPLAINED_THINGS = ['device', 'site', 'customer', 'user', 'role'] as const;
export type ExplainedThing = (typeof EXPLAINED_THINGS)[number];

/** The steps of a decision, in the order in which they are taken. */
export const EXPLAIN_STEPS = [
  'account',
  'password',
  'secondFactor',
  'privacy',
  'route',
  'readOnly',
  'vendor',
  'row',
  'level',
  'holding',
] as const;

/** What decided a step; the console has a sentence for each. */
export const EXPLAIN_REASONS = [
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
  'controlNotOffered',
  'holdsNoMore',
  'holdsMore',
] as const;
export type ExplainReason = (typeof EXPLAIN_REASONS)[number];

/** Where the console changes what a step asks for. */
export const EXPLAIN_FIXES = ['roleMenus', 'roleData', 'assignment', 'user', 'customer', 'menus'] as const;

const MenuName = Exact({ key: Type.String(), nameEn: Type.String(), nameZh: Type.String() });

const Step = Exact({
  step: Words(EXPLAIN_STEPS),
  /** `open`: it depends on a row that was not named */
  state: Words(['pass', 'fail', 'open']),
  reason: Words(EXPLAIN_REASONS),
  /** names that the sentence carries; nothing the reader may not see */
  names: Type.Array(Type.String()),
  /** menus that the sentence is about */
  menus: Type.Array(MenuName),
  /** levels: what is needed and what is held */
  levels: Type.Array(Exact({ area: Type.String(), verb: Type.String(), needed: Type.Integer(), held: Type.Integer() })),
  /** where to change it, with the id of the role, user or customer; null when there is nothing to change */
  fix: Type.Union([Exact({ place: Words(EXPLAIN_FIXES), id: Type.Union([Id, Type.Null()]) }), Type.Null()]),
});
export type ExplainStep = Static<typeof Step>;

export const Explanation = Exact({
  /** `depends`: allowed for some rows only, and none was named */
  verdict: Words(['allowed', 'refused', 'depends']),
  /** the code that the call answers, 0 when it is let in */
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
  /** what of it lies within the reader's own scope */
  seen: Exact({ customers: Type.Integer(), sites: Type.Integer(), devices: Type.Integer() }),
  /** how many interfaces the user reaches */
  interfaces: Type.Integer(),
});
export type Abilities = Static<typeof Abilities>;

const readers = { keys: ['auth_user_detail'] } as const;

export const explainEndpoints = {
  readAbilities: endpoint({
    id: 'users.abilities',
    method: 'GET',
    path: '/api/auth/sys/users/:id/abilities',
    policy: { route: readers, row: { thing: 'user', from: 'params.id' } },
    effect: 'read',
    summary:
      "Get what a user can do: menus, levels, and how many of the caller's customers, sites and devices they can see",
    params: IdParams,
    answer: Abilities,
  }),
  explainAccess: endpoint({
    id: 'users.explain',
    method: 'GET',
    path: '/api/auth/sys/users/:id/explanation',
    policy: { route: readers, row: { thing: 'user', from: 'params.id' } },
    effect: 'read',
    summary:
      'Explain whether a user may call an interface or open a page; step by step, optionally on a specific object',
    params: IdParams,
    query: Exact({
      endpoint: Type.Optional(Type.String({ maxLength: 100 })),
      /** permission keys joined by commas, all of which a screen needs */
      keys: Type.Optional(Type.String({ maxLength: 500 })),
      thing: Type.Optional(Words(EXPLAINED_THINGS)),
      thingId: Type.Optional(Id),
      /** which command, where the model of the device asks for a level of its own for each control */
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
    answer: Exact({
      items: Type.Array(
        Exact({
          id: Type.String(),
          nameEn: Type.String(),
          nameZh: Type.String(),
          method: Type.String(),
          url: Type.String(),
          thing: Type.Union([Words(EXPLAINED_THINGS), Type.Null()]),
        }),
      ),
    }),
  }),
};
