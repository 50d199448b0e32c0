import { randomBytes } from 'node:crypto';
import { type EndpointCase, fresh, type Ground } from '../ground.ts';

/** A custom menu, on the top level and without interfaces. */
async function newMenu({ db }: Ground): Promise<string> {
  const key = `menu_${randomBytes(6).toString('hex')}`;
  await db
    .insertInto('menus')
    .values({ key, name_en: fresh('Menu'), name_zh: '菜单', sort: 1_000 })
    .execute();
  return key;
}

const onMenu = async (ground: Ground) => ({ params: { key: await newMenu(ground) } });
/** An interface of the home menu, and manually of another menu. */
const onInterface = async ({ db }: Ground) => {
  const id = fresh('case');
  const facts = { name_en: 'Case', name_zh: '用例', method: 'GET', url: `/${id}`, declared_access: 'auth_home' };
  await db
    .insertInto('interfaces')
    .values({ id, ...facts })
    .execute();
  const links = ['auth_home', 'auth_my'].map((menu_key) => ({ menu_key, interface_id: id }));
  await db.insertInto('menu_interfaces').values(links).execute();
  return { params: { interfaceId: id } };
};

export const menuCases: Record<string, EndpointCase> = {
  'menus.list': {},
  'menus.create': {
    call: () => ({ body: { nameEn: fresh('Menu'), nameZh: '菜单', parentKey: null } }),
  },
  'menus.update': {
    call: async (ground) => ({ ...(await onMenu(ground)), body: { nameEn: fresh('Menu') } }),
  },
  'menus.move': {
    call: async (ground) => ({ ...(await onMenu(ground)), body: { parentKey: null, index: 0 } }),
  },
  'menus.delete': { call: onMenu },
  'menus.setInterfaces': {
    call: async (ground) => ({ ...(await onMenu(ground)), body: { attach: ['devices.list'] } }),
  },
  'interfaces.list': {},
  'interfaces.setCommon': {
    call: async (ground) => ({ ...(await onInterface(ground)), body: { common: true } }),
  },
  'interfaces.restore': { call: onInterface },
};
