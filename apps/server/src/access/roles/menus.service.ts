import { randomBytes } from 'node:crypto';
import type { BodyOf, InterfaceRow, MenuRow, menusEndpoints, ResultOf } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import { logAction } from '../../audit/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import { explained } from '../../platform/database/violations.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import type { Operation } from '../../ports/action-log.ts';
import { EXPLANATIONS } from '../tables.ts';
import {
  attachInterfaces,
  detachInterfaces,
  type InterfaceRecord,
  listInterfaces,
  lockInterfaces,
  reachedInterfaces,
} from './interfaces.store.ts';
import {
  deleteMenu,
  findMenu,
  insertMenu,
  listMenus,
  lockMenuTree,
  type MenuRecord,
  type MenuValues,
  orderMenus,
  setMenuParent,
  siblings,
  updateMenu,
} from './menus.store.ts';
import { keysOf } from './reach.service.ts';
import { linkMenus, setCommon, unlinkMenus } from './reach.store.ts';

type Endpoints = typeof menusEndpoints;
export type MenusService = ReturnType<typeof menusService>;

/**
 * Menus and their interfaces. The guard uses them, so every change applies to the next request. Users can only give
 * access that they have. The declared menus are stored beside the changes of users, which the synchronization at the
 * next start keeps.
 */
