import type { BodyOf, peopleEndpoints } from '@chargehand/contract';
import {
  CUSTOMER_ACCESS,
  type Holding,
  levelsAll,
  limitedTo,
  permits,
  REMOTE_ACCESS,
  ROLE_PRESETS,
  type RolePreset,
  SITE_ACCESS,
} from '@chargehand/domain';
import type { Kysely } from 'kysely';
import { logAction } from '../../audit/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import { explained } from '../../platform/database/violations.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { Problem } from '../../platform/http/problem.ts';
import type { Operation } from '../../ports/action-log.ts';
import { holdingOf, requireGrantable } from '../holding.ts';
import { EXPLANATIONS } from '../tables.ts';
import { isVendor } from '../vendor.ts';
import { FIRST_ROLES } from './first-roles.ts';
import {
  findRole,
  findRoleNamed,
  insertNewRole,
  type RoleRecord,
  type RoleValues,
  replaceRoleMenus,
} from './roles.store.ts';

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
 * Adds a role without permissions, as a copy of another role, or from a preset.
 * @throws {Problem} fieldRequired, roleUnknown, rolePresetAndCopy, grantExceeds, roleNameExists
 */
export async function addRole(
  trx: Kysely<Database>,
  caller: Caller,
  body: BodyOf<(typeof peopleEndpoints)['createRole']>,
): Promise<number> {
  const name = nameOf(body.name);
  const original = body.copyOf === undefined ? null : await findRole(trx, body.copyOf, 'share');
  if (body.copyOf !== undefined && !original) throw new Problem('roleUnknown', { field: 'copyOf' });
  if (original && body.preset) throw new Problem('rolePresetAndCopy', { field: 'preset' });
  const holder = await holdingOf(trx, caller);
  const start = body.preset ? presetFor(holder, body.preset) : { ...LEAST, keys: [] };
  const { keys, ...values } = original ? { ...valuesOf(original), keys: original.keys } : start;
  requireGrantable(holder, { ...values, keys });
  const id = await explained(insertNewRole(trx, name, values), EXPLANATIONS);
  await replaceRoleMenus(trx, id, keys);
  await logRole(trx, caller, 'new', { id, name }, undefined, { name, ...values, keys });
  return id;
}

/**
 * The role of a user who is saved with a role or a preset. If the role of the preset does not exist, it is added in the
 * same transaction, so that it does not remain when the user cannot be saved.
 * @throws {Problem} roleOrPreset; noPermission when the caller may not add roles
 */
export async function roleFor(
  trx: Kysely<Database>,
  caller: Caller,
  { roleId, rolePreset }: { roleId?: number; rolePreset?: RolePreset },
): Promise<number | undefined> {
  if (rolePreset === undefined) return roleId;
  if (roleId !== undefined) throw new Problem('roleOrPreset', { field: 'rolePreset' });
  const name = ROLE_PRESETS[rolePreset];
  const known = await findRoleNamed(trx, name);
  if (known !== null) return known;
  // The rights of `createRole`.
  if (!isVendor(caller) || !permits(caller, ['auth_role_authData'], 'and')) throw new Problem('noPermission');
  return addRole(trx, caller, { name, preset: rolePreset });
}

/** The rights of a new role that starts from a preset: those of the built-in role, as far as the caller has them. */
function presetFor(holder: Holding, preset: RolePreset): RoleValues & { keys: string[] } {
  const { menus, name: _, ...rights } = FIRST_ROLES.find(({ name }) => name === ROLE_PRESETS[preset])!;
  const { keys, ...values } = limitedTo(holder, { ...rights, keys: new Set(menus) });
  return { ...values, emailAlarm: false, secondFactor: false, keys: [...keys].sort() };
}

/** A name without surrounding blanks. @throws {Problem} fieldRequired when nothing is left */
export function nameOf(text: string): string {
  const name = text.trim();
  if (name === '') throw new Problem('fieldRequired', { field: 'name' });
  return name;
}

/** Records a change of a role in the action log. */
export async function logRole(
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

/** The permissions of a role, without its menus. */
export function valuesOf(role: RoleRecord): RoleValues {
  const { customerAccess, siteAccess, remoteAccess, emailAlarm, secondFactor, levels } = role;
  return { customerAccess, siteAccess, remoteAccess, emailAlarm, secondFactor, levels };
}
