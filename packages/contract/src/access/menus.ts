import { type Static, Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Exact, Matching, NullableText, Words } from '../schemas.ts';

const Key = Type.String({ minLength: 1, maxLength: 64 });
const InterfaceId = Type.String({ minLength: 1, maxLength: 100 });
const Name = Type.String({ minLength: 1, maxLength: 64 });
/** A path of the console, or empty. Hosts and schemes are rejected. */
const Url = Matching('^(/(?![/\\\\])\\S*)?$', '/manage/device/list', { maxLength: 200 });
const MenuParams = Type.Object({ key: Key }, { additionalProperties: false });
const InterfaceParams = Type.Object({ interfaceId: InterfaceId }, { additionalProperties: false });

const InterfaceName = {
  id: Type.String(),
  nameEn: Type.String(),
  nameZh: Type.String(),
  method: Type.String(),
  url: Type.String(),
};

export const MenuRow = Exact({
  key: Type.String(),
  parentKey: NullableText,
  nameEn: Type.String(),
  nameZh: Type.String(),
  /** the path of the console page; empty when the menu has no page */
  url: Type.String(),
  sort: Type.Integer(),
  /** every user has it */
  common: Type.Boolean(),
  /** a permission key of the product: it can be renamed and moved, but not deleted */
  builtIn: Type.Boolean(),
  /** number of roles that have it */
  roles: Type.Integer(),
  /** it grants nothing that the caller does not have, so the caller may change it */
  changeable: Type.Boolean(),
  interfaces: Type.Array(Exact({ ...InterfaceName, common: Type.Boolean() })),
});
export type MenuRow = Static<typeof MenuRow>;

/** An interface: its declaration in the product and the changes made by users. */
export const InterfaceRow = Exact({
  ...InterfaceName,
  /** every signed-in user can call it */
  common: Type.Boolean(),
  /** the menus that include it */
  menus: Type.Array(Type.String()),
  /** `public`: no session required; `none`: in no menu and not common, so only root can call it */
  carried: Words(['public', 'common', 'menus', 'none']),
  declared: Exact({ common: Type.Boolean(), menus: Type.Array(Type.String()) }),
  /**
   * menus that users attached or detached, and whether they changed the common flag: the next sync keeps these changes
   */
  changed: Exact({ attached: Type.Array(Type.String()), detached: Type.Array(Type.String()), common: Type.Boolean() }),
  /** the caller can call it and may therefore change who else can */
  changeable: Type.Boolean(),
});
export type InterfaceRow = Static<typeof InterfaceRow>;

const menuPath = '/api/auth/sys/menus';
const interfacePath = '/api/auth/sys/interfaces';
const manages = { keys: ['auth_menu'] } as const;

export const menusEndpoints = {
  listMenus: endpoint({
    id: 'menus.list',
    method: 'GET',
    path: menuPath,
    policy: { route: { keys: ['auth_role_authMenu', 'auth_menu'] }, who: 'vendor', row: 'shared' },
    effect: 'list',
    summary: 'List menus with their interfaces, in tree order; platform vendor only',
    nameZh: '查询菜单',
    answer: Exact({ items: Type.Array(MenuRow) }),
  }),
  createMenu: endpoint({
    id: 'menus.create',
    method: 'POST',
    path: menuPath,
    policy: { route: manages, who: 'vendor', row: 'shared' },
    effect: 'create',
    summary: 'Add a menu without interfaces. The server generates its key',
    nameZh: '新增菜单',
    body: Exact({
      nameEn: Name,
      nameZh: Name,
      url: Type.Optional(Url),
      parentKey: Type.Union([Key, Type.Null()]),
    }),
    answer: Exact({ key: Type.String() }),
  }),
  updateMenu: endpoint({
    id: 'menus.update',
    method: 'PATCH',
    path: `${menuPath}/:key`,
    policy: { route: manages, who: 'vendor', row: 'shared' },
    effect: 'update',
    summary: 'Update the names, path or common flag of a menu. Applies from the next request',
    nameZh: '编辑菜单',
    params: MenuParams,
    body: Exact({
      nameEn: Type.Optional(Name),
      nameZh: Type.Optional(Name),
      url: Type.Optional(Url),
      common: Type.Optional(Type.Boolean()),
    }),
    answer: Type.Null(),
  }),
  moveMenu: endpoint({
    id: 'menus.move',
    method: 'PUT',
    path: `${menuPath}/:key/place`,
    policy: { route: manages, who: 'vendor', row: 'shared' },
    effect: 'update',
    summary: 'Move a menu; under another one or to the top level, before the one at `index`',
    nameZh: '移动菜单',
    params: MenuParams,
    body: Exact({
      parentKey: Type.Union([Key, Type.Null()]),
      index: Type.Integer({ minimum: 0, maximum: 10_000 }),
    }),
    answer: Type.Null(),
  }),
  deleteMenu: endpoint({
    id: 'menus.delete',
    method: 'DELETE',
    path: `${menuPath}/:key`,
    policy: { route: manages, who: 'vendor', row: 'shared' },
    effect: 'delete',
    summary: 'Delete a menu that has no interfaces, submenus or roles and is not built in',
    nameZh: '删除菜单',
    params: MenuParams,
    answer: Type.Null(),
  }),
  setMenuInterfaces: endpoint({
    id: 'menus.setInterfaces',
    method: 'PATCH',
    path: `${menuPath}/:key/interfaces`,
    policy: { route: manages, who: 'vendor', row: 'shared' },
    effect: 'update',
    summary: 'Attach interfaces to a menu and detach others. Applies from the next request',
    nameZh: '设置菜单的接口',
    params: MenuParams,
    body: Exact({
      attach: Type.Optional(Type.Array(InterfaceId, { maxItems: 500 })),
      detach: Type.Optional(Type.Array(InterfaceId, { maxItems: 500 })),
    }),
    answer: Type.Null(),
  }),
  listInterfaces: endpoint({
    id: 'interfaces.list',
    method: 'GET',
    path: interfacePath,
    policy: { route: manages, who: 'vendor', row: 'shared' },
    effect: 'list',
    summary: 'List interfaces with their menus and manual changes; platform vendor only',
    nameZh: '查询接口',
    answer: Exact({ items: Type.Array(InterfaceRow) }),
  }),
  setInterfaceCommon: endpoint({
    id: 'interfaces.setCommon',
    method: 'PUT',
    path: `${interfacePath}/:interfaceId/common`,
    policy: { route: manages, who: 'vendor', row: 'shared' },
    effect: 'update',
    summary: 'Open an interface to all signed-in users, or restrict it to its menus',
    nameZh: '设置接口为公共接口',
    params: InterfaceParams,
    body: Exact({ common: Type.Boolean() }),
    answer: Type.Null(),
  }),
  restoreInterface: endpoint({
    id: 'interfaces.restore',
    method: 'POST',
    path: `${interfacePath}/:interfaceId/restore`,
    policy: { route: manages, who: 'vendor', row: 'shared' },
    effect: 'update',
    summary: 'Restore the default menus and common flag of an interface',
    nameZh: '恢复接口的默认授权',
    params: InterfaceParams,
    body: Exact({}),
    answer: Type.Null(),
  }),
};
