import { PERMISSIONS, type PermissionKey } from '@chargehand/contract';
import { CUSTOMER_ACCESS, type Level, type Levels, levelsAll, REMOTE_ACCESS, SITE_ACCESS } from '@chargehand/domain';
import type { RoleFacts } from '../first-start/first-start.store.ts';

const EVERY_MENU = Object.keys(PERMISSIONS) as PermissionKey[];

/** Keys for every role: home, own account, documents, messages, and reading and reporting issues. */
const EVERYONE: readonly PermissionKey[] = [
  'auth_home',
  'auth_my',
  'auth_docs',
  'auth_docs_home_list_all',
  'auth_docs_search',
  'auth_docs_detail',
  'auth_issue',
  'auth_issue_list',
  'auth_issue_add',
  'auth_issue_detail',
  'auth_message',
  'auth_message_list',
  'auth_message_setting',
];

const SEES_DEVICES: readonly PermissionKey[] = [
  'auth_site',
  'auth_site_list',
  'auth_site_detail',
  'auth_device',
  'auth_device_list',
  'auth_device_info',
  'auth_device_detail',
];

const MAINTAINS: readonly PermissionKey[] = [
  ...EVERYONE,
  ...SEES_DEVICES,
  'auth_device_edit',
  'auth_issue_edit',
  'auth_logs',
  'auth_logs_protocol',
  'auth_attach',
  'auth_attach_tree',
];

const ADMINISTERS: readonly PermissionKey[] = [
  ...MAINTAINS,
  'auth_site_add',
  'auth_site_edit',
  'auth_device_add',
  'auth_logs_action',
  'auth_customer',
  'auth_customer_list',
  'auth_customer_detail',
  'auth_user',
  'auth_user_list',
  'auth_user_add',
  'auth_user_edit',
  'auth_user_authData',
  'auth_user_customerStationList',
  'auth_user_detail',
  'auth_user_online',
  'auth_message_on_call',
  'auth_message_channels',
];

/** Keys for the operators of the installation. */
const INSTALLATION: readonly PermissionKey[] = ['auth_role', 'auth_menu', 'auth_application', 'auth_privacy'];

/**
 * The roles of the first start, for users to adapt. Levels: 0 is the highest. Models require at most 3 for parameters
 * and 4 for controls by default, so maintainers have both and viewers neither.
 */
export const FIRST_ROLES: readonly (RoleFacts & { levels: Levels })[] = [
  {
    name: 'Platform administrator',
    customerAccess: CUSTOMER_ACCESS.all,
    siteAccess: SITE_ACCESS.all,
    remoteAccess: REMOTE_ACCESS.rootOnly,
    levels: levelsAll(0),
    menus: EVERY_MENU,
  },
  {
    name: 'Platform engineer',
    customerAccess: CUSTOMER_ACCESS.all,
    siteAccess: SITE_ACCESS.all,
    remoteAccess: REMOTE_ACCESS.webEngineerOnly,
    levels: levels({ read: 1, write: 1, download: 1 }),
    menus: EVERY_MENU.filter((key) => !INSTALLATION.some((area) => key === area || key.startsWith(`${area}_`))),
  },
  {
    name: 'Customer administrator',
    customerAccess: CUSTOMER_ACCESS.own,
    siteAccess: SITE_ACCESS.all,
    remoteAccess: REMOTE_ACCESS.disabled,
    levels: levels({ read: 2, write: 2, download: 2 }),
    menus: ADMINISTERS,
  },
  {
    name: 'Customer maintainer',
    customerAccess: CUSTOMER_ACCESS.own,
    siteAccess: SITE_ACCESS.assigned,
    remoteAccess: REMOTE_ACCESS.disabled,
    levels: levels({ read: 3, write: 3, download: 3 }),
    menus: MAINTAINS,
  },
  {
    name: 'Viewer',
    customerAccess: CUSTOMER_ACCESS.own,
    siteAccess: SITE_ACCESS.all,
    remoteAccess: REMOTE_ACCESS.disabled,
    levels: levels({ read: 4, write: 5, download: 5 }),
    menus: [...EVERYONE, ...SEES_DEVICES],
  },
];

/** The same levels in every area. */
function levels(one: { read: Level; write: Level; download: Level }): Levels {
  return { user: { ...one }, device: { ...one }, params: { ...one }, wiki: { ...one }, attachment: { ...one } };
}
