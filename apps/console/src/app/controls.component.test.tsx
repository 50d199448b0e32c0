import {
  ENDPOINTS,
  type Endpoint,
  levelsNeeded,
  type OwnLevels,
  PERMISSIONS,
  type PermissionKey,
  roleMayCall,
  rolePolicy,
} from '@chargehand/contract';
import { DEFAULT_FILE_LEVELS, type Level, levelsAll, meets, TOP_WRITE_LEVEL } from '@chargehand/domain';
import { describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { sample, sampleList } from '../testing/sample.ts';
import { showConsole } from '../testing/show-console.tsx';
import type { Answers } from '../testing/stub-server.ts';

interface Person {
  root: boolean;
  platformVendor: boolean;
  readOnly: boolean;
  keys: PermissionKey[];
  level: Level;
}

const EVERY_KEY = Object.keys(PERMISSIONS) as PermissionKey[];
const person = (change: Partial<Person>): Person => ({
  ...{ root: false, platformVendor: true, readOnly: false, keys: EVERY_KEY, level: 1, ...change },
});
const PEOPLE: Record<string, Person> = {
  'staff of the platform vendor': person({}),
  'staff of the vendor who only reads': person({ level: 5 }),
  'an administrator of a customer': person({ platformVendor: false }),
  'a user of a read-only customer': person({ platformVendor: false, readOnly: true }),
  'a user whose menus only show lists and details': person({
    platformVendor: false,
    keys: EVERY_KEY.filter((key) => !/_(add|edit|authData|authMenu)$/.test(key)),
  }),
};

/** The default levels of a device model. */
const MODEL = { parameterRead: 5, parameterWrite: 3, control: 4 } as const;

/** The levels of documents, and of files outside of folders. */
const DOCUMENT: OwnLevels = { area: 'wiki', read: 5, write: 3, download: 5 };
const FILE: OwnLevels = { area: 'attachment', ...DEFAULT_FILE_LEVELS, write: TOP_WRITE_LEVEL };
/** What users of a read-only customer cannot do. */
const CHANGING = ['create', 'update', 'delete', 'control'];

/** True when the server would accept the call, for a row in scope, with these levels if rows have their own. */
function mayCall(who: Person, endpoint: Endpoint, own: OwnLevels | null = null): boolean {
  const { policy, effect } = endpoint;
  if (policy.route === 'public') return true;
  const needed = rolePolicy(policy);
  const role = { root: who.root, keys: new Set<string>(who.keys), levels: levelsAll(who.level) };
  if (needed && !roleMayCall(needed, role, MODEL)) return false;
  if (!meets(role.levels, levelsNeeded(needed?.level, MODEL, null, own) ?? [])) return false;
  if ('who' in policy && policy.who === 'root' && !who.root) return false;
  if ('who' in policy && policy.who === 'vendor' && !who.root && !who.platformVendor) return false;
  return !who.readOnly || !CHANGING.includes(effect);
}

/** The pages with a list, and the call behind each of their controls, by the key of its text. */
interface Screen {
  path: string;
  /** the call that the page needs to show anything */
  reads: keyof typeof ENDPOINTS;
  answers: Answers | ((who: Person) => Answers);
  /** of the rows, when they have their own levels */
  own?: OwnLevels;
  /** on the page */
  controls: Record<string, keyof typeof ENDPOINTS>;
  /** in the menu of the row */
  rowMenu?: { label: [key: string, values: Record<string, string>]; entries: Record<string, keyof typeof ENDPOINTS> };
}
const name = 'Only one';
const SCREENS: Screen[] = [
  {
    path: '/manage/device/list',
    reads: 'listDevices',
    answers: { listDevices: sampleList('listDevices', [{ id: 7, name, enabled: true }]) },
    controls: {
      'common:list.export': 'exportDevices',
      'routes:deviceImport': 'importDevices',
      'fleet:register': 'createDevice',
    },
    rowMenu: {
      label: ['fleet:action.more', { name }],
      entries: {
        'fleet:action.edit': 'updateDevice',
        'fleet:action.move': 'moveDevices',
        'fleet:action.maintain': 'recordMaintenance',
        'fleet:action.disable': 'disableDevice',
        'fleet:action.delete': 'deleteDevice',
        'fleet:action.log': 'listActionLogs',
      },
    },
  },
  {
    path: '/manage/device/alarms',
    reads: 'listAlarms',
    answers: { listAlarms: sampleList('listAlarms', [{ id: 5, deviceName: name }]) },
    controls: { 'common:list.export': 'exportAlarms', 'alarms:acknowledge.ok': 'acknowledgeAlarms' },
  },
  {
    path: '/manage/site/list',
    reads: 'listSites',
    answers: { listSites: sampleList('listSites', [{ id: 4, name, enabled: true }]) },
    controls: { 'common:list.export': 'exportSites', 'places:site.add': 'createSite' },
    rowMenu: {
      label: ['places:more', { name }],
      entries: { 'places:edit': 'updateSite', 'places:disable.ok': 'disableSite', 'places:delete.ok': 'deleteSite' },
    },
  },
  {
    path: '/manage/customer/list',
    reads: 'listCustomers',
    answers: { listCustomers: sampleList('listCustomers', [{ id: 2, name, enabled: true, platformVendor: false }]) },
    controls: { 'common:list.export': 'exportCustomers' },
    rowMenu: {
      label: ['places:more', { name }],
      entries: { 'places:disable.ok': 'disableCustomer', 'places:delete.ok': 'deleteCustomer' },
    },
  },
  {
    path: '/manage/user/list',
    reads: 'listUsers',
    answers: { listUsers: sampleList('listUsers', [{ id: 3, userName: name, enabled: true, root: false }]) },
    controls: { 'common:list.export': 'exportUsers', 'people:user.add': 'createUser' },
    rowMenu: {
      label: ['people:actionsOf', { name }],
      entries: {
        'people:edit': 'updateUser',
        'people:user.assign': 'setAssignments',
        'people:user.resetPassword': 'resetPassword',
        'people:user.signOut': 'signOutUser',
        'people:disable': 'disableUser',
        'people:delete': 'deleteUser',
      },
    },
  },
  {
    path: '/manage/role/list',
    reads: 'listRoles',
    answers: { listRoles: sampleList('listRoles', [{ id: 5, name, grantable: true }]) },
    controls: { 'common:list.export': 'exportRoles', 'people:role.add': 'createRole' },
    rowMenu: {
      label: ['people:actionsOf', { name }],
      entries: {
        'people:role.toMenus': 'setRoleMenus',
        'people:role.rename': 'renameRole',
        'people:role.copy': 'createRole',
        'people:delete': 'deleteRole',
      },
    },
  },
  {
    path: '/manage/system/list',
    reads: 'listWaitingDevices',
    answers: { listWaitingDevices: sampleList('listWaitingDevices', [{ id: 6, sn: name }]) },
    controls: {
      'common:list.export': 'exportWaitingDevices',
      'fleet:waiting.register': 'createDevice',
      'fleet:waiting.remove': 'deleteWaitingDevice',
    },
  },
  {
    path: '/manage/config-model/list',
    reads: 'listDataItems',
    answers: {},
    controls: { 'models:item.add': 'createDataItem' },
  },
  {
    path: '/manage/config-model/group',
    reads: 'listItemGroups',
    answers: {},
    controls: { 'models:groups.add': 'createItemGroup' },
  },
  {
    path: '/manage/device-model-firmware',
    reads: 'listFirmware',
    answers: {},
    controls: { 'transfers:firmware.add': 'registerFirmware' },
  },
  {
    path: '/manage/logs/action?tab=actions',
    reads: 'listActionLogs',
    answers: { listActionLogs: sampleList('listActionLogs', [{ id: 1, objectName: name }]) },
    controls: { 'common:list.export': 'exportActionLogs' },
  },
  {
    path: '/manage/attach/list',
    reads: 'listAttachments',
    own: FILE,
    answers: ({ level }) => ({
      listAttachments: sampleList('listAttachments', [
        { id: 8, name, managedBy: null, may: { write: level <= FILE.write, download: true } },
      ]),
    }),
    controls: { 'attachments:uploadFiles': 'registerAttachment', 'attachments:folder.new': 'createFolder' },
    rowMenu: {
      label: ['attachments:actionsOf', { name }],
      entries: {
        'attachments:share.do': 'shareFile',
        'attachments:edit.do': 'updateAttachment',
        'attachments:copy.do': 'copyAttachment',
        'attachments:delete': 'deleteAttachment',
      },
    },
  },
  {
    path: '/manage/attach/shares?share=3',
    reads: 'listShares',
    answers: { readShare: sample('readShare', { id: 3, state: 'open', token: null }) },
    controls: { 'shares:change': 'updateShare', 'shares:destroy': 'destroyShare' },
  },
  {
    path: '/manage/docs/list',
    reads: 'listDocuments',
    own: DOCUMENT,
    answers: {
      listDocuments: sampleList('listDocuments', [{ id: 7, customerId: 1, title: name, readLevel: 5, writeLevel: 3 }]),
    },
    controls: {
      'common:list.export': 'exportDocuments',
      'documents:import.open': 'importDocuments',
      'documents:add': 'createDocument',
    },
    rowMenu: {
      label: ['documents:more', { name }],
      entries: { 'documents:editProperties': 'updateDocument', 'documents:delete.open': 'deleteDocument' },
    },
  },
  {
    path: '/manage/issue/list',
    reads: 'listIssues',
    answers: {},
    controls: { 'common:list.export': 'exportIssues', 'routes:issueAdd': 'createSiteIssue' },
  },
  {
    path: '/manage/message/list',
    reads: 'listInbox',
    answers: {
      countInbox: { unread: 1, untreated: 1 },
      listInbox: sampleList('listInbox', [{ id: 5, data: { title: name }, type: 'issueAssigned' }]),
    },
    controls: {
      'messages:markAllRead': 'markInbox',
      'messages:do.processed': 'markInbox',
      'routes:messageChannels': 'listWebhooks',
      'messages:toSettings': 'readMessageSettings',
    },
  },
  {
    path: '/manage/message/channels',
    reads: 'listWebhooks',
    answers: { listWebhooks: sampleList('listWebhooks', [{ id: 6, name, format: 'standard', enabled: true }]) },
    controls: { 'channels:add': 'createWebhook' },
    rowMenu: {
      label: ['channels:actionsOf', { name }],
      entries: {
        'channels:edit': 'updateWebhook',
        'channels:test.do': 'testWebhook',
        'channels:rotate.do': 'rotateWebhookSecret',
        'channels:disable': 'updateWebhook',
        'channels:delete.do': 'deleteWebhook',
      },
    },
  },
  {
    path: '/manage/message/channels?tab=sends',
    reads: 'listSends',
    answers: { listSends: sampleList('listSends', [{ id: 9, receiver: name, state: 'failed' }]) },
    controls: { 'channels:again.do': 'sendAgain' },
  },
  {
    path: '/manage/customer/detail/2?tab=onCall',
    reads: 'readCustomer',
    answers: {
      readCustomer: sample('readCustomer', { id: 2, name }),
      readOnCallSettings: { escalateMinutes: 15, sites: [], people: [] },
    },
    controls: { 'on-call:add': 'createOnCall', 'on-call:copy.do': 'copyOnCallWeek' },
  },
];

/** The controls with these texts that the user sees: buttons, links and menu entries. */
function shown(texts: readonly string[]): string[] {
  const controls = [...document.querySelectorAll<HTMLElement>('button, a, [role="menuitem"]')];
  return texts.filter((text) => controls.some((one) => one.textContent?.trim() === text && one.offsetParent !== null));
}

describe.each(Object.entries(PEOPLE))('%s sees only controls whose calls the server accepts', (_, who) => {
  test.each(SCREENS.filter(({ reads }) => mayCall(who, ENDPOINTS[reads])))('$path', async (screen) => {
    const { server, t, settled } = await showConsole(screen.path, {
      user: { userName: 'me', ...who },
      answers: typeof screen.answers === 'function' ? screen.answers(who) : screen.answers,
    });
    const allowed = (calls: Record<string, keyof typeof ENDPOINTS>) =>
      Object.keys(calls).filter((key) => mayCall(who, ENDPOINTS[calls[key]!], screen.own));
    const see = (calls: Record<string, keyof typeof ENDPOINTS>) => {
      const keys = Object.keys(calls);
      const seen = shown(keys.map((key) => t(key)));
      return keys.filter((key) => seen.includes(t(key)));
    };
    await expect.element(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
    await expect.poll(() => server.sent(screen.reads).length).toBeGreaterThan(0);
    await settled();
    await expect.poll(() => see(screen.controls)).toEqual(allowed(screen.controls));
    const { rowMenu } = screen;
    if (!rowMenu) return;
    const menu = page.getByRole('button', { name: t(...rowMenu.label), exact: true });
    const entries = allowed(rowMenu.entries);
    await expect.poll(() => entries.length === 0 || menu.elements().length > 0).toBe(true);
    if (menu.elements().length === 0) return;
    await menu.first().click();
    await expect.poll(() => see(rowMenu.entries)).toEqual(entries);
    await userEvent.keyboard('{Escape}');
  });

  test('and no entry of the navigation to a page whose calls the server refuses', async () => {
    const { t, settled } = await showConsole('/manage/welcome', { user: { userName: 'me', ...who } });
    await settled();
    const roles = () =>
      page
        .getByRole('navigation', { name: t('common:shell.navigation') })
        .getByText(t('routes:role'))
        .elements();
    await expect.poll(() => roles().length > 0).toBe(mayCall(who, ENDPOINTS.listRoles));
  });
});
