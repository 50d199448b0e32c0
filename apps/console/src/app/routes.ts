import type { PermissionKey } from '@chargehand/contract';
import type { ComponentType } from 'react';
import type routeWords from '../locales/en-US/routes.json';
import type { Room } from '../shared/i18n/words.ts';
import type { RouteIcon } from './shell/icons.tsx';

export type TitleKey = keyof typeof routeWords;

/** A route of spec §2. Parameters as in the router: `:id` is required, `:id?` is optional. */
export interface AppRoute {
  path: string;
  titleKey: TitleKey;
  /** all of them are required */
  keys: readonly PermissionKey[];
  /** only these users may open it, whatever keys others have: the calls of the page refuse others */
  who?: 'root' | 'vendor';
  /** shown in the sidebar to users with its keys */
  inSidebar?: boolean;
  group?: 1 | 2;
  /** not in the sidebar itself, but its children are */
  hidden?: boolean;
  icon?: RouteIcon;
  /** redirect target */
  redirectTo?: string;
  /**
   * the page before it in the breadcrumbs; parameters as in `path`, from the URL. Default: the page to which its sidebar
   * entry redirects
   */
  parent?: string;
  /** shows one row: its breadcrumb is the name of the row */
  ofRow?: boolean;
  /** loads its page; a route without page and redirect is listed in not-available.ts */
  screen?: () => Promise<{ default: ComponentType }>;
  /** the locale files of the page */
  words?: readonly Room[];
  children?: readonly AppRoute[];
}

/** Routes that require no session. */
export const PUBLIC_ROUTES: readonly AppRoute[] = [
  { path: '/login', titleKey: 'login', keys: [], screen: () => import('../features/access/login-route.tsx') },
  {
    path: '/find-password',
    titleKey: 'findPassword',
    keys: [],
    screen: () => import('../features/access/recovery/find-password-page.tsx'),
    words: ['recovery'],
  },
  {
    path: '/find-password/reset',
    titleKey: 'resetPassword',
    keys: [],
    screen: () => import('../features/access/recovery/reset-password-page.tsx'),
    words: ['recovery'],
  },
  {
    path: '/find-password/email',
    titleKey: 'confirmEmail',
    keys: [],
    screen: () => import('../features/access/recovery/confirm-email-page.tsx'),
    words: ['recovery'],
  },
  {
    path: '/choose-password',
    titleKey: 'choosePassword',
    keys: [],
    screen: () => import('../features/access/recovery/choose-password-page.tsx'),
    words: ['recovery'],
  },
  {
    path: '/second-factor',
    titleKey: 'secondFactor',
    keys: [],
    screen: () => import('../features/account/second-factor/second-factor-page.tsx'),
    words: ['account'],
  },
  {
    path: '/share/file',
    titleKey: 'sharedFile',
    keys: [],
    screen: () => import('../features/shares/visitor/share-page.tsx'),
    words: ['share'],
  },
  {
    path: '/share/issue',
    titleKey: 'reportIssue',
    keys: [],
    screen: () => import('./pages/report-page.tsx'),
    words: ['report'],
  },
];

/** The texts of the pages of one issue; commands are named in its timeline. */
const ISSUE_WORDS: readonly Room[] = ['issues', 'issue', 'content', 'operations'];