export function menusService(db: Kysely<Database>) {
  /** Locks a menu, checks the rights of the caller and changes it, in one transaction. */
  const change = async (
    caller: Caller,
    key: string,
    work: (trx: Kysely<Database>, menu: MenuRecord, reached: ReadonlySet<string>) => Promise<void>,
  ): Promise<void> => {
    await db.transaction().execute(async (trx) => {
      await lockMenuTree(trx);
      const menu = await findMenu(trx, key);
      if (!menu) throw notFound('menu');
      const reached = await reachedInterfaces(trx, caller.keys);
      if (!mayChange(caller, reached, menu)) throw new Problem('menuExceeds');
      await work(trx, menu, reached);
    });
  };

  /** The same for an interface. */
  const changeInterface = async (
    caller: Caller,
    id: string,
    work: (trx: Kysely<Database>, one: InterfaceRecord) => Promise<void>,
  ): Promise<void> => {
    await db.transaction().execute(async (trx) => {
      const [one] = await lockInterfaces(trx, [id]);
      if (!one) throw notFound('interface');
      requireReached(caller, await reachedInterfaces(trx, caller.keys), one);
      await work(trx, one);
    });
  };

  return {
    async list(caller: Caller): Promise<ResultOf<Endpoints['listMenus']>> {
      const reached = await reachedInterfaces(db, caller.keys);
      const menus = await listMenus(db);
      return { items: menus.map((menu): MenuRow => ({ ...menu, changeable: mayChange(caller, reached, menu) })) };
    },

    async create(caller: Caller, body: BodyOf<Endpoints['createMenu']>): Promise<{ key: string }> {
      const key = `menu_${randomBytes(6).toString('hex')}`;
      const values = { ...namesOf(body), url: body.url ?? '' };
      await db.transaction().execute(async (trx) => {
        await lockMenuTree(trx);
        await requireParent(trx, caller, body.parentKey);
        const others = await siblings(trx, body.parentKey);
        await orderMenus(trx, others, 0);
        await explained(
          insertMenu(trx, { key, parent_key: body.parentKey, sort: others.length, ...values }),
          EXPLANATIONS,
        );
        await log(trx, caller, 'new', { key, nameEn: values.name_en }, undefined, {
          parentKey: body.parentKey,
          ...shown(values),
        });
      });
      return { key };
    },

    async edit(caller: Caller, key: string, body: BodyOf<Endpoints['updateMenu']>): Promise<void> {
      await change(caller, key, async (trx, menu) => {
        const current = valuesOf(menu);
        const wanted: Partial<MenuValues> = {
          ...(body.nameEn === undefined ? {} : { name_en: nameOf('nameEn', body.nameEn) }),
          ...(body.nameZh === undefined ? {} : { name_zh: nameOf('nameZh', body.nameZh) }),
          ...(body.url === undefined ? {} : { url: body.url }),
          ...(body.common === undefined ? {} : { common: body.common }),
        };
        const changed = (Object.keys(wanted) as (keyof MenuValues)[]).filter((name) => wanted[name] !== current[name]);
        if (changed.length === 0) return;
        const values = Object.fromEntries(changed.map((name) => [name, wanted[name]]));
        await updateMenu(trx, key, values);
        const before = Object.fromEntries(changed.map((name) => [name, current[name]]));
        await log(trx, caller, 'edit', { key, nameEn: wanted.name_en ?? menu.nameEn }, shown(before), shown(values));
      });
    },

    async move(caller: Caller, key: string, { parentKey, index }: BodyOf<Endpoints['moveMenu']>): Promise<void> {
      await change(caller, key, async (trx, menu) => {
        await requireParent(trx, caller, parentKey);
        const before = { parentKey: menu.parentKey, position: (await siblings(trx, menu.parentKey)).indexOf(key) };
        if (parentKey !== menu.parentKey) await explained(setMenuParent(trx, key, parentKey), EXPLANATIONS);
        const others = (await siblings(trx, parentKey)).filter((one) => one !== key);
        const position = Math.min(index, others.length);
        await orderMenus(trx, others.toSpliced(position, 0, key), 0);
        const after = { parentKey, position };
        if (JSON.stringify(before) !== JSON.stringify(after)) await log(trx, caller, 'edit', menu, before, after);
      });
    },

    async remove(caller: Caller, key: string): Promise<void> {
      await change(caller, key, async (trx, menu) => {
        await explained(deleteMenu(trx, key), EXPLANATIONS);
        await log(trx, caller, 'delete', menu, { parentKey: menu.parentKey, ...shown(valuesOf(menu)) }, undefined);
      });
    },

    async setInterfaces(caller: Caller, key: string, body: BodyOf<Endpoints['setMenuInterfaces']>): Promise<void> {
      await change(caller, key, async (trx, menu, reached) => {
        const attach = [...new Set(body.attach ?? [])];
        const detach = [...new Set(body.detach ?? [])];
        const found = new Map((await lockInterfaces(trx, [...attach, ...detach])).map((one) => [one.id, one]));
        for (const [field, ids] of Object.entries({ attach, detach })) {
          for (const id of ids) {
            const one = found.get(id);
            if (!one) throw new Problem('interfaceUnknown', { field, values: { id } });
            requireReached(caller, reached, one, field);
          }
        }
        const before = menu.interfaces.map(({ id }) => id).sort();
        await attachInterfaces(trx, key, attach);
        await detachInterfaces(trx, key, detach);
        const after = [...new Set([...before, ...attach])].filter((id) => !detach.includes(id)).sort();
        if (before.join() !== after.join()) {
          await log(trx, caller, 'edit', menu, { interfaces: before }, { interfaces: after });
        }
      });
    },

    async interfaces(caller: Caller): Promise<ResultOf<Endpoints['listInterfaces']>> {
      const reached = await reachedInterfaces(db, caller.keys);
      return { items: (await listInterfaces(db)).map((one) => rowOf(one, caller.root || reached.has(one.id))) };
    },

    async setCommon(caller: Caller, id: string, common: boolean): Promise<void> {
      await changeInterface(caller, id, async (trx, one) => {
        if (one.common === common) return;
        await setCommon(trx, id, common);
        await logInterface(trx, caller, one, { common: one.common }, { common });
      });
    },

    async restore(caller: Caller, id: string): Promise<void> {
      await changeInterface(caller, id, async (trx, one) => {
        const { changed, declared } = rowOf(one, true);
        if (changed.attached.length + changed.detached.length === 0 && !changed.common) return;
        await linkMenus(trx, id, changed.detached);
        await unlinkMenus(trx, id, changed.attached);
        await setCommon(trx, id, declared.common);
        await logInterface(trx, caller, one, { common: one.common, menus: one.menus }, declared);
      });
    },
  };
}

