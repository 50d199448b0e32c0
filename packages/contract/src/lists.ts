import { type Static, Type } from 'typebox';
import { BULK_LIMIT, DENSITIES, LIST_NAMES } from './constants.ts';
import { type Effect, endpoint } from './endpoint.ts';
import { Exact, Id, Words } from './schemas.ts';

/** How somebody arranges a list: which columns stand in which order, and how close the rows. A column left out stands where it always does. */
export const ListLook = Exact({
  density: Words(DENSITIES),
  columns: Type.Array(
    Exact({ name: Type.String({ minLength: 1, maxLength: 40, pattern: '^[A-Za-z0-9]+$' }), shown: Type.Boolean() }),
    { maxItems: 40 },
  ),
});
export type ListLook = Static<typeof ListLook>;

/** What somebody arranged; a list that is not there looks as it comes. */
export const ListLooks = Exact(
  Object.fromEntries(LIST_NAMES.map((name) => [name, Type.Optional(ListLook)])) as Record<
    (typeof LIST_NAMES)[number],
    ReturnType<typeof Type.Optional<typeof ListLook>>
  >,
);

/** What became of each row of a change to many: code 0, or why not in the language of the caller. */
export const BulkAnswer = Exact({
  results: Type.Array(Exact({ id: Id, code: Type.Integer(), message: Type.String() })),
});
export type BulkAnswer = Static<typeof BulkAnswer>;

/** A change of many rows at once: each stands or falls for itself, checked and logged as if it were the only one. */
function bulk<const K extends string, const P extends string>(
  id: K,
  path: P,
  keys: [string, ...string[]],
  effect: Effect,
  summary: string,
) {
  return endpoint({
    id,
    method: 'POST',
    path,
    access: { keys },
    effect,
    summary: `${summary}; each row is decided for itself, and the answer says what became of it`,
    body: Exact({ ids: Type.Array(Id, { minItems: 1, maxItems: BULK_LIMIT, uniqueItems: true }) }),
    answer: BulkAnswer,
  });
}

const devices = '/api/auth/sys/devices';
const sites = '/api/auth/sys/sites';
const users = '/api/auth/sys/users';

export const listEndpoints = {
  readPreferences: endpoint({
    id: 'preferences.read',
    method: 'GET',
    path: '/api/auth/sys/user/owner/preferences',
    access: 'common',
    effect: 'read',
    summary: 'How the caller arranged their lists',
    answer: Exact({ lists: ListLooks }),
  }),
  setPreference: endpoint({
    id: 'preferences.set',
    method: 'PUT',
    path: '/api/auth/sys/user/owner/preferences',
    access: 'common',
    effect: 'session',
    summary: 'Arrange a list for oneself, in every browser; null has it look as it comes',
    body: Exact({ list: Words(LIST_NAMES), look: Type.Union([ListLook, Type.Null()]) }),
    answer: Type.Null(),
  }),
  enableDevices: bulk('devices.enableMany', `${devices}/enable`, ['auth_device_edit'], 'update', 'Enable devices'),
  disableDevices: bulk('devices.disableMany', `${devices}/disable`, ['auth_device_edit'], 'update', 'Disable devices'),
  deleteDevices: bulk('devices.deleteMany', `${devices}/delete`, ['auth_device_edit'], 'delete', 'Remove devices'),
  enableSites: bulk('sites.enableMany', `${sites}/enable`, ['auth_site_edit'], 'update', 'Enable sites'),
  disableSites: bulk('sites.disableMany', `${sites}/disable`, ['auth_site_edit'], 'update', 'Disable sites'),
  enableUsers: bulk('users.enableMany', `${users}/enable`, ['auth_user_edit'], 'update', 'Let users sign in again'),
  disableUsers: bulk('users.disableMany', `${users}/disable`, ['auth_user_edit'], 'update', 'Disable users'),
  signOutUsers: bulk(
    'users.signOutMany',
    `${users}/sign-out`,
    ['auth_user_edit', 'auth_user_online'],
    'update',
    'End sessions of users',
  ),
};
