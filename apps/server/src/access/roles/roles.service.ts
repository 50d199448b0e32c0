import type {
  BodyOf,
  Locale,
  peopleEndpoints,
  QueryOf,
  ResultOf,
  RoleDetail,
  RoleRow,
  WithDates,
} from '@chargehand/contract';
import { type Holding, withParents } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { explained } from '../../platform/database/violations.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import { listOrder, pageOf, searchOf } from '../../platform/http/serve/list-queries.ts';
import { ordered, requireRevision, revisionOf } from '../../platform/http/serve/revision.ts';
import type { Workbook } from '../../platform/http/serve/serve-workbook.ts';
import { holdingOf, isGrantable, requireGrantable } from '../holding.ts';
import { EXPLANATIONS } from '../tables.ts';
import { requireSiteLimitsOfRole } from '../users/site-limits.ts';
import { menuParents } from './menus.store.ts';
import { addRole, logRole, nameOf, valuesOf } from './role-changes.ts';
import { roleWorkbook } from './role-export.ts';
import {
  allRoles,
  deleteRole,
  findRole,
  listRoles,
  type RoleRecord,
  type RoleValues,
  renameRole,
  replaceRoleMenus,
  updateRole,
} from './roles.store.ts';

type Endpoints = typeof peopleEndpoints;
export type RolesService = ReturnType<typeof rolesService>;

/**
 * Manages roles, which all customers share. Only users of the platform vendor change them. Nobody can give a role more
 * permissions than they have, or change a role with more. Changes apply to the next request of the role's users;
 * `rightsChanged` updates their live streams.
 */
export function rolesService(db: Kysely<Database>, rightsChanged: () => void) {
  return {
    async list(caller: Caller, query: QueryOf<Endpoints['listRoles']>): Promise<ResultOf<Endpoints['listRoles']>> {
      const holder = await holdingOf(db, caller);
      const order = listOrder(query.sort, 'name');
      const { items, total } = await listRoles(db, searchOf(query.search), order, pageOf(query));
      return { items: items.map((role) => rowOf(holder, role)), total };
    },

    workbook(query: QueryOf<Endpoints['exportRoles']>, locale: Locale): Workbook {
      return roleWorkbook(db, locale, searchOf(query.search), listOrder(query.sort, 'name'));
    },

    async choices(caller: Caller): Promise<ResultOf<Endpoints['listRoleChoices']>> {
      const holder = await holdingOf(db, caller);
      const roles = (await allRoles(db)).filter((role) => isGrantable(holder, role));
      return {
        items: roles.map(({ id, name, customerAccess, siteAccess }) => ({ id, name, customerAccess, siteAccess })),
      };
    },

    async read(caller: Caller, id: number): Promise<WithDates<RoleDetail>> {
      const role = await findRole(db, id);
      if (!role) throw notFound('role');
      const row = rowOf(await holdingOf(db, caller), role);
      return { ...row, levels: role.levels, keys: role.keys, revision: revisionOf(givenBy(role)) };
    },

    async create(caller: Caller, body: BodyOf<Endpoints['createRole']>): Promise<{ id: number }> {
      return { id: await db.transaction().execute((trx) => addRole(trx, caller, body)) };
    },

    async rename(caller: Caller, id: number, body: BodyOf<Endpoints['renameRole']>): Promise<void> {
      await change(db, caller, id, async (trx, role) => {
        const name = nameOf(body.name);
        if (name === role.name) return;
        await explained(renameRole(trx, id, name), EXPLANATIONS);
        await logRole(trx, caller, 'edit', { id, name }, { name: role.name }, { name });
      });
    },

    async setData(caller: Caller, id: number, { revision, ...data }: BodyOf<Endpoints['setRoleData']>): Promise<void> {
      await change(db, caller, id, async (trx, role, holder) => {
        const before = valuesOf(role);
        const after = { ...data, secondFactor: data.secondFactor ?? role.secondFactor } as RoleValues;
        requireGrantable(holder, { ...after, keys: role.keys });
        const changed = (Object.keys(before) as (keyof RoleValues)[]).filter(
          (key) => JSON.stringify(ordered(before[key])) !== JSON.stringify(ordered(after[key])),
        );
        if (changed.length === 0) return;
        requireRevision(revision, givenBy(role));
        await updateRole(trx, id, after);
        if (changed.includes('siteAccess') || changed.includes('customerAccess')) {
          await requireSiteLimitsOfRole(trx, id, 'siteAccess');
        }
        await logRole(trx, caller, 'edit', role, only(before, changed), only(after, changed));
      });
      rightsChanged();
    },

    async setMenus(caller: Caller, id: number, { keys, revision }: BodyOf<Endpoints['setRoleMenus']>): Promise<void> {
      await change(db, caller, id, async (trx, role, holder) => {
        const parents = await menuParents(trx);
        const unknown = keys.find((key) => !parents.has(key));
        if (unknown !== undefined) throw new Problem('menuUnknown', { field: 'keys', values: { key: unknown } });
        const wanted = [...withParents(keys, (key) => parents.get(key) ?? null)].sort();
        requireGrantable(holder, { ...valuesOf(role), keys: wanted });
        if (wanted.join() === role.keys.toSorted().join()) return;
        requireRevision(revision, givenBy(role));
        await replaceRoleMenus(trx, id, wanted);
        await logRole(trx, caller, 'edit', role, { keys: role.keys }, { keys: wanted });
      });
      rightsChanged();
    },

    async remove(caller: Caller, id: number): Promise<void> {
      await change(db, caller, id, async (trx, role) => {
        if (role.users > 0) throw new Problem('roleInUse', { values: { count: role.users } });
        await explained(deleteRole(trx, id), EXPLANATIONS);
        await logRole(trx, caller, 'delete', role, { name: role.name, ...valuesOf(role), keys: role.keys }, undefined);
      });
    },
  };
}

/** Locks a role, checks that the caller may change it, and changes it, in one transaction. */
async function change(
  db: Kysely<Database>,
  caller: Caller,
  id: number,
  work: (trx: Kysely<Database>, role: RoleRecord, holder: Holding) => Promise<void>,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const role = await findRole(trx, id, 'update');
    if (!role) throw notFound('role');
    const holder = await holdingOf(trx, caller);
    if (!isGrantable(holder, role)) throw new Problem('roleExceeds');
    await work(trx, role, holder);
  });
}

function rowOf(holder: Holding, role: RoleRecord): WithDates<RoleRow> {
  const { id, name, customerAccess, siteAccess, remoteAccess, emailAlarm, secondFactor, users, createdAt, keys } = role;
  return {
    ...{ id, name, customerAccess, siteAccess, remoteAccess, emailAlarm, secondFactor, users },
    menus: keys.length,
    createdAt,
    grantable: isGrantable(holder, role),
  };
}

/** Everything that a role gives its users. */
function givenBy(role: RoleRecord): object {
  return { ...valuesOf(role), keys: role.keys.toSorted() };
}

function only<T extends object>(values: T, keys: readonly (keyof T)[]): Partial<T> {
  return Object.fromEntries(keys.map((key) => [key, values[key]])) as Partial<T>;
}
