import type { AnswerOf, BodyOf, Locale, peopleEndpoints, QueryOf, RoleDetail, RoleRow } from '@chargehand/contract';
import { CUSTOMER_ACCESS, type Holding, levelsAll, REMOTE_ACCESS, SITE_ACCESS, withParents } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import { logAction } from '../../audit/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import { foreignKeyViolation, uniqueViolation } from '../../platform/database/violations.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import { listOrder, pageOf, searchOf } from '../../platform/http/serve/list-queries.ts';
import { ordered, requireRevision, revisionOf } from '../../platform/http/serve/revision.ts';
import type { Workbook } from '../../platform/http/serve/serve-workbook.ts';
import type { Operation } from '../../ports/action-log.ts';
import { holdingOf, isGrantable, requireGrantable } from '../holding.ts';
import { requireSiteLimitsOfRole } from '../users/site-limits.ts';
import { menuParents } from './menus.store.ts';
import { roleWorkbook } from './role-export.ts';
import { presetFor } from './role-presets.ts';
import {
  allRoles,
  deleteRole,
  findRole,
  insertNewRole,
  listRoles,
  type RoleRecord,
  type RoleValues,
  renameRole,
  replaceRoleMenus,
  updateRole,
} from './roles.store.ts';

type Endpoints = typeof peopleEndpoints;
export type RolesService = ReturnType<typeof rolesService>;

/** The permissions of a new role: none. */
const LEAST: RoleValues = {
  customerAccess: CUSTOMER_ACCESS.own,
  siteAccess: SITE_ACCESS.assigned,
  remoteAccess: REMOTE_ACCESS.disabled,
  emailAlarm: false,
  secondFactor: false,
  levels: levelsAll(5),
};

/**
 * Manages roles, which all customers share. Only users of the platform vendor change them. Nobody can give a role more
 * permissions than they have, or change a role with more. Changes apply to the next request of the role's users;
 * `rightsChanged` updates their live streams.
 */
export function rolesService(db: Kysely<Database>, rightsChanged: () => void) {
  return {
    async list(caller: Caller, query: QueryOf<Endpoints['listRoles']>): Promise<AnswerOf<Endpoints['listRoles']>> {
      const holder = await holdingOf(db, caller);
      const order = listOrder(query.sort, 'name');
      const { items, total } = await listRoles(db, searchOf(query.search), order, pageOf(query));
      return { items: items.map((role) => rowOf(holder, role)), total };
    },

    workbook(query: QueryOf<Endpoints['exportRoles']>, locale: Locale): Workbook {
      return roleWorkbook(db, locale, searchOf(query.search), listOrder(query.sort, 'name'));
    },

    async choices(caller: Caller): Promise<AnswerOf<Endpoints['listRoleChoices']>> {
      const holder = await holdingOf(db, caller);
      const roles = (await allRoles(db)).filter((role) => isGrantable(holder, role));
      return {
        items: roles.map(({ id, name, customerAccess, siteAccess }) => ({ id, name, customerAccess, siteAccess })),
      };
    },

    async read(caller: Caller, id: number): Promise<RoleDetail> {
      const role = await findRole(db, id);
      if (!role) throw notFound('role');
      const row = rowOf(await holdingOf(db, caller), role);
      return { ...row, levels: role.levels, keys: role.keys, revision: revisionOf(givenBy(role)) };
    },

    async create(caller: Caller, body: BodyOf<Endpoints['createRole']>): Promise<{ id: number }> {
      const name = nameOf(body.name);
      const id = await db.transaction().execute(async (trx) => {
        const original = body.copyOf === undefined ? null : await findRole(trx, body.copyOf, 'share');
        if (body.copyOf !== undefined && !original) throw new Problem('roleUnknown', { field: 'copyOf' });
        if (original && body.preset) throw new Problem('rolePresetAndCopy', { field: 'preset' });
        const holder = await holdingOf(trx, caller);
        const start = body.preset ? presetFor(holder, body.preset) : { ...LEAST, keys: [] };
        const { keys, ...values } = original ? { ...valuesOf(original), keys: original.keys } : start;
        requireGrantable(holder, { ...values, keys });
        const newId = await explained(insertNewRole(trx, name, values));
        await replaceRoleMenus(trx, newId, keys);
        await log(trx, caller, 'new', { id: newId, name }, undefined, { name, ...values, keys });
        return newId;
      });
      return { id };
    },

    async rename(caller: Caller, id: number, body: BodyOf<Endpoints['renameRole']>): Promise<void> {
      await change(db, caller, id, async (trx, role) => {
        const name = nameOf(body.name);
        if (name === role.name) return;
        await explained(renameRole(trx, id, name));
        await log(trx, caller, 'edit', { id, name }, { name: role.name }, { name });
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
        await log(trx, caller, 'edit', role, only(before, changed), only(after, changed));
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
        await log(trx, caller, 'edit', role, { keys: role.keys }, { keys: wanted });
      });
      rightsChanged();
    },

    async remove(caller: Caller, id: number): Promise<void> {
      await change(db, caller, id, async (trx, role) => {
        if (role.users > 0) throw new Problem('roleInUse', { values: { count: role.users } });
        await explained(deleteRole(trx, id));
        await log(trx, caller, 'delete', role, { name: role.name, ...valuesOf(role), keys: role.keys }, undefined);
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

/** A name without surrounding blanks. @throws {Problem} fieldRequired when nothing is left */
function nameOf(text: string): string {
  const name = text.trim();
  if (name === '') throw new Problem('fieldRequired', { field: 'name' });
  return name;
}

async function explained<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (uniqueViolation(error) === 'roles_name') throw new Problem('roleNameExists', { field: 'name' });
    // The role was given to a user after they were counted.
    if (foreignKeyViolation(error) === 'users_role_id_fkey') throw new Problem('roleInUse', { values: { count: 1 } });
    throw error;
  }
}

async function log(
  trx: Kysely<Database>,
  caller: Caller,
  operation: Operation,
  role: { id: number; name: string },
  before: unknown,
  after: unknown,
): Promise<void> {
  await logAction(trx, caller, {
    operation,
    objectType: 'role',
    objectId: String(role.id),
    objectName: role.name,
    customerId: null,
    siteId: null,
    before,
    after,
  });
}

function rowOf(holder: Holding, role: RoleRecord): RoleRow {
  const { id, name, customerAccess, siteAccess, remoteAccess, emailAlarm, secondFactor, users, createdAt, keys } = role;
  return {
    ...{ id, name, customerAccess, siteAccess, remoteAccess, emailAlarm, secondFactor, users },
    menus: keys.length,
    createdAt: createdAt.toISOString(),
    grantable: isGrantable(holder, role),
  };
}

function valuesOf(role: RoleRecord): RoleValues {
  const { customerAccess, siteAccess, remoteAccess, emailAlarm, secondFactor, levels } = role;
  return { customerAccess, siteAccess, remoteAccess, emailAlarm, secondFactor, levels };
}

/** Everything that a role gives its users. */
function givenBy(role: RoleRecord): object {
  return { ...valuesOf(role), keys: role.keys.toSorted() };
}

function only<T extends object>(values: T, keys: readonly (keyof T)[]): Partial<T> {
  return Object.fromEntries(keys.map((key) => [key, values[key]])) as Partial<T>;
}