/** Every route below /manage, in the order of the sidebar. */
export const MANAGE_ROUTES: readonly AppRoute[] = [
  { path: '/manage', titleKey: 'home', keys: [], redirectTo: '/manage/home' },
  {
    path: '/manage/home',
    titleKey: 'home',
    keys: ['auth_home'],
    inSidebar: true,
    group: 1,
    icon: 'home',
    screen: () => import('../features/alarms/home/home-page.tsx'),
    words: ['home', 'alarms'],
  },
  {
    path: '/manage/welcome',
    titleKey: 'welcome',
    keys: [],
    screen: () => import('../features/access/welcome-page.tsx'),
    words: ['people'],
  },
  { path: '/manage/noauth', titleKey: 'noauth', keys: [], screen: () => import('./pages/noauth-page.tsx') },
  {
    path: '/manage/my',
    titleKey: 'my',
    keys: ['auth_my'],
    screen: () => import('./pages/my.tsx'),
    words: ['account', 'recovery'],
  },
  {
    path: '/manage/site',
    titleKey: 'site',
    keys: ['auth_site'],
    inSidebar: true,
    group: 1,
    icon: 'site',
    redirectTo: '/manage/site/list',
    children: [
      {
        path: '/manage/site/list',
        titleKey: 'siteList',
        keys: ['auth_site_list'],
        inSidebar: true,
        screen: () => import('../features/fleet/sites/site-list-page.tsx'),
        words: ['places', 'fleet'],
      },
      {
        path: '/manage/site/add',
        titleKey: 'siteAdd',
        keys: ['auth_site_add'],
        screen: () => import('../features/fleet/sites/site-form-page.tsx'),
        words: ['places', 'fleet'],
      },
      {
        path: '/manage/site/update/:id',
        titleKey: 'siteEdit',
        keys: ['auth_site_edit'],
        parent: '/manage/site/detail/:id',
        screen: () => import('../features/fleet/sites/site-form-page.tsx'),
        words: ['places', 'fleet'],
      },
      {
        path: '/manage/site/detail/:id',
        titleKey: 'siteDetail',
        keys: ['auth_site_detail'],
        ofRow: true,
        screen: () => import('./pages/site-detail.tsx'),
        words: ['messages', 'on-call', 'places', 'fleet', 'alarms', 'statistics', 'issues'],
      },
    ],
  },
  {
    path: '/manage/device',
    titleKey: 'device',
    keys: ['auth_device'],
    inSidebar: true,
    group: 1,
    icon: 'device',
    redirectTo: '/manage/device/list',
    children: [
      {
        path: '/manage/device/list',
        titleKey: 'deviceList',
        keys: ['auth_device_list'],
        inSidebar: true,
        screen: () => import('./pages/device-list.tsx'),
        words: ['fleet'],
      },
      {
        path: '/manage/device/alarms',
        titleKey: 'alarms',
        keys: ['auth_device_list'],
        inSidebar: true,
        screen: () => import('../features/alarms/alarm-list-page.tsx'),
        words: ['alarms'],
      },
      {
        path: '/manage/device/charts',
        titleKey: 'deviceCharts',
        keys: ['auth_device_detail'],
        inSidebar: true,
        screen: () => import('../features/telemetry/charts/charts-page.tsx'),
        words: ['telemetry', 'operations'],
      },
      {
        path: '/manage/device/batches',
        titleKey: 'batches',
        keys: ['auth_device_detail'],
        inSidebar: true,
        screen: () => import('../features/operations/batches/batch-list-page.tsx'),
        words: ['batches', 'operations', 'transfers'],
      },
      {
        path: '/manage/device/batch/:id',
        titleKey: 'batch',
        keys: ['auth_device_detail'],
        parent: '/manage/device/batches',
        ofRow: true,
        screen: () => import('../features/operations/batches/batch-page.tsx'),
        words: ['batches', 'operations', 'transfers'],
      },
      {
        path: '/manage/device/add/:SN?',
        titleKey: 'deviceAdd',
        keys: ['auth_device_add'],
        screen: () => import('../features/fleet/devices/form/device-form-page.tsx'),
        words: ['fleet'],
      },
      {
        path: '/manage/device/import',
        titleKey: 'deviceImport',
        keys: ['auth_device_add'],
        screen: () => import('../features/fleet/import/import-page.tsx'),
        words: ['fleet', 'devices'],
      },
      {
        path: '/manage/device/labels',
        titleKey: 'deviceLabels',
        keys: ['auth_device'],
        screen: () => import('../features/fleet/labels/labels-page.tsx'),
        words: ['devices'],
      },
      {
        path: '/manage/device/update/:id',
        titleKey: 'deviceEdit',
        keys: ['auth_device_edit'],
        parent: '/manage/device/detail/:id',
        screen: () => import('../features/fleet/devices/form/device-form-page.tsx'),
        words: ['fleet'],
      },
      {
        path: '/manage/device/:listtype?/detail/:id/:type?',
        titleKey: 'deviceDetail',
        keys: ['auth_device_detail'],
        ofRow: true,
        screen: () => import('./pages/device-detail.tsx'),
        words: [
          'messages',
          'fleet',
          'devices',
          'telemetry',
          'alarms',
          'operations',
          'parameters',
          'audit',
          'statistics',
          'transfers',
          'issues',
        ],
      },
      { path: '/manage/device/terminal', titleKey: 'deviceTerminal', keys: ['auth_device_detail'] },
    ],
  },
  {
    path: '/manage/role',
    titleKey: 'role',
    keys: ['auth_role'],
    who: 'vendor',
    inSidebar: true,
    group: 2,
    icon: 'role',
    redirectTo: '/manage/role/list',
    children: [
      {
        path: '/manage/role/list',
        titleKey: 'roleList',
        keys: ['auth_role_list'],
        who: 'vendor',
        inSidebar: true,
        screen: () => import('../features/people/roles/role-list-page.tsx'),
        words: ['people'],
      },
      {
        path: '/manage/role/auth/menu/:RoeId',
        titleKey: 'roleMenus',
        keys: ['auth_role_authMenu'],
        who: 'vendor',
        parent: '/manage/role/list',
        ofRow: true,
        screen: () => import('../features/people/roles/role-menus-page.tsx'),
        words: ['people'],
      },
      {
        path: '/manage/role/auth/data/:RoeId',
        titleKey: 'roleData',
        keys: ['auth_role_authData'],
        who: 'vendor',
        parent: '/manage/role/list',
        ofRow: true,
        screen: () => import('../features/people/roles/role-data-page.tsx'),
        words: ['people'],
      },
      {
        path: '/manage/role/auth/message/:RoeId',
        titleKey: 'roleMessages',
        keys: ['auth_role_authData'],
        who: 'vendor',
        parent: '/manage/role/list',
        ofRow: true,
        screen: () => import('../features/messages/roles/role-messages-page.tsx'),
        words: ['messages'],
      },
    ],
  },
  {
    path: '/manage/config-model',
    titleKey: 'configModel',
    keys: ['auth_dict'],
    inSidebar: true,
    group: 2,
    icon: 'configModel',
    redirectTo: '/manage/config-model/list',
    children: [
      {
        path: '/manage/config-model/list',
        titleKey: 'configModelList',
        keys: ['auth_dict'],
        inSidebar: true,
        screen: () => import('../features/models/items/item-list-page.tsx'),
        words: ['models'],
      },
      {
        path: '/manage/config-model/group',
        titleKey: 'configModelGroup',
        keys: ['auth_dict_group'],
        inSidebar: true,
        screen: () => import('../features/models/items/group-page.tsx'),
        words: ['models'],
      },
    ],
  },
  {
    path: '/manage/device-model/:id?',
    titleKey: 'deviceModel',
    keys: ['auth_deviceModel'],
    ofRow: true,
    inSidebar: true,
    group: 2,
    icon: 'deviceModel',
    screen: () => import('../features/models/device-models/model-page.tsx'),
    words: ['models', 'rules'],
    children: [
      {
        path: '/manage/device-model-alias',
        titleKey: 'deviceModelAlias',
        keys: ['auth_deviceModel_alias'],
        inSidebar: true,
        screen: () => import('../features/models/aliases/alias-page.tsx'),
        words: ['models'],
      },
      {
        path: '/manage/device-model-firmware',
        titleKey: 'firmware',
        keys: ['auth_deviceModel_firmware'],
        inSidebar: true,
        screen: () => import('../features/transfers/firmware-page.tsx'),
        words: ['transfers', 'files'],
      },
    ],
  },
  {
    path: '/manage/logs',
    titleKey: 'logs',
    keys: ['auth_logs'],
    inSidebar: true,
    group: 2,
    icon: 'logs',
    redirectTo: '/manage/logs/action',
    children: [
      {
        path: '/manage/logs/action/:type?/:id?',
        titleKey: 'logsAction',
        keys: ['auth_logs_action'],
        ofRow: true,
        inSidebar: true,
        screen: () => import('../features/audit/logs-page.tsx'),
        words: ['audit', 'operations'],
      },
      { path: '/manage/logs/protocol', titleKey: 'logsProtocol', keys: ['auth_logs_protocol'] },
      { path: '/manage/logs/error', titleKey: 'logsError', keys: ['auth_logs_error'] },
    ],
  },
  {
    path: '/manage/customer',
    titleKey: 'customer',
    keys: ['auth_customer'],
    inSidebar: true,
    group: 2,
    icon: 'customer',
    redirectTo: '/manage/customer/list',
    children: [
      {
        path: '/manage/customer/list',
        titleKey: 'customerList',
        keys: ['auth_customer_list'],
        inSidebar: true,
        screen: () => import('../features/fleet/customers/customer-list-page.tsx'),
        words: ['places', 'fleet'],
      },
      {
        path: '/manage/customer/detail/:id',
        titleKey: 'customerDetail',
        keys: ['auth_customer_detail'],
        ofRow: true,
        screen: () => import('./pages/customer-detail.tsx'),
        words: ['on-call', 'places', 'fleet', 'issues'],
      },
    ],
  },
  {
    path: '/manage/user',
    titleKey: 'user',
    keys: ['auth_user'],
    inSidebar: true,
    group: 2,
    icon: 'user',
    redirectTo: '/manage/user/list',
    children: [
      {
        path: '/manage/user/list',
        titleKey: 'userList',
        keys: ['auth_user_list'],
        inSidebar: true,
        screen: () => import('../features/people/users/user-list-page.tsx'),
        words: ['people'],
      },
      {
        path: '/manage/user/add',
        titleKey: 'userAdd',
        keys: ['auth_user_add'],
        screen: () => import('../features/people/users/user-form-page.tsx'),
        words: ['people'],
      },
      {
        path: '/manage/user/update/:id',
        titleKey: 'userEdit',
        keys: ['auth_user_edit'],
        parent: '/manage/user/detail/:id',
        screen: () => import('../features/people/users/user-form-page.tsx'),
        words: ['people'],
      },
      {
        path: '/manage/user/auth/:id',
        titleKey: 'userAuth',
        keys: ['auth_user_authData'],
        parent: '/manage/user/detail/:id',
        screen: () => import('../features/people/users/user-auth-page.tsx'),
        words: ['people'],
      },
      {
        path: '/manage/user/detail/:id',
        titleKey: 'userDetail',
        keys: ['auth_user_detail'],
        ofRow: true,
        screen: () => import('../features/people/users/user-detail-page.tsx'),
        words: ['people', 'explain', 'operations'],
      },
    ],
  },
  {
    path: '/manage/system',
    titleKey: 'system',
    keys: ['auth_system'],
    hidden: true,
    group: 2,
    redirectTo: '/manage/system/welcome',
    children: [
      {
        path: '/manage/system/welcome',
        titleKey: 'welcome',
        keys: ['auth_system'],
        screen: () => import('../features/access/welcome-page.tsx'),
        words: ['people'],
      },
      {
        path: '/manage/system/mails',
        titleKey: 'outgoingMails',
        keys: ['auth_system'],
        who: 'root',
        screen: () => import('../features/mails/mail-list-page.tsx'),
        words: ['mails'],
      },
      { path: '/manage/system/dashboard', titleKey: 'systemDashboard', keys: ['auth_system_dashboard'] },
      {
        path: '/manage/system/online',
        titleKey: 'online',
        keys: ['auth_user_online'],
        screen: () => import('../features/people/online/online-users-page.tsx'),
        words: ['online', 'people'],
      },
      {
        path: '/manage/system/privacy',
        titleKey: 'privacyPolicy',
        keys: ['auth_privacy'],
        who: 'vendor',
        screen: () => import('../features/privacy/privacy-page.tsx'),
        words: ['privacy'],
      },
      {
        path: '/manage/system/menu',
        titleKey: 'systemMenu',
        keys: ['auth_menu'],
        who: 'vendor',
        screen: () => import('../features/people/menus/menus-page.tsx'),
        words: ['menus', 'people'],
      },
      {
        path: '/manage/system/role/auth/menu/:RoeId',
        titleKey: 'roleMenus',
        keys: ['auth_role_authMenu'],
        who: 'vendor',
        parent: '/manage/role/list',
        ofRow: true,
        screen: () => import('../features/people/roles/role-menus-page.tsx'),
        words: ['people'],
      },
      {
        path: '/manage/system/role/auth/data/:RoeId',
        titleKey: 'roleData',
        keys: ['auth_role_authData'],
        who: 'vendor',
        parent: '/manage/role/list',
        ofRow: true,
        screen: () => import('../features/people/roles/role-data-page.tsx'),
        words: ['people'],
      },
      {
        path: '/manage/system/role/auth/message/:RoeId',
        titleKey: 'roleMessages',
        keys: ['auth_role_authData'],
        who: 'vendor',
        parent: '/manage/role/list',
        ofRow: true,
        screen: () => import('../features/messages/roles/role-messages-page.tsx'),
        words: ['messages'],
      },
      {
        path: '/manage/system/list',
        titleKey: 'waiting',
        keys: ['auth_black_device'],
        who: 'vendor',
        screen: () => import('../features/fleet/waiting/waiting-page.tsx'),
        words: ['fleet'],
      },
      {
        path: '/manage/system/application',
        titleKey: 'application',
        keys: ['auth_application'],
        redirectTo: '/manage/system/application/list',
        children: [
          { path: '/manage/system/application/list', titleKey: 'applicationList', keys: ['auth_application_list'] },
          { path: '/manage/system/application/add', titleKey: 'applicationAdd', keys: ['auth_application_add'] },
          {
            path: '/manage/system/application/update/:id',
            titleKey: 'applicationEdit',
            keys: ['auth_application_edit'],
          },
          {
            path: '/manage/system/application/detail/:id',
            titleKey: 'applicationDetail',
            keys: ['auth_application_detail'],
          },
        ],
      },
    ],
  },
  {
    path: '/manage/application',
    titleKey: 'application',
    keys: ['auth_application'],
    redirectTo: '/manage/system/application/list',
  },
  {
    path: '/manage/attach',
    titleKey: 'attach',
    keys: ['auth_attach'],
    redirectTo: '/manage/attach/list',
    children: [
      {
        path: '/manage/attach/list',
        titleKey: 'attachList',
        keys: ['auth_attach'],
        screen: () => import('../features/attachments/attachment-list-page.tsx'),
        words: ['attachments', 'shares'],
      },
      {
        path: '/manage/attach/shares',
        titleKey: 'shares',
        keys: ['auth_attach'],
        screen: () => import('../features/shares/share-list-page.tsx'),
        words: ['shares'],
      },
    ],
  },
  {
    path: '/manage/docs',
    titleKey: 'docs',
    keys: ['auth_docs'],
    redirectTo: '/manage/docs/home',
    children: [
      {
        path: '/manage/docs/home',
        titleKey: 'docsHome',
        keys: ['auth_docs_home_list_all'],
        screen: () => import('../features/documents/home/home-page.tsx'),
        words: ['documents'],
      },
      {
        path: '/manage/docs/search',
        titleKey: 'docsSearch',
        keys: ['auth_docs_search'],
        parent: '/manage/docs/home',
        screen: () => import('../features/documents/search/search-page.tsx'),
        words: ['documents'],
      },
      {
        path: '/manage/docs/detail/:id?',
        titleKey: 'docsDetail',
        keys: ['auth_docs_detail'],
        parent: '/manage/docs/home',
        ofRow: true,
        screen: () => import('../features/documents/reader/reader-page.tsx'),
        words: ['documents', 'content', 'operations'],
      },
      {
        path: '/manage/docs/detail/type/:type?',
        titleKey: 'docsDetail',
        keys: ['auth_docs_detail'],
        parent: '/manage/docs/home',
        ofRow: true,
        screen: () => import('../features/documents/reader/code-page.tsx'),
        words: ['documents', 'content', 'operations'],
      },
      {
        path: '/manage/docs/list',
        titleKey: 'docsList',
        keys: ['auth_docs_list'],
        parent: '/manage/docs/home',
        screen: () => import('../features/documents/list/list-page.tsx'),
        words: ['documents'],
      },
      {
        path: '/manage/docs/props/:id?',
        titleKey: 'docsProps',
        keys: ['auth_docs_manage'],
        parent: '/manage/docs/list',
        ofRow: true,
        screen: () => import('../features/documents/properties/properties-page.tsx'),
        words: ['documents'],
      },
      {
        path: '/manage/docs/add',
        titleKey: 'docsAdd',
        keys: ['auth_docs_add'],
        parent: '/manage/docs/list',
        screen: () => import('../features/documents/properties/add-page.tsx'),
        words: ['documents'],
      },
      {
        path: '/manage/docs/update/props/:id?',
        titleKey: 'docsEdit',
        keys: ['auth_docs_edit'],
        parent: '/manage/docs/list',
        screen: () => import('../features/documents/properties/edit-page.tsx'),
        words: ['documents'],
      },
      {
        path: '/manage/docs/update/content/:categoryId/:id',
        titleKey: 'docsContent',
        keys: ['auth_docs_content_edit'],
        parent: '/manage/docs/detail/:id?',
        screen: () => import('../features/documents/editor/content-page.tsx'),
        words: ['editor', 'content', 'files'],
      },
      {
        path: '/manage/docs/category',
        titleKey: 'docsCategory',
        keys: ['auth_docs_category_manage'],
        parent: '/manage/docs/home',
        screen: () => import('../features/documents/categories/category-page.tsx'),
        words: ['documents'],
      },
    ],
  },
  {
    path: '/manage/message',
    titleKey: 'message',
    keys: ['auth_message'],
    redirectTo: '/manage/message/list',
    children: [
      {
        path: '/manage/message/list',
        titleKey: 'messageList',
        keys: ['auth_message_list'],
        screen: () => import('../features/messages/inbox/inbox-page.tsx'),
        words: ['messages'],
      },
      {
        path: '/manage/message/setting',
        titleKey: 'messageSetting',
        keys: ['auth_message_setting'],
        parent: '/manage/message/list',
        screen: () => import('../features/messages/settings/settings-page.tsx'),
        words: ['messages'],
      },
      {
        path: '/manage/message/channels',
        titleKey: 'messageChannels',
        keys: ['auth_message_channels'],
        parent: '/manage/message/list',
        screen: () => import('../features/messages/channels/channels-page.tsx'),
        words: ['channels', 'messages'],
      },
    ],
  },
  {
    path: '/manage/issue',
    titleKey: 'issue',
    keys: ['auth_issue'],
    redirectTo: '/manage/issue/list',
    children: [
      {
        path: '/manage/issue/list',
        titleKey: 'issueList',
        keys: ['auth_issue_list'],
        screen: () => import('../features/issues/list/issue-list-page.tsx'),
        words: ['issues'],
      },
      {
        path: '/manage/issue/add',
        titleKey: 'issueAdd',
        keys: ['auth_issue_add'],
        screen: () => import('../features/issues/form/add-page.tsx'),
        words: ISSUE_WORDS,
      },
      {
        path: '/manage/issue/update/:id',
        titleKey: 'issueEdit',
        keys: ['auth_issue_edit'],
        parent: '/manage/issue/detail/:id',
        screen: () => import('../features/issues/form/edit-page.tsx'),
        words: ISSUE_WORDS,
      },
      {
        path: '/manage/issue/detail/:id',
        titleKey: 'issueDetail',
        keys: ['auth_issue_detail'],
        ofRow: true,
        screen: () => import('../features/issues/detail/issue-page.tsx'),
        words: ISSUE_WORDS,
      },
    ],
  },
];

/**
 * True when the page can be opened from a list of pages: it needs no parameter. A page of one row needs its row, except
 * in the sidebar, where its entry opens the list of rows.
 */
export function isListed({ path, ofRow, inSidebar, screen }: AppRoute): boolean {
  const needsRow = ofRow === true || /:id\b/.test(path);
  return screen !== undefined && !/:\w+(?!\w|\?)/.test(path) && (inSidebar === true || !needsRow);
}

/** The routes of a tree as a list, parents before their children. */
export function flatRoutes(routes: readonly AppRoute[]): AppRoute[] {
  return routes.flatMap((route) => [route, ...flatRoutes(route.children ?? [])]);
}