/**
 * A built-in menu opens pages by its key, so only users who have it may change it. Other menus give only their
 * interfaces.
 */
function mayChange(caller: Caller, reached: ReadonlySet<string>, menu: MenuRecord): boolean {
  if (caller.root) return true;
  if (menu.builtIn && !caller.keys.has(menu.key)) return false;
  return menu.interfaces.every(({ id }) => reached.has(id));
}

/** @throws {Problem} interfacePublic, interfaceExceeds */
function requireReached(
  caller: Caller,
  reached: ReadonlySet<string>,
  one: Pick<InterfaceRecord, 'id' | 'declaredAccess'>,
  field?: string,
): void {
  const details = { values: { id: one.id }, ...(field === undefined ? {} : { field }) };
  if (one.declaredAccess === 'public') throw new Problem('interfacePublic', details);
  if (!caller.root && !reached.has(one.id)) throw new Problem('interfaceExceeds', details);
}

/** @throws {Problem} menuUnknown, menuExceeds */
async function requireParent(trx: Kysely<Database>, caller: Caller, key: string | null): Promise<void> {
  if (key === null) return;
  const parent = await findMenu(trx, key);
  if (!parent) throw new Problem('menuUnknown', { field: 'parentKey', values: { key } });
  if (!mayChange(caller, await reachedInterfaces(trx, caller.keys), parent)) throw new Problem('menuExceeds');
}

/** An interface for the API: its menus, and how they differ from the declared ones. */
function rowOf(one: InterfaceRecord, reached: boolean): InterfaceRow {
  const { declaredAccess, ...rest } = one;
  const menus = keysOf(declaredAccess);
  const declared = { common: menus.length === 0, menus };
  const carried = one.common ? 'common' : one.menus.length > 0 ? 'menus' : 'none';
  return {
    ...rest,
    carried: declaredAccess === 'public' ? 'public' : carried,
    declared,
    changed: {
      attached: one.menus.filter((key) => !menus.includes(key)),
      detached: menus.filter((key) => !one.menus.includes(key)),
      common: one.common !== declared.common,
    },
    changeable: reached && declaredAccess !== 'public',
  };
}

function namesOf(body: { nameEn: string; nameZh: string }) {
  return { name_en: nameOf('nameEn', body.nameEn), name_zh: nameOf('nameZh', body.nameZh) };
}

/** A trimmed name. @throws {Problem} fieldRequired if it is empty */
function nameOf(field: string, text: string): string {
  const name = text.trim();
  if (name === '') throw new Problem('fieldRequired', { field });
  return name;
}

function valuesOf({ nameEn, nameZh, url, common }: MenuRecord): MenuValues {
  return { name_en: nameEn, name_zh: nameZh, url, common };
}

/** Values with the contract's field names, as the action log stores them. */
function shown(values: Partial<MenuValues>): Record<string, unknown> {
  const { name_en, name_zh, ...rest } = values;
  return {
    ...(name_en === undefined ? {} : { nameEn: name_en }),
    ...(name_zh === undefined ? {} : { nameZh: name_zh }),
    ...rest,
  };
}

async function log(
  trx: Kysely<Database>,
  caller: Caller,
  operation: Operation,
  menu: { key: string; nameEn: string },
  before: unknown,
  after: unknown,
): Promise<void> {
  const object = { objectType: 'menu' as const, objectId: menu.key, objectName: menu.nameEn };
  await logAction(trx, caller, { operation, ...object, customerId: null, siteId: null, before, after });
}

async function logInterface(
  trx: Kysely<Database>,
  caller: Caller,
  one: InterfaceRecord,
  before: unknown,
  after: unknown,
): Promise<void> {
  const object = { objectType: 'interface' as const, objectId: one.id, objectName: one.nameEn };
  await logAction(trx, caller, { operation: 'edit', ...object, customerId: null, siteId: null, before, after });
}
