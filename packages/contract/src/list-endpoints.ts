import { Type } from 'typebox';
import { peopleEndpoints } from './access/people.ts';
import { BULK_LIMIT, LIST_NAMES } from './constants.ts';
import { documentEndpoints } from './documents/documents.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { fleetEndpoints } from './fleet/fleet.ts';
import { placesEndpoints } from './fleet/places.ts';
import { BulkAnswer, ListView, ListViews } from './lists.ts';
import { forEachRow, type RowsPolicy } from './policy/policy.ts';
import { Exact, Id, Words } from './schemas.ts';

/** A bulk change. Each row succeeds or fails on its own and is checked and logged like a single change. */
function bulk<const K extends string, const P extends string>(
  id: K,
  path: P,
  single: Single,
  summary: string,
  nameZh: string,
) {
  return endpoint({
    id,
    method: 'POST',
    path,
    policy: forEachRow(single.policy),
    effect: single.effect,
    summary: `${summary}. Each row has its own result`,
    nameZh,
    body: Exact({ ids: Type.Array(Id, { minItems: 1, maxItems: BULK_LIMIT, uniqueItems: true }) }),
    answer: BulkAnswer,
  });
}

/** The endpoint that changes a single row. Its policy decides about each row. */
type Single = Endpoint & { policy: RowsPolicy };

const devices = '/api/auth/sys/devices';
const sites = '/api/auth/sys/sites';
const users = '/api/auth/sys/users';
const documents = '/api/auth/sys/documents';

export const listEndpoints = {
  readPreferences: endpoint({
    id: 'preferences.read',
    method: 'GET',
    path: '/api/auth/sys/user/owner/preferences',
    policy: { route: 'common', row: 'own' },
    effect: 'read',
    summary: "Get the caller's list settings",
    nameZh: '查看列表显示设置',
    answer: Exact({ lists: ListViews }),
  }),
  setPreference: endpoint({
    id: 'preferences.set',
    method: 'PUT',
    path: '/api/auth/sys/user/owner/preferences',
    policy: { route: 'common', row: 'own' },
    effect: 'session',
    summary: "Save the caller's settings of a list. null restores the default",
    nameZh: '保存列表显示设置',
    body: Exact({ list: Words(LIST_NAMES), view: Type.Union([ListView, Type.Null()]) }),
    answer: Type.Null(),
  }),
  enableDevices: bulk(
    'devices.enableMany',
    `${devices}/enable`,
    fleetEndpoints.enableDevice,
    'Enable devices',
    '批量启用设备',
  ),
  disableDevices: bulk(
    'devices.disableMany',
    `${devices}/disable`,
    fleetEndpoints.disableDevice,
    'Disable devices',
    '批量停用设备',
  ),
  deleteDevices: bulk(
    'devices.deleteMany',
    `${devices}/delete`,
    fleetEndpoints.deleteDevice,
    'Delete devices',
    '批量删除设备',
  ),
  enableSites: bulk('sites.enableMany', `${sites}/enable`, placesEndpoints.enableSite, 'Enable sites', '批量启用站点'),
  disableSites: bulk(
    'sites.disableMany',
    `${sites}/disable`,
    placesEndpoints.disableSite,
    'Disable sites',
    '批量停用站点',
  ),
  enableUsers: bulk('users.enableMany', `${users}/enable`, peopleEndpoints.enableUser, 'Enable users', '批量启用用户'),
  disableUsers: bulk(
    'users.disableMany',
    `${users}/disable`,
    peopleEndpoints.disableUser,
    'Disable users',
    '批量停用用户',
  ),
  signOutUsers: bulk(
    'users.signOutMany',
    `${users}/sign-out`,
    peopleEndpoints.signOutUser,
    'End sessions of users',
    '批量强制用户下线',
  ),
  enableDocuments: bulk(
    'documents.enableMany',
    `${documents}/enable`,
    documentEndpoints.enableDocument,
    'Enable documents',
    '批量启用文档',
  ),
  disableDocuments: bulk(
    'documents.disableMany',
    `${documents}/disable`,
    documentEndpoints.disableDocument,
    'Disable documents',
    '批量停用文档',
  ),
  deleteDocuments: bulk(
    'documents.deleteMany',
    `${documents}/delete`,
    documentEndpoints.deleteDocument,
    'Delete documents',
    '批量删除文档',
  ),
};
