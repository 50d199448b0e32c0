import type { CodeEntry } from '../operations/message.ts';

export const MENU_CODES = {
  menuBuiltIn: {
    code: 10161,
    en: 'This menu is built in. You can rename and move it, but not delete it.',
    zh: '该菜单为系统内置，控制台依赖其权限标识，只能改名和移动，不能删除。',
  },
  menuHasInterfaces: {
    code: 10162,
    en: 'The menu has interfaces. Detach them first.',
    zh: '该菜单下还有接口，请先移除接口。',
  },
  menuHasChildren: {
    code: 10163,
    en: 'The menu has submenus. Move or delete them first.',
    zh: '该菜单下还有子菜单，请先移走或删除子菜单。',
  },
  menuInUse: {
    code: 10164,
    en: 'Roles have this menu. Remove it from them first.',
    zh: '该菜单已授权给角色，请先取消角色的授权。',
  },
  menuOwnAncestor: {
    code: 10165,
    en: 'A menu cannot be moved under itself or one of its submenus.',
    zh: '菜单不能移动到自身或其下级菜单之下。',
  },
  menuExceeds: {
    code: 10166,
    en: 'This menu grants permissions you do not have. Ask an administrator with more permissions to change it.',
    zh: '该菜单包含您不具备的权限，请联系权限更高的管理员修改。',
  },
  interfaceExceeds: {
    code: 10167,
    en: 'You do not have access to the interface {id}, so you cannot change who has.',
    zh: '您自身无权访问接口 {id}，不能设置其授权。',
  },
  interfaceUnknown: { code: 10168, en: 'The interface {id} does not exist.', zh: '接口 {id} 不存在。' },
  interfacePublic: {
    code: 10169,
    en: 'The interface {id} requires no sign-in. Its access cannot be changed.',
    zh: '接口 {id} 无需登录即可访问，不能更改其授权。',
  },
} as const satisfies Record<string, CodeEntry>;
